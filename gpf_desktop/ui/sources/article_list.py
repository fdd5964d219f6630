"""The list of articles, newest first, with each one's stratum, and the choice of the next batch under it."""

from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QCheckBox, QComboBox, QPushButton, QSpinBox

from gpf_desktop.domain.ids import ArticleId
from gpf_desktop.domain.news_strata import NewsStratum
from gpf_desktop.domain.text import tr
from gpf_desktop.engine.collect.source_service import ArticleLine
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.sources import wording
from gpf_desktop.ui.sources.articles_view_model import ArticlesViewModel
from gpf_desktop.ui.sources.sources_view_model import SourceLine
from gpf_desktop.ui.theme import Theme
from gpf_desktop.ui.theme.tokens import SPACE_2
from gpf_desktop.ui.widgets.boxes import PlainWidget, column_of, fill, hbox, vbox
from gpf_desktop.ui.widgets.buttons import button
from gpf_desktop.ui.widgets.cards import Card, EmptyState
from gpf_desktop.ui.widgets.choice_box import ChoiceBox
from gpf_desktop.ui.widgets.columns import TableColumn
from gpf_desktop.ui.widgets.data_table import DataTable
from gpf_desktop.ui.widgets.editors import whole_box
from gpf_desktop.ui.widgets.fields import SearchField, offer
from gpf_desktop.ui.widgets.labels import caption, heading, label
from gpf_desktop.ui.widgets.layouts import clear_layout, flowing
from gpf_desktop.ui.widgets.names import named
from gpf_desktop.ui.widgets.plain import plain_tip
from gpf_desktop.ui.widgets.table_models import PagedTableModel

_MOST = 500
_HEADLINE = 260
"""A headline's least width, in pixels at 100 %: where less is left, the column of sources makes room."""
_BOX = 72
"""A box's width, in pixels at 100 %."""

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
        self.source = named(ChoiceBox(12), "articles.source", tr("Source of the articles"))
        self.source.addItem(tr("All sources"), None)
        self.source.currentIndexChanged.connect(lambda at: model.narrow(source_id=self.source.itemData(at)))
        self.stratum = named(QComboBox(), "articles.stratum", tr("Kind of news"))
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
        choices = [(tr("All sources"), None), *((line.row.title, line.row.id) for line in lines)]
        offer(self.source, choices, self._model.wanted.source_id)

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
        """Size the parts that depend on the size of the text."""
        px = self._theme.px
        self.search.setFixedWidth(px(_SEARCH))
        self._title.setFixedSize(self._title.sizeHint().width() + SPACE_2, self.search.sizeHint().height())
        self.batch.size_boxes()
        self.table.setMinimumHeight(px(_LEAST))
        self._ask_for_room()

    def _show_strata(self) -> None:
        strata = self._model.strata
        offer(self.stratum, [(tr("All kinds of news"), None), *((each.title, each.name) for each in strata.values())])
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
            if line.article.id in self._model.planned_ids:
                return tr("next")
            proposed = line.article.id in self._model.proposed_ids
            return tr("proposed") if proposed else wording.used_word(line.article)

        def stratum(line: ArticleLine) -> NewsStratum | None:
            return self._model.strata.get(line.article.stratum)

        return (
            TableColumn(
                title=tr("Published"),
                text=lambda line: wording.published_short(line.article),
                tip=lambda line: wording.published(line.article),
                whole=True,
                width=150,
            ),
            TableColumn(
                title=tr("Headline"),
                text=lambda line: line.article.headline,
                tip=lambda line: line.article.description,
                icon=lambda line: ("synthetic", "synthetic") if line.article.synthetic else None,
                strong=True,
                stretch=True,
                width=_HEADLINE,
            ),
            TableColumn(
                title=tr("Kind of news"),
                text=lambda line: wording.stratum_short(line.article, stratum(line)),
                tip=lambda line: wording.stratum_long(line.article, stratum(line)),
                spoken=lambda line: wording.stratum_long(line.article, stratum(line)),
                icon=lambda line: wording.stratum_icon(stratum(line)),
                width=220,
            ),
            TableColumn(
                title=tr("Source"),
                text=wording.source_and_marks,
                tip=wording.source_and_marks,
                token=lambda _: "text_secondary",
                width=190,
                spare=1,
            ),
            TableColumn(
                title=tr("Batch"),
                text=batch,
                icon=lambda line: ("check", "accent") if line.article.id in self._model.planned_ids else None,
                width=85,
            ),
        )


class NextBatch(PlainWidget):
    """Follows the strata of the audit's method; one box for all articles where it keeps none."""

    def __init__(self, theme: Theme, model: ArticlesViewModel, set_stratum: Callable[[NewsStratum], None]) -> None:
        super().__init__()
        self._theme, self._model, self._set_stratum = theme, model, set_stratum
        self._column = vbox(parent=self)
        self._make()

    def show_model(self) -> bool:
        """Paint the view-model's state; whether other strata than before are shown."""
        made_anew = [*self._model.sizes] != [*self.boxes]
        if made_anew:
            self._make()
        self.round.setEnabled(not self._model.why_not_ready)
        self.round.setToolTip(plain_tip(self._model.why_not_ready))
        return made_anew

    def enable_setters(self, on: bool) -> None:
        for setter in self.setters.values():
            setter.setEnabled(on)

    def size_boxes(self) -> None:
        """Size the boxes by the size of the text."""
        for box in self.boxes.values():
            box.setFixedWidth(self._theme.px(_BOX))

    def _make(self) -> None:
        clear_layout(self._column)
        strata = self._model.strata
        self.setters: dict[str, QPushButton] = {name: self._setter(each) for name, each in strata.items()}
        """By stratum: calls the selected articles that."""
        self.boxes: dict[str, QSpinBox] = {name: self._box(name) for name in self._model.sizes}
        """As `ArticlesViewModel.sizes`."""
        self.round = button(tr("Set up a round"), self._model.set_up_round, name="articles.round")
        batch = PlainWidget()
        row = hbox(label(tr("Next batch")), parent=batch, spacing=SPACE_2)
        for name, box in self.boxes.items():
            row.addWidget(box)
            row.addWidget(label(strata[name].short if name else tr("articles")))
        self._column.addWidget(flowing(*self.setters.values(), batch, self.round))
        self.size_boxes()

    def _setter(self, stratum: NewsStratum) -> QPushButton:
        words = tr("Call it “{stratum}”", stratum=stratum.short)
        return button(words, partial(self._set_stratum, stratum), name=f"articles.to-{stratum.name}")

    def _box(self, name: str) -> QSpinBox:
        says = (
            tr("Articles in the next batch, {stratum}", stratum=self._model.strata[name].title)
            if name
            else tr("Articles in the next batch")
        )
        box = named(whole_box(0, _MOST), f"articles.size-{name}", says)
        box.setToolTip(plain_tip(says))
        box.setValue(self._model.sizes[name])
        box.valueChanged.connect(partial(self._model.set_size, name))
        return box
