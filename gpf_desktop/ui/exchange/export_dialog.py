"""File › Export data: what, in which formats, where to."""

from collections.abc import Collection
from typing import Any

from PySide6.QtWidgets import QCheckBox, QWidget

from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.text import tr
from gpf_desktop.engine.exchange.data_export import EXPORT_TASK, OTHERS, DataWishes, exported_names
from gpf_desktop.exporters.data_files import has_parquet, parquet_remedy
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.exchange.folder_field import PlaceField
from gpf_desktop.ui.file_dialogs import ask_for_folder, ask_to_replace
from gpf_desktop.ui.tasks.task_dialog import TaskDialog
from gpf_desktop.ui.tasks.task_view_model import TaskViewModel
from gpf_desktop.ui.theme.tokens import SPACE_1
from gpf_desktop.ui.widgets.boxes import PlainWidget, fill
from gpf_desktop.ui.widgets.labels import label, secondary
from gpf_desktop.ui.widgets.layouts import EqualFlow


class ExportDialog(TaskDialog):
    """Layout and connections."""

    def __init__(
        self, context: Context, parent: QWidget, *, what: Collection[str] = (), formats: Collection[str] = ()
    ) -> None:
        """Only *what* and *formats* are ticked at first; empty: all that is usual."""
        data = context.engine.open_audit.data
        self._standing = data.standing
        self._replaces = False
        super().__init__(
            parent,
            TaskViewModel(context, EXPORT_TASK, data.start, data.cancel),
            title=tr("Export data"),
            about=tr(
                "Writes a file for each of these and each format into a folder, with dictionary.csv, which says what"
                " every column tells. Nothing is put there before all of it is written."
            ),
            begin=tr("Export"),
            name="exportData",
        )
        self.what = {name: QCheckBox(words) for name, words in _titles().items()}
        self.formats = {name: QCheckBox(words) for name, words in _formats().items()}
        self.folder = PlaceField(
            tr("Folder"), lambda then: ask_for_folder(self, tr("Export data into"), then), name="exportData.folder"
        )
        fill(
            self.content,
            label(tr("What"), "heading"),
            _flow(self.what, "exportData.what"),
            label(tr("Formats"), "heading"),
            _flow(self.formats, "exportData.format"),
        )
        for name in OTHERS:
            self.formats[name].setChecked(False)
        for boxes, wanted in ((self.what, what), (self.formats, formats)):
            for name, box in boxes.items() if wanted else ():
                box.setChecked(name in wanted)
        if not has_parquet():
            self.formats["parquet"].setChecked(False)
            self.formats["parquet"].setEnabled(False)
            self.content.addWidget(secondary(parquet_remedy(), wrap=True))
        self.content.addWidget(self.folder)
        self.model.ended.connect(self.accept)

    def options(self) -> Any:
        what = tuple(name for name, box in self.what.items() if box.isChecked())
        formats = tuple(name for name, box in self.formats.items() if box.isChecked())
        if not what or not formats:
            words = tr("Tick at least one thing and one format.")
            self.problem.setText(words)
            raise UserError(words)
        wishes = DataWishes(folder=self.folder.value(), what=what, formats=formats, replaces=self._replaces)
        self._replaces = False
        if not wishes.replaces and (standing := self._standing(wishes)):
            ask_to_replace(self, standing, self._begin_replacing)
            raise UserError(tr("Files of a former export are there already."))
        return wishes

    def _begin_replacing(self) -> None:
        self._replaces = True
        self.begin.click()


def _titles() -> dict[str, str]:
    titles = {
        "tables": tr("Tables of Results"),
        "protocols": tr("Protocols"),
        "news": tr("News"),
        "runs": tr("Rounds"),
        "models": tr("Models"),
        "bundles": tr("Sets of answers"),
        "prompts": tr("Messages sent"),
        "answers": tr("Answers"),
        "settings": tr("Ways of measuring"),
        "scores": tr("Scores"),
        "fits": tr("What words were weighed over"),
        "score_bases": tr("What each score rests on"),
        "vectors": tr("Vectors of encoders"),
        "annotations": tr("Annotations"),
        "study_notes": tr("Codes and memos, as signed off"),
        "code_book": tr("Code book"),
        "quotes": tr("Quotes with codes"),
        "preference_pairs": tr("Preference pairs (DPO)"),
    }
    return {name: titles[name] for name in exported_names()}


def _formats() -> dict[str, str]:
    return {
        "csv": tr("CSV"),
        "jsonl": tr("JSON lines"),
        "parquet": tr("Parquet"),
        "qdpx": tr("QDPX, for NVivo or QualCoder"),
        "inspect": tr("Logs of Inspect"),
        "every-eval-ever": tr("Records of Every Eval Ever"),
    }


def _flow(boxes: dict[str, QCheckBox], name: str) -> QWidget:
    """As many beside each other as have room."""
    holder = PlainWidget()
    for key, box in boxes.items():
        box.setChecked(True)
        box.setObjectName(f"{name}.{key}")
    EqualFlow(holder, *boxes.values(), spacing=SPACE_1)
    return holder
