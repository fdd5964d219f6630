"""What damaged settings hold in place of the audits opened last."""

from pathlib import Path

import pytest
from PySide6.QtCore import QSettings

from gpf_desktop.ui.shell.recent import RecentFiles


@pytest.mark.parametrize("stored", [True, 3, 1e308, {"a": 1}, "x" * 5_000, ["x" * 5_000, "\ud800"]])
def test_that_odd_settings_hold_no_audits_and_the_window_begins(tmp_path: Path, stored: object) -> None:
    settings = QSettings(str(tmp_path / "window.ini"), QSettings.Format.IniFormat)
    recent = RecentFiles(settings)
    recent.add(tmp_path)
    key = settings.allKeys()[0]
    settings.setValue(key, stored)
    assert recent.paths() == ()
    recent.add(tmp_path)
    assert recent.known()[0] == tmp_path.resolve()
