"""The protocol as a form: its parts as tabs, what saving would make, and what becomes of unsaved changes."""

from PySide6.QtCore import QSignalBlocker
from PySide6.QtWidgets import QStackedWidget, QTabBar, QWidget

from gpf_desktop.domain.text import tr
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.methods.gpf_livenews.protocol.edit_dimensions import DimensionsSection
from gpf_desktop.ui.methods.gpf_livenews.protocol.edit_families import FamiliesSection
from gpf_desktop.ui.methods.gpf_livenews.protocol.edit_problems import Section
from gpf_desktop.ui.methods.gpf_livenews.protocol.edit_section import EditSection
from gpf_desktop.ui.methods.gpf_livenews.protocol.edit_settings import LabelSetsSection, MessageSection, SettingsSection
from gpf_desktop.ui.methods.gpf_livenews.protocol.edit_view_model import EditViewModel
from gpf_desktop.ui.theme.tokens import SPACE_2
from gpf_desktop.ui.widgets.boxes import PlainWidget, hbox, row_of, vbox
from gpf_desktop.ui.widgets.buttons import action_button, button, link
from gpf_desktop.ui.widgets.cards import Card
from gpf_desktop.ui.widgets.labels import label
from gpf_desktop.ui.widgets.layouts import SpreadLayout, restyle


class EditPanel(PlainWidget):
    """Only the part in front is built and kept up to date."""

    def __init__(self, context: Context, model: EditViewModel) -> None:
        super().__init__()
        self._model = model
        self.sections: dict[Section, EditSection] = {
            Section.DIMENSIONS: DimensionsSection(context, model),
            Section.FAMILIES: FamiliesSection(context, model),
            Section.MESSAGE: MessageSection(context, model),
            Section.LABEL_SETS: LabelSetsSection(context, model),
            Section.SETTINGS: SettingsSection(context, model),
        }
        self._order = tuple(self.sections)
        self.tabs = QTabBar()
        self.tabs.setObjectName("protocol.sections")
        self.tabs.setAccessibleName(tr("Parts of the protocol"))
        self.tabs.setDrawBase(False)
        self.tabs.setExpanding(False)
        self._stack = QStackedWidget()
        for section in self._order:
            self.tabs.addTab(_title(section))
            self._stack.addWidget(self.sections[section])
        self.tabs.currentChanged.connect(lambda at: model.show_section(self._order[at]))
        self.status = label("", "secondary", wrap=True, name="protocol.editStatus")
        self.go_to = link(tr("Show it"), model.show_problem, name="protocol.showProblem")
        self.save = button(tr("Save as a new version"), model.save, primary=True, name="protocol.saveForm")
        self.cancel = button(tr("Cancel"), model.cancel, name="protocol.cancelForm")
        self.undo = action_button(context.actions.action("edit.undo"), tr("Undo"))
        self.redo = action_button(context.actions.action("edit.redo"), tr("Redo"))
        self.question = self._question()
        vbox(self.tabs, (self._stack, 1), self.question, self._foot(), parent=self, spacing=SPACE_2)

    def show_model(self) -> None:
        """Paint the view-model's state."""
        model = self._model
        if not model.editing:
            return
        with QSignalBlocker(self.tabs):
            for at, section in enumerate(self._order):
                wrong = model.problems.in_section(section)
                self.tabs.setTabText(at, f"{_title(section)} ({wrong})" if wrong else _title(section))
                says = tr("{part}, {n} wrong", part=_title(section), n=wrong) if wrong else _title(section)
                self.tabs.setAccessibleTabName(at, says)
            self.tabs.setCurrentIndex(self._order.index(model.section))
        shown = self.sections[model.section]
        self._stack.setCurrentWidget(shown)
        shown.show_model()
        if model.focus is not None:
            focus, model.focus = model.focus, None
            shown.go_to(focus)
        self.status.setText(model.status)
        role = "problem" if model.problems or model.refusal else "secondary"
        if self.status.property("role") != role:
            self.status.setProperty("role", role)
            restyle(self.status)
        self.go_to.setVisible(bool(model.problems))
        self.save.setEnabled(model.can_save)
        self.question.setVisible(model.asking)
        self._foot_row.setVisible(not model.asking)

    def _foot(self) -> QWidget:
        self._foot_row = PlainWidget()
        spread = SpreadLayout(self._foot_row)
        spread.addWidget(row_of(self.status, self.go_to, spacing=SPACE_2))
        spread.addWidget(row_of(self.undo, self.redo, self.cancel, self.save, spacing=SPACE_2))
        return self._foot_row

    def _question(self) -> Card:
        model = self._model
        card = Card(name="protocol.unsaved")
        card.body.addWidget(
            label(tr("The changes are no version yet. Keep them as a draft to go on later?"), wrap=True)
        )
        self.keep = button(tr("Keep the draft"), model.put_aside, primary=True, name="protocol.keepDraft")
        self.discard = button(tr("Discard"), model.discard, danger=True, name="protocol.discardDraft")
        self.stay = button(tr("Go on editing"), model.go_on, name="protocol.goOn")
        card.body.addLayout(hbox(1, self.stay, self.discard, self.keep, spacing=SPACE_2))
        return card


def _title(section: Section) -> str:
    return {
        Section.DIMENSIONS: tr("Dimensions"),
        Section.FAMILIES: tr("Families"),
        Section.MESSAGE: tr("Name and texts"),
        Section.LABEL_SETS: tr("Label sets"),
        Section.SETTINGS: tr("Settings"),
    }[section]
