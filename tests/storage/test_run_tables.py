"""A table of a run that was kept says what its rows say, or is passed over."""

import io
from dataclasses import replace

import numpy as np
import pytest

from gpf_desktop.domain.flags import Flag
from gpf_desktop.domain.scores import ALL_SCORES, VALID
from gpf_desktop.storage import responses, run_tables, scores
from gpf_desktop.storage.audit_file import AuditFile
from gpf_desktop.storage.cell_counts import CountedCells, cell_counts
from gpf_desktop.storage.run_tables import RunTable
from gpf_desktop.storage.score_columns import ScoredBundles, scored_bundles
from tests.support.filled_audit import Filled, fill

NAMES = (*ALL_SCORES, VALID)


@pytest.fixture
def filled(audit: AuditFile) -> Filled:
    return fill(audit, repeats=2, dimensions=("Religion", "Political"), models_asked=("faulty", "neutral"))


def bundles(audit: AuditFile, setting_id: int) -> ScoredBundles:
    return audit.read(lambda c: scored_bundles(c, setting_id, NAMES))


def counted(audit: AuditFile) -> CountedCells:
    return audit.read(lambda c: cell_counts(c, Flag.REFUSAL, Flag.TRUNCATED, Flag.NO_WORD))


def keep(audit: AuditFile, *tables: RunTable) -> list[bool]:
    return audit.write(lambda c: [run_tables.keep(c, table) for table in tables]).result()


def assert_same(first: ScoredBundles, second: ScoredBundles) -> None:
    for name, column in first.columns.items():
        np.testing.assert_array_equal(second.columns[name], column)
    for name, column in first.values.items():
        np.testing.assert_array_equal(second.values[name], column)
    assert_worded_alike(first, second)


def assert_counted_alike(first: CountedCells, second: CountedCells) -> None:
    for name, column in first.numbers.items():
        np.testing.assert_array_equal(second.numbers[name], column)
    assert_worded_alike(first, second)


def assert_worded_alike(first: ScoredBundles | CountedCells, second: ScoredBundles | CountedCells) -> None:
    for name, (every, places) in first.words.items():
        assert [second.words[name][0][at] for at in second.words[name][1]] == [every[at] for at in places]


def test_that_what_was_kept_reads_the_same_as_the_rows(audit: AuditFile, filled: Filled) -> None:
    first, cells = bundles(audit, filled.setting_id), counted(audit)
    assert keep(audit, *first.read, *cells.read) == [True, True]
    second, again = bundles(audit, filled.setting_id), counted(audit)
    assert second.read == again.read == ()
    assert_same(first, second)
    assert_counted_alike(cells, again)
    assert len(first.columns["bundle_id"]) > 0


def test_that_new_scores_and_new_flags_are_seen_at_once(audit: AuditFile, filled: Filled) -> None:
    first, cells = bundles(audit, filled.setting_id), counted(audit)
    keep(audit, *first.read, *cells.read)
    audit.write(lambda c: scores.forget(c, filled.setting_id)).result()
    audit.write(lambda c: responses.set_flags(c, (), [(1, Flag.TRUNCATED, "")])).result()  # type: ignore[list-item]
    assert len(bundles(audit, filled.setting_id).columns["bundle_id"]) == 0
    assert counted(audit).numbers["truncated"].sum() == cells.numbers["truncated"].sum() + 1


def test_that_a_table_read_before_a_change_is_not_kept_after_it(audit: AuditFile, filled: Filled) -> None:
    late = bundles(audit, filled.setting_id).read
    audit.write(lambda c: scores.forget(c, filled.setting_id)).result()
    assert keep(audit, *late) == [False]


def test_that_settings_have_tables_of_their_own(audit: AuditFile, filled: Filled) -> None:
    keep(audit, *bundles(audit, filled.setting_id).read)
    other = audit.write(lambda c: scores.setting(c, "gpf", "1", {"word_pairs": True}, method="gpf-livenews")).result()
    assert len(bundles(audit, other).columns["bundle_id"]) == 0
    assert len(bundles(audit, filled.setting_id).columns["bundle_id"]) > 0


@pytest.mark.parametrize("data", [b"", b"not a table", b'[["short"]]'])
def test_that_a_table_that_is_damaged_is_read_from_its_rows(audit: AuditFile, filled: Filled, data: bytes) -> None:
    first, cells = bundles(audit, filled.setting_id), counted(audit)
    keep(audit, *(replace(table, data=data) for table in (*first.read, *cells.read)))
    assert_same(first, bundles(audit, filled.setting_id))
    assert_counted_alike(cells, counted(audit))


@pytest.mark.parametrize(
    "damage", [{"reason": [9]}, {"n": [1, 2]}, {"n": [0.5]}, {"reason words": [1]}, {"rules": "others"}, {"n": [[1]]}]
)
def test_that_counts_that_do_not_fit_together_are_counted_anew(
    audit: AuditFile, filled: Filled, damage: dict[str, object]
) -> None:
    cells = counted(audit)
    (table,) = cells.read
    with np.load(io.BytesIO(table.data)) as file:
        part = {name: column if column.ndim == 0 or "words" in name else column[:1] for name, column in file.items()}
    packed = io.BytesIO()
    np.savez(packed, **part | {name: np.array(value) for name, value in damage.items()})
    keep(audit, replace(table, data=packed.getvalue()))
    assert_counted_alike(cells, counted(audit))
