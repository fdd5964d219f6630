"""The articles that a round asks about: new ones, ticked, or those of an earlier batch."""

from collections.abc import Mapping
from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QComboBox

from gpf_desktop.domain.articles import Article
from gpf_desktop.domain.ids import BatchId
from gpf_desktop.domain.news_strata import NewsStratum
from gpf_desktop.domain.ports.method_abilities import SortsNews
from gpf_desktop.domain.text import tr, trn
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.sources.kinds_of_news import KindsOfNews
from gpf_desktop.ui.sources.wording import stratum_long, stratum_short
from gpf_desktop.ui.studies.study_view_model import StudyViewModel
from gpf_desktop.ui.widgets.buttons import button, link
from gpf_desktop.ui.widgets.cards import Card
from gpf_desktop.ui.widgets.columns import TableColumn
from gpf_desktop.ui.widgets.data_table import DataTable
from gpf_desktop.ui.widgets.fields import SearchField, offer
from gpf_desktop.ui.widgets.labels import caption
from gpf_desktop.ui.widgets.layouts import flowing
from gpf_desktop.ui.widgets.names import named
from gpf_desktop.ui.widgets.table_models import RowsTableModel
from gpf_desktop.ui.wording import count, moment

_STRATUM = 1
"""Place of the column that only methods have which keep groups of news apart."""
_HEADLINE = 400
"""Pixels at 100 % for a headline, before the source and the date of it have any."""
_KIND = 260
"""For what the news is about; its words are whole in the tool tip."""
_MOST = 1000
"""Rows of a table that stand in the form without a scroll bar of their own."""


class ArticlesCard(Card):
    """Shown for methods whose items come from sources."""

    def __init__(self, context: Context, model: StudyViewModel) -> None:
        super().__init__(tr("Articles"))
        self._model, self._news = model, model.news
        self._batch = named(QComboBox(minimumContentsLength=12), "setup.batch", tr("New articles, or an earlier batch"))
        self._batch.activated.connect(lambda _: self._news.set_batch(self._batch.currentData()))
        self.top.addWidget(self._batch)
        # The method, which is not known yet, has its own word for the group that it is most about.
        self._marked = button(tr("10 of the method's news"), self._take_marked, compact=True)
        self._picks = flowing(
            *(
                button(words, partial(self._news.take_newest, number), compact=True)
                for words, number in ((tr("Newest 1"), 1), (tr("Newest 10"), 10))
            ),
            self._marked,
            button(tr("None"), partial(self._news.take_newest, 0), compact=True),
        )
        self.search = SearchField(context.theme, tr("Words, or a day such as 2026-11-29"), name="setup.articles.search")
        self.search.sought.connect(self._news.look_for)
        self._rows: RowsTableModel[Article] = RowsTableModel(
            context.theme, self._columns(), key=lambda article: article.id
        )
        self._kinds = KindsOfNews(context, self)
        self._rows.ticked.connect(lambda article, on: self._news.take(article, on=on))
        self.table = DataTable(
            context.theme, self._rows, says=tr("Unused articles"), name="setup.articles", embedded=True
        )
        self._none = caption(tr("There are no unused articles. Fetch your sources, or add some."))
        self._to_sources = link(tr("Go to Sources"), lambda: context.navigator.go("sources"))
        self._more = link(tr("Show all"), self._show_all, name="setup.moreArticles")
        self._more.hide()
        self._sorted = caption()
        self.kinds: dict[str, QAction] = {}
        """By kind of news: calls the selected articles that. In the table's menu, with a key each."""
        for widget in (self.search, self._picks, self.table, self._sorted, self._more, self._none, self._to_sources):
            self.body.addWidget(widget)
        model.changed.connect(self.show_model)

    def show_model(self) -> None:
        """Paint the view-model's state."""
        news, strata = self._news, self._strata()
        self.setVisible(self._model.about_news)
        shown, new = news.shown, news.batch_id is None
        self._rows.set_rows(shown)
        if not news.articles:
            self.search.clear()
        more = len(news.fitting) - sum(article in shown for article in news.fitting)
        self._more.setVisible(bool(more) and new)
        self._more.setText(trn("Show {count} more", "Show {count} more", more, count=count(more)))
        self.table.fit_height(_MOST)
        self.table.leave_out(_STRATUM, out=not strata)
        marked = _marked(strata)
        if marked is not None:
            self._marked.setText(tr("10 {stratum}", stratum=marked.title))
        self._marked.setVisible(marked is not None)
        self._offer_kinds(strata)
        for widget in (self.search, self._picks, self.table):
            widget.setVisible(new and bool(news.articles))
        self._sorted.setVisible(new and bool(news.articles) and bool(strata))
        for widget in (self._none, self._to_sources):
            widget.setVisible(new and not news.articles)
        offered: list[tuple[str, BatchId | None]] = [(tr("New articles"), None)]
        for batch in news.batches:
            words = trn("{n} article", "{n} articles", batch.articles)
            offered.append((f"{batch.name} · {words}", batch.id))
        offer(self._batch, offered, news.batch_id)

    def _columns(self) -> list[TableColumn[Article]]:
        return [
            TableColumn(
                title=tr("Article"),
                text=lambda article: article.headline,
                checked=lambda article: article.id in self._news.chosen,
                tip=lambda article: article.description or tr("headline only"),
                width=_HEADLINE,
                stretch=True,
            ),
            TableColumn(
                title=tr("Kind of news"),
                text=lambda article: stratum_short(article, self._strata().get(article.stratum)),
                tip=lambda article: stratum_long(article, self._strata().get(article.stratum)),
                spoken=lambda article: stratum_long(article, self._strata().get(article.stratum)),
                width=_KIND,
            ),
            TableColumn(title=tr("Source"), text=lambda article: article.source_title, width=120, spare=2),
            TableColumn(
                title=tr("Published"),
                text=lambda article: moment(article.published),
                sort=lambda article: article.published,
                width=150,
                spare=1,
            ),
        ]

    def _strata(self) -> Mapping[str, NewsStratum]:
        """The groups of news that the method keeps apart, by their stored names; empty: it keeps none."""
        its: object = self._model.method
        return {each.name: each for each in its.strata} if isinstance(its, SortsNews) else {}

    def _offer_kinds(self, strata: Mapping[str, NewsStratum]) -> None:
        """An entry of the table's menu for each kind, and what is to be known of how they came about."""
        if [*self.kinds] != [*strata]:
            for action in self.kinds.values():
                self.table.removeAction(action)
                action.deleteLater()
            self.kinds = {each.name: self._kind(key, each) for key, each in enumerate(strata.values(), start=1)}
        its: object = self._model.method
        if isinstance(its, SortsNews):
            keys = tr("You can change the kind of the selected articles: by their menu, or by a key.")
            each = ", ".join(
                tr("{key}: {kind}", key=action.shortcut().toString(), kind=strata[name].short)
                for name, action in self.kinds.items()
            )
            self._sorted.setText(f"{its.sorted_by} {keys} ({each})")

    def _kind(self, key: int, stratum: NewsStratum) -> QAction:
        action = QAction(tr("Call it “{stratum}”", stratum=stratum.short), self.table)
        action.setShortcut(QKeySequence(str(key)))
        action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
        action.triggered.connect(lambda: self._kinds.call(self.table.selected_rows(), stratum))
        self.table.addAction(action)
        return action

    def _take_marked(self) -> None:
        if (marked := _marked(self._strata())) is not None:
            self._news.take_newest(10, marked.name)

    def _show_all(self) -> None:
        # Before the link goes: Qt would hand the keyboard on to the rail.
        self.table.setFocus()
        self._news.show_all()


def _marked(strata: Mapping[str, NewsStratum]) -> NewsStratum | None:
    """The group that the method is most about."""
    return next((each for each in strata.values() if each.marked), None)
