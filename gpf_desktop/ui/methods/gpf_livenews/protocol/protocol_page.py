"""The page Protocol: every part of a version, its cells counted, the message of any of them."""

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QSignalBlocker, Qt
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QComboBox, QWidget

from gpf_desktop.domain.text import tr
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.file_dialogs import ask_to_open, ask_to_save
from gpf_desktop.ui.methods.gpf_livenews.protocol.comparison_card import ComparisonCard
from gpf_desktop.ui.methods.gpf_livenews.protocol.draft_bar import DraftBar
from gpf_desktop.ui.methods.gpf_livenews.protocol.edit_panel import EditPanel
from gpf_desktop.ui.methods.gpf_livenews.protocol.message_card import CountCard, MessageCard
from gpf_desktop.ui.methods.gpf_livenews.protocol.parts import parts
from gpf_desktop.ui.methods.gpf_livenews.protocol.protocol_view_model import ProtocolViewModel
from gpf_desktop.ui.methods.gpf_livenews.protocol.text_panel import TextPanel
from gpf_desktop.ui.page import Page
from gpf_desktop.ui.theme.tokens import SPACE_3
from gpf_desktop.ui.widgets.boxes import fill, stacked, vbox
from gpf_desktop.ui.widgets.buttons import button
from gpf_desktop.ui.widgets.layouts import clear_layout, scrolling
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
        self.versions = QComboBox()
        self.versions.setObjectName("protocol.versions")
        self.versions.setAccessibleName(tr("Version of the protocol"))
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
        with QSignalBlocker(self.versions):
            self.versions.clear()
            for words, digest in offered:
                self.versions.addItem(words, digest)
            self.versions.setCurrentIndex(self.versions.findData(self.model.shown.hash if self.model.shown else ""))
        self.versions.setVisible(bool(offered))

    def _ask_import(self) -> None:
        kinds = tr("Protocols") + " (*.yaml *.yml *.toml)"
        ask_to_open(self, tr("Import a protocol"), kinds, self.model.import_file)

    def _ask_export(self) -> None:
        name = self.model.protocol.name if self.model.protocol is not None else ""
        ask_to_save(
            self, tr("Export the protocol"), tr("Protocols") + " (*.yaml)", "yaml", self.model.export, suggested=name
        )
