"""The left column of the page: the queue, above it what is left and what narrows it, under it a strip for several."""

from PySide6.QtCore import Qt

from gpf_desktop.domain.ids import BundleId
from gpf_desktop.domain.review_queue import QueueTab
from gpf_desktop.domain.text import tr
from gpf_desktop.ui.review.bulk_strip import BulkStrip
from gpf_desktop.ui.review.filter_line import FilterLine
from gpf_desktop.ui.review.pile_line import PileLine
from gpf_desktop.ui.review.queue_commands import join_bulk
from gpf_desktop.ui.review.queue_table import QueueTable
from gpf_desktop.ui.review.review_view_model import ReviewViewModel
from gpf_desktop.ui.theme.tokens import SPACE_2
from gpf_desktop.ui.widgets.boxes import PlainWidget, hbox, vbox
from gpf_desktop.ui.widgets.buttons import icon_action


class QueuePane(PlainWidget):
    """Layout and connections of *table* and its strip."""

    def __init__(self, table: QueueTable, model: ReviewViewModel) -> None:
        super().__init__()
        self._table, self._model = table, model
        self.strip = BulkStrip(model.bulk)
        self.only = FilterLine(model.context.theme)
        self.only.removed.connect(self._show_all)
        self.pile = PileLine(model)
        actions, theme = model.context.actions, model.context.theme
        self.fold = icon_action(theme, "chevron-left", actions.action("review.fold_queue"), tr("Fold the queue away"))
        self.fold.setObjectName("review.queue.fold")
        top = Qt.AlignmentFlag.AlignTop
        head = hbox((self.pile, 1), (self.fold, 0, top | Qt.AlignmentFlag.AlignRight), spacing=SPACE_2)
        vbox(head, self.only, (table, 1), self.strip, parent=self, spacing=SPACE_2)
        table.selection_changed.connect(model.bulk.select)
        self.strip.clear.clicked.connect(self._only_open)
        self.strip.left.connect(table.setFocus)
        model.bulk.shown.connect(self._show_selected)
        model.changed.connect(lambda: self.strip.show_tags(list(model.tags)))
        join_bulk(model.context.actions, table, self.strip, model.bulk)

    def _show_all(self) -> None:
        self._model.filters.clear()
        self._table.setFocus()

    def _only_open(self) -> None:
        self._table.select_open()
        self._table.setFocus()

    def _show_selected(self, tab: QueueTab, bundles: tuple[BundleId, ...]) -> None:
        self._model.set_tab(tab)
        self._table.select_bundles(bundles)
        self._table.setFocus()
