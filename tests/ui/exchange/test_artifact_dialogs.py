"""Artifacts from the File menu: saved, opened again, verified."""

import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QDialog, QLabel, QPushButton
from pytestqt.qtbot import QtBot

from gpf_desktop.engine.exchange.artifact.contents import ArtifactChoices
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.exchange.artifact_dialog import ArtifactDialog
from gpf_desktop.ui.exchange.open_artifact_dialog import OpenArtifactDialog
from gpf_desktop.ui.exchange.verify_dialog import VerifyDialog
from gpf_desktop.ui.main_window import MainWindow
from tests.support.filled_audit import fill
from tests.ui.accessibility import problems_in

Settle = Callable[[], None]


@pytest.fixture
def filled(audit: Path, context: Context) -> Path:
    fill(context.engine.open_audit.context.audit, models_asked=("neutral",), dimensions=("Political",))
    return audit


def press(qtbot: QtBot, dialog: QDialog, name: str) -> None:
    found = dialog.findChild(QPushButton, name)
    assert found is not None
    qtbot.mouseClick(found, Qt.MouseButton.LeftButton)


def test_that_an_artifact_is_saved_with_a_choice_for_each_provider_and_opened_again(
    window: MainWindow, context: Context, filled: Path, qtbot: QtBot, settle: Settle, tmp_path: Path
) -> None:
    context.actions.action("file.artifact").trigger()
    settle()
    (dialog,) = window.findChildren(ArtifactDialog)
    assert list(dialog.withheld) == ["calibration"]
    dialog.withheld["calibration"].setChecked(True)
    dialog.address.setText("https://news.example/a.zip")
    dialog.target.line.setText(str(tmp_path / "a.zip"))
    with qtbot.waitSignal(dialog.finished):
        press(qtbot, dialog, "artifact.begin")
    settle()
    (said,) = (each for each in context.messages.messages if "Keep its check code elsewhere" in each.text)
    (copy,) = said.remedies
    copy.do()
    assert said.text.endswith(QGuiApplication.clipboard().text())
    assert len(QGuiApplication.clipboard().text()) == 64
    with zipfile.ZipFile(tmp_path / "a.zip") as shared:
        assert b'"https://news.example/a.zip"' in shared.read("audits.json")
    (tmp_path / "a.gpf").write_text("something else")
    window.exchange.open(tmp_path / "a.zip")
    (dialog,) = window.findChildren(OpenArtifactDialog)
    assert dialog.target.line.text() == "", "what lies beside the artifact under its name stays"
    assert problems_in(dialog) == []
    dialog.target.line.setText(str(tmp_path / "a.gpf"))
    press(qtbot, dialog, "openArtifact.begin")
    assert "is there already" in dialog.target.field.problem
    dialog.target.line.setText(str(tmp_path / "again.gpf"))
    qtbot.keyClick(dialog.target.line, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: (held := context.engine.current) is not None and held.path.name == "again.gpf")
    settle()
    texts = context.engine.open_audit.context.audit.read(
        lambda c: c.execute("SELECT count(*) FROM response WHERE text NOT LIKE '[withheld: %'").fetchone()
    )
    assert texts == (0,)


def test_that_an_artifact_that_was_changed_is_refused_in_the_dialog_and_leaves_nothing(
    window: MainWindow, context: Context, filled: Path, qtbot: QtBot, settle: Settle, tmp_path: Path
) -> None:
    changed = tmp_path / "changed.zip"
    context.engine.open_audit.artifacts.start(changed, ArtifactChoices()).result()
    body = bytearray(changed.read_bytes())
    body[len(body) // 2] ^= 1
    changed.write_bytes(body)
    window.exchange.open(changed)
    (dialog,) = window.findChildren(OpenArtifactDialog)
    assert dialog.target.line.text() == str(tmp_path / "changed.gpf")
    press(qtbot, dialog, "openArtifact.begin")
    qtbot.waitUntil(lambda: "was changed since it was saved. Verify it to see" in dialog.problem.text())
    assert not (tmp_path / "changed.gpf").exists()
    assert context.engine.open_audit.path == filled


def test_that_there_is_room_for_fields_and_progress_while_an_artifact_is_saved(
    window: MainWindow, context: Context, filled: Path, qtbot: QtBot, settle: Settle, tmp_path: Path
) -> None:
    context.actions.action("file.artifact").trigger()
    settle()
    (dialog,) = window.findChildren(ArtifactDialog)
    dialog.target.line.setText(str(tmp_path / "a.zip"))
    with qtbot.waitSignal(dialog.finished):
        press(qtbot, dialog, "artifact.begin")
        assert dialog.progress.isVisible()
        assert dialog.height() >= dialog.layout().minimumHeightForWidth(dialog.width())


def test_that_verifying_an_artifact_says_what_agrees_and_names_what_differs(
    window: MainWindow, context: Context, filled: Path, qtbot: QtBot, settle: Settle, tmp_path: Path
) -> None:
    open_audit = context.engine.open_audit
    made = open_audit.artifacts.start(tmp_path / "a.zip", ArtifactChoices()).result()

    def verified(path: Path, seal: str) -> tuple[str, list[str]]:
        window.exchange.verify(path)
        dialog = window.findChildren(VerifyDialog)[-1]
        dialog.seal.setText(seal)
        with qtbot.waitSignal(dialog.model.ended):
            press(qtbot, dialog, "verify.begin")
        said = [label.text() for label in dialog.lines.findChildren(QLabel) if label.text()]
        assert problems_in(dialog) == []
        assert dialog.make.isVisible() == (dialog.verdict.text() == "Everything agrees.")
        QCoreApplication.processEvents()
        lines, last = dialog.lines, dialog.lines.widget()
        assert last is not None
        foot = lines.mapTo(dialog, lines.rect().bottomLeft()).y()
        assert dialog.copy.mapTo(dialog, dialog.copy.rect().topLeft()).y() > foot, "the buttons lie over a line"
        assert dialog.leave.geometry().top() > dialog.copy.geometry().bottom()
        assert dialog.height() >= dialog.layout().minimumHeightForWidth(dialog.width())
        verdict = dialog.verdict.text()
        dialog.close()
        settle()
        return verdict, said

    verdict, said = verified(tmp_path / "a.zip", made.seal[:12])
    assert verdict == "Everything agrees."
    assert any("scores, computed anew" in words for words in said)
    body = bytearray((tmp_path / "a.zip").read_bytes())
    body[len(body) // 2] ^= 1
    (tmp_path / "b.zip").write_bytes(body)
    verdict, said = verified(tmp_path / "b.zip", "")
    assert verdict == "Do not rely on this file as it is."
    assert "some byte was changed" in said[0] + said[1]
    assert any("files that were changed: " in words for words in said)
    assert context.engine.open_audit is open_audit
