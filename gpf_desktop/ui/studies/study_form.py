"""Set-up of a round on one page: what is asked about, how much, of whom; what that takes beside it."""

from collections.abc import Callable, Sequence
from functools import partial
from importlib import import_module
from importlib.metadata import EntryPoint
from importlib.util import find_spec
from typing import Any

from PySide6.QtCore import QSignalBlocker
from PySide6.QtWidgets import QCheckBox, QComboBox, QDialogButtonBox, QLineEdit, QSpinBox, QVBoxLayout, QWidget
from shiboken6 import delete

from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.protocol_differences import ProtocolDifference
from gpf_desktop.domain.text import tr
from gpf_desktop.engine.core.plug_ins import HERE, declared
from gpf_desktop.engine.protocol.protocol_service import ProtocolVersion
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.file_dialogs import ask_to_open, ask_to_save
from gpf_desktop.ui.methods import module_name
from gpf_desktop.ui.runs.power_card import PowerCard
from gpf_desktop.ui.runs.register_dialog import RegisterDialog
from gpf_desktop.ui.runs.repeat_dialog import RepeatDialog
from gpf_desktop.ui.runs.runs_view_model import RunsViewModel
from gpf_desktop.ui.runs.scope_card import ScopeCard
from gpf_desktop.ui.runs.set_up_area import SetUpArea
from gpf_desktop.ui.runs.summary_card import Starting, SummaryCard
from gpf_desktop.ui.studies.articles_card import ArticlesCard
from gpf_desktop.ui.studies.difference_list import DifferenceList
from gpf_desktop.ui.studies.models_card import ModelParts
from gpf_desktop.ui.studies.study_view_model import StudyViewModel
from gpf_desktop.ui.theme.tokens import SPACE_3, SPACE_4
from gpf_desktop.ui.widgets.boxes import PlainWidget, column_of, fill, vbox
from gpf_desktop.ui.widgets.buttons import button, ending_buttons
from gpf_desktop.ui.widgets.cards import Card
from gpf_desktop.ui.widgets.dialogs import TitledDialog
from gpf_desktop.ui.widgets.editors import real_box, show_money, whole_box
from gpf_desktop.ui.widgets.fields import FormField
from gpf_desktop.ui.widgets.labels import caption, label, secondary, show_words
from gpf_desktop.ui.widgets.layouts import clear_layout, flowing, scrolling
from gpf_desktop.ui.widgets.names import named

MakeEditor = Callable[[Context, StudyViewModel], QWidget]
"""Makes what stands in the card of items: it reads `StudyViewModel.protocol`, follows its `changed`, and gives back
what was made of it by `StudyViewModel.take_protocol`."""

GROUP = "gpf_desktop.study_editors"


def own_editors(method: str, tell: Callable[[UserError], object]) -> Sequence[MakeEditor]:
    """The editors that *method* adds to its set-up beyond what it declares, in the order in which they stand.

    A module of `gpf_desktop.ui.methods` that is called as its method is (hyphens as underscores) exposes
    ``EDITORS``. *tell* is given what an installed package declares and cannot be used.
    """
    place = f"gpf_desktop.ui.methods.{module_name(method)}"
    # Asked first: to catch an ImportError would also hide one that comes from inside the module.
    if find_spec(place) is not None:
        found: Sequence[MakeEditor] = import_module(place).EDITORS
        return found
    return [partial(_made, point, tell) for point in declared(GROUP, method)]


def _made(point: EntryPoint, tell: Callable[[UserError], object], context: Context, model: StudyViewModel) -> QWidget:
    """The editor of another maker, or that it cannot be used: all else of the set-up stands."""
    made: QWidget | UserError = HERE.made(point, lambda make: make(context, model))
    if isinstance(made, UserError):
        tell(made)
        return caption(str(made), name="setup.notMade")
    return made


_NUMBER_WIDTH = 140
_COMPARED_WIDTH, _COMPARED_HEIGHT = 720, 560


class StudyForm(QWidget):
    """Layout and connections; what a method adds comes from its `SetUp` and its own editors."""

    def __init__(self, context: Context, runs: RunsViewModel) -> None:
        super().__init__()
        self.model = StudyViewModel(context, runs, self)
        self._context = context
        self._question = label("", "heading", wrap=True)
        self._statement = secondary("", wrap=True)
        self._name = QLineEdit()
        self._name.textEdited.connect(self.model.set_name)
        form = PlainWidget()
        self.articles = ArticlesCard(context, self.model)
        self._items = self._items_card()
        self._numbers = Card(tr("How much"), name="setup.numbers")
        self._fields = QVBoxLayout()
        self._controls = named(
            QCheckBox(tr("Ask the method's controls too, in the protocol's own sizes")), "setup.controls"
        )
        self._controls.toggled.connect(self.model.set_controls)
        self._controls_tell = caption(name="setup.controlsTell")
        self._numbers.body.addLayout(self._fields)
        fill(self._numbers.body, self._controls, self._controls_tell)
        self.numbers: dict[str, QSpinBox] = {}
        self.parts = ModelParts(context, self.model)
        vbox(
            self._question,
            self._statement,
            FormField(tr("Name"), self._name, name="setup.name"),
            self.articles,
            self._items,
            self.parts,
            self._numbers,
            ScopeCard(context, self.model),
            1,
            parent=form,
            spacing=SPACE_3,
        )
        self.takes = self._summary_card()
        self.begin = self.takes.start
        self.finds = PowerCard(context.theme, self.model.finds)
        self.model.finds.changed.connect(lambda: self.takes.show_nothing(self.model.finds.nothing))
        self._area = SetUpArea(context.theme, form, self.takes, self.finds)
        vbox(self._area, parent=self)
        self.model.shown.connect(self._another)
        self.model.changed.connect(self._show)

    def to_top(self) -> None:
        """Begin where name and items stand, wherever the last set-up was left."""
        self._area.to_top()

    def _items_card(self) -> Card:
        card = Card(tr("Items"), name="setup.items")
        self.sets = named(
            QComboBox(sizeAdjustPolicy=QComboBox.SizeAdjustPolicy.AdjustToContents), "setup.set", tr("What is asked")
        )
        self.sets.textActivated.connect(self._choose_set)
        self._file = button(tr("From a file …"), self._ask_for_file, compact=True, name="setup.file")
        self.compare = button(tr("Compare …"), self._show_differences, compact=True, name="setup.compare")
        self.compare.setToolTip(tr("What it asks differently from an earlier round or a starter set"))
        self.edit = button(tr("Every field …"), self.model.edit_protocol, compact=True, name="setup.protocol")
        self.edit.setToolTip(tr("Edit all of it on the page Protocol; what is saved there is asked here"))
        self._facts = caption(name="setup.facts")
        self._editors = QVBoxLayout()
        self._own: list[QWidget] = []
        fill(card.body, flowing(self.sets, self._file, self.compare, self.edit), self._facts, self._editors)
        return card

    def _summary_card(self) -> SummaryCard:
        model = self.model
        card = SummaryCard(self._context, Starting(preflight=model.preflight, begin=model.begin, anyway=model.start))
        self.jobs = named(QCheckBox(tr("Half-price batch jobs")), "setup.jobs")
        # Not `toggled`: what the model ticks is no choice of the auditor's.
        self.jobs.clicked.connect(model.set_batch_jobs)
        self._job_words = caption(name="setup.jobWords")
        self.cap = real_box(0.0, 1e6, "$", decimals=2, step=1.0)
        # Where no price is known none is proposed, and a sum that was never chosen must not stand here.
        self.cap.setSpecialValueText(tr("not set"))
        self.cap.valueChanged.connect(model.set_cap)
        self._capped = FormField(tr("Pause when the spend reaches"), self.cap, name="setup.cap")
        self._cap_words = caption(name="setup.capWords")
        self._cap_warning = label("", "warning", wrap=True, name="setup.capWarning")
        for widget in (self.jobs, self._job_words, self._capped, self._cap_words, self._cap_warning):
            card.inside.addWidget(widget)
        self._try = button(tr("Try 1 article first"), lambda: model.begin(one_first=True), name="setup.try")
        self._repeat = button(tr("Repeat …"), self._ask_repeat, compact=True, name="setup.repeat")
        card.offer(
            self._try,
            button(tr("Register this plan …"), self._ask_to_register, name="setup.register"),
            small=(button(tr("Save plan …"), self._save_plan, compact=True, name="setup.save"), self._repeat),
            always=button(tr("Open a plan …"), self._open_plan, compact=True, name="setup.open"),
        )
        return card

    def _ask_to_register(self) -> None:
        setup = self.model.setup
        if setup is not None:
            open_audit = self._context.engine.open_audit
            RegisterDialog(self._context, self, lambda readers: open_audit.intended(setup, readers)).open()

    def _ask_repeat(self) -> None:
        if self.model.setup is not None:
            RepeatDialog(self._context, self, self.model.setup).open()

    def _another(self) -> None:
        """The page is another method's now."""
        method, set_up = self.model.method, self.model.set_up
        assert method is not None
        assert set_up is not None
        self._question.setText(method.question)
        self._statement.setText(method.statement.short)
        self._items.title.setText(set_up.items_title)
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
            self._fields.addWidget(FormField(each.title, box, name=f"setup.{each.name}"))
            self.numbers[each.name] = box
        self.parts.take(set_up.parts)
        for offered in (self._try, self._repeat):
            offered.setVisible(set_up.from_sources)

    def _choose_set(self, name: str) -> None:
        if name in self.model.sets:
            self.model.choose_set(name)

    def _ask_for_file(self) -> None:
        set_up = self.model.set_up
        assert set_up is not None
        protocols = tr("Protocols") + " (*.yaml *.yml *.toml)"
        kinds = ";;".join(filter(None, (set_up.files, protocols)))
        ask_to_open(self, set_up.items_title, kinds, self.model.read_file)

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
            # Nor while a number is: its first digit may be less than the least.
            if box.hasFocus():
                continue
            with QSignalBlocker(box):
                box.setValue(model.numbers[name])
        with QSignalBlocker(self._controls):
            self._controls.setChecked(model.with_controls)
        self._controls.setVisible(model.has_controls)
        show_words(self._controls_tell, model.controls_tell)
        self._numbers.setVisible(bool(self.numbers) or model.has_controls)
        self._capped.setVisible(model.costs)
        if not self.cap.hasFocus():
            with QSignalBlocker(self.cap):
                show_money(self.cap, model.spend_cap or 0.0)
        show_words(self._cap_words, model.cap_words())
        show_words(self._cap_warning, model.cap_warning())
        self.takes.show_takes(model.summary(), model.remarks(), model.formula())
        job_words = model.job_words()
        self.jobs.setVisible(bool(job_words))
        self.jobs.setChecked(model.by_jobs)
        show_words(self._job_words, job_words)
        self.takes.show_blocked(model.blocked, busy=model.starting, counting=model.counting)

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


class DifferenceDialog(TitledDialog):
    """*protocol* beside what earlier rounds of the audit asked, and beside what ships with *method*."""

    def __init__(self, context: Context, method: str, protocol: Any, parent: QWidget) -> None:
        super().__init__(parent, tr("Compare with"), "study.differences")
        self._context, self._protocol = context, protocol
        self._service = context.engine.open_audit.protocols_of(method)
        self.other = named(QComboBox(minimumContentsLength=12), "study.compareWith", tr("Version to compare with"))
        self.other.currentIndexChanged.connect(lambda _: self._compare())
        self.found = DifferenceList(tr("there"), tr("in this study"))
        buttons = ending_buttons(self, QDialogButtonBox.StandardButton.Close)
        vbox(
            label(tr("What this study asks differently from"), "title", wrap=True),
            self.other,
            (scrolling(column_of(self.found, 1), "study.differences.area"), 1),
            buttons,
            parent=self,
            spacing=SPACE_3,
            margins=SPACE_4,
        )
        self.resize(context.theme.px(_COMPARED_WIDTH), context.theme.px(_COMPARED_HEIGHT))
        context.bridge.run(self._service.versions, then=self._offer, owner=self)

    def _offer(self, versions: Sequence[ProtocolVersion]) -> None:
        # The study's own name first: most likely it was made of that one.
        for each in sorted(versions, key=lambda version: version.name != self._protocol.name):
            self.other.addItem(tr("{name}, version {n}", name=each.name, n=each.version), each.hash)

    def _compare(self) -> None:
        service, digest, protocol = self._service, self.other.currentData(), self._protocol

        def compare() -> list[ProtocolDifference]:
            return service.differences(service.protocol(digest), protocol)

        self._context.bridge.run(compare, then=self.found.show_differences, latest="study differences", owner=self)
