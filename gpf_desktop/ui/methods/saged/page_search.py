"""Pages of Wikipedia by words: what was found is read beside its licence, and chosen from."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QLineEdit, QListWidget, QListWidgetItem

from gpf_desktop.domain.tables import MadeBenchmark
from gpf_desktop.domain.text import tr
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.methods.saged.benchmark_view_model import BenchmarkViewModel
from gpf_desktop.ui.theme.tokens import SPACE_2
from gpf_desktop.ui.widgets.boxes import PlainWidget, vbox
from gpf_desktop.ui.widgets.buttons import button
from gpf_desktop.ui.widgets.labels import caption
from gpf_desktop.ui.widgets.layouts import flowing
from gpf_desktop.ui.widgets.names import named
from gpf_desktop.ui.widgets.stop_focus import StopFocus

_HIGH = 150


class PageSearch(PlainWidget):
    """A title that is known is added as it is; else it is searched for, and hits are added."""

    chosen = Signal(str)
    """A place: ``wikipedia:TITLE``, of a hit with its language."""

    def __init__(self, context: Context, model: BenchmarkViewModel, contact: QLineEdit) -> None:
        super().__init__()
        self._model, self._contact = model, contact
        self._shown: MadeBenchmark | None = None
        self.page = named(QLineEdit(), "saged.page", tr("Title of a page of Wikipedia"))
        self.page.setPlaceholderText(tr("Title of a page of Wikipedia"))
        self.page.returnPressed.connect(self._add_page)
        self.add_page = button(tr("Add the page"), self._add_page, compact=True, name="saged.addPage")
        self.search = button(tr("Search"), self._asked, compact=True, name="saged.searchPages")
        self.stop = button(tr("Stop"), model.cancel, compact=True, name="saged.stopSearch")
        self._turn = StopFocus(self.stop)
        self.page.textChanged.connect(lambda _: self._let())
        self.add_hits = button(tr("Add those chosen"), self._add_hits, compact=True, name="saged.addHits")
        self.said = caption(name="saged.hitsSaid")
        self.hits = named(QListWidget(), "saged.hits", tr("Pages that were found"))
        self.hits.setSelectionMode(QListWidget.SelectionMode.ExtendedSelection)
        self.hits.setWordWrap(True)
        self.hits.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.hits.setFixedHeight(context.theme.px(_HIGH))
        self.hits.itemSelectionChanged.connect(self._let)
        self.hits.itemActivated.connect(lambda _: self._add_hits())
        buttons = flowing(self.add_page, self.search, self.stop, self.add_hits)
        vbox(self.page, buttons, self.said, self.hits, parent=self, spacing=SPACE_2)
        model.changed.connect(self._show)
        self._show()

    def _add_page(self) -> None:
        title = self.page.text().strip()
        if title:
            self.chosen.emit(f"wikipedia:{title}")
        self.page.setFocus()  # the button can be pressed no more without a title
        self.page.clear()

    def _asked(self) -> None:
        self._model.search(self.page.text().strip(), self._contact.text())

    def _let(self) -> None:
        named = bool(self.page.text().strip())
        self.add_page.setEnabled(named)
        running = self._model.running
        self._turn.show({self.search: named and not running}, running=running and self._model.searching)
        self.add_hits.setEnabled(bool(self.hits.selectedItems()))

    def _add_hits(self) -> None:
        for item in self.hits.selectedItems():
            self.chosen.emit(item.data(Qt.ItemDataRole.UserRole))
        self.hits.setFocus()
        self.hits.clearSelection()

    def _show(self) -> None:
        found = self._model.pages
        for each in (self.said, self.hits, self.add_hits):
            each.setVisible(found is not None)
        self._let()
        if found is None or found is self._shown:
            return
        self._shown = found
        self.said.setText(" ".join(found.said))
        self.hits.clear()
        for place, title, extract, licence in found.table.rows:
            language = str(place).split(":")[1]
            item = QListWidgetItem(f"{title} · {language} · {licence}\n{extract}")
            item.setData(Qt.ItemDataRole.UserRole, place)
            self.hits.addItem(item)
