"""A seeded walk through the real window, which ends with nothing that nobody expected."""

import gc
import os
import shutil
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication

from gpf_desktop.storage.audit_file import AuditFile
from gpf_desktop.ui.main_window import MainWindow
from tests.support.filled_audit import fill
from tests.support.monkey import Monkey

STEPS = 300


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


@pytest.mark.skipif("GPF_MONKEY" not in os.environ, reason="walked by hand: GPF_MONKEY=1")
@pytest.mark.parametrize("seed", [1, 2])
def test_that_a_walk_through_the_window_meets_nothing_unexpected(
    window: MainWindow, audits: tuple[Path, ...], seed: int
) -> None:
    """What the log says of bugs fails every test; here what is only told in the window does as well."""
    troubles: list[str] = []
    monkey = Monkey(window, audits, seed)
    window.context.bridge.trouble.connect(lambda error: troubles.append(f"{error!r} after {monkey.did[-8:]}"))
    monkey.walk(STEPS)
    assert troubles == []


def test_that_opening_audits_again_and_again_leaves_no_widgets_behind(
    window: MainWindow, audits: tuple[Path, ...]
) -> None:
    monkey = Monkey(window, audits, 1)

    def widgets() -> int:
        for path in audits[:2]:
            monkey.go_round(path)
        gc.collect()
        return len(QApplication.allWidgets())

    # The pages, and what each of them makes when it is first asked for.
    for _ in range(2):
        widgets()
    first = widgets()
    for _ in range(3):
        last = widgets()
    assert last <= first
