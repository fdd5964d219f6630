"""File › Import answers, Export data, Save, open and verify an artifact.

Dialogs and what reads files are imported when one is asked for: a start needs none of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

from gpf_desktop.domain.events import TaskSucceeded
from gpf_desktop.domain.text import tr
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.file_dialogs import AUDIT_SUFFIX, SHARED_SUFFIX, ask_for_folder, ask_to_open, ask_to_open_several
from gpf_desktop.ui.messages import FILE_TOPIC, Message, MessageKind, Remedy
from gpf_desktop.ui.shell.file_commands import FileCommands
from gpf_desktop.ui.widgets.hidden_names import ask_of_names

if TYPE_CHECKING:
    from gpf_desktop.engine.commands.import_command import ImportedAudit, ImportPreview
    from gpf_desktop.engine.exchange.artifact.packing import MadeArtifact

_IMPORT_TOPIC = "import"
_SEAL_SHOWN = 120
"""Seconds to put a seal away in."""


def openable(path: Path) -> bool:
    """Whether `ExchangeCommands.open` opens what is called *path*."""
    return path.suffix.lower() in (f".{AUDIT_SUFFIX}", *_of_answers()) or path.is_dir()


def _of_answers() -> tuple[str, ...]:
    """Suffixes of files of answers."""
    from gpf_desktop.documents.answer_files import READABLE, TRANSCRIPTS
    from gpf_desktop.documents.packed_tables import PACKED

    return (*READABLE, *TRANSCRIPTS, *PACKED)


class ExchangeCommands(QObject):
    """Opens the dialogs, and tells how each ended."""

    def __init__(self, context: Context, files: FileCommands, window: QWidget) -> None:
        super().__init__(window)
        self._context, self._files, self._window = context, files, window
        context.actions.on("file.export", self.export)
        context.actions.on("file.artifact", self.save_artifact)
        context.actions.on("file.import", self.ask_for_answers)
        context.actions.on("file.import_folder", self.ask_for_folder)
        context.actions.on("file.open_artifact", self.ask_for_artifact)
        context.actions.on("file.verify_artifact", self.ask_what_to_verify)
        context.bridge.subscribe(self, self._succeeded, TaskSucceeded)

    def ask_for_answers(self) -> None:
        names = tr("Answers") + f" ({' '.join(f'*{suffix}' for suffix in _of_answers())})"
        ask_to_open_several(self._window, tr("Import answers"), names, self.import_answers)

    def ask_for_folder(self) -> None:
        ask_for_folder(self._window, tr("Import a folder of answers"), self.import_folder)

    def import_folder(self, folder: Path) -> None:
        """All tables that lie in *folder* become one audit; an export of an audit becomes that audit again."""
        self.import_answers([folder])

    def import_answers(self, tables: Sequence[Path]) -> None:
        """Read the begin of *tables*, then ask which column says what; what is of an export stands for all of it."""
        from gpf_desktop.engine.commands.import_command import preview
        from gpf_desktop.engine.exchange.export_files import export_among

        if export := export_among(tables):
            self.open_artifact(export)
            return
        self._context.bridge.run(
            preview,
            tables,
            then=partial(self._show_import, tables),
            failed=partial(self._context.messages.failure, topic=FILE_TOPIC),
            owner=self,
            anywhere=True,
        )

    def _show_import(self, tables: Sequence[Path], found: ImportPreview) -> None:
        from gpf_desktop.ui.exchange.import_dialog import ImportDialog

        dialog = ImportDialog(self._context, self._window, tables, found)
        dialog.model.ended.connect(self._imported)
        dialog.open()

    def _imported(self, made: ImportedAudit) -> None:
        way = partial(self._context.engine.open, made.path)
        self._files.enter(made.path, way, partial(self._arrived, made))

    def _arrived(self, made: ImportedAudit) -> None:
        """Every cell has its answer or its reason, so that nothing is asked: the round rests once it is scored."""
        self._context.bridge.follow(self._context.engine.open_audit.rounds.start(made.run_id))
        self._context.navigator.go("results")
        # Only now: with the audit that was open before goes what was said beside it.
        sentence, *left_out = made.sentences()
        if not left_out:
            self._context.messages.success(sentence, topic=_IMPORT_TOPIC)
            return
        # Stays until it is closed: which rows are missing, and why, is not read in a few seconds.
        said = " ".join((sentence, *(line.strip() for line in left_out[:2])))
        self._context.messages.warning(said, details="\n".join(left_out), topic=_IMPORT_TOPIC)

    def export(self) -> None:
        ask_of_names(self._window, self._show_export)

    def _show_export(self) -> None:
        from gpf_desktop.ui.exchange.export_dialog import ExportDialog

        ExportDialog(self._context, self._window).open()

    def save_artifact(self) -> None:
        ask_of_names(self._window, self._read_providers)

    def _read_providers(self) -> None:
        artifacts = self._context.engine.open_audit.artifacts
        self._context.bridge.run(artifacts.providers, then=self._show_artifact, owner=self, anywhere=True)

    def ask_for_artifact(self) -> None:
        names = tr("Shared files") + " (*.zip)"
        ask_to_open(self._window, tr("Open a shared file"), names, self.open_artifact)

    def ask_what_to_verify(self) -> None:
        names = tr("Shared files") + " (*.zip)"
        ask_to_open(self._window, tr("Verify a shared file"), names, self.verify)

    def verify(self, artifact: Path) -> None:
        """Ask for its seal, then compute all of it anew and say what agrees."""
        from gpf_desktop.ui.exchange.verify_dialog import VerifyDialog

        dialog = VerifyDialog(self._context, self._window, artifact)
        dialog.open_asked.connect(lambda: self.open_artifact(artifact))
        dialog.open()

    def open_artifact(self, artifact: Path) -> None:
        """Ask where the audit of *artifact* is to be, make it and show it."""
        from gpf_desktop.ui.exchange.open_artifact_dialog import OpenArtifactDialog

        dialog = OpenArtifactDialog(self._context, self._window, artifact)
        dialog.model.ended.connect(self._opened_artifact)
        dialog.open()

    def _opened_artifact(self, made: Path) -> None:
        self._files.open(made, lambda: self._context.navigator.go("results"))

    def open(self, path: Path) -> None:
        """Open *path*, dropped on the window or named for it: an audit as it is; an artifact or a table becomes an
        audit.
        """
        from gpf_desktop.documents.packed_tables import has_tables

        suffix = path.suffix.lower()
        if path.is_dir():
            self.import_folder(path)
        elif suffix == f".{SHARED_SUFFIX}" and not has_tables(path):
            self.open_artifact(path)
        elif suffix in _of_answers():
            self.import_answers([path])
        else:
            self._files.open(path)

    def open_dropped(self, paths: Sequence[Path]) -> None:
        """Several tables of answers become one audit; of other files the first is opened."""
        if len(paths) > 1 and all(path.suffix.lower() in _of_answers() for path in paths):
            self.import_answers(paths)
        else:
            self.open(paths[0])

    def _show_artifact(self, providers: tuple[str, ...]) -> None:
        from gpf_desktop.ui.exchange.artifact_dialog import ArtifactDialog

        dialog = ArtifactDialog(self._context, self._window, providers)
        dialog.model.ended.connect(self._saved_artifact)
        dialog.open()

    def _saved_artifact(self, made: MadeArtifact) -> None:
        from gpf_desktop.engine.exchange.artifact_service import made_words

        copy = Remedy(text=tr("Copy the check code"), do=lambda: QGuiApplication.clipboard().setText(made.seal))
        said = Message(
            text=made_words(made), kind=MessageKind.SUCCESS, remedies=(copy,), topic=FILE_TOPIC, seconds=_SEAL_SHOWN
        )
        self._context.messages.say(said)

    def _succeeded(self, event: TaskSucceeded) -> None:
        from gpf_desktop.engine.exchange.data_export import EXPORT_TASK

        if event.task == EXPORT_TASK:
            self._context.messages.success(event.sentence, topic=FILE_TOPIC)
