"""A seeded walk through the real window, which ends with nothing that nobody expected."""

import faulthandler
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from gpf_desktop.storage.audit_file import AuditFile
from gpf_desktop.ui.actions import Fact
from gpf_desktop.ui.main_window import MainWindow
from tests.support.filled_audit import fill
from tests.support.monkey import Monkey

SEEDS = [int(seed) for seed in os.environ.get("GPF_MONKEY", "1 2").split()]
STEPS = int(os.environ.get("GPF_MONKEY_STEPS", "80"))
"""Of each seed: ten seconds of the processor. By hand others: GPF_MONKEY="3 4" GPF_MONKEY_STEPS=1000."""
OF_AUDIT = frozenset(Fact) - {Fact.CAN_GO_BACK, Fact.CAN_GO_FORWARD, Fact.HAS_INSPECTOR}


@pytest.fixture
def audits(tmp_path: Path, small_audit: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Path, ...]:
    filled, empty = tmp_path / "filled.gpf", tmp_path / "empty.gpf"
    audit = AuditFile.create(filled, title="Evening round")
    fill(audit, models_asked=("tailoring-0.6", "faulty"), dimensions=("Socioeconomic", "Political"))
    audit.close()
    AuditFile.create(empty, title="Nothing yet").close()
    # What a dialog proposes lies there.
    monkeypatch.chdir(tmp_path)
    return filled, empty, Path(shutil.copy(small_audit, tmp_path / "contexts.gpf"))


@pytest.fixture
def watchdog() -> Iterator[None]:
    """Says where a walk stands that takes long, and lets it go on: how fast a machine is, is no fault."""
    with os.fdopen(os.dup(2), "w", encoding="utf-8") as said:
        faulthandler.dump_traceback_later(600, repeat=True, file=said)
        yield
        faulthandler.cancel_dump_traceback_later()


@pytest.mark.timeout(0)
@pytest.mark.parametrize("seed", SEEDS)
def test_that_a_walk_through_the_window_meets_nothing_unexpected(
    window: MainWindow, audits: tuple[Path, ...], watchdog: None, seed: int
) -> None:
    """What the log says of bugs fails every test; here what is only told in the window does as well."""
    wrong: list[str] = []
    monkey = Monkey(window, audits, seed)
    actions, bridge = window.context.actions, window.context.bridge
    of_audits = [spec.id for spec in actions.specs() if spec.needs & OF_AUDIT]
    bridge.trouble.connect(lambda error: wrong.append(f"{error!r} after {monkey.did[-8:]}"))

    def look() -> None:
        if bridge.idle and not window.context.engine.has_open_audit:
            left = [each for each in of_audits if actions.action(each).isEnabled()]
            if left:
                wrong.append(f"{left} can be used without an audit after {monkey.did[-8:]}")

    monkey.walk(STEPS, look)
    assert wrong == []
