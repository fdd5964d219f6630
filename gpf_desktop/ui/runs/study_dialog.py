"""Sets up a round of a method that brings its own questions: which set, which models, and what each is asked for."""

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox, QDialog, QDialogButtonBox, QGridLayout, QSpinBox, QVBoxLayout, QWidget

from gpf_desktop.domain.text import tr
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.runs.runs_view_model import RunsViewModel
from gpf_desktop.ui.runs.study_view_model import Part, StudyViewModel
from gpf_desktop.ui.widgets.buttons import button
from gpf_desktop.ui.widgets.editors import real_box
from gpf_desktop.ui.widgets.fields import FormField
from gpf_desktop.ui.widgets.labels import caption, label, problem_label, secondary
from gpf_desktop.ui.widgets.layouts import clear_layout, scrolling

_WIDTH, _HEIGHT = 640, 620
_MOST_REPEATS = 20


class StudyDialog(QDialog):
    """Layout and connections."""

    def __init__(self, context: Context, runs: RunsViewModel, parent: QWidget) -> None:
        super().__init__(parent)
        self.model = StudyViewModel(context, runs, self)
        self.setWindowTitle(tr("New study"))
        self.setObjectName("study")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        column = QVBoxLayout(self)
        column.addWidget(label(self.model.method.question, "heading", wrap=True))
        column.addWidget(secondary(self.model.method.statement.short, wrap=True))
        self.sets = QComboBox()
        self.sets.addItems(list(self.model.sets))
        self.sets.currentTextChanged.connect(self.model.choose_set)
        column.addWidget(FormField(tr("Questions"), self.sets, name="study.set"))
        self._facts = caption(name="study.facts")
        column.addWidget(self._facts)
        self.repeats = QSpinBox()
        self.repeats.setRange(1, _MOST_REPEATS)
        self.repeats.valueChanged.connect(self.model.set_repeats)
        column.addWidget(
            FormField(
                tr("Answers of each model to a question (3 tell its own noise)"), self.repeats, name="study.repeats"
            )
        )
        holder = QWidget()
        holder.setProperty("plain", True)
        self._grid = QGridLayout(holder)
        self._grid.setColumnStretch(0, 1)
        self.parts: dict[str, QComboBox] = {}
        area = scrolling(holder, "study.models")
        column.addWidget(area, 1)
        self.practise = button(
            tr("Use calibration models: no key, no network, planted behaviour"),
            self.model.practise,
            name="study.practise",
        )
        column.addWidget(self.practise)
        self.cap = real_box(0.01, 1e6, "US$", decimals=2, step=1.0)
        self.cap.setValue(self.model.spend_cap)
        self.cap.valueChanged.connect(self.model.set_cap)
        self._capped = FormField(tr("Pause when the spend reaches"), self.cap, name="study.cap")
        column.addWidget(self._capped)
        self._takes = caption(name="study.takes")
        self._blocked = problem_label(name="study.blocked")
        column.addWidget(self._takes)
        column.addWidget(self._blocked)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self.begin = button(tr("Start"), self.model.start, primary=True, name="study.start")
        buttons.addButton(self.begin, QDialogButtonBox.ButtonRole.AcceptRole)
        buttons.rejected.connect(self.reject)
        column.addWidget(buttons)
        self.setMinimumSize(context.theme.px(_WIDTH), context.theme.px(_HEIGHT))
        self.model.changed.connect(self._show)
        self.model.started.connect(self.accept)
        self._show()

    def _show(self) -> None:
        model = self.model
        if list(self.parts) != [each.label for each in model.models]:
            self._list([each.label for each in model.models])
        for name, box in self.parts.items():
            box.setCurrentIndex(list(Part).index(model.parts.get(name, Part.NONE)))
        self.repeats.setValue(model.repeats)
        self._facts.setText(model.facts)
        self._capped.setVisible(model.costs)
        self._takes.setText(model.takes)
        self._blocked.setText(model.blocked)
        self._blocked.setVisible(bool(model.blocked))
        self.begin.setEnabled(not model.blocked and not model.starting)

    def _list(self, names: Sequence[str]) -> None:
        clear_layout(self._grid)
        self.parts.clear()
        for at, name in enumerate(names):
            box = QComboBox()
            box.setObjectName(f"study.part.{name}")
            box.setAccessibleName(tr("Part of {model} in the study", model=name))
            box.addItems([part.words for part in Part])
            box.activated.connect(partial(self._chosen, name))
            self._grid.addWidget(label(name), at, 0)
            self._grid.addWidget(box, at, 1)
            self.parts[name] = box
        self._grid.setRowStretch(len(names), 1)

    def _chosen(self, name: str, at: int) -> None:
        self.model.give(name, list(Part)[at])
