"""The table of answers: who makes it, and where it is kept."""

import os
import shutil
from collections.abc import Iterator
from contextlib import closing

import platformdirs
import pytest

from gpf_desktop.domain.checkpoints import told_at_checkpoints
from gpf_desktop.domain.errors import StoppedError
from gpf_desktop.engine.core._scoring_worker import profiled
from gpf_desktop.engine.engine import Engine
from gpf_desktop.engine.open_audit import OpenAudit
from gpf_desktop.engine.reporting import answer_tables
from gpf_desktop.engine.reporting.results_filter import ResultsFilter
from gpf_desktop.numerics import answer_diagnostics
from gpf_desktop.numerics.said_texts import said_texts
from gpf_desktop.storage import answer_counts, cached_tables, responses
from tests.support.filled_audit import fill

pytestmark = pytest.mark.slow


@pytest.fixture
def filled(tmp_path) -> Iterator[OpenAudit]:
    engine = Engine(lambda _event: None)
    open_audit = engine.create(tmp_path / "a.gpf", title="Evening news")
    fill(open_audit.context.audit, items=3, repeats=2, models_asked=("neutral", "tailoring-0.6", "faulty"))
    yield open_audit
    engine.close()


def test_that_the_table_of_answers_is_kept_and_made_anew_from_what_changed_or_was_damaged(filled, monkeypatch):
    audit, profile = filled.context.audit, "identity_profile"

    def found():
        filled.results.forget()
        return filled.results.findings(ResultsFilter(), (profile,))[profile].rows

    first = found()
    with monkeypatch.context() as while_kept:
        while_kept.setattr(responses, "fit_group", None)
        assert found() == first
    for data in (b"", b"no table"):
        audit.write(
            lambda c, d=data: c.execute("UPDATE run_table SET data = ? WHERE content = 'answers'", (d,))
        ).result()
        assert found() == first
    one = (
        "(SELECT min(c.id) FROM cell c JOIN bundle b ON b.id = c.bundle_id WHERE b.arm = 'main' AND state = 'answered')"
    )
    audit.write(lambda c: c.execute(f"UPDATE response SET missing = 'empty' WHERE cell_id = {one}")).result()
    audit.write(lambda c: c.execute(f"UPDATE cell SET state = 'missing' WHERE id = {one}")).result()
    assert found() != first


def test_that_workers_make_the_table_of_answers_of_a_large_run_letter_for_letter(filled, monkeypatch):
    audit = filled.context.audit

    def found():
        audit.write(lambda c: c.execute("DELETE FROM run_table WHERE content = 'answers'")).result()
        filled.results.forget()
        return filled.results.findings(ResultsFilter(), ("identity_profile",))["identity_profile"].rows

    here = found()
    asked = []
    call = filled.context.scoring.call
    monkeypatch.setattr(filled.context.scoring, "call", lambda *given: asked.append(given[0]) or call(*given))
    monkeypatch.setattr(answer_tables, "_FEW_GROUPS", 0)
    assert found() == here
    assert asked == [profiled] * 9
    # Between two groups whoever reads is told, and may end it.
    with pytest.raises(StoppedError), told_at_checkpoints(_stop):
        found()

    def said():
        audit.write(lambda c: c.execute("DELETE FROM run_table WHERE content = 'said'")).result()
        filled.results.forget()
        return filled.results.findings(ResultsFilter(), ("answer_diagnostics",))["answer_diagnostics"].rows

    asked.clear()
    here = said()
    assert asked == []
    monkeypatch.setattr(answer_counts, "_AT_ONCE", 200)
    assert said() == here
    assert set(asked) == {said_texts}
    asked.clear()
    with pytest.raises(StoppedError), told_at_checkpoints(_stop):
        said()


def test_that_what_is_only_read_has_its_tables_kept_beside_it(filled, monkeypatch):
    path, profile = filled.path, "identity_profile"
    filled.context.audit.close()
    before, folder = path.read_bytes(), platformdirs.user_cache_path("gpf-desktop", appauthor=False) / "tables"
    # What other tests of this worker had computed of files that they only read.
    shutil.rmtree(folder, ignore_errors=True)
    with closing(Engine(lambda _event: None)) as engine:
        results = engine.open(path, read_only=True).results

        def found():
            results.forget()
            return results.findings(ResultsFilter(), (profile,))[profile].rows

        first = found()
        (kept,) = folder.iterdir()
        with monkeypatch.context() as while_kept:
            while_kept.setattr(responses, "fit_group", None)
            assert found() == first
        # A damaged file, which somebody else may have written, is passed over.
        good = kept.read_bytes()
        # What is packed begins behind the head, a name and what is added to it; no packing begins with 255.
        begin = 30 + sum(int.from_bytes(good[at : at + 2], "little") for at in (26, 28))
        for data in (good[:-40], good[:begin] + b"\xff" + good[begin + 1 :]):
            kept.write_bytes(data)
            assert found() == first
            assert kept.read_bytes() == good
        # Of an audit that was written meanwhile, and is not one byte longer, what was kept is not taken.
        os.utime(path, ns=(0, 0))
        found()
        assert len(list(folder.iterdir())) == 2
        _texts_are_counted_once(results, monkeypatch)
        monkeypatch.setattr(cached_tables, "MOST_BYTES", len(good))
        os.utime(path, ns=(1, 1))
        found()
        assert len(list(folder.iterdir())) == 1
    assert path.read_bytes() == before


def _texts_are_counted_once(results, monkeypatch):
    """What is said in answers is counted again by another rule only."""
    count, counted = answer_counts._of_run, []
    monkeypatch.setattr(answer_counts, "_of_run", lambda *given: counted.append(given) or count(*given))

    def said():
        results.forget()
        return results.findings(ResultsFilter(), ("answer_diagnostics",))["answer_diagnostics"].rows

    first = said()
    runs = len(counted)
    assert first
    assert said() == first
    assert len(counted) == runs > 0
    monkeypatch.setattr(answer_diagnostics, "MOST_CANNED", 41)
    assert said() == first
    assert len(counted) == 2 * runs


def _stop():
    raise StoppedError
