"""The shipped sample audit is what this program's `demo` makes; otherwise packaging/make_sample.py is to be run."""

import lzma
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from gpf_desktop.domain.errors import StorageError, StorageFault
from gpf_desktop.domain.resources import resources
from gpf_desktop.domain.scores import COUNTERFACTUAL_FRAMING
from gpf_desktop.engine.commands import sample
from gpf_desktop.engine.commands.headless import Headless
from gpf_desktop.engine.reporting.results_filter import ResultsFilter
from gpf_desktop.engine.rounds.plans import plan_hash
from gpf_desktop.storage.schema import current_version

pytestmark = pytest.mark.slow

PACKED = resources() / "sample" / "sample-audit.gpf.xz"
MOST = 2_500_000

ANSWERS = """
SELECT a.key, x.text, y.text, c.repeat, c.state, p.text
FROM cell c JOIN model m ON m.id = c.model_id JOIN item a ON a.id = c.item_id JOIN bundle b ON b.id = c.bundle_id
JOIN coordinate_set x ON x.id = b.coordinates_id JOIN coordinate_set y ON y.id = c.coordinates_id
JOIN response p ON p.cell_id = c.id JOIN run r ON r.id = c.run_id
WHERE m.model = 'neutral' AND r.name = 'Sample round 1' ORDER BY 1, 2, 3, 4
"""
SCORES = """
SELECT a.key, x.text, s.name, s.value, s.unavailable
FROM bundle b JOIN model m ON m.id = b.model_id JOIN item a ON a.id = b.item_id JOIN run r ON r.id = b.run_id
JOIN coordinate_set x ON x.id = b.coordinates_id JOIN score s ON s.unit_kind = 'bundle' AND s.unit_id = b.id
WHERE m.model = 'neutral' AND r.name = 'Sample round 1' AND NOT s.provisional ORDER BY 1, 2, 3, s.setting_id
"""


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return sample.unpack_sample(tmp_path_factory.mktemp("sample") / "Sample audit.gpf")


def rows(path: Path, question: str) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute(question).fetchall()


def test_that_it_is_small_and_of_the_current_format(unpacked: Path) -> None:
    assert PACKED.stat().st_size < MOST
    assert rows(unpacked, "PRAGMA user_version") == [(current_version(),)]
    assert rows(unpacked, "PRAGMA freelist_count") == [(0,)]


def test_that_it_says_nothing_of_the_machine_it_was_made_on() -> None:
    whole = lzma.decompress(PACKED.read_bytes())
    for path in (b"/tmp/", b"/root", b"/work", b"/home/", b"/Users/", b"C:\\"):
        assert path not in whole


def test_that_it_opens_complete_and_marked_as_a_sample(unpacked: Path) -> None:
    with Headless(quiet=True) as headless:
        open_audit = headless.engine.open(unpacked)
        runs = open_audit.rounds.runs()
        assert open_audit.facts().sample
        found = open_audit.registration("gpf-livenews")
        assert found is not None
        assert found.holds
        assert found.differs == ()
        assert [run.plan_hash for run in reversed(runs)] == [
            plan_hash(sample.sample_plan(number)) for number in range(1, sample.ROUNDS + 1)
        ]
        assert all(run.state.over for run in runs)
        assert sample.unfinished_plan(open_audit) is None
        (masked,) = open_audit.results.findings(ResultsFilter(), ("masked_controls",)).values()
        assert masked.rows
        counts = open_audit.summary().counts
        assert counts.scored == counts.bundles > 0
        first = sample.first_to_read(open_audit)
        assert first is not None
        bundle = open_audit.reviews.bundle(first.id)
        assert bundle.valid == bundle.facts.planned
        assert isinstance(bundle.scores[COUNTERFACTUAL_FRAMING], float)


def test_that_demo_makes_the_same_answers_and_scores_today(
    unpacked: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sample, "MODELS", ("neutral",))
    monkeypatch.setattr(sample, "ROUNDS", 1)
    made = tmp_path / "made.gpf"
    with Headless(quiet=True) as headless:
        sample.make_sample(headless, made)
    assert len(rows(made, ANSWERS)) > 1000
    assert rows(made, ANSWERS) == rows(unpacked, ANSWERS)
    assert rows(made, SCORES) == rows(unpacked, SCORES)


def test_that_a_copy_with_reviews_is_not_replaced(unpacked: Path) -> None:
    with closing(sqlite3.connect(unpacked)) as connection:
        connection.execute("UPDATE audit SET title = 'Mine'")
        connection.commit()
    sample.unpack_sample(unpacked)
    assert rows(unpacked, "SELECT title FROM audit") == [("Mine",)]


def test_that_a_folder_that_is_not_there_is_said(tmp_path: Path) -> None:
    with pytest.raises(StorageError) as raised:
        sample.unpack_sample(tmp_path / "nowhere" / "Sample audit.gpf")
    assert raised.value.fault is StorageFault.MISSING
