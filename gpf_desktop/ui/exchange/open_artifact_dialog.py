"""File › Open an artifact, or an export's folder: where the audit that is made of it goes, how far its making is."""

from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtWidgets import QWidget

from gpf_desktop.domain.text import tr
from gpf_desktop.engine.commands.artifact_commands import OPEN_TASK, OpenWishes, start_opening
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.exchange.folder_field import NewAuditField
from gpf_desktop.ui.file_dialogs import AUDIT_SUFFIX
from gpf_desktop.ui.tasks.task_dialog import TaskDialog
from gpf_desktop.ui.tasks.task_view_model import TaskViewModel


class OpenArtifactDialog(TaskDialog):
    """Layout and connections."""

    counts = False

    def __init__(self, context: Context, parent: QWidget, artifact: Path) -> None:
        engine = context.engine
        of_export = artifact.is_dir()
        about = (
            tr(
                "{file} holds the export of a whole audit. That audit is made again, with its news, answers, scores "
                "and reviews. It is checked while it is read; of one that was changed nothing is kept.",
                file=artifact.name,
            )
            if of_export
            else tr(
                "Makes an audit of {file}, with its news, answers, scores and reviews, to be read, measured "
                "again and reported like any other. It is checked while it is read; of one that was changed "
                "nothing is kept.",
                file=artifact.name,
            )
        )
        super().__init__(
            parent,
            TaskViewModel(context, OPEN_TASK, partial(start_opening, engine), engine.cancel_beside),
            title=tr("Import a folder of answers") if of_export else tr("Open a shared file"),
            about=about,
            begin=tr("Make the audit"),
            name="openArtifact",
        )
        self._artifact = artifact
        self.target = NewAuditField(artifact.with_suffix(f".{AUDIT_SUFFIX}"), name="openArtifact.target")
        self.content.addWidget(self.target)
        self.content.addStretch(1)
        self.model.ended.connect(self.accept)

    def options(self) -> Any:
        return OpenWishes(path=self._artifact, target=self.target.value())
