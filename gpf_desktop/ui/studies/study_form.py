"""Set-up of a study on one page: what is asked about, how much, of whom; what that takes beside it."""

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QSignalBlocker
from PySide6.QtWidgets import QCheckBox, QComboBox, QLineEdit, QSpinBox, QVBoxLayout, QWidget
from shiboken6 import delete

from gpf_desktop.domain.studies import Part
from gpf_desktop.domain.text import tr
from gpf_desktop.engine.rounds.registering import Intended
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.file_dialogs import ask_to_open, ask_to_save
from gpf_desktop.ui.runs.finds_card import FindsCard
from gpf_desktop.ui.runs.forecast_words import cap_words, job_words, remarks, summary_lines
from gpf_desktop.ui.runs.register_dialog import RegisterDialog
from gpf_desktop.ui.runs.runs_view_model import RunsViewModel
from gpf_desktop.ui.runs.scope_card import ScopeCard
from gpf_desktop.ui.runs.set_up_area import SetUpArea
from gpf_desktop.ui.runs.summary_card import Starting, SummaryCard
from gpf_desktop.ui.studies.difference_dialog import DifferenceDialog
from gpf_desktop.ui.studies.own_editors import own_editors
from gpf_desktop.ui.studies.study_view_model import StudyViewModel
from gpf_desktop.ui.theme.tokens import SPACE_1, SPACE_3, SPACE_4
from gpf_desktop.ui.widgets.boxes import PlainWidget, fill, spaced_grid, vbox
from gpf_desktop.ui.widgets.buttons import button, link
from gpf_desktop.ui.widgets.cards import Card
from gpf_desktop.ui.widgets.editors import real_box, show_money, whole_box
from gpf_desktop.ui.widgets.fields import FormField
from gpf_desktop.ui.widgets.labels import caption, label, secondary
from gpf_desktop.ui.widgets.layouts import clear_layout, flowing
from gpf_desktop.ui.widgets.names import named

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
        form = PlainWidget()
        self._items = self._items_card()
        self._numbers = Card(tr("How much"), name="study.numbers")
        self._fields = QVBoxLayout()
        self._numbers.body.addLayout(self._fields)
        self.numbers: dict[str, QSpinBox] = {}
        self.parts = ModelParts(context, self.model)
        vbox(
            self._question,
            self._statement,
            FormField(tr("Name"), self._name, name="study.name"),
            self._items,
            ScopeCard(context, self.model, lambda: None if self.model.counted is None else self.model.counted.forecast),
            self._numbers,
            self.parts,
            1,
            parent=form,
            spacing=SPACE_3,
        )
        self.takes = self._summary_card()
        self.begin = self.takes.start
        self._finds = FindsCard(self._context.theme, "study")
        vbox(SetUpArea(context.theme, form, self.takes, self._finds, "study.scroll"), parent=self)
        self.model.shown.connect(self._another)
        self.model.changed.connect(self._show)

    def _items_card(self) -> Card:
        card = Card(tr("Items"), name="study.items")
        self.sets = named(
            QComboBox(sizeAdjustPolicy=QComboBox.SizeAdjustPolicy.AdjustToContents), "study.set", tr("What is asked")
        )
        self.sets.textActivated.connect(self._choose_set)
        self._file = button(tr("From a file …"), self._ask_for_file, compact=True, name="study.file")
        self.compare = button(tr("Compare …"), self._show_differences, compact=True, name="study.compare")
        self.compare.setToolTip(tr("What it asks differently from an earlier round or a starter set"))
        self.edit = button(tr("Every field …"), self.model.edit_protocol, compact=True, name="study.protocol")
        self.edit.setToolTip(tr("Edit all of it on the page Protocol; what is saved there is asked here"))
        self._facts = caption(name="study.facts")
        self._editors = QVBoxLayout()
        self._own: list[QWidget] = []
        fill(card.body, flowing(self.sets, self._file, self.compare, self.edit), self._facts, self._editors)
        return card

    def _summary_card(self) -> SummaryCard:
        model = self.model
        card = SummaryCard(
            self._context, Starting(preflight=model.preflight, begin=model.begin, anyway=model.start), "study"
        )
        self.jobs = named(QCheckBox(tr("Half-price batch jobs")), "study.jobs")
        # Not `toggled`: what the model ticks is no choice of the auditor's.
        self.jobs.clicked.connect(model.set_batch_jobs)
        self._job_words = caption(name="study.jobWords")
        self.cap = real_box(0.0, 1e6, "US$", decimals=2, step=1.0)
        # Where no price is known none is proposed, and a sum that was never chosen must not stand here.
        self.cap.setSpecialValueText(tr("not set"))
        self.cap.valueChanged.connect(model.set_cap)
        self._capped = FormField(tr("Pause when the spend reaches"), self.cap, name="study.cap")
        self._cap_words = caption(name="study.capWords")
        for widget in (self.jobs, self._job_words, self._capped, self._cap_words):
            card.inside.addWidget(widget)
        card.offer(
            button(tr("Register this plan …"), self._ask_to_register, name="study.register"),
            button(tr("Save plan …"), self._save_plan, name="study.save"),
        )
        card.body.addWidget(button(tr("Open a plan …"), self._open_plan, name="study.open"))
        return card

    def _ask_to_register(self) -> None:
        asked = self.model.design
        RegisterDialog(self._context, self, lambda readers: Intended(asked=asked, readers=readers)).open()

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
        editors = own_editors(method.name, self._context.bridge.report)
        self._own = [make(self._context, self.model) for make in editors]
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

    def _show_differences(self) -> None:
        method, protocol = self.model.method, self.model.protocol
        if method is not None and protocol is not None:
            DifferenceDialog(self._context, method.name, protocol, self).open()

    def _save_plan(self) -> None:
        named = f"{self.model.name}.toml"
        ask_to_save(self, tr("Save plan"), tr("Plans (*.toml)"), ".toml", self.model.save_plan, suggested=named)

    def _open_plan(self) -> None:
        ask_to_open(self, tr("Open a plan"), tr("Plans (*.toml)"), self.model.open_plan)

    def _show(self) -> None:
        model = self.model
        if model.method is None:
            return
        # A count may come in while a name is typed, which stays as it is.
        if not (self._name.hasFocus() and self._name.isModified()):
            self._name.setText(model.name)
        self._show_origin()
        for name, box in self.numbers.items():
            with QSignalBlocker(box):
                box.setValue(model.numbers[name])
        self._capped.setVisible(model.costs)
        if not self.cap.hasFocus():
            with QSignalBlocker(self.cap):
                show_money(self.cap, model.spend_cap or 0.0)
        forecast = None if model.counted is None else model.counted.forecast
        self._cap_words.setText(cap_words(forecast, model.spend_cap, chosen=model.cap_chosen))
        self._cap_words.setVisible(model.costs and bool(self._cap_words.text()))
        self.takes.show_takes(
            [] if forecast is None else summary_lines(model.method, forecast),
            " ".join((*self._advice(), *([] if forecast is None else remarks(forecast)))),
        )
        self._show_jobs()
        power = None if model.counted is None else model.counted.power
        self._finds.show_power(power, model.method, "" if power is None else power.pilot.origin)
        self.takes.show_blocked(model.blocked, busy=model.starting, counting=model.counting)

    def _advice(self) -> Sequence[str]:
        """What the method says of the models that are chosen."""
        set_up, protocol = self.model.set_up, self.model.protocol
        if protocol is None or set_up is None:
            return ()
        return set_up.advice(protocol, self.model.chosen)

    def _show_jobs(self) -> None:
        counted = self.model.counted
        offer = None if counted is None else counted.forecast.jobs
        self.jobs.setVisible(offer is not None)
        advised = counted is not None and counted.forecast.by_jobs
        # What the auditor ticked stands though what it changes is still being counted.
        self.jobs.setChecked(advised if self.model.batch_jobs is None else self.model.batch_jobs)
        self._job_words.setVisible(offer is not None)
        self._job_words.setText("" if offer is None else job_words(offer))

    def _show_origin(self) -> None:
        origin = self.model.origin or ("" if self.model.protocol is None else tr("Changed here"))
        names = [each for each in dict.fromkeys((*self.model.sets, origin)) if each]
        if [self.sets.itemText(at) for at in range(self.sets.count())] != names:
            self.sets.clear()
            self.sets.addItems(names)
        self.sets.setCurrentIndex(self.sets.findText(origin) if origin else -1)
        self._facts.setText(self.model.facts)
        # Until the audit's last protocol is read there is none into which a file's items could go.
        for each in (self._file, self.compare, self.edit):
            each.setEnabled(self.model.protocol is not None)


class ModelParts(Card):
    """A line for each model of the audit: its name, and what it is asked for."""

    def __init__(self, context: Context, model: StudyViewModel) -> None:
        super().__init__(tr("Models"), name="study.models")
        self._model = model
        self._parts: tuple[Part, ...] = ()
        self.boxes: dict[str, QComboBox] = {}
        self._grid = spaced_grid(across=SPACE_4, down=SPACE_1, wide=0)
        self._none = caption(tr("There are no models in this audit yet."))
        self.practise = button(
            tr("Use calibration models: no key, no network, planted behaviour"), model.rehearse, name="study.practise"
        )
        to_models = link(tr("Go to Models"), lambda: context.navigator.go("models"), name="study.toModels")
        self._about = caption(name="study.about")
        fill(self.body, self._grid, self._none, flowing(self.practise, to_models), self._about)
        model.changed.connect(self._show)

    def take(self, parts: Sequence[Part]) -> None:
        """The method's parts from now on."""
        self._parts = tuple(parts)
        self._list([])

    def _show(self) -> None:
        model = self._model
        if model.set_up is None:
            return
        labels = [each.label for each in model.models]
        # Only then: a box that has the keyboard, or is open, would be gone with every count that comes in.
        if list(self.boxes) != labels:
            self._list(labels)
        places = ["", *(part.name for part in self._parts)]
        for name, box in self.boxes.items():
            box.setCurrentIndex(places.index(model.parts.get(name, "")))
        self._none.setVisible(not labels)
        self._about.setText(model.set_up.rehearsal.about)

    def _list(self, labels: Sequence[str]) -> None:
        clear_layout(self._grid)
        self.boxes.clear()
        for at, name in enumerate(labels):
            box = named(QComboBox(), f"study.part.{name}", tr("Part of {model} in the study", model=name))
            box.addItems([tr("not in it"), *(part.title for part in self._parts)])
            box.activated.connect(partial(self._chosen, name))
            self._grid.addWidget(label(name), at, 0)
            self._grid.addWidget(box, at, 1)
            self.boxes[name] = box

    def _chosen(self, name: str, at: int) -> None:
        self._model.give(name, self._parts[at - 1].name if at else "")
