"""What Python does beside the window's frames."""

import gc
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from gpf_desktop.domain.events import AuditClosed, RunRested, RunStarted
from gpf_desktop.domain.ids import RunId
from gpf_desktop.domain.runs import RunState
from gpf_desktop.ui.bridge import Bridge
from gpf_desktop.ui.gc_tuning import GcTuning


@pytest.fixture
def nothing_to_collect():
    """Python's own settings, and nothing that a full collection would have to walk over."""
    before = gc.get_threshold()
    gc.set_threshold(700, 10, 10)
    gc.collect()
    gc.freeze()
    # Of the share that is new Python judges by what the last full collection left.
    gc.collect()
    yield
    gc.unfreeze()
    gc.set_threshold(*before)


def test_that_what_a_round_imports_sets_off_no_full_collection(nothing_to_collect: None, qtbot: QtBot) -> None:
    bridge = Bridge()
    GcTuning(bridge)
    before = gc.get_stats()[2]["collections"]
    imported = [[number] for number in range(150_000)]
    assert gc.get_stats()[2]["collections"] == before, "every thread stands still meanwhile"
    assert len(imported) == 150_000
    bridge.close()
    bridge.deleteLater()
    qtbot.waitUntil(lambda: gc.get_threshold() == (700, 10, 10))


def test_that_what_lived_through_a_round_is_looked_at_again_where_its_audit_was_closed_meanwhile(
    nothing_to_collect: None, qtbot: QtBot, tmp_path: Path
) -> None:
    bridge, run = Bridge(), RunId(1)
    GcTuning(bridge)
    frozen = gc.get_freeze_count()
    bridge.announce(RunStarted(run_id=run))
    qtbot.waitUntil(lambda: gc.get_freeze_count() > frozen)
    bridge.leave()
    # Waits, and is nobody's any more once the audit is closed.
    bridge.announce(RunRested(run_id=run, name="Round 1", state=RunState.STOPPED, why=""))
    bridge.announce(AuditClosed(path=tmp_path / "audit.gpf"))
    qtbot.waitUntil(lambda: bridge.idle)
    assert gc.get_freeze_count() == 0
    bridge.close()
    bridge.deleteLater()
