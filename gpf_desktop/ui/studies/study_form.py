"""Set-up of a study on one page: what is asked about, how much, of whom; what that takes beside it."""

from PySide6.QtCore import QSignalBlocker, Qt
from PySide6.QtWidgets import QCheckBox, QComboBox, QGridLayout, QLineEdit, QSpinBox, QVBoxLayout, QWidget
from shiboken6 import delete

from gpf_desktop.domain.text import tr
from gpf_desktop.engine.rounds.round_power import sized
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.file_dialogs import ask_to_open
from gpf_desktop.ui.runs.forecast_words import cap_words, job_words, remarks, summary_lines
from gpf_desktop.ui.runs.runs_view_model import RunsViewModel
from gpf_desktop.ui.runs.scope_card import ScopeCard
from gpf_desktop.ui.studies.model_parts import ModelParts
from gpf_desktop.ui.studies.own_editors import own_editors
from gpf_desktop.ui.studies.study_view_model import StudyViewModel
from gpf_desktop.ui.theme.tokens import SPACE_2, SPACE_3
from gpf_desktop.ui.widgets.buttons import button
from gpf_desktop.ui.widgets.cards import Card
from gpf_desktop.ui.widgets.editors import real_box, whole_box
from gpf_desktop.ui.widgets.fields import FormField
from gpf_desktop.ui.widgets.labels import caption, label, problem_label, secondary
from gpf_desktop.ui.widgets.layouts import clear_layout, flowing, scrolling
from gpf_desktop.ui.widgets.plain import plain_tip
from gpf_desktop.ui.widgets.side_by_side import SideBySide

_NARROW = 900
_SUMMARY_WIDTH = 300
_NUMBER_WIDTH = 140


class StudyForm(QWidget):
    """Layout and connections; what a method adds comes from its `StudySetUp` and its own editors."""

    def __init__(self, context: Context, runs: RunsViewModel) -> None:
        super().__init__()
        self.model = StudyViewModel(context, runs, self)
        self._context = context
        self._question = label("", "heading", wrap=True)
        self._statement = secondary("", wrap=True)
        self._name = QLineEdit()
        self._name.textEdited.connect(self.model.set_name)
        form = QWidget()
        form.setProperty("plain", True)
        column = QVBoxLayout(form)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(SPACE_3)
        self._items = self._items_card()
        self._numbers = Card(tr("How much"), name="study.numbers")
        self._fields = QVBoxLayout()
        self._numbers.body.addLayout(self._fields)
        self.numbers: dict[str, QSpinBox] = {}
        self.parts = ModelParts(context, self.model)
        for widget in (
            self._question,
            self._statement,
            FormField(tr("Name"), self._name, name="study.name"),
            self._items,
            ScopeCard(context, self.model),
            self._numbers,
            self.parts,
        ):
            column.addWidget(widget)
        column.addStretch(1)
        summary = QWidget()
        summary.setProperty("plain", True)
        beside = QVBoxLayout(summary)
        beside.setContentsMargins(0, 0, 0, 0)
        beside.addWidget(self._summary_card())
        self._finds = self._finds_card()
        beside.addWidget(self._finds)
        beside.addStretch(1)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(
            scrolling(SideBySide(context.theme, form, summary, shares=(3, 1), narrow=_NARROW), "study.scroll")
        )
        self.model.shown.connect(self._another)
        self.model.changed.connect(self._show)

    def _items_card(self) -> Card:
        card = Card(tr("Items"), name="study.items")
        self.sets = QComboBox()
        self.sets.setObjectName("study.set")
        self.sets.setAccessibleName(tr("What is asked"))
        self.sets.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.sets.textActivated.connect(self._choose_set)
        self._file = button(tr("From a file …"), self._ask_for_file, compact=True, name="study.file")
        card.body.addWidget(flowing(self.sets, self._file))
        self._facts = caption(name="study.facts")
        card.body.addWidget(self._facts)
        self._editors = QVBoxLayout()
        self._own: list[QWidget] = []
        card.body.addLayout(self._editors)
        return card

    def _summary_card(self) -> Card:
        card = Card(tr("What this takes"), name="study.summary")
        theme = self._context.theme
        theme.follow(card, lambda: card.setFixedWidth(theme.px(_SUMMARY_WIDTH)))
        self._lines = QGridLayout()
        self._lines.setVerticalSpacing(SPACE_2 // 2)
        self._lines.setColumnStretch(0, 1)
        card.body.addLayout(self._lines)
        self._remarks = caption(name="study.remarks")
        self.jobs = QCheckBox(tr("Half-price batch jobs"))
        self.jobs.setObjectName("study.jobs")
        self.jobs.clicked.connect(self.model.set_batch_jobs)
        self._job_words = caption(name="study.jobWords")
        self.cap = real_box(0.01, 1e6, "US$", decimals=2, step=1.0)
        self.cap.setValue(10.0)
        self.cap.valueChanged.connect(self.model.set_cap)
        self._capped = FormField(tr("Pause when the spend reaches"), self.cap, name="study.cap")
        self._cap_words = caption(name="study.capWords")
        self._blocked = problem_label(name="study.blocked")
        self.begin = button(tr("Start"), self.model.start, primary=True, name="study.start")
        for widget in (
            self._remarks,
            self.jobs,
            self._job_words,
            self._capped,
            self._cap_words,
            self._blocked,
            self.begin,
        ):
            card.body.addWidget(widget)
        return card

    def _finds_card(self) -> Card:
        card = Card(tr("What this finds"), name="study.finds")
        theme = self._context.theme
        theme.follow(card, lambda: card.setFixedWidth(theme.px(_SUMMARY_WIDTH)))
        card.body.addWidget(caption(tr("In 80 of 100 such rounds, where it is there:")))
        self._found = QGridLayout()
        self._found.setVerticalSpacing(SPACE_2 // 2)
        self._found.setHorizontalSpacing(SPACE_2)
        self._found.setColumnStretch(0, 1)
        card.body.addLayout(self._found)
        self._origin = caption(name="study.origin")
        card.body.addWidget(self._origin)
        return card

    def _another(self) -> None:
        """The page is another method's now."""
        method, set_up = self.model.method, self.model.set_up
        assert method is not None
        assert set_up is not None
        self._question.setText(method.question)
        self._statement.setText(method.statement.short)
        self._items.title.setText(set_up.items_title)
        self._file.setVisible(bool(set_up.files))
        for old in self._own:
            # At once: left for later, it would still hear of the other method's protocol.
            delete(old)
        self._own = [make(self._context, self.model) for make in own_editors(method.name)]
        for editor in self._own:
            self._editors.addWidget(editor)
        clear_layout(self._fields)
        self.numbers.clear()
        for each in set_up.numbers:
            box = whole_box(each.least, each.most)
            box.setSpecialValueText(each.none)
            box.setMaximumWidth(self._context.theme.px(_NUMBER_WIDTH))
            box.valueChanged.connect(lambda value, name=each.name: self.model.set_number(name, value))
            self._fields.addWidget(FormField(each.title, box, name=f"study.{each.name}"))
            self.numbers[each.name] = box
        self._numbers.setVisible(bool(set_up.numbers))
        self.parts.take(set_up.parts)

    def _choose_set(self, name: str) -> None:
        if name in self.model.sets:
            self.model.choose_set(name)

    def _ask_for_file(self) -> None:
        set_up = self.model.set_up
        assert set_up is not None
        protocols = tr("Protocols") + " (*.yaml *.yml *.toml)"
        ask_to_open(self, set_up.items_title, f"{set_up.files};;{protocols}", self.model.read_file)

    def _show(self) -> None:
        model = self.model
        if model.method is None:
            return
        if not (self._name.hasFocus() and self._name.isModified()):
            self._name.setText(model.name)
        self._show_origin()
        for name, box in self.numbers.items():
            with QSignalBlocker(box):
                box.setValue(model.numbers[name])
        self._capped.setVisible(model.costs)
        if model.spend_cap is not None and not self.cap.hasFocus():
            with QSignalBlocker(self.cap):
                self.cap.setValue(model.spend_cap)
        forecast = None if model.counted is None else model.counted.forecast
        self._cap_words.setText(cap_words(forecast, chosen=model.cap_chosen))
        self._cap_words.setVisible(model.costs and bool(self._cap_words.text()))
        clear_layout(self._lines)
        for at, (what, much) in enumerate([] if forecast is None else summary_lines(model.method, forecast)):
            self._lines.addWidget(label(what, "secondary", wrap=True), at, 0)
            self._lines.addWidget(label(much), at, 1, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignTop)
        self._remarks.setText("" if forecast is None else " ".join(remarks(forecast)))
        self._remarks.setVisible(bool(self._remarks.text()))
        self._show_jobs()
        self._show_finds()
        self._blocked.setText(model.blocked)
        self._blocked.setVisible(bool(model.blocked))
        self.begin.setEnabled(not model.blocked and not model.starting)

    def _show_jobs(self) -> None:
        counted = self.model.counted
        offer = None if counted is None else counted.forecast.jobs
        self.jobs.setVisible(offer is not None)
        self.jobs.setChecked(counted is not None and counted.by_jobs)
        self._job_words.setVisible(offer is not None)
        self._job_words.setText("" if offer is None else job_words(offer))

    def _show_origin(self) -> None:
        origin = self.model.origin or tr("Changed here")
        names = list(dict.fromkeys((*self.model.sets, origin)))
        if [self.sets.itemText(at) for at in range(self.sets.count())] != names:
            self.sets.clear()
            self.sets.addItems(names)
        self.sets.setCurrentText(origin)
        self._facts.setText(self.model.facts)

    def _show_finds(self) -> None:
        power = None if self.model.counted is None else self.model.counted.power
        self._finds.setVisible(power is not None)
        clear_layout(self._found)
        if power is None:
            return
        for at, each in enumerate(power.findable):
            size = each.why if each.smallest is None else tr("{n} or more", n=sized(each.smallest))
            for place, words in enumerate((label(each.title, "secondary", wrap=True), label(size, wrap=True))):
                words.setToolTip(plain_tip(each.tested))
                self._found.addWidget(words, at, place)
        self._origin.setText(power.pilot.origin)
