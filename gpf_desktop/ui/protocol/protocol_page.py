"""The page Protocol: every part of a version, its cells counted, the message of any of them; and the form."""

from collections.abc import Callable, Mapping
from functools import partial

from PySide6.QtCore import QSignalBlocker, QTimer
from PySide6.QtGui import QFontDatabase, QHideEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QComboBox, QLabel, QPlainTextEdit, QTabBar, QWidget

from gpf_desktop.domain.text import tr
from gpf_desktop.engine.core import catalogue
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.file_dialogs import ask_to_open, ask_to_save
from gpf_desktop.ui.page import Page
from gpf_desktop.ui.protocol.count_card import CountCard
from gpf_desktop.ui.protocol.edit_panel import EditPanel
from gpf_desktop.ui.protocol.edit_view_model import EditViewModel
from gpf_desktop.ui.protocol.message_card import MessageCard
from gpf_desktop.ui.protocol.protocol_view_model import ProtocolViewModel
from gpf_desktop.ui.protocol.reading import parts_of
from gpf_desktop.ui.studies.difference_list import DifferenceList
from gpf_desktop.ui.theme import Theme
from gpf_desktop.ui.theme.tokens import ICON, SPACE_2, SPACE_3
from gpf_desktop.ui.widgets.boxes import PlainWidget, fill, hbox, stacked, vbox
from gpf_desktop.ui.widgets.buttons import button
from gpf_desktop.ui.widgets.cards import Card
from gpf_desktop.ui.widgets.choice_box import ChoiceBox
from gpf_desktop.ui.widgets.fields import offer
from gpf_desktop.ui.widgets.labels import caption, label, problem_label
from gpf_desktop.ui.widgets.layouts import clear_layout, scrolling
from gpf_desktop.ui.widgets.names import named
from gpf_desktop.ui.widgets.side_by_side import SideBySide
from gpf_desktop.ui.widgets.undo_guard import UndoGuard


class TextPanel(PlainWidget):
    """The draft as text beside its form, in step with it; what cannot be read is said with line and field."""

    def __init__(self, model: EditViewModel) -> None:
        super().__init__()
        self._model = model
        self._filled = -1
        self.text = named(QPlainTextEdit(), "protocol.text", tr("Protocol as text"))
        self.text.setTabChangesFocus(True)
        self.text.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.text.setUndoRedoEnabled(False)
        self.text.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        UndoGuard(self, model.pause, self.text)
        self.text.textChanged.connect(lambda: model.take_text(self.text.toPlainText()))
        self.problem = problem_label(name="protocol.textProblem")
        about = caption(tr("As a file has it. Form and text say the same; Undo takes back changes of both."))
        vbox(about, (self.text, 1), self.problem, parent=self, spacing=SPACE_2)

    def show_model(self) -> None:
        """Paint the view-model's state; what is typed is not touched."""
        model = self._model
        if model.editing and self._filled != model.text_version:
            self._filled = model.text_version
            scrolled, at = self.text.verticalScrollBar().value(), self.text.textCursor().position()
            with QSignalBlocker(self.text):
                self.text.setPlainText(model.text)
            cursor = self.text.textCursor()
            cursor.setPosition(min(at, len(model.text)))
            self.text.setTextCursor(cursor)
            self.text.verticalScrollBar().setValue(scrolled)
        self.problem.setText(model.text_problem)


_NARROW = 860
"""Pixels at 100 % below which count and message stand under the protocol."""
_LOW = 640
"""Pixels at 100 % below which there is no room for both above each other."""


class ProtocolPage(Page):
    """Left what the protocol says, right what it comes to."""

    def __init__(self, context: Context) -> None:
        super().__init__(context, "protocol", tr("Protocol"))
        self.model = ProtocolViewModel(context, self)
        self._painted = -1
        self._formed = False
        self._makes: object = None
        self.methods = named(QComboBox(), "protocol.methods", tr("Method whose protocols are shown"))
        self.methods.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.methods.activated.connect(lambda at: self.model.show_method(self.methods.itemData(at)))
        self.versions = named(QComboBox(), "protocol.versions", tr("Version of the protocol"))
        self.versions.activated.connect(lambda at: self.model.show(self.versions.itemData(at)))
        self.use = button(tr("Use this version"), self.model.use, name="protocol.use")
        self.reset = button(tr("Reset"), self.model.reset, name="protocol.reset")
        self.reset.setToolTip(tr("Back to the protocol that ships with the program"))
        self.edit = button(tr("Edit"), self.model.edit, primary=True, name="protocol.edit")
        self.edit_text = button(tr("Edit as text"), self._edit_text, name="protocol.editText")
        self.import_button = button(tr("Import …"), self._ask_import, name="protocol.import")
        self.export_button = button(tr("Export …"), self._ask_export, name="protocol.export")
        self._soon = QTimer(self, singleShot=True, interval=0)
        # Later: what is laid out at the moment must not be hidden meanwhile.
        self._soon.timeout.connect(self._make_room)
        self.glance = button(tr("Beside the form"), name="protocol.glance")
        self.glance.setCheckable(True)
        self.glance.setToolTip(tr("In place of this: what stands beside it where there is more room"))
        self.glance.toggled.connect(self._make_room)
        self.count = CountCard(self.model)
        self.message: QWidget = MessageCard(context)
        self.comparison = ComparisonCard(self.model)
        self.text = TextPanel(self.model.form)
        self.form = EditPanel(context, self.model.form)
        self.draft = DraftBar(context.theme, self.model)
        self._lay_out()
        self.model.changed.connect(self._show)
        actions = context.actions
        actions.on("protocol.import", self._ask_import)
        actions.on("protocol.export", self._ask_export)
        actions.on("protocol.form", self.model.edit)
        actions.on("protocol.edit", self._edit_text)
        actions.on("protocol.reset", self.model.reset)
        self._show()

    def arrive(self, state: Mapping[str, object]) -> None:
        if method := state.get("method"):
            self.model.show_method(str(method))
        if state.get("edit"):
            self.model.edit_current()

    def flush(self) -> None:
        self.model.form.flush()

    def first_focus(self) -> QWidget:
        return self.form.tabs if self.model.form.editing else self.versions

    def showEvent(self, event: QShowEvent) -> None:
        self.model.go_on()
        super().showEvent(event)

    def hideEvent(self, event: QHideEvent) -> None:
        """Another page is shown, or the window goes: the draft is stored as it is."""
        self.model.pause()
        super().hideEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._soon.start()

    def _lay_out(self) -> None:
        self.header.add_mark(self.methods)
        self.header.add_mark(self.versions)
        for each in (
            self.glance,
            self.import_button,
            self.export_button,
            self.reset,
            self.use,
            self.edit_text,
            self.edit,
        ):
            self.header.add_button(each)
        content = QWidget()
        self._column = vbox(parent=content, spacing=SPACE_3)
        comes_to = QWidget()
        self._cards = vbox(self.count, self.message, self.comparison, 1, parent=comes_to, spacing=SPACE_3)
        self._parts = scrolling(content, "protocol.parts")
        self._main = stacked(self._parts, self.form)
        self.beside = named(QTabBar(), "protocol.beside", tr("Beside the form"))
        self.beside.setDrawBase(False)
        for words in (tr("What it comes to"), tr("As text")):
            self.beside.addTab(words)
        self.beside.currentChanged.connect(lambda at: self.model.show_text(at == 1))
        self._aside = stacked(scrolling(comes_to, "protocol.side"), self.text)
        self._side = PlainWidget()
        vbox(self.beside, (self._aside, 1), parent=self._side, spacing=SPACE_2)
        self._read = SideBySide(self.context.theme, self._main, self._side, shares=(17, 10), narrow=_NARROW)
        self._read.turned.connect(self._soon.start)
        fill(self.body, self.draft, (self._read, 1))

    def _show(self) -> None:
        model = self.model
        self.header.subtitle.setText(model.subtitle)
        self._show_versions()
        self.use.setVisible(model.can_use)
        self.reset.setVisible(model.can_reset)
        for each in (self.edit, self.edit_text, self.import_button, self.export_button):
            each.setEnabled(model.audit_open)
            each.setVisible(model.resting)
        self.versions.setEnabled(model.resting)
        self._main.setCurrentWidget(self.form if model.form.editing else self._parts)
        if model.protocol is not None and model.generation != self._painted:
            self._painted = model.generation
            clear_layout(self._column)
            read = model.own.read
            parts = parts_of(self.context.theme, model.protocol) if read is None else read(self.context, model.protocol)
            steps = [partial(self._add_part, make) for make in parts]
            model.building.do("parts", (*steps, partial(self._column.addStretch, 1)))
        self._show_beside()
        self._make_room()
        self.count.show_model()
        self._show_message()
        self.comparison.show_model()
        self.form.show_model()
        self.draft.show_model()
        self.text.show_model()
        if model.form.editing is not self._formed:
            # The button that was pressed is gone, and the keyboard must not be with it.
            self._formed = model.form.editing
            (self.first_focus() if self._formed else self.edit).setFocus()

    def _show_beside(self) -> None:
        model = self.model
        self.beside.setVisible(model.form.editing)
        text = model.form.editing and model.beside_text
        with QSignalBlocker(self.beside):
            self.beside.setCurrentIndex(int(text))
        self._aside.setCurrentIndex(int(text))

    def _show_message(self) -> None:
        """The card of the method, or the common one; what is wrong in a draft has no message yet."""
        model, make = self.model, self.model.own.message
        if model.method is None or model.working is None:
            return
        if make is not self._makes:
            self._makes = make
            old = self.message
            self.message = MessageCard(self.context) if make is None else make(self.context, model.form)
            self._cards.replaceWidget(old, self.message)
            old.hide()
            old.deleteLater()
        whole = not model.form.editing or not (model.form.problems or model.form.checking)
        if whole or make is not None:
            self.message.show_protocol(  # type: ignore[attr-defined]
                model.method, model.working, model.items, model.anchor
            )

    def _edit_text(self) -> None:
        self.model.edit(beside_text=True)
        if self.model.form.editing:
            self.text.text.setFocus()

    def _add_part(self, make: Callable[[], QWidget]) -> None:
        self._column.addWidget(make())

    def _make_room(self, *_: object) -> None:
        """Above each other there is room for the form, or for what stands beside it, and not for both; in a low page
        for what is read neither."""
        editing = self.model.form.editing
        crowded = self._read.stacked and (editing or self._read.height() < self.context.theme.px(_LOW))
        self.glance.setText(tr("Beside the form") if editing else tr("What it comes to"))
        self.glance.setVisible(crowded)
        self._side.setVisible(not crowded or self.glance.isChecked())
        self._main.setVisible(not crowded or not self.glance.isChecked())

    def _show_versions(self) -> None:
        offered = [
            (tr("{name}, version {n}", name=version.name, n=version.version), version.hash)
            for version in self.model.versions
        ]
        offer(self.versions, offered, self.model.shown.hash if self.model.shown else "")
        self.versions.setVisible(bool(offered))
        titles = [(catalogue.method(each).title, each) for each in self.model.methods]
        offer(self.methods, titles, self.model.method.name if self.model.method else "")
        self.methods.setVisible(len(titles) > 1)

    def _ask_import(self) -> None:
        kinds = tr("Protocols") + " (*.yaml *.yml *.toml)"
        ask_to_open(self, tr("Import a protocol"), kinds, self.model.import_file)

    def _ask_export(self) -> None:
        name = self.model.protocol.name if self.model.protocol is not None else ""
        ask_to_save(
            self, tr("Export the protocol"), tr("Protocols") + " (*.yaml)", "yaml", self.model.export, suggested=name
        )


class ComparisonCard(Card):
    """Shown where the audit has more than one version."""

    def __init__(self, model: ProtocolViewModel) -> None:
        super().__init__(tr("Compare with"), name="protocol.comparison")
        self._model = model
        self.other = named(ChoiceBox(12), "protocol.compareWith", tr("Version to compare with"))
        self.other.activated.connect(lambda at: model.compare(self.other.itemData(at)))
        self.body.addWidget(self.other)
        self._list = DifferenceList(tr("there"), tr("in the version shown"))
        self.body.addWidget(self._list)

    def show_model(self) -> None:
        """Paint the view-model's state."""
        model = self._model
        self.setVisible(bool(model.others) and model.resting)
        others = [
            (tr("{name}, version {n}", name=version.name, n=version.version), version.hash) for version in model.others
        ]
        offer(self.other, [(tr("no other version"), ""), *others], model.compared)
        self._list.show_differences(model.differences)


class DraftBar(Card):
    """Shown while a draft waits and nothing is edited."""

    def __init__(self, theme: Theme, model: ProtocolViewModel) -> None:
        super().__init__(name="protocol.draft")
        self._model = model
        icon = QLabel()
        theme.follow(icon, lambda: icon.setPixmap(theme.pixmap("edit", "text_secondary", ICON)))
        self.go_on = button(tr("Go on editing"), model.edit, compact=True, name="protocol.resumeDraft")
        self.discard = button(tr("Discard the draft"), model.form.discard, compact=True, name="protocol.dropDraft")
        words = label(tr("A draft waits: changes that are no version yet."), wrap=True)
        self.body.addLayout(hbox(icon, (words, 1), self.discard, self.go_on, spacing=SPACE_2))

    def show_model(self) -> None:
        """Paint the view-model's state."""
        model = self._model
        self.setVisible(model.audit_open and model.resting and model.form.waiting is not None)
