"""The rescore dialog fetches a model that the auditor names, after saying how large it is."""

import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLineEdit
from pytestqt.qtbot import QtBot

from gpf_desktop.engine.scoring.model_download import ModelDownload
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.main_window import MainWindow
from gpf_desktop.ui.results.model_download_row import ModelDownloadRow
from gpf_desktop.ui.results.rescore_dialog import RescoreDialog
from tests.support.filled_audit import fill
from tests.support.http_server import LoopbackServer
from tests.support.model_hub import COMMIT, serve
from tests.ui.accessibility import problems_in

Settle = Callable[[], None]


def dialog_naming(window: MainWindow, context: Context, settle: Settle, model: str) -> RescoreDialog:
    """The dialog with a sentence encoder chosen and *model* typed."""
    fill(context.engine.open_audit.context.audit, models_asked=("neutral",), dimensions=("Political",))
    context.actions.action("scores.rescore").trigger()
    (dialog,) = window.findChildren(RescoreDialog)
    settle()
    dialog.variant.setCurrentIndex(dialog.variant.findText("How far apart, by meaning (a sentence encoder)"))
    assert dialog.form is not None
    line = dialog.form.fields["model"].findChild(QLineEdit)
    assert line is not None
    line.setText(model)
    settle()
    return dialog


def row_of(dialog: RescoreDialog) -> ModelDownloadRow:
    assert dialog.download is not None
    return dialog.download


def test_that_a_model_is_offered_with_its_size_fetched_and_named_by_its_commit(
    window: MainWindow,
    context: Context,
    audit: Path,
    settle: Settle,
    qtbot: QtBot,
    http_server: LoopbackServer,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    constants = pytest.importorskip("huggingface_hub.constants")
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(constants, "HF_HUB_DISABLE_XET", True)
    open_audit = context.engine.open_audit
    open_audit.model_download = ModelDownload(open_audit.context, serve(http_server).url(""))
    dialog = dialog_naming(window, context, settle, "someone/encoder")
    row = row_of(dialog)
    assert row.act.text() == "Look up on huggingface.co"
    dialog.begin.setFocus()
    dialog.begin.click()
    assert dialog.focusWidget() is dialog.leave
    qtbot.waitUntil(lambda: "is not on this machine" in dialog.problem.text())
    assert dialog.focusWidget() is dialog.begin
    row.act.setFocus()
    qtbot.mouseClick(row.act, Qt.MouseButton.LeftButton)
    assert row.said.text() == "Asking huggingface.co …"
    assert dialog.focusWidget() is row.act
    qtbot.waitUntil(lambda: row.act.text() == "Download 32.0 kB")
    assert "3 files of someone/encoder" in row.said.text()
    assert not any("/resolve/" in request.path for request in http_server.requests)
    row.model.said = "Stopped"
    with qtbot.waitSignal(row.model.fetched):
        qtbot.mouseClick(row.act, Qt.MouseButton.LeftButton)
        assert "3 files of someone/encoder" in row.model.said, "what was said of an earlier try stands no more"
    assert dialog.form is not None
    assert dialog.form.value().revision == COMMIT
    assert "on this machine now" in row.said.text()
    assert dialog.problem.text() == ""
    assert dialog.focusWidget() is row.act
    dialog.close()


def test_that_without_the_extra_the_button_says_what_to_install(
    window: MainWindow, context: Context, audit: Path, settle: Settle, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "huggingface_hub", None)
    row = row_of(dialog_naming(window, context, settle, "someone/encoder"))
    assert problems_in(row) == []
    qtbot.mouseClick(row.act, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: "gpf-desktop add encoders" in row.problem.text())
    assert row.act.isEnabled()


def test_that_nothing_can_be_looked_up_before_a_model_is_named(
    window: MainWindow, context: Context, audit: Path, settle: Settle
) -> None:
    dialog = dialog_naming(window, context, settle, "")
    assert not row_of(dialog).act.isEnabled()
