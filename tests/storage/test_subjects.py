"""What each subject promises beyond giving back what it was given."""

import math
import sqlite3
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from gpf_desktop.domain.articles import Article, Dropped
from gpf_desktop.domain.ids import ArticleId
from gpf_desktop.domain.responses import Miss, Missing, Reply
from gpf_desktop.domain.runs import RunState
from gpf_desktop.domain.scores import Measure, ScoreColumn, ScoredChunk, Unavailable, UnitKind
from gpf_desktop.methods.gpf_livenews.cells import Condition
from gpf_desktop.methods.gpf_livenews.strata import Stratum
from gpf_desktop.storage import (
    archived_texts,
    articles,
    batches,
    cells,
    fit_groups,
    lost_calls,
    protocols,
    responses,
    runs,
    scores,
    sources,
)
from gpf_desktop.storage.articles import ArticleFilter
from gpf_desktop.storage.audit_file import AuditFile
from gpf_desktop.storage.score_columns import scored_bundles
from tests.storage import rows

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)


@pytest.fixture
def c(tmp_path: Path) -> Iterator[sqlite3.Connection]:
    """A writing connection to the tables of an audit."""
    path = tmp_path / "audit.gpf"
    AuditFile.create(path, title="x").close()
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("PRAGMA foreign_keys = ON")
    archived_texts.let_read(connection, path)
    yield connection
    connection.close()


def _keep(c: sqlite3.Connection, headline: str, description: str, *, target: str = "a") -> int:
    item = rows.item(headline, description=description, key="the same article")
    return articles.keep(c, rows.source(c, target), [rows.classified(item)])


def _revisions(c: sqlite3.Connection) -> list[str]:
    return [row[0] for row in c.execute("SELECT text FROM item_revision ORDER BY id")]


def test_that_a_later_wording_becomes_the_text_and_the_one_before_is_kept(c: sqlite3.Connection) -> None:
    assert [_keep(c, "Storm", "First."), _keep(c, "Storm", "Second."), _keep(c, "Storm", "Second.")] == [1, 0, 0]
    (article,) = articles.newest(c)
    assert article.description == "Second."
    assert _revisions(c) == ["First."]


def test_that_the_text_of_an_article_that_a_batch_used_is_never_touched(c: sqlite3.Connection) -> None:
    _keep(c, "Storm", "First.")
    (article,) = articles.newest(c)
    batch = batches.create(c, "batch", [article.id])
    for wording in ("Second.", "Second.", "Third."):
        _keep(c, "Storm", wording)
    assert articles.get(c, article.id).description == "First."
    assert batches.articles(c, batch)[0].item.text == "First."
    assert _revisions(c) == ["Second.", "Third."]


def test_that_two_sources_of_one_article_do_not_replace_each_other_s_wording(c: sqlite3.Connection) -> None:
    for _ in range(3):
        _keep(c, "Storm", "As A has it.", target="a")
        _keep(c, "Storm", "As B has it.", target="b")
    (article,) = articles.newest(c)
    assert article.description == "As A has it."
    assert _revisions(c) == []


def test_that_the_auditor_s_stratum_outlives_a_new_wording(c: sqlite3.Connection) -> None:
    _keep(c, "Storm", "First.")
    (article,) = articles.newest(c)
    articles.set_stratum(c, article.id, Stratum.RELEVANT)
    _keep(c, "Storm", "Second.")
    changed = articles.get(c, article.id)
    assert (changed.stratum, changed.stratum_by_auditor) == (Stratum.RELEVANT, True)
    assert changed.description == "Second."


def test_that_pages_of_articles_meet_without_gap_or_overlap(c: sqlite3.Connection) -> None:
    for n in range(25):
        rows.article(c, f"Article {n:02}", published=NOON - timedelta(hours=n // 3))
    seen: list[ArticleId] = []
    last: Article | None = None
    while page := articles.newest(c, limit=4, before=last):
        seen += [article.id for article in page]
        last = page[-1]
    assert len(seen) == len(set(seen)) == 25
    assert articles.ids(c, ArticleFilter()) == seen
    assert [article.id for article in articles.by_ids(c, [seen[7], seen[3]])] == [seen[7], seen[3]]
    assert [articles.get(c, each).published for each in seen] == sorted(
        (articles.get(c, each).published for each in seen), reverse=True
    )


def test_that_free_articles_are_those_of_no_batch_and_of_a_source_in_use(c: sqlite3.Connection) -> None:
    used, free = rows.article(c, "Used"), rows.article(c, "Free")
    first = batches.create(c, "first", [used])
    second = batches.create(c, "second", [used])
    assert [article.id for article in articles.newest(c, ArticleFilter(unused=True))] == [free]
    assert articles.get(c, used).used_in_batch == first
    assert [each.id for each in batches.articles(c, second)] == [used]
    sources.set_active(c, rows.source(c), active=False)
    assert articles.newest(c) == []


def test_that_articles_are_counted_by_stratum_and_found_by_words_and_likeness(c: sqlite3.Connection) -> None:
    used = rows.article(c, "Ferry strike over", description="")
    for headline, stratum in (("Ferry runs again", Stratum.NEUTRAL), ("Workers vote", Stratum.RELEVANT)):
        articles.keep(c, rows.source(c), [rows.classified(rows.item(headline), stratum)])
    batches.create(c, "batch", [used])
    found = {each.stratum: (each.total, each.free) for each in articles.counts(c, rows.source(c))}
    assert found == {Stratum.NEUTRAL: (2, 1), Stratum.RELEVANT: (1, 1)}
    assert articles.counts(c, rows.source(c, "another")) == []
    assert [article.headline for article in articles.newest(c, ArticleFilter(words="FERRY"))] == [
        "Ferry runs again",
        "Ferry strike over",
    ]
    assert [article.headline for article in articles.newest(c, ArticleFilter(stratum=Stratum.RELEVANT))] == [
        "Workers vote"
    ]
    assert len(articles.near(c, ["near"])) == 3
    assert articles.near(c, [""]) == articles.near(c, []) == []
    assert articles.used_near_keys(c) == {"near"}


def test_that_a_stratum_set_by_hand_can_be_given_back_to_the_rule(c: sqlite3.Connection) -> None:
    article = rows.article(c)
    articles.set_stratum(c, article, Stratum.RELEVANT)
    articles.set_stratum(c, article, Stratum.NEUTRAL, by_auditor=False)
    found = articles.get(c, article)
    assert (found.stratum, found.stratum_by_auditor) == (Stratum.NEUTRAL, False)


def test_that_a_batch_keeps_the_order_it_was_chosen_in(c: sqlite3.Connection) -> None:
    ids = [rows.article(c, f"Article {n}") for n in range(4)]
    chosen = [ids[2], ids[0], ids[3]]
    batch = batches.create(c, "batch", chosen)
    assert [each.id for each in batches.articles(c, batch)] == chosen
    assert [(each.name, each.articles) for each in batches.every(c)] == [("batch", 3)]


def test_that_a_source_s_health_is_that_of_its_last_fetch(c: sqlite3.Connection) -> None:
    source = rows.source(c)
    sources.record_failure(c, source, "the server answered 500")
    failed = sources.get(c, source)
    assert (failed.error, failed.succeeded) == ("the server answered 500", None)
    assert failed.tried is not None
    sources.record_success(c, source, etag='"1"', last_modified="", address="https://moved.example/feed")
    for reason in ("it has no headline", "the same article is listed twice"):
        dropped = [Dropped(headline="", url="https://news.example/x", reason=reason)]
        sources.record_yield(c, source, kept=30, dropped=dropped, uncounted=4)
    well = sources.get(c, source)
    assert (well.error, well.etag, well.address) == ("", '"1"', "https://moved.example/feed")
    assert (well.kept, well.dropped, well.uncounted) == (30, 1, 4)
    assert [each.reason for each in sources.dropped(c, source)] == ["the same article is listed twice"]


def test_that_equal_protocols_are_kept_once_and_the_newest_is_first(c: sqlite3.Connection) -> None:
    one = protocols.keep(c, method="gpf-livenews", name="P", version=1, hash="a", text="one")
    two = protocols.keep(c, method="gpf-livenews", name="P", version=2, hash="b", text="two")
    assert protocols.keep(c, method="gpf-livenews", name="P", version=1, hash="a", text="one") == one
    assert [row.id for row in protocols.every(c, "gpf-livenews")] == [two, one]
    assert protocols.get(c, two).text == "two"
    assert protocols.every(c, "saged") == []


def test_that_cells_fall_into_bundles_and_repeats_are_not_counted_as_planned(c: sqlite3.Connection) -> None:
    run = rows.run(c)
    rows.planned(
        c,
        run,
        rows.factors("Liberal"),
        rows.factors("Conservative"),
        rows.factors("Liberal", repeat=1),
        rows.factors("Liberal", family="Policy / Action"),
        rows.factors("#1", condition=Condition.IDENTITY_FREE, dimension=""),
    )
    assert c.execute(
        "SELECT f.level, b.arm, b.planned FROM bundle b JOIN coordinate f ON f.set_id = b.coordinates_id"
        " AND f.factor = 'family' ORDER BY b.id"
    ).fetchall() == [
        ("Impact", "main", 2),
        ("Policy / Action", "main", 1),
        ("Impact", "identity-free", 1),
    ]


def test_that_a_call_nobody_saw_the_end_of_is_listed_as_unknown_and_its_cell_asked_again(
    c: sqlite3.Connection,
) -> None:
    run = rows.run(c)
    model = rows.model(c)
    first, second = rows.planned(c, run, rows.factors("Liberal"), rows.factors("Conservative"))
    cells.record_starts(c, [(first, 1), (second, 1)])
    _land(c, first, Reply(text="An answer."))
    assert cells.close_unknown(c, run) == 1
    assert [each.cell_id for each in lost_calls.unknown_calls(c, run)] == [second]
    (open_cell,) = cells.next_open(c, run, model, after=-1, limit=10)
    assert (open_cell.id, open_cell.attempts) == (second, 1)
    assert cells.close_unknown(c, run) == 0


def test_that_a_lost_call_is_held_at_the_most_that_was_known_of_it(c: sqlite3.Connection) -> None:
    run = rows.run(c)
    (cell,) = rows.planned(c, run, rows.factors("Liberal"))
    cells.record_starts(c, [(cell, 1)], at_most=5_000.0)
    for said, held in ((0.0, 0.005), (9_000.0, 0.009)):
        responses.close_call(
            c, cell, 1, outcome=str(Missing.UNKNOWN), status=None, detail="", microdollars=0.0, at_most=said
        )
        assert [call.at_most for call in lost_calls.unknown_calls(c, run)] == [held]


def _land(c: sqlite3.Connection, cell, outcome, *, microdollars: float = 0.0) -> None:  # type: ignore[no-untyped-def]
    landed = responses.CellResult(cell_id=cell, attempt=1, outcome=outcome, seconds=1.0, microdollars=microdollars)
    responses.save(c, [landed])


def test_that_only_cells_missing_for_the_given_reasons_are_opened_again(c: sqlite3.Connection) -> None:
    run = rows.run(c)
    refused, failed, answered = rows.planned(c, run, *(rows.factors(name) for name in ("A", "B", "C")))
    _land(c, refused, Miss(reason=Missing.REFUSED, detail=""))
    _land(c, failed, Miss(reason=Missing.HTTP_ERROR, detail="", status=500))
    _land(c, answered, Reply(text="An answer."))
    assert cells.reopen_missing(c, run, [Missing.HTTP_ERROR, Missing.TIMED_OUT]) == [failed]
    assert [each.id for each in cells.next_open(c, run, rows.model(c), after=-1, limit=10)] == [failed]
    assert list(cells.open_by_group(c, run).values()) == [1]


def test_that_a_run_counts_what_it_answered_missed_and_spent(c: sqlite3.Connection) -> None:
    run = rows.run(c)
    planned = rows.planned(c, run, *(rows.factors(name) for name in "ABCD"))
    cells.record_starts(c, [(cell, 1) for cell in planned[:3]])
    _land(c, planned[0], Reply(text="An answer."), microdollars=1500)
    _land(c, planned[1], Miss(reason=Missing.REFUSED, detail=""), microdollars=500)
    found = runs.get(c, run)
    assert (found.planned, found.answered, found.missing, found.spent) == (4, 1, 1, 0.002)
    (count,) = runs.counts(c, run)
    assert (count.planned, count.answered, count.by_reason, count.spent) == (4, 1, {"refused": 1}, 0.002)
    responses.set_flags(c, [planned[0]], [(planned[0], "no scorable word", "")])
    assert runs.flagged(c, run, "no scorable word") == {count.model_id: 1}
    assert runs.flagged(c, run, "truncated") == {}


def test_that_a_run_that_was_active_when_the_program_ended_is_found_interrupted(c: sqlite3.Connection) -> None:
    active, resting = rows.run(c), rows.run(c)
    runs.set_state(c, active, RunState.RUNNING)
    runs.set_state(c, resting, RunState.PAUSED)
    assert runs.mark_interrupted(c) == [active]
    assert [runs.get(c, each).state for each in (active, resting)] == [RunState.INTERRUPTED, RunState.PAUSED]
    assert runs.unfinished(c, "plan") == resting
    runs.set_state(c, resting, RunState.FINISHED)
    assert runs.get(c, resting).finished is not None
    assert runs.unfinished(c, "plan") == active


def test_that_a_score_is_replaced_within_its_setting_and_kept_beside_another(c: sqlite3.Connection) -> None:
    run = rows.run(c)
    rows.planned(c, run, rows.factors("A"))
    primary = scores.setting(c, "gpf", "1", {"fit_scope": "article"}, method="gpf-livenews")
    variant = scores.setting(c, "gpf", "1", {"fit_scope": "bundle"}, method="gpf-livenews")
    added = Measure(name="N", title="N", short="N")
    again = scores.setting(c, "gpf", "1", {"fit_scope": "article"}, method="gpf-livenews", measures=(added,))
    assert (again, scores.settings(c)[0].measures) == (primary, (added,))
    for setting, value, provisional in ((primary, 0.3, True), (primary, 0.4, False), (variant, 0.5, False)):
        column = ScoreColumn(name="S", values=[value])
        scores.save(
            c, setting, ScoredChunk(kind=UnitKind.BUNDLE, units=[1], columns=(column,)), provisional=provisional
        )
    (one,), (other,) = (scores.of_bundle(c, each, 1) for each in (primary, variant))  # type: ignore[arg-type]
    assert (one.value, one.provisional, other.value) == (0.4, False, 0.5)
    assert scores.highest(c, variant, "S", 5) == [(1, 0.5)]


def test_that_not_a_number_is_never_stored(c: sqlite3.Connection) -> None:
    setting = scores.setting(c, "gpf", "1", {}, method="gpf-livenews")
    for value in (float("nan"),):
        column = ScoreColumn(name="S", values=[value])
        with pytest.raises(sqlite3.IntegrityError):
            scores.save(c, setting, ScoredChunk(kind=UnitKind.BUNDLE, units=[1], columns=(column,)), provisional=False)


def test_that_an_unavailable_score_is_no_value_in_the_table_of_bundles(c: sqlite3.Connection) -> None:
    run = rows.run(c)
    rows.planned(c, run, rows.factors("A"), rows.factors("A", family="Policy / Action"))
    setting = scores.setting(c, "gpf", "1", {}, method="gpf-livenews")
    column = ScoreColumn(name="S", values=[0.25, Unavailable.TOO_FEW_ANSWERS])
    scores.save(c, setting, ScoredChunk(kind=UnitKind.BUNDLE, units=[1, 2], columns=(column,)), provisional=False)
    table = scored_bundles(c, setting, ["S"]).values["S"]
    assert table[0] == 0.25
    assert math.isnan(table[1])


def test_that_answers_of_one_model_and_article_share_a_fit_with_their_repeats(c: sqlite3.Connection) -> None:
    run = rows.run(c)
    planned = rows.planned(
        c, run, rows.factors("A"), rows.factors("B"), rows.factors("A", repeat=1), rows.factors("A", family="Other")
    )
    for number, cell in enumerate(planned[:3]):
        _land(c, cell, Reply(text=f"answer {number}"))
    _land(c, planned[3], Miss(reason=Missing.EMPTY, detail=""))
    (stored,) = fit_groups.groups(c)
    group = responses.fit_group(c, stored.id)
    assert group.texts == ("answer 0", "answer 1", "answer 2")
    main, other = group.bundles
    assert (main.planned, main.levels, main.repeats) == (2, ("A", "B", "A"), (0, 0, 1))
    assert (other.planned, other.rows) == (1, ())
