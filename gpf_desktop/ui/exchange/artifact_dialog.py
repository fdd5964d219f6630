"""File › Save an artifact: which answers go in whole, whether reviewers keep their names, under which licence."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from PySide6.QtWidgets import QCheckBox, QLineEdit, QWidget

from gpf_desktop.domain.text import tr
from gpf_desktop.engine.exchange.artifact.contents import ArtifactChoices
from gpf_desktop.engine.exchange.artifact_service import ARTIFACT_TASK, ArtifactService
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.exchange.folder_field import SaveField
from gpf_desktop.ui.file_dialogs import SHARED_SUFFIX, ask_to_save
from gpf_desktop.ui.tasks.task_dialog import TaskDialog
from gpf_desktop.ui.tasks.task_view_model import TaskViewModel
from gpf_desktop.ui.widgets.boxes import fill
from gpf_desktop.ui.widgets.fields import FormField
from gpf_desktop.ui.widgets.labels import label, secondary
from gpf_desktop.ui.widgets.names import named


@dataclass(frozen=True, slots=True, kw_only=True)
class _Wished:
    target: Path
    choices: ArtifactChoices


class ArtifactDialog(TaskDialog):
    """Layout and connections; *providers* are those whose answers the audit holds."""

    def __init__(self, context: Context, parent: QWidget, providers: tuple[str, ...]) -> None:
        artifacts = context.engine.open_audit.artifacts
        super().__init__(
            parent,
            TaskViewModel(context, ARTIFACT_TASK, lambda wished: _start(artifacts, wished), artifacts.cancel),
            title=tr("Save a shared file"),
            about=tr(
                "One zip by which others can check, recompute and open this audit: news, messages, answers, "
                "scores, tables and reviews. Cards in it say what it may be used for. Keep its check code "
                "elsewhere."
            ),
            begin=tr("Save"),
            name="artifact",
        )
        self.withheld = {name: QCheckBox(name) for name in providers}
        self.without_news = named(
            QCheckBox(tr("Texts of articles as hashes: they are their publishers'")), "artifact.without_news"
        )
        self.pseudonyms = named(QCheckBox(tr("Call reviewers “Reviewer 1” and so on")), "artifact.pseudonyms")
        self.draft = named(QCheckBox(tr("With the report's draft, findings and evidence")), "artifact.draft")
        self.draft.setChecked(True)
        self.creator, self.licence = QLineEdit(), QLineEdit(ArtifactChoices().licence)
        self.address = QLineEdit()
        self.target = SaveField(
            tr("File"),
            lambda then: ask_to_save(
                self, tr("Save a shared file"), tr("Shared files") + " (*.zip)", SHARED_SUFFIX, then
            ),
            name="artifact.target",
        )
        self.content.addWidget(label(tr("Answers as hashes instead of words"), "heading"))
        self.content.addWidget(
            secondary(
                tr(
                    "Tick a provider whose terms forbid passing its answers on. Who has the same answers can "
                    "check them against the hashes; scores that rest on them can't be recomputed from the file."
                ),
                wrap=True,
            )
        )
        for name, box in self.withheld.items():
            box.setObjectName(f"artifact.withhold.{name}")
            self.content.addWidget(box)
        licence_help = tr("Of scores, tables and annotations; news and answers have their own owners.")
        fill(
            self.content,
            self.without_news,
            self.pseudonyms,
            self.draft,
            FormField(tr("Made by"), self.creator, name="artifact.creator"),
            FormField(tr("Licence"), self.licence, help=licence_help, name="artifact.licence"),
            FormField(
                tr("Address"),
                self.address,
                help=tr("Where the file will be, if you know: audits.json in it tells websites of the audit."),
                name="artifact.address",
            ),
            self.target,
        )
        self.target.may_replace.connect(self.begin.click)
        self.model.ended.connect(self.accept)

    def options(self) -> Any:
        choices = ArtifactChoices(
            withheld=frozenset(name for name, box in self.withheld.items() if box.isChecked()),
            without_news=self.without_news.isChecked(),
            pseudonyms=self.pseudonyms.isChecked(),
            draft=self.draft.isChecked(),
            licence=self.licence.text().strip() or ArtifactChoices().licence,
            creator=self.creator.text().strip(),
            addresses=tuple(filter(None, [self.address.text().strip()])),
        )
        return _Wished(target=self.target.value(), choices=choices)


def _start(artifacts: ArtifactService, wished: _Wished) -> Any:
    return artifacts.start(wished.target, wished.choices)
