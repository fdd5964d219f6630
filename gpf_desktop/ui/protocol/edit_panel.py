"""The protocol as a form: its parts as tabs, what saving would make, and what becomes of unsaved changes."""

from PySide6.QtCore import QSignalBlocker, Qt
from PySide6.QtWidgets import QStackedWidget, QTabBar, QWidget

from gpf_desktop.domain.text import tr
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.protocol.edit_view_model import EditViewModel
from gpf_desktop.ui.protocol.kept_edit import KeptEdit
from gpf_desktop.ui.protocol.record_form import RecordForm
from gpf_desktop.ui.protocol.tabs import Tab
from gpf_desktop.ui.theme.tokens import SPACE_2
from gpf_desktop.ui.widgets.boxes import PlainWidget, hbox, row_of, vbox
from gpf_desktop.ui.widgets.buttons import action_button, button, link
from gpf_desktop.ui.widgets.cards import Card
from gpf_desktop.ui.widgets.labels import label
from gpf_desktop.ui.widgets.layouts import SpreadLayout, restyle
from gpf_desktop.ui.widgets.names import named


class TabbedForm(PlainWidget):
    """A tab for each part of the protocol; only the one in front is built and kept up to date."""

    def __init__(self, context: Context, model: EditViewModel) -> None:
        super().__init__()
        self._context, self._model = context, model
        self._of: tuple[Tab, ...] = ()
        self.forms: dict[str, RecordForm] = {}
        self.tabs = named(QTabBar(), "protocol.sections", tr("Parts of the protocol"))
        self.tabs.setDrawBase(False)
        self.tabs.setExpanding(False)
        # Without a tab it has nothing to say and nothing to turn to.
        self.tabs.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._stack = QStackedWidget()
        self.tabs.currentChanged.connect(self._turned)
        vbox(self.tabs, (self._stack, 1), parent=self, spacing=SPACE_2)

    def show_model(self) -> None:
        """Paint the view-model's state."""
        model = self._model
        if not model.editing:
            return
        if model.tabs != self._of:
            self._make(model.tabs)
        with QSignalBlocker(self.tabs):
            for at, tab in enumerate(self._of):
                wrong = model.problems.within(tab.names)
                self.tabs.setTabText(at, f"{tab.title} ({wrong})" if wrong else tab.title)
                says = tr("{part}, {n} wrong", part=tab.title, n=wrong) if wrong else tab.title
                self.tabs.setAccessibleTabName(at, says)
            self.tabs.setCurrentIndex(list(self.forms).index(model.tab))
        shown = self.forms[model.tab]
        self._stack.setCurrentWidget(shown)
        # What is typed as text and cannot be read is no draft: a change of the form would write over it.
        self._stack.setEnabled(not model.text_problem)
        shown.show_model()
        if model.focus is not None:
            focus, model.focus = model.focus, None
            shown.go_to(focus)

    def _make(self, tabs: tuple[Tab, ...]) -> None:
        """Another method's protocol is edited."""
        self._of = tabs
        with QSignalBlocker(self.tabs):
            while self.tabs.count():
                self.tabs.removeTab(0)
            for old in self.forms.values():
                self._stack.removeWidget(old)
                old.deleteLater()
            self.forms = {each.key: RecordForm(self._context, self._model, each) for each in tabs}
            for each in tabs:
                self.tabs.addTab(each.title)
                self._stack.addWidget(self.forms[each.key])
        self.tabs.setFocusPolicy(Qt.FocusPolicy.TabFocus)

    def _turned(self, at: int) -> None:
        if at >= 0:
            self._model.show_tab(self._of[at].key)


class EditPanel(PlainWidget):
    """The form, and below it what can be done with the draft."""

    def __init__(self, context: Context, model: KeptEdit) -> None:
        super().__init__()
        self._model = model
        self.form = TabbedForm(context, model)
        self.tabs = self.form.tabs
        self.status = label("", "secondary", wrap=True, name="protocol.editStatus")
        self.go_to = link(tr("Show it"), model.show_problem, name="protocol.showProblem")
        self.save = button(tr("Save as a new version"), model.save, primary=True, name="protocol.saveForm")
        self.cancel = button(tr("Cancel"), model.cancel, name="protocol.cancelForm")
        self.undo = action_button(context.actions.action("edit.undo"), tr("Undo"))
        self.redo = action_button(context.actions.action("edit.redo"), tr("Redo"))
        self.question = self._question()
        vbox((self.form, 1), self.question, self._foot(), parent=self, spacing=SPACE_2)

    def show_model(self) -> None:
        """Paint the view-model's state."""
        model = self._model
        if not model.editing:
            return
        self.form.show_model()
        self.status.setText(model.status)
        role = "problem" if model.problems or model.refusal or model.text_problem else "secondary"
        if self.status.property("role") != role:
            self.status.setProperty("role", role)
            restyle(self.status)
        self.go_to.setVisible(bool(model.problems) and not model.text_problem)
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
