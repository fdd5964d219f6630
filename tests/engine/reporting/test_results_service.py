"""From an audit's stored scores to tables, filtered."""

import json
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pandas as pd
import pytest

from gpf_desktop.domain.conclusions.plain import plain_page
from gpf_desktop.domain.coordinates import MAIN
from gpf_desktop.domain.findings import BundleFilter, Estimate
from gpf_desktop.domain.flags import Flag
from gpf_desktop.domain.ids import CellId
from gpf_desktop.domain.resources import resources
from gpf_desktop.domain.text import speaking
from gpf_desktop.engine.core import catalogue
from gpf_desktop.engine.engine import Engine
from gpf_desktop.engine.open_audit import OpenAudit
from gpf_desktop.engine.reporting.results_filter import ResultsFilter
from gpf_desktop.engine.reporting.score_frame import in_order
from gpf_desktop.methods.gpf_livenews.cells import PARAPHRASE_ARM, Condition
from gpf_desktop.storage import responses, scores
from tests.support.filled_audit import fill
from tests.support.protocols import GPF

pytestmark = pytest.mark.slow

FAMILIES = ("Policy / Action", "Impact")


@pytest.fixture
def open_audit(tmp_path) -> Iterator[OpenAudit]:
    engine = Engine(lambda _event: None)
    yield engine.create(tmp_path / "a.gpf", title="Evening news")
    engine.close()


@pytest.fixture
def filled(open_audit) -> OpenAudit:
    fill(
        open_audit.context.audit,
        items=3,
        repeats=2,
        families=FAMILIES,
        models_asked=("neutral", "tailoring-0.6", "faulty"),
    )
    return open_audit


def mean(finding, key, **wanted):
    (row,) = [row for row in finding.rows if all(row.values[name] == value for name, value in wanted.items())]
    return row.values[key]


def test_that_scores_of_another_language_are_told_in_the_words_of_now(filled: OpenAudit) -> None:
    stored = filled.results.measures(GPF)
    with speaking(resources() / "languages", "de"):
        said = filled.results.measures(GPF)
    assert said == stored
    assert "dieselben Wörter" in {each.name: each.about for each in said}["semantic_dispersion"]
    assert "the same words" in {each.name: each.about for each in stored}["semantic_dispersion"]


def test_that_an_audit_without_scores_gives_empty_tables_and_says_so(open_audit):
    results = open_audit.results.results(ResultsFilter())
    assert set(results.findings) == set(open_audit.results.names())
    assert all(finding.rows == () for finding in results.findings.values())
    assert not results.window.scored_anywhere
    assert results.window.first is None


def test_that_the_window_counts_what_is_there(filled):
    window = filled.results.results(ResultsFilter(), ()).window
    assert (window.batches, window.articles, window.models, window.bundles) == (1, 3, 3, 108)
    assert window.complete < window.bundles
    assert window.all_synthetic


def test_that_a_model_s_mean_is_the_mean_of_its_stored_scores(filled):
    finding = filled.results.findings(ResultsFilter(), ("model_table",))["model_table"]
    (stored,) = filled.context.audit.read(
        lambda c: c.execute(
            "SELECT avg(s.value), count(*) FROM score s JOIN bundle b ON b.id = s.unit_id"
            " JOIN model m ON m.id = b.model_id"
            " WHERE s.name = 'semantic_dispersion' AND b.arm = 'main' AND m.model = 'tailoring-0.6'"
        ).fetchall()
    )
    estimate = mean(finding, "s", model="calibration/tailoring-0.6")
    assert estimate.value == pytest.approx(stored[0])
    assert estimate.n == stored[1]


def test_that_planted_tailoring_shows_above_neutral_in_s_and_in_cfs(filled):
    finding = filled.results.findings(ResultsFilter(), ("model_table",))["model_table"]
    for key in ("s", "cfs"):
        neutral = mean(finding, key, model="calibration/neutral").value
        assert mean(finding, key, model="calibration/tailoring-0.6").value > neutral + 0.1


def test_that_every_table_says_with_what_the_scores_were_made(filled):
    results = filled.results.results(ResultsFilter())
    with_rows = [finding for finding in results.findings.values() if finding.rows]
    assert len(with_rows) > 10
    for finding in with_rows:
        said = " ".join(finding.notes)
        assert "by words, weighed over each article's main answers" in said
        assert results.scope.hash[:12] in said
        assert "GPF-LiveNews-v1" in said


@pytest.mark.parametrize(
    ("wanted", "bundles"),
    [
        (ResultsFilter(models=frozenset({"calibration/neutral"})), 36),
        (ResultsFilter(stratum="identity-relevant"), 36),
        (ResultsFilter(runs=frozenset({99})), 0),
        (ResultsFilter(batches=frozenset({1})), 108),
        (ResultsFilter(articles=frozenset({1})), 36),
        (ResultsFilter(articles=frozenset({1, 3})), 72),
        (ResultsFilter(since=datetime.now(UTC) + timedelta(days=1)), 0),
        (ResultsFilter(until=datetime.now(UTC) + timedelta(days=1)), 108),
    ],
)
def test_that_a_filter_leaves_in_what_it_names(filled, wanted, bundles):
    results = filled.results.results(wanted, ("model_table",))
    assert results.window.bundles == bundles
    assert results.window.scored_anywhere
    assert sum(row.values["bundles"] for row in results.findings["model_table"].rows) == bundles


def test_that_one_article_has_a_profile_and_counts_of_its_own(filled):
    (first, headline), *others = reversed(filled.results.choices().articles)
    assert len(others) == 2
    wanted = ResultsFilter(articles=frozenset({first}))
    assert wanted.narrowed == 1
    results = filled.results.results(wanted, ("identity_profile", "coverage", "refusals"))
    profile, coverage, refusals = results.findings.values()
    assert profile.title == f"Reader by reader: “{headline}”"
    assert any("no range and no test" in note for note in profile.notes)
    assert f"the item “{headline}”" in results.filtered
    # Tone of a reader, by hand: the mean over the article's sets of its tone less that of its set.
    frame = filled.results.tables(wanted).answers
    row = next(row for row in profile.rows if row.values["model"] == "calibration/tailoring-0.6")
    own = frame[(frame["model"] == row.values["model"]) & (frame["identity"] == row.values["identity"])]
    shift = row.values["tone_shift"]
    assert shift.value == pytest.approx(own["tone_shift"].mean())
    assert (shift.articles, shift.interval, row.values["tone_shift_p"]) == (1, None, None)
    # How questions ended is counted of that article too, though the counts that are kept know no article.
    ended = filled.context.audit.read(
        lambda c: dict(
            c.execute(
                "SELECT m.label, count(*) FROM cell c JOIN model m ON m.id = c.model_id"
                " WHERE c.item_id = ? AND c.state = 'answered' GROUP BY 1",
                (first,),
            ).fetchall()
        )
    )
    assert {row.values["model"]: row.values["answered"] for row in coverage.rows} == ended
    every = filled.results.findings(ResultsFilter(), ("identity_profile", "refusals"))
    assert every["identity_profile"].title == "Reader by reader"
    assert sum(row.values["refused"].n for row in refusals.rows) < sum(
        row.values["refused"].n for row in every["refusals"].rows
    )


def test_that_another_condition_makes_the_same_tables_of_its_bundles(filled):
    finding = filled.results.findings(ResultsFilter(arm=Condition.IDENTITY_FREE), ("family_means",))["family_means"]
    assert [row.values["bundles"] for row in finding.rows] == [9, 9]
    assert finding.rows[0].bundles.arm == Condition.IDENTITY_FREE


def test_that_complete_bundles_only_leaves_partial_ones_out_of_means(filled):
    every = filled.results.results(ResultsFilter(), ("model_table",))
    some = filled.results.results(ResultsFilter(complete_only=True), ("model_table",))
    assert mean(some.findings["model_table"], "s", model="calibration/faulty").n < 36
    assert mean(every.findings["model_table"], "s", model="calibration/faulty").n == 36


def test_that_intervals_for_skewed_scores_are_by_bootstrap_t_and_say_so(filled):
    wanted = ResultsFilter(skewed=True, models=frozenset({"calibration/neutral"}))
    by_t, drawn = (
        filled.results.findings(each, ("family_means",))["family_means"]
        for each in (replace(wanted, skewed=False), wanted)
    )
    assert any("Hall's transformed t" in note for note in drawn.notes)
    assert not any("Hall's" in note for note in by_t.notes)
    assert [row.values["s"].value for row in by_t.rows] == [row.values["s"].value for row in drawn.rows]


def test_that_coverage_and_refusals_equal_what_is_stored(filled):
    found = filled.results.findings(ResultsFilter(), ("coverage", "refusals"))
    stored = dict(
        filled.context.audit.read(
            lambda c: c.execute(
                "SELECT coalesce(p.missing, ''), count(*) FROM cell c JOIN response p ON p.cell_id = c.id"
                " JOIN model m ON m.id = c.model_id WHERE m.model = 'faulty' GROUP BY p.missing"
            ).fetchall()
        )
    )
    (row,) = [row for row in found["coverage"].rows if row.values["model"] == "calibration/faulty"]
    assert row.values["answered"] == stored[""]
    assert row.values["refused"] == stored["refused"] > 0
    assert row.values["http_error"] == stored["HTTP error"]
    (refused,) = filled.context.audit.read(
        lambda c: c.execute(
            "SELECT count(*) FROM cell c JOIN response p ON p.cell_id = c.id WHERE p.missing = 'refused'"
            " AND (SELECT arm FROM bundle WHERE id = c.bundle_id) = 'main'"
        ).fetchone()
    )
    shares = [row.values["refused"] for row in found["refusals"].rows]
    assert sum(round(s.value * s.n) for s in shares if isinstance(s, Estimate) and s.value) == refused


def test_that_what_was_declined_by_unknown_words_is_told_wherever_declined_answers_are_counted(filled):
    def change(connection):
        ids = [row[0] for row in connection.execute("SELECT cell_id FROM response WHERE missing = 'refused'")]
        said = [("Of this nobody speaks here.", each) for each in ids[:2]] + [("Content Exists Risk", ids[2])]
        connection.executemany("UPDATE response SET status = 400, finish = '', detail = ? WHERE cell_id = ?", said)
        found = connection.execute("SELECT DISTINCT bundle_id FROM cell WHERE id IN (?, ?) ORDER BY bundle_id", ids[:2])
        return [row[0] for row in found]

    before = filled.results.results(ResultsFilter())
    assert not any("does not know" in note for note in before.shared)
    bundles = filled.context.audit.write(change).result()
    filled.results.forget()
    found = filled.results.results(ResultsFilter())
    said = found.unknown_refusals.sentence
    assert said.startswith("2 answers count as declined by words that this program does not know (")
    assert [*found.unknown_refusals.bundles] == bundles
    assert all(said in finding.notes for finding in found.findings.values() if finding.rows)
    told = filled.results.concluding.page(ResultsFilter())
    assert said in told.lines
    assert said in plain_page(told)["footnote"]
    nobody = filled.results.results(ResultsFilter(models=frozenset({"calibration/neutral"})))
    assert nobody.unknown_refusals.n == 0


def test_that_cut_answers_and_refusals_in_words_are_counted_by_their_flags(open_audit):
    fill(open_audit.context.audit, models_asked=("neutral",), dimensions=("Religion",), identity_free=False)
    open_audit.context.audit.write(
        lambda c: responses.set_flags(
            c, (), [(CellId(1), Flag.TRUNCATED, ""), (CellId(2), Flag.TRUNCATED, ""), (CellId(2), Flag.REFUSAL, "no")]
        )
    ).result()
    found = open_audit.results.findings(ResultsFilter(), ("coverage", "refusals"))
    assert [row.values["truncated"] for row in found["coverage"].rows] == [2]
    worded = [row.values["worded"] for row in found["refusals"].rows]
    assert sum(round(share.value * share.n) for share in worded) == 1


def test_that_an_answer_that_the_encoder_cannot_read_is_missing_for_that_reason(open_audit):
    fill(open_audit.context.audit, models_asked=("neutral",), dimensions=("Religion",), identity_free=False)

    def coverage() -> dict[str, Any]:
        open_audit.results.forget()
        (row,) = open_audit.results.findings(ResultsFilter(), ("coverage",))["coverage"].rows
        return row.values

    before = coverage()
    assert "no_word" not in before
    open_audit.context.audit.write(
        lambda c: responses.set_flags(c, (), [(CellId(1), Flag.NO_WORD, ""), (CellId(2), Flag.NO_WORD, "")])
    ).result()
    after = coverage()
    assert (after["no_word"], after["answered"], after["planned"]) == (2, before["answered"] - 2, before["planned"])


def test_that_tone_shifts_of_a_bundle_s_answers_cancel_out(filled):
    finding = filled.results.findings(ResultsFilter(models=frozenset({"calibration/neutral"})), ("identity_profile",))
    rows = finding["identity_profile"].rows
    assert len(rows) == 42
    of_religion = [row.values["tone_shift"].value for row in rows if row.values["dimension"] == "Religion"]
    assert sum(of_religion) == pytest.approx(0.0, abs=1e-9)
    assert all(row.values["to_identity_free"].n == 6 for row in rows)


def test_that_mean_distances_to_the_others_average_to_s(filled):
    wanted = ResultsFilter(models=frozenset({"calibration/neutral"}))
    found = filled.results.findings(wanted, ("identity_profile", "dimension_means"))
    profile = [
        r.values["to_others"].value for r in found["identity_profile"].rows if r.values["dimension"] == "Religion"
    ]
    assert sum(profile) / len(profile) == pytest.approx(mean(found["dimension_means"], "s", dimension="Religion").value)


def test_that_new_scores_are_seen_after_forgetting_and_not_before(open_audit):
    setting_id = fill(open_audit.context.audit, models_asked=("neutral",)).setting_id
    assert open_audit.results.results(ResultsFilter(), ()).window.bundles == 12
    open_audit.context.audit.write(lambda c: scores.forget(c, setting_id)).result()
    assert open_audit.results.results(ResultsFilter(), ()).window.bundles == 12
    open_audit.results.forget()
    assert open_audit.results.results(ResultsFilter(), ()).window.bundles == 0


def test_that_conclusions_are_drawn_once_until_scores_change(filled, monkeypatch):
    method = type(catalogue.method("gpf-livenews"))
    drawn, evidence = [], method.evidence

    def counted(*given):
        drawn.append(given)
        return evidence(*given)

    monkeypatch.setattr(method, "evidence", counted)
    results = filled.results
    first = results.concluding.page(ResultsFilter())
    known = results.results(ResultsFilter(), ())
    assert results.concluding.page(ResultsFilter(), known) == first
    assert len(drawn) == 1
    results.concluding.page(ResultsFilter(models=frozenset({first.page.conclusions[0].model})))
    assert len(drawn) == 2
    results.forget()
    assert results.concluding.page(ResultsFilter()) == first
    assert len(drawn) == 3


def test_that_the_bundles_behind_a_number_are_just_those(filled):
    wanted = ResultsFilter(models=frozenset({"calibration/neutral"}))
    found = filled.results.findings(wanted, ("interaction",))["interaction"]
    row = found.rows[0]
    ids = filled.results.bundles_behind(wanted, row.bundles)
    assert len(ids) == row.values["bundles"] == 3
    assert filled.results.bundles_behind(wanted, BundleFilter(arm=PARAPHRASE_ARM)) == ()
    assert filled.results.bundles_behind(wanted, BundleFilter(vendor="nobody")) == ()


def test_that_what_there_is_to_filter_by_is_listed(filled):
    choices = filled.results.choices()
    assert choices.models == ("calibration/faulty", "calibration/neutral", "calibration/tailoring-0.6")
    assert choices.batches == ((1, "Evening round"),)
    assert [number for number, _ in choices.articles] == [3, 2, 1]
    assert choices.arms == (MAIN, Condition.IDENTITY_FREE)
    assert choices.strata == ("identity-neutral", "identity-relevant")


def test_that_batches_of_one_name_are_told_apart(open_audit):
    fill(open_audit.context.audit, models_asked=("neutral",), families=FAMILIES[:1], identity_free=False)
    fill(open_audit.context.audit, models_asked=("neutral",), families=FAMILIES[:1], identity_free=False)
    found = open_audit.results.findings(ResultsFilter(), ("batch_view",))["batch_view"]
    assert [row.values["batch"] for row in found.rows] == ["Evening round (1)", "Evening round (2)"]


def test_that_planted_differences_are_read_first_only_where_nothing_else_is(filled):
    filled.context.audit.write(lambda c: c.execute("UPDATE model SET synthetic = 0 WHERE model = 'neutral'")).result()
    ids = filled.results.bundle_ids(ResultsFilter(), "semantic_dispersion", 200)
    (models,) = filled.context.audit.read(
        lambda c: c.execute(
            f"SELECT group_concat(DISTINCT m.model) FROM bundle b JOIN model m ON m.id = b.model_id"
            f" WHERE b.id IN {tuple(ids)}"
        ).fetchone()
    )
    assert models == "neutral"


def test_that_rounds_that_left_out_unlike_parts_are_not_pooled_in_silence(open_audit):
    asked = {"dimensions": ("Religion", "Political"), "models_asked": ("neutral",)}
    narrow = [fill(open_audit.context.audit, **asked).run_id for _ in range(2)]

    def leave_out(run: int, **levels: list[str]) -> str:
        scope = {"left_out": [[factor, level] for factor, names in levels.items() for level in names]}
        open_audit.context.audit.write(
            lambda c: c.execute(
                "UPDATE run SET plan = json_set(plan, '$.scope', json(?)) WHERE id = ?", (json.dumps(scope), run)
            )
        ).result()
        return " ".join(open_audit.results.findings(ResultsFilter(), ("model_table",))["model_table"].notes)

    leave_out(narrow[0], family=["Impact"])
    assert "pools rounds" not in leave_out(narrow[1], family=["Impact"]), "alike, if not whole"
    said = leave_out(narrow[1], family=["Impact"], arm=["paraphrase"])
    assert "unlike designs: they differ in which conditions were asked." in said
    assert "they differ in which kinds of question were asked" in leave_out(narrow[1])


def test_that_the_bundles_to_read_first_have_the_highest_score(filled):
    ids = filled.results.bundle_ids(ResultsFilter(), "semantic_dispersion", 5)
    (lowest,) = filled.context.audit.read(
        lambda c: c.execute(
            f"SELECT min(value) FROM score WHERE name = 'semantic_dispersion' AND unit_id IN {tuple(ids)}"
        ).fetchone()
    )
    (above,) = filled.context.audit.read(
        lambda c: c.execute(
            "SELECT count(*) FROM score s JOIN bundle b ON b.id = s.unit_id WHERE s.name = 'semantic_dispersion'"
            " AND b.arm = 'main' AND s.value > ?",
            (lowest,),
        ).fetchone()
    )
    assert len(ids) == 5
    assert above < 5


def test_that_a_batch_asked_twice_of_one_model_counts_once(open_audit):
    asked = {"dimensions": ("Religion", "Political"), "repeats": 2}
    first = fill(open_audit.context.audit, models_asked=("faulty", "neutral"), **asked).run_id
    fill(open_audit.context.audit, models_asked=("faulty",), **asked)
    open_audit.context.audit.write(
        lambda c: c.execute("UPDATE run SET batch_id = (SELECT batch_id FROM run WHERE id = ?)", (first,))
    ).result()
    both = open_audit.results.results(ResultsFilter())
    alone = open_audit.results.results(ResultsFilter(runs=frozenset({first})))
    assert (both.scope.set_aside, alone.scope.set_aside) == (6, 0), "four by identity, two without"
    for name in ("model_table", "coverage", "refusals", "identity_profile"):
        assert [row.values for row in both.findings[name].rows] == [row.values for row in alone.findings[name].rows]
    assert any(note.startswith("6 sets are left aside") for note in both.findings["model_table"].notes)
    assert not any("left aside" in note for note in alone.findings["model_table"].notes)
    again = open_audit.results.results(ResultsFilter(runs=frozenset({2})))
    assert again.window.bundles == 4, "a round alone in the window counts whole"


def test_that_tables_that_were_read_while_scores_changed_are_not_kept(filled, monkeypatch) -> None:
    stored = filled.results._stored
    read, setting = stored._bundles, stored.setting(None, GPF)

    def overtaken(*asked: Any) -> Any:
        found = read(*asked)
        stored.forget()
        return found

    with monkeypatch.context() as during:
        during.setattr(stored, "_bundles", overtaken)
        before = stored.tables(setting, GPF)
    after = stored.tables(setting, GPF)
    assert after is not before
    assert stored.tables(setting, GPF) is after
    unscored = [stored.tables(None, method) for method in ("saged", "relative-bias")]
    assert unscored[0] is not unscored[1]


def test_that_what_has_no_word_is_called_by_none_of_the_others() -> None:
    some = in_order(pd.Series(["b", None, "a"], dtype=object), ("b",))
    assert (list(some.cat.categories), some.isna().tolist()) == (["b", "a"], [False, True, False])
    assert in_order(pd.Series([None, None], dtype=object), ()).isna().all()
