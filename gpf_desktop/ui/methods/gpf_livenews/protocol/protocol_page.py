"""The page Protocol: every part of a version, its cells counted, the message of any of them."""

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtGui import QFontDatabase, QHideEvent, QShowEvent
from PySide6.QtWidgets import QComboBox, QLabel, QPlainTextEdit, QWidget

from gpf_desktop.domain.text import tr
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.file_dialogs import ask_to_open, ask_to_save
from gpf_desktop.ui.methods.gpf_livenews.protocol.edit_panel import EditPanel
from gpf_desktop.ui.methods.gpf_livenews.protocol.message_card import CountCard, MessageCard
from gpf_desktop.ui.methods.gpf_livenews.protocol.parts import parts
from gpf_desktop.ui.methods.gpf_livenews.protocol.protocol_view_model import ProtocolViewModel
from gpf_desktop.ui.page import Page
from gpf_desktop.ui.studies.difference_list import DifferenceList
from gpf_desktop.ui.theme import Theme
from gpf_desktop.ui.theme.tokens import ICON, SPACE_2, SPACE_3
from gpf_desktop.ui.widgets.boxes import PlainWidget, fill, hbox, stacked, vbox
from gpf_desktop.ui.widgets.buttons import button
from gpf_desktop.ui.widgets.cards import Card
from gpf_desktop.ui.widgets.fields import offer
from gpf_desktop.ui.widgets.labels import label, problem_label, secondary
from gpf_desktop.ui.widgets.layouts import clear_layout, scrolling
from gpf_desktop.ui.widgets.names import named
from gpf_desktop.ui.widgets.side_by_side import SideBySide

_NARROW = 860
"""Pixels at 100 % below which count and message stand under the protocol."""


class ProtocolPage(Page):
    """Left what the protocol says, right what it comes to."""

    def __init__(self, context: Context) -> None:
        super().__init__(context, "protocol", tr("Protocol"))
        self.model = ProtocolViewModel(context, self)
        self._painted = -1
        self._formed = False
        self.versions = named(QComboBox(), "protocol.versions", tr("Version of the protocol"))
        self.versions.activated.connect(lambda at: self.model.show(self.versions.itemData(at)))
        self.use = button(tr("Use this version"), self.model.use, name="protocol.use")
        self.reset = button(tr("Reset"), self.model.reset, name="protocol.reset")
        self.reset.setToolTip(tr("Back to the protocol that ships with the program"))
        self.edit = button(tr("Edit"), self.model.edit, primary=True, name="protocol.edit")
        self.edit_text = button(tr("Edit as text"), self.model.edit_text, name="protocol.editText")
        self.import_button = button(tr("Import …"), self._ask_import, name="protocol.import")
        self.export_button = button(tr("Export …"), self._ask_export, name="protocol.export")
        self.glance = button(tr("Cells and message"), name="protocol.glance")
        self.glance.setCheckable(True)
        self.glance.setToolTip(tr("In place of the form: how many cells there are, and what one of them sends"))
        self.glance.toggled.connect(self._make_room)
        self.count = CountCard(self.model)
        self.message = MessageCard(context, self.model)
        self.comparison = ComparisonCard(self.model)
        self.text = TextPanel(self.model)
        self.form = EditPanel(context, self.model.form)
        self.draft = DraftBar(context.theme, self.model)
        self._lay_out()
        self.model.changed.connect(self._show)
        actions = context.actions
        actions.on("protocol.import", self._ask_import)
        actions.on("protocol.export", self._ask_export)
        actions.on("protocol.form", self.model.edit)
        actions.on("protocol.edit", self.model.edit_text)
        actions.on("protocol.reset", self.model.reset)
        self._show()

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

    def _lay_out(self) -> None:
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
        side = QWidget()
        vbox(self.count, self.message, self.comparison, 1, parent=side, spacing=SPACE_3)
        self._parts = scrolling(content, "protocol.parts")
        self._main = stacked(self._parts, self.form)
        self._side = scrolling(side, "protocol.side")
        self._read = SideBySide(self.context.theme, self._main, self._side, shares=(17, 10), narrow=_NARROW)
        # Later: what is laid out at the moment must not be hidden meanwhile.
        self._read.turned.connect(self._make_room, Qt.ConnectionType.QueuedConnection)
        self.stack = stacked(self._read, self.text)
        fill(self.body, self.draft, (self.stack, 1))

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
        if model.form.editing is not self._formed:
            # The button that was pressed is gone, and the keyboard must not be with it.
            self._formed = model.form.editing
            (self.form.tabs if self._formed else self.edit).setFocus()
        self.stack.setCurrentWidget(self.text if model.editing else self._read)
        if model.protocol is not None and model.generation != self._painted:
            self._painted = model.generation
            clear_layout(self._column)
            steps = [partial(self._add_part, make) for make in parts(self.context, model.protocol)]
            model.building.do("parts", (*steps, partial(self._column.addStretch, 1)))
        self._make_room()
        self.count.show_model()
        self.message.show_model()
        self.comparison.show_model()
        self.form.show_model()
        self.draft.show_model()
        self.text.show_model()

    def _add_part(self, make: Callable[[], QWidget]) -> None:
        self._column.addWidget(make())

    def _make_room(self, *_: object) -> None:
        """Above each other there is room for the form, or for what it comes to, and not for both."""
        crowded = self.model.form.editing and self._read.stacked
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
        self.other = named(QComboBox(), "protocol.compareWith", tr("Version to compare with"))
        self.other.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
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


class TextPanel(PlainWidget):
    """Nothing is kept before "Save as a new version"; what is wrong is said with line and field."""

    def __init__(self, model: ProtocolViewModel) -> None:
        super().__init__()
        self._model = model
        self._filled = -1
        self.text = named(QPlainTextEdit(), "protocol.text", tr("Protocol as text"))
        self.text.setTabChangesFocus(True)
        self.text.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.text.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        self.problem = problem_label(name="protocol.textProblem")
        self.save = button(tr("Save as a new version"), self._save, primary=True, name="protocol.saveText")
        self.cancel = button(tr("Cancel"), model.stop_editing, name="protocol.cancelText")
        buttons = hbox((secondary(tr("Runs that used the old version keep it.")), 1), self.cancel, self.save)
        vbox((self.text, 1), self.problem, buttons, parent=self, spacing=SPACE_2)

    def show_model(self) -> None:
        """Paint the view-model's state; a text being edited is not touched."""
        if not self._model.editing:
            self._filled = -1
        elif self._filled != self._model.generation:
            self._filled = self._model.generation
            self.text.setPlainText(self._model.text)
        self.problem.setText(self._model.problem)

    def _save(self) -> None:
        self._model.save_text(self.text.toPlainText())
