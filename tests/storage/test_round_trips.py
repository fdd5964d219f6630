"""Whatever a subject is given comes back as it was."""

import sqlite3
from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gpf_desktop.domain.models import Endpoint, Limits, Price
from gpf_desktop.domain.protocol import Decoding
from gpf_desktop.domain.responses import Miss, Missing, Reply, Usage
from gpf_desktop.domain.scores import ScoreColumn, ScoredChunk, Unavailable, UnitKind
from gpf_desktop.methods.gpf_livenews.cells import Condition, Factors
from gpf_desktop.methods.gpf_livenews.strata import Stratum
from gpf_desktop.storage import archived_texts, articles, cells, endpoints, models, responses, scores, sources
from gpf_desktop.storage.audit_file import AuditFile
from gpf_desktop.storage.times import as_moment, as_text
from tests.storage import rows

Write = Callable[[sqlite3.Connection], object]
WORDS = st.text(max_size=40)
NAMES = st.text(min_size=1, max_size=20)
MOMENTS = st.integers(0, 3_500_000_000_000).map(
    lambda ms: datetime(1990, 1, 1, tzinfo=UTC) + timedelta(milliseconds=ms)
)

pytestmark = pytest.mark.filterwarnings("ignore::hypothesis.errors.NonInteractiveExampleWarning")


@pytest.fixture(scope="module")
def connection(tmp_path_factory: pytest.TempPathFactory) -> Iterator[sqlite3.Connection]:
    """A connection to the tables of a real audit; each example undoes what it wrote."""
    path: Path = tmp_path_factory.mktemp("audit") / "audit.gpf"
    AuditFile.create(path, title="x").close()
    opened = sqlite3.connect(path, isolation_level=None)
    opened.execute("PRAGMA foreign_keys = ON")
    archived_texts.let_read(opened, path)
    yield opened
    opened.close()


def undone(connection: sqlite3.Connection, work: Write) -> None:
    connection.execute("BEGIN")
    try:
        work(connection)
    finally:
        connection.execute("ROLLBACK")


examples = settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])


@examples
@given(
    st.builds(
        Endpoint,
        provider=NAMES,
        model=NAMES,
        base_url=WORDS,
        key_env=WORDS,
        vendor=WORDS,
        decoding=st.none()
        | st.builds(
            Decoding,
            temperature=st.none() | st.floats(0, 2),
            top_p=st.none() | st.floats(0.01, 1),
            max_tokens=st.none() | st.integers(1, 10**6),
            seed=st.booleans(),
        ),
        price=st.none()
        | st.builds(
            Price,
            prompt=st.floats(0, 1e3),
            completion=st.floats(0, 1e3),
            entered=st.dates(date(2020, 1, 1), date(2100, 1, 1)),
        ),
        limits=st.builds(
            Limits,
            in_flight=st.none() | st.integers(1, 500),
            requests_per_minute=st.none() | st.floats(0.1, 1e6),
            tokens_per_minute=st.none() | st.floats(0.1, 1e9),
            timeout=st.floats(1, 3600),
            attempts=st.integers(1, 20),
        ),
        options=st.dictionaries(NAMES, st.booleans() | st.integers() | WORDS | st.none(), max_size=4),
    )
)
def test_that_endpoints_come_back_whole(endpoint: Endpoint) -> None:
    assert endpoints.from_json(endpoints.as_json(endpoint)) == endpoint


@examples
@given(MOMENTS, MOMENTS)
def test_that_moments_come_back_and_sort_as_text(one: datetime, other: datetime) -> None:
    assert as_moment(as_text(one)) == one
    assert (as_text(one) < as_text(other)) == (one < other)


@pytest.mark.slow
@examples
@given(
    st.lists(
        st.builds(
            Factors,
            condition=st.sampled_from(Condition),
            dimension=WORDS,
            identity=NAMES,
            family=NAMES,
            paraphrase=st.integers(0, 3),
            repeat=st.integers(0, 5),
        ),
        max_size=12,
        unique=True,
    )
)
def test_that_cells_come_back_with_every_factor_in_the_order_of_asking(
    connection: sqlite3.Connection, planned: list[Factors]
) -> None:
    def work(c: sqlite3.Connection) -> None:
        model = rows.model(c)
        run_id = rows.run(c, models_in=[model])
        rows.planned(c, run_id, *planned)
        found = cells.next_open(c, run_id, model, after=-1, limit=100)
        assert [Factors.of(each.coordinates, each.repeat) for each in found] == planned

    undone(connection, work)


@examples
@given(n=st.integers(0, 1_200) | st.sampled_from((499, 500, 501, 1_000, 1_001)))
def test_that_a_round_of_any_size_is_stored_whole(connection: sqlite3.Connection, n: int) -> None:
    def work(c: sqlite3.Connection) -> None:
        model = rows.model(c)
        run_id = rows.run(c, models_in=[model])
        rows.planned(c, run_id, *(rows.factors(f"identity {place % 7}", repeat=place // 7) for place in range(n)))
        found = c.execute("SELECT position, seed, repeat, state FROM cell WHERE run_id = ? ORDER BY id", (run_id,))
        assert found.fetchall() == [(place, place, place // 7, "open") for place in range(n)]
        counted = c.execute("SELECT total(unended) FROM fit_group WHERE run_id = ?", (run_id,)).fetchone()
        assert counted == (n,)

    undone(connection, work)


@examples
@given(headline=NAMES, description=WORDS, url=WORDS, published=st.none() | MOMENTS, stratum=st.sampled_from(Stratum),
       matched=st.lists(NAMES, max_size=4).map(tuple), synthetic=st.booleans())  # fmt: skip
def test_that_articles_come_back_as_they_were_found(
    connection: sqlite3.Connection,
    headline: str,
    description: str,
    url: str,
    published: datetime | None,
    stratum: Stratum,
    matched: tuple[str, ...],
    synthetic: bool,
) -> None:
    def work(c: sqlite3.Connection) -> None:
        source = rows.source(c)
        item = rows.item(headline, description=description, url=url, published=published)
        assert articles.keep(c, source, [rows.classified(item, stratum, *matched)], synthetic=synthetic) == 1
        (found,) = articles.newest(c)
        assert (found.headline, found.description, found.url, found.key) == (headline, description, url, item.key)
        assert (found.stratum, found.matched, found.stratum_by_auditor) == (stratum, matched, False)
        assert (found.synthetic, found.used_in_batch, found.source_title) == (synthetic, None, "Example news")
        assert found.published_stated is (published is not None)
        assert found.published == (published or found.retrieved)
        assert articles.get(c, found.id) == found

    undone(connection, work)


ANSWERS = st.text(st.characters(), max_size=200)
"""Lone surrogates among them: JSON can carry what UTF-8 cannot."""


@examples
@given(
    text=ANSWERS,
    reasoning=ANSWERS,
    finish=WORDS,
    truncated=st.booleans(),
    request_id=WORDS,
    prompt=st.none() | st.integers(0, 10**9),
    sent=st.dictionaries(NAMES, st.floats(0, 2) | ANSWERS, max_size=3),
)
def test_that_no_reply_is_refused_and_each_comes_back(
    connection: sqlite3.Connection,
    text: str,
    reasoning: str,
    finish: str,
    truncated: bool,
    request_id: str,
    prompt: int | None,
    sent: dict[str, object],
) -> None:
    reply = Reply(
        text=text,
        reasoning=reasoning,
        finish=finish,
        truncated=truncated,
        request_id=request_id,
        sent=sent,
        usage=Usage(prompt=prompt, completion=3),
    )

    def work(c: sqlite3.Connection) -> None:
        run_id = rows.run(c)
        (cell,) = rows.planned(c, run_id, rows.factors("Conservative"))
        responses.save(c, [_landed(cell, reply)])
        (bundle,) = c.execute("SELECT bundle_id FROM cell").fetchone()
        (answer,) = responses.of_bundle(c, bundle)
        assert (answer.text, answer.reasoning) == (_mended(text), _mended(reasoning))
        assert (answer.finish, answer.truncated, answer.request_id) == (finish, truncated, request_id)
        assert (answer.prompt_tokens, answer.completion_tokens, answer.missing) == (prompt, 3, "")
        assert answer.sent == ({**sent, "not_supported": []} if sent else {})

    undone(connection, work)


def _landed(cell, outcome) -> responses.CellResult:  # type: ignore[no-untyped-def]
    return responses.CellResult(cell_id=cell, attempt=1, outcome=outcome, seconds=0.5, microdollars=2.0)


def _mended(text: str) -> str:
    return "".join("�" if "\ud800" <= character <= "\udfff" else character for character in text)


@pytest.mark.parametrize("reason", [each for each in Missing if each is not Missing.NOT_RUN])
def test_that_a_miss_keeps_its_reason_its_status_and_what_was_paid_for(
    connection: sqlite3.Connection, reason: Missing
) -> None:
    def work(c: sqlite3.Connection) -> None:
        run_id = rows.run(c)
        (cell,) = rows.planned(c, run_id, rows.factors("Conservative"))
        miss = Miss(reason=reason, detail="said the server", status=418, text="half an", usage=Usage(completion=2))
        responses.save(c, [_landed(cell, miss)])
        (bundle,) = c.execute("SELECT bundle_id FROM cell").fetchone()
        (answer,) = responses.of_bundle(c, bundle)
        assert (answer.missing, answer.detail, answer.text) == (reason, "said the server", "half an")
        assert c.execute("SELECT status FROM response").fetchone() == (418,)

    undone(connection, work)


@examples
@given(
    st.lists(st.floats(allow_nan=False, allow_infinity=False) | st.sampled_from(Unavailable), min_size=1, max_size=8),
    st.booleans(),
)
def test_that_scores_come_back_to_the_last_bit_and_what_is_unavailable_says_why(
    connection: sqlite3.Connection, values: list[float | Unavailable], provisional: bool
) -> None:
    chunk = ScoredChunk(
        kind=UnitKind.BUNDLE, units=list(range(len(values))), columns=(ScoreColumn(name="S", values=values),)
    )

    def work(c: sqlite3.Connection) -> None:
        setting = scores.setting(c, "gpf", "1", {"fit_scope": "article"}, method="gpf-livenews")
        scores.save(c, setting, chunk, provisional=provisional)
        found = [score for unit in chunk.units for score in scores.of_bundle(c, setting, unit)]  # type: ignore[arg-type]
        assert [score.value for score in found] == values
        assert {score.provisional for score in found} == {provisional}

    undone(connection, work)


@examples
@given(target=NAMES, title=WORDS, note=WORDS, synthetic=st.booleans())
def test_that_sources_come_back_and_a_removed_one_is_the_same_when_added_again(
    connection: sqlite3.Connection, target: str, title: str, note: str, synthetic: bool
) -> None:
    def work(c: sqlite3.Connection) -> None:
        source = sources.keep(c, target=target, kind="feed", title=title, note=note, synthetic=synthetic)
        found = sources.get(c, source)
        assert (found.target, found.address, found.title) == (target, target, title)
        assert (found.note, found.synthetic, found.kind, found.active) == (note, synthetic, "feed", True)
        sources.set_active(c, source, active=False)
        assert sources.every(c) == []
        assert sources.keep(c, target=target, kind="feed", title="") == source
        assert sources.every(c) == [found]

    undone(connection, work)


@examples
@given(name=NAMES, refused=st.sets(st.sampled_from(["temperature", "top_p", "seed"])), synthetic=st.booleans())
def test_that_models_come_back_with_what_they_refuse(
    connection: sqlite3.Connection, name: str, refused: set[str], synthetic: bool
) -> None:
    def work(c: sqlite3.Connection) -> None:
        endpoint = Endpoint(provider="openai", model=name)
        model = models.keep(c, endpoint, synthetic=synthetic)
        models.set_not_supported(c, model, refused)
        found = models.get(c, model)
        assert (found.endpoint, found.synthetic, set(found.not_supported)) == (endpoint, synthetic, refused)
        models.remove(c, model)
        assert models.every(c) == []
        models.restore(c, model)
        assert models.every(c) == [found]

    undone(connection, work)
