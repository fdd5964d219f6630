"""The protocol as a form: its parts as tabs, what saving would make, and what becomes of unsaved changes."""

from functools import partial

from PySide6.QtCore import QSignalBlocker
from PySide6.QtWidgets import QStackedWidget, QTabBar, QVBoxLayout, QWidget

from gpf_desktop.domain.protocol_problems import Path
from gpf_desktop.domain.text import tr
from gpf_desktop.methods.gpf_livenews.protocol import Family
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.methods.gpf_livenews.protocol.edit_dimensions import DimensionsSection
from gpf_desktop.ui.methods.gpf_livenews.protocol.edit_fields import line_editor, name_of, text_editor
from gpf_desktop.ui.methods.gpf_livenews.protocol.edit_problems import Section
from gpf_desktop.ui.methods.gpf_livenews.protocol.edit_section import EditSection
from gpf_desktop.ui.methods.gpf_livenews.protocol.edit_settings import LabelSetsSection, MessageSection, SettingsSection
from gpf_desktop.ui.methods.gpf_livenews.protocol.edit_view_model import EditViewModel
from gpf_desktop.ui.theme.tokens import SPACE_2, SPACE_3, SPACE_5
from gpf_desktop.ui.widgets.boxes import PlainWidget, hbox, row_of, vbox
from gpf_desktop.ui.widgets.buttons import action_button, button, link
from gpf_desktop.ui.widgets.cards import Card
from gpf_desktop.ui.widgets.labels import caption, heading, label, problem_label
from gpf_desktop.ui.widgets.layouts import SpreadLayout, restyle
from gpf_desktop.ui.widgets.names import named

_SLOT = "{identity}"


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
        self.tabs = named(QTabBar(), "protocol.sections", tr("Parts of the protocol"))
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


class FamiliesSection(EditSection):
    """A card for each family, folded away but for those that were opened."""

    def __init__(self, context: Context, model: EditViewModel) -> None:
        super().__init__(context, model, ("families",))

    def build(self) -> None:
        draft = self.model.draft
        assert draft is not None
        new = Family(name="", templates=(tr("I am {slot}.", slot=_SLOT) + " ",), identity_free=("",))
        add = self.adder(tr("Add a family"), ("families",), new, tr("adding a family"), ("name",))
        about = caption(tr("The first wording is the canonical one, further ones are paraphrases."))
        self.column.addWidget(self.head(about, add))
        self.column.addWidget(self.problem_of(("families",)))
        for number, family in enumerate(draft.families):
            self.column.addWidget(self._family(number, family))

    def _family(self, number: int, family: Family) -> QWidget:
        path: Path = ("families", number)
        card = Card()
        editor = line_editor(tr("Name of family {n}", n=number + 1), name_of((*path, "name")))
        says = self.says((*path, "name"), tr("family {n}", n=number + 1))
        renaming = tr("renaming a family")
        card.body.addWidget(self.row((*path, "name"), says, renaming, editor, fold=tr("Wordings of {item}")))
        inner = vbox(spacing=SPACE_2, margins=(SPACE_5 + SPACE_2, 0, 0, 0))
        card.body.addLayout(inner)
        if path not in self.model.opened:
            inner.addWidget(caption(family.templates[0] if family.templates else ""))
            inner.addWidget(self.problem_of((*path, "templates")))
            inner.addWidget(self.problem_of((*path, "identity_free")))
            return card
        title = tr("Wordings, with {slot} once in each", slot=_SLOT)
        new = tr("I am {slot}.", slot=_SLOT) + " "
        self._wordings(inner, (*path, "templates"), title, tr("Add a paraphrase"), new, len(family.templates))
        inner.addSpacing(SPACE_3)
        title = tr("The same wordings without an identity")
        self._wordings(inner, (*path, "identity_free"), title, tr("Add one"), "", len(family.identity_free))
        return card

    def _wordings(self, inner: QVBoxLayout, path: Path, title: str, add: str, new: str, length: int) -> None:
        inner.addWidget(self.head(heading(title), self.adder(add, path, new, tr("adding a wording"))))
        inner.addWidget(self.problem_of(path))
        for number in range(length):
            says = tr("paraphrase {n}", n=number) if number else tr("the canonical wording")
            spoken = tr("{title}: {wording}", title=title, wording=says)
            editor = text_editor(spoken, name_of((*path, number)))
            row = self.row((*path, number), partial(str, says), tr("editing a wording"), editor)
            inner.addWidget(caption(says))
            inner.addWidget(row)
            if path[-1] == "identity_free":
                inner.addWidget(self._left_behind(int(path[1]), number))

    def _left_behind(self, family: int, number: int) -> QWidget:
        """Says that the wording was edited and its twin was not."""
        words = tr("The wording above was edited, and this one without an identity says what it said before.")
        made = problem_label(name=f"{name_of(('families', family, 'identity_free', number))}.behind")
        self.book.follow(lambda: made.setText(words if self.model.left_behind(family, number) else ""))
        return made
