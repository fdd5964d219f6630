"""Counts without some bundles are the counts of the others."""

from contextlib import closing
from functools import partial
from pathlib import Path

from gpf_desktop.domain.flags import Flag
from gpf_desktop.engine.reporting.score_frame import Orders, counted_frame, without_bundles, without_counts
from gpf_desktop.storage.answer_counts import counted_cells
from gpf_desktop.storage.audit_file import AuditFile
from gpf_desktop.storage.cell_counts import DECIDED_COUNTS, CountedCells, cell_counts, decided_counts
from gpf_desktop.storage.writer import Connection
from tests.support.filled_audit import fill


def rows(counted: CountedCells) -> list[str]:
    return sorted(map(repr, counted_frame(counted, Orders()).astype(str).to_dict("records")))


def cells(connection: Connection, only: frozenset[int] | None) -> CountedCells:
    return cell_counts(connection, Flag.REFUSAL, Flag.TRUNCATED, Flag.NO_WORD, only)


def decided(connection: Connection, only: frozenset[int] | None) -> CountedCells:
    return decided_counts(connection, Flag.REFUSAL, only)


def test_that_what_is_set_aside_is_counted_nowhere(tmp_path: Path) -> None:
    with closing(AuditFile.create(tmp_path / "a.gpf", title="Evening news")) as audit:
        fill(audit, repeats=2, dimensions=("Religion",), models_asked=("faulty", "neutral"))
        bundles = audit.read(lambda c: [row[0] for row in c.execute("SELECT id FROM bundle")])
        aside = frozenset(bundles[::3])
        for count in (cells, decided):
            every, taken, left = (audit.read(partial(count, only=o)) for o in (None, aside, {*bundles} - aside))
            assert rows(without_counts(every, taken)) == rows(left)
            assert taken.read == left.read == ()
        # What was said is counted bundle by bundle; of one stage it is what was decided.
        said = audit.read(counted_cells)
    for name in DECIDED_COUNTS[:2]:
        assert without_bundles(said, aside).numbers[name].sum() == left.numbers[name].sum() > 0
    assert rows(without_bundles(said, bundles)) == []
