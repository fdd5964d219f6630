"""Factors, their levels and words, which contexts are asked, and what one item is asked in each of them."""

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QComboBox,
    QDialogButtonBox,
    QHeaderView,
    QLineEdit,
    QTableWidget,
    QTableWidgetItem,
    QWidget,
)

from gpf_desktop.domain.coordinates import Coordinates
from gpf_desktop.domain.items import StudyItem
from gpf_desktop.domain.ports.method import Method
from gpf_desktop.domain.ports.method_abilities import ChoosesOptions
from gpf_desktop.domain.text import tr
from gpf_desktop.methods.contextual_stereoset.items import VIGNETTE_KIND
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.methods.contextual_stereoset.context_table import ContextTable
from gpf_desktop.ui.methods.contextual_stereoset.grid_draft import DESIGNS, WORDING, GridDraft, LevelRow
from gpf_desktop.ui.studies.editor_button import EditorButton, ProtocolDialog
from gpf_desktop.ui.studies.study_view_model import StudyViewModel
from gpf_desktop.ui.theme.tokens import SPACE_3, SPACE_4
from gpf_desktop.ui.widgets.boxes import column_of, hbox, row_of, splitter, vbox
from gpf_desktop.ui.widgets.buttons import button, ok_and_cancel
from gpf_desktop.ui.widgets.choice_box import ChoiceBox
from gpf_desktop.ui.widgets.fields import FormField
from gpf_desktop.ui.widgets.labels import caption, problem_label
from gpf_desktop.ui.widgets.layouts import flowing
from gpf_desktop.ui.widgets.names import named
from gpf_desktop.ui.widgets.span_text import SpanTextView

_FITTING = QHeaderView.ResizeMode.ResizeToContents


class LevelTable(QTableWidget):
    """Edited in place."""

    edited = Signal()

    def __init__(self) -> None:
        super().__init__(0, 3)
        self.setObjectName("grid.levels")
        self.setAccessibleName(tr("Levels and their words"))
        self.setHorizontalHeaderLabels([tr("Level"), tr("Words in the prompt"), tr("Group")])
        for column, mode in enumerate((_FITTING, QHeaderView.ResizeMode.Stretch, _FITTING)):
            self.horizontalHeader().setSectionResizeMode(column, mode)
        self.verticalHeader().hide()
        self.setTabKeyNavigation(False)
        self.itemChanged.connect(lambda _item: self.edited.emit())

    def show_rows(self, rows: Sequence[LevelRow]) -> None:
        # Filling is no edit, and `itemChanged` tells of every cell that is set.
        with QSignalBlocker(self):
            self.setRowCount(len(rows))
            for at, row in enumerate(rows):
                for column, text in enumerate(row):
                    self.setItem(at, column, QTableWidgetItem(text))
        self.setColumnHidden(2, not any(group for _, _, group in rows))

    def level_rows(self) -> list[LevelRow]:
        return [(self._text(at, 0), self._text(at, 1), self._text(at, 2)) for at in range(self.rowCount())]

    def add(self) -> None:
        """A further level, its name open to be typed."""
        names = {name for name, _, _ in self.level_rows()}
        number = next(n for n in range(1, len(names) + 2) if tr("level {n}", n=n) not in names)
        name = tr("level {n}", n=number)
        self.show_rows([*self.level_rows(), (name, name, "")])
        self.setCurrentCell(self.rowCount() - 1, 0)
        self.setFocus()
        self.edited.emit()

    def remove(self) -> None:
        """The level that is chosen."""
        at = self.currentRow()
        if at >= 0:
            self.removeRow(at)
            self.edited.emit()

    def _text(self, row: int, column: int) -> str:
        item = self.item(row, column)
        return "" if item is None else item.text().strip()


_SIZE = (980, 600)
_MOST_ITEMS = 200


class GridDialog(ProtocolDialog):
    """Nothing is asked otherwise until it is taken; a grid that cannot be asked cannot be taken."""

    def __init__(self, context: Context, method: Method, protocol: Any, parent: QWidget) -> None:
        super().__init__(parent, tr("Grid of contexts"), "study.gridDialog")
        assert isinstance(method, ChoosesOptions)
        self._context, self._method, self._chooses = context, method, method
        self.draft = GridDraft(method, protocol)
        self._protocol = protocol
        """The last one that could be asked."""
        self._torn = ""
        """A sentence of the template that lost its slot, until the template is edited."""
        self._cells: dict[tuple[str, ...], Coordinates] = {}
        """Of the item that is previewed, one for each context."""
        self._items: Sequence[StudyItem] = ()
        self._make()
        self._split = splitter(self._factors_side(), self._contexts_side())
        # Beside the buttons: above them, what is wrong would push all else aside as it comes and goes.
        ending = hbox((self._problem, 1), self._buttons)
        vbox((self._split, 1), self._facts, ending, parent=self, spacing=SPACE_3, margins=SPACE_4)
        self._connect()
        self._show_factor()
        self._renew()
        self._read_items()
        context.theme.follow(self, lambda: self._fit(parent))

    def _make(self) -> None:
        self.factor = named(QComboBox(), "grid.factor", tr("Factor"))
        self.name = named(QLineEdit(), "grid.factorName")
        self.factor.setLineEdit(self.name)
        self.factor.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        self.add = button(tr("Add a factor"), self._add_factor, compact=True, name="grid.addFactor")
        self.remove = button(tr("Remove it"), self._remove_factor, compact=True, name="grid.removeFactor")
        self.levels = LevelTable()
        self._levels_changed = flowing(
            button(tr("Add a level"), self.levels.add, compact=True, name="grid.addLevel"),
            button(tr("Remove the level"), self.levels.remove, compact=True, name="grid.removeLevel"),
        )
        self.template = QLineEdit(self.draft.template)
        self.design = QComboBox()
        for name, words in zip(DESIGNS, (tr("Full"), tr("Budgeted: 74"), tr("Own")), strict=True):
            self.design.addItem(words, name)
        self.contexts = ContextTable()
        self._ticks = flowing(
            button(tr("Tick all"), lambda: self._own(self.draft.combinations()), compact=True, name="grid.tickAll"),
            button(tr("Untick all"), lambda: self._own([]), compact=True, name="grid.untickAll"),
        )
        kept = self._ticks.sizePolicy()
        kept.setRetainSizeWhenHidden(True)
        self._ticks.setSizePolicy(kept)
        self.item = ChoiceBox(12)
        self.preview = SpanTextView(self._context.theme, says=tr("Prompt"), framed=True, name="grid.preview")
        self._facts = caption(name="grid.facts")
        self._problem = problem_label(name="grid.problem")
        self._buttons = ok_and_cancel(self, self._take)

    def _factors_side(self) -> QWidget:
        return column_of(
            FormField(tr("Factor"), self.factor, help=tr("Type to rename it; “wording” holds the questions.")),
            flowing(self.add, self.remove),
            (self.levels, 1),
            self._levels_changed,
            FormField(
                tr("Template"), self.template, help=tr("One slot for each factor, such as {slot}.", slot="{year}")
            ),
            spacing=SPACE_3,
        )

    def _contexts_side(self) -> QWidget:
        chosen = row_of(
            (FormField(tr("Contexts asked"), self.design, name="grid.design"), 1),
            (FormField(tr("Shown for"), self.item, name="grid.item"), 2),
        )
        return column_of(chosen, (self.contexts, 1), self._ticks, (self.preview, 1), spacing=SPACE_3)

    def _connect(self) -> None:
        self.factor.activated.connect(lambda _at: self._show_factor())
        self.name.editingFinished.connect(self._rename)
        self.levels.edited.connect(self._levels_edited)
        self.template.textEdited.connect(self._template_edited)
        self.design.activated.connect(lambda _at: self._design_chosen())
        self.contexts.selectionModel().currentChanged.connect(lambda *_: self._show_preview())
        self.contexts.rows.ticked.connect(self._tick)
        self.item.activated.connect(lambda _at: self._previewed())

    @property
    def _chosen_factor(self) -> str:
        at = self.factor.currentIndex()
        return self.draft.factors[at] if 0 <= at < len(self.draft.factors) else WORDING

    def _show_factor(self) -> None:
        at = max(0, self.factor.currentIndex())
        with QSignalBlocker(self.factor):
            self.factor.clear()
            self.factor.addItems(list(self.draft.factors))
            self.factor.setCurrentIndex(min(at, len(self.draft.factors) - 1))
        self.name.setReadOnly(self._chosen_factor == WORDING)
        self._levels_changed.setEnabled(not (self.draft.vignettes and self._chosen_factor == WORDING))
        self.remove.setEnabled(self._chosen_factor != WORDING and len(self.draft.factors) > 2)
        self.levels.show_rows(self.draft.levels(self._chosen_factor))
        if self.template.text() != self.draft.template:
            self.template.setText(self.draft.template)

    def _add_factor(self) -> None:
        taken = set(self.draft.factors)
        self.draft.add_factor(next(f"factor_{n}" for n in range(1, 100) if f"factor_{n}" not in taken))
        self._show_factor()
        # Listed by the first call, chosen here, and shown with its levels by the second; the last one is the wording.
        self.factor.setCurrentIndex(len(self.draft.factors) - 2)
        self._show_factor()
        self.name.selectAll()
        self.factor.setFocus()
        self._renew()

    def _remove_factor(self) -> None:
        self._torn = self.draft.remove_factor(self._chosen_factor)
        self._show_factor()
        self._renew()

    def _rename(self) -> None:
        old, new = self._chosen_factor, self.factor.currentText().strip()
        if new and new != old and new not in self.draft.factors and old != WORDING:
            self.draft.rename_factor(old, new)
            self._renew()
        self._show_factor()

    def _levels_edited(self) -> None:
        self.draft.set_levels(self._chosen_factor, self.levels.level_rows())
        self._renew()

    def _template_edited(self, text: str) -> None:
        self.draft.template = text
        self._torn = ""
        self._renew()

    def _design_chosen(self) -> None:
        self.draft.choose_design(str(self.design.currentData()), list(self._cells))
        self._renew()

    def _tick(self, context: tuple[str, ...], asked: bool) -> None:
        own = [each for each in self.draft.own if each != context]
        self._own([*own, context] if asked else own)

    def _own(self, contexts: Sequence[tuple[str, ...]]) -> None:
        self.draft.own = contexts
        self._renew()

    def _renew(self) -> None:
        """Show what the draft comes to: its contexts, its facts, or what is wrong."""
        protocol, problem = self.draft.protocol()
        torn = self._torn and tr("A slot was taken out of the template: read “{sentence}” over.", sentence=self._torn)
        words = " ".join(filter(None, (problem, torn)))
        self._problem.setText(words)
        self._problem.setVisible(bool(words))
        self._buttons.button(QDialogButtonBox.StandardButton.Ok).setEnabled(not problem)
        self.design.setCurrentIndex(self.design.findData(self.draft.design))
        if protocol is not None:
            self._protocol = protocol
            self._facts.setText(self._method.protocol_facts(protocol))
        self._previewed()

    def _previewed(self) -> None:
        at = self.item.currentIndex()
        if not 0 <= at < len(self._items):
            return
        # Without the last, the wording, which is no part of a context: its first level's cell stands for the others.
        axes = [axis.factor for axis in self._chooses.axes(self._protocol)][:-1]
        cells = self._method.expand(self._items[at], self._protocol, self._method.no_controls(), 1)
        self._cells = {}
        for each in cells:
            self._cells.setdefault(tuple(each.coordinates[factor] for factor in axes), each.coordinates)
        own = self.draft.design == "own"
        self._ticks.setVisible(own)
        contexts = self.draft.combinations() if own else list(self._cells)
        chosen = self.contexts.currentIndex().row()
        # A grid that cannot be asked yet has its last contexts still, under the factors that these were of.
        factors = self.draft.factors[:-1] if own else tuple(axes)
        self.contexts.rows.show(factors, contexts, frozenset(self.draft.own) if own else None)
        self.contexts.selectRow(min(max(chosen, 0), len(contexts) - 1))
        self._show_preview()

    def _show_preview(self) -> None:
        chosen = self.contexts.chosen
        where = None if chosen is None else self._cells.get(chosen)
        if where is None:
            self.preview.show_text(tr("This context is not asked: tick it to see its prompt."))
        else:
            item = self._items[self.item.currentIndex()]
            self.preview.show_text(self._method.compose(self._protocol, where, item).user)

    def _read_items(self) -> None:
        """Off this thread: a file of items takes a while."""
        self._context.bridge.run(self._method.items, self._protocol, then=self._items_read, owner=self)

    def _items_read(self, items: Sequence[StudyItem]) -> None:
        self._items = items[:_MOST_ITEMS]
        self.draft.vignettes = any(item.kind == VIGNETTE_KIND for item in self._items)
        self._show_factor()
        self.item.clear()
        self.item.addItems([" · ".join(filter(None, (each.title, each.text[:60]))) for each in self._items])
        self._previewed()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        # What is typed is ended by Enter many times before the grid is done; buttons hear it themselves.
        if event.key() not in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            super().keyPressEvent(event)

    def _take(self) -> None:
        self.taken.emit(self._protocol)
        self.accept()

    def _fit(self, parent: QWidget) -> None:
        theme, room = self._context.theme, parent.size()
        self._split.setSizes([1000, 1000])
        self.resize(min(theme.px(_SIZE[0]), room.width() - 40), min(theme.px(_SIZE[1]), room.height() - 40))


class GridButton(EditorButton):
    """Opens a `GridDialog`."""

    def __init__(self, context: Context, model: StudyViewModel) -> None:
        super().__init__(context, model, tr("Edit the grid …"), "study.grid")

    def dialog(self) -> GridDialog:
        assert self.model.method is not None
        return GridDialog(self.context, self.model.method, self.model.protocol, self.window())
