"""The list of articles, newest first, with each one's stratum, and the choice of the next batch under it."""

from collections.abc import Sequence

from PySide6.QtCore import QSignalBlocker
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QCheckBox, QComboBox

from gpf_desktop.domain.ids import ArticleId
from gpf_desktop.domain.news_strata import NewsStratum
from gpf_desktop.domain.text import tr
from gpf_desktop.engine.collect.source_service import ArticleLine
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.sources import wording
from gpf_desktop.ui.sources.articles_view_model import ArticlesViewModel
from gpf_desktop.ui.sources.next_batch import NextBatch
from gpf_desktop.ui.sources.sources_view_model import SourceLine
from gpf_desktop.ui.theme.tokens import SPACE_2
from gpf_desktop.ui.widgets.boxes import PlainWidget, column_of, fill, vbox
from gpf_desktop.ui.widgets.cards import Card, EmptyState
from gpf_desktop.ui.widgets.columns import TableColumn
from gpf_desktop.ui.widgets.data_table import DataTable
from gpf_desktop.ui.widgets.fields import SearchField, offer
from gpf_desktop.ui.widgets.labels import caption, heading
from gpf_desktop.ui.widgets.layouts import flowing
from gpf_desktop.ui.widgets.names import named
from gpf_desktop.ui.widgets.table_models import PagedTableModel

_STRATUM = 2
"""Its column."""
_SEARCH, _LEAST = 210, 140
"""A width and the list's least height, in pixels at 100 %."""


class ArticleList(PlainWidget):
    """Selecting a row shows the whole article in the inspector."""

    def __init__(self, context: Context, model: ArticlesViewModel) -> None:
        super().__init__()
        self._model, self._theme = model, context.theme
        self._shown = -1
        self._narrowed: bool | None = None
        self._ids: tuple[int, ...] = ()
        self._rows: PagedTableModel[ArticleId, ArticleLine] = PagedTableModel(
            context.theme, self._columns(), model.load, lambda line: line.article.id
        )
        self.table = DataTable(
            context.theme,
            self._rows,
            says=tr("Articles"),
            name="sources.articles",
            settings=context.settings,
            embedded=True,
        )
        self.table.current_changed.connect(model.select)
        self.table.selectionModel().selectionChanged.connect(self._selected)
        self._title = heading(tr("Articles"))
        self.search = SearchField(context.theme, tr("Find in headlines and descriptions"), name="articles.search")
        self.search.sought.connect(lambda words: model.narrow(words=words))
        self.source = named(QComboBox(minimumContentsLength=12), "articles.source", tr("Source of the articles"))
        self.source.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.source.addItem(tr("All sources"), None)
        self.source.currentIndexChanged.connect(lambda at: model.narrow(source_id=self.source.itemData(at)))
        self.stratum = named(QComboBox(), "articles.stratum", tr("Stratum"))
        self.stratum.currentIndexChanged.connect(lambda at: model.narrow(stratum=self.stratum.itemData(at)))
        self.unused = named(QCheckBox(tr("Not used yet")), "articles.unused")
        self.unused.toggled.connect(lambda on: model.narrow(unused=on))
        self.empty = EmptyState(context.theme, "filter")
        self._choice = caption(name="articles.choice")
        self.batch = NextBatch(context.theme, model, self._set_stratum)
        self.foot = column_of(self.batch, self._choice, spacing=SPACE_2)
        self._lay_out()
        self._show_strata()
        self._selected()
        context.theme.follow(self, self._size)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._ask_for_room()

    def _ask_for_room(self) -> None:
        """As high as its lines of buttons are at this width; a splitter knows nothing of that by itself."""
        layout = self.layout()
        if layout is not None:
            self.setMinimumHeight(layout.totalMinimumHeightForWidth(self.width()))

    def show_model(self) -> None:
        """Paint the view-model's state."""
        model = self._model
        if model.generation != self._shown:
            self._shown = model.generation
            ids = tuple(model.ids)
            if ids == self._ids:
                self._rows.refresh()
            else:
                self._ids = ids
                self._rows.set_keys(ids)
        if self.batch.show_model():
            self._show_strata()
        self.stratum.setCurrentIndex(max(0, self.stratum.findData(model.wanted.stratum)))
        self.source.setCurrentIndex(max(0, self.source.findData(model.wanted.source_id)))
        self.unused.setChecked(model.wanted.unused)
        if self.search.text() != model.wanted.words and not self.search.hasFocus():
            self.search.setText(model.wanted.words)
        nothing = not model.ids
        self.table.setVisible(not nothing)
        self.empty.setVisible(nothing)
        self.foot.setVisible(model.in_batches)
        self._choice.setText(model.choice_words)
        self._selected()
        self._explain(model.narrowed)

    def _explain(self, narrowed: bool) -> None:
        if narrowed is self._narrowed:
            return
        self._narrowed = narrowed
        if narrowed:
            self.empty.explain(tr("Nothing matches this filter."), tr("Show all articles"), self._model.show_all)
        else:
            self.empty.explain(tr("No article yet: they appear when a source has been fetched."))

    def show_sources(self, lines: Sequence[SourceLine]) -> None:
        """Offer *lines* to narrow the list by."""
        offer(self.source, [(tr("All sources"), None), *((line.row.title, line.row.id) for line in lines)])
        with QSignalBlocker(self.source):
            self.source.setCurrentIndex(max(0, self.source.findData(self._model.wanted.source_id)))

    def _lay_out(self) -> None:
        card = Card()
        fill(
            card.body,
            flowing(self._title, self.search, self.source, self.stratum, self.unused),
            (self.table, 1),
            (self.empty, 1),
            self.foot,
        )
        vbox(card, parent=self)

    def _size(self) -> None:
        """What depends on the size of the text."""
        px = self._theme.px
        self.search.setFixedWidth(px(_SEARCH))
        self._title.setFixedSize(self._title.sizeHint().width() + SPACE_2, self.search.sizeHint().height())
        self.batch.size_boxes()
        self.table.setMinimumHeight(px(_LEAST))
        self._ask_for_room()

    def _show_strata(self) -> None:
        strata = self._model.strata
        offer(self.stratum, [(tr("All strata"), None), *((each.title, each.name) for each in strata.values())])
        self.stratum.setVisible(bool(strata))
        self.table.leave_out(_STRATUM, out=not strata)
        self._ask_for_room()

    def _set_stratum(self, stratum: NewsStratum) -> None:
        self._model.set_stratum(self.table.selected_rows(), stratum)

    def _selected(self, *_: object) -> None:
        some = self.table.selectionModel().hasSelection()
        self.batch.enable_setters(some)

    def _columns(self) -> tuple[TableColumn[ArticleLine], ...]:
        def batch(line: ArticleLine) -> str:
            return tr("next") if line.article.id in self._model.chosen_ids else wording.used_word(line.article)

        def stratum(line: ArticleLine) -> NewsStratum | None:
            return self._model.strata.get(line.article.stratum)

        return (
            TableColumn(
                title=tr("Published"),
                text=lambda line: wording.published_short(line.article),
                tip=lambda line: wording.published(line.article),
                width=150,
            ),
            TableColumn(
                title=tr("Headline"),
                text=lambda line: line.article.headline,
                tip=lambda line: line.article.description,
                icon=lambda line: ("calibration", "synthetic") if line.article.synthetic else None,
                strong=True,
                stretch=True,
            ),
            TableColumn(
                title=tr("Stratum"),
                text=lambda line: wording.stratum_short(line.article, stratum(line)),
                tip=lambda line: wording.stratum_long(line.article, stratum(line)),
                spoken=lambda line: wording.stratum_long(line.article, stratum(line)),
                icon=lambda line: wording.stratum_icon(stratum(line)),
                width=185,
            ),
            TableColumn(
                title=tr("Source"),
                text=wording.source_and_marks,
                tip=wording.source_and_marks,
                token=lambda _: "text_secondary",
                width=160,
                spare=1,
            ),
            TableColumn(
                title=tr("Batch"),
                text=batch,
                icon=lambda line: ("check", "accent") if line.article.id in self._model.chosen_ids else None,
                width=85,
            ),
        )
