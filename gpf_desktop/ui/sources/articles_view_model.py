"""State of the list of articles: what is shown, each one's stratum, and the choice of the next batch."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from PySide6.QtCore import QObject

from gpf_desktop.domain.events import AuditClosed, AuditOpened, RunPlanned, SourcesChanged
from gpf_desktop.domain.ids import ArticleId, SourceId
from gpf_desktop.domain.news_strata import NewsStratum
from gpf_desktop.domain.text import tr, trn
from gpf_desktop.engine.collect.choosing import ChosenArticles
from gpf_desktop.engine.collect.source_service import ArticleLine, SourceService
from gpf_desktop.storage.articles import ArticleFilter, Revision
from gpf_desktop.ui.bridge import Pending
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.page import ViewModel
from gpf_desktop.ui.sources.kinds_of_news import KindsOfNews


class ArticlesViewModel(ViewModel):
    """The articles of all sources in use, or of one, newest first."""

    def __init__(self, context: Context, parent: QObject | None = None) -> None:
        super().__init__(context, parent)
        self.wanted = ArticleFilter()
        self.ids: Sequence[ArticleId] = ()
        self._kinds = KindsOfNews(context, self, self._changed)
        self.generation = 0
        """Rises whenever the rows behind *ids* may have changed."""
        self.in_batches = True
        """Rounds of the audit ask about its news."""
        self.strata: Mapping[str, NewsStratum] = {}
        """By their stored names; empty: the audit's method keeps news together."""
        self.sizes = {"": 1}
        """How many articles the next batch shall have, of each stratum; in all under an empty name."""
        self.chosen: ChosenArticles | None = None
        self._choosing = Pending()
        self._choosing.cancel()
        self._leads_on = False
        """A round is set up as soon as the choice is there."""
        self.selected: ArticleLine | None = None
        self.revisions: tuple[Revision, ...] = ()
        self.listen(lambda _: self.refresh(), SourcesChanged, RunPlanned)
        self.listen(self._opened, AuditOpened, AuditClosed)
        self.refresh()

    @property
    def narrowed(self) -> bool:
        return self.wanted != ArticleFilter()

    @property
    def planned_ids(self) -> frozenset[ArticleId]:
        """Those that the next round asks about, as it is set up now."""
        return self._service().planned if self.in_batches and self.context.engine.has_open_audit else frozenset()

    @property
    def proposed_ids(self) -> frozenset[ArticleId]:
        """Those that are ticked there as soon as a round is set up from here."""
        return frozenset() if self.chosen is None or not self.in_batches else frozenset(self.chosen.ids)

    @property
    def choice_words(self) -> str:
        """Words on what the choice comes to, and on what it lacks."""
        if self.chosen is None:
            return ""
        found = Counter(article.stratum for article in self.chosen.articles)
        of_each = [tr("{n} {stratum}", n=found[name], stratum=each.short) for name, each in self.strata.items()]
        articles = tr(" and ").join(of_each) or trn("{n} article", "{n} articles", found.total())
        words = [tr("Proposed: {articles}, newest first", articles=articles)]
        for name, lacking in self.chosen.lacking.items():
            title = self.strata[name].title
            words.append(tr("{n} {stratum} lacking: fetch, or change the kind of some", n=lacking, stratum=title))
        if self.chosen.near_duplicates:
            words.append(
                trn(
                    "{n} passed over as nearly the same",
                    "{n} passed over as nearly the same",
                    self.chosen.near_duplicates,
                )
            )
        return " · ".join(words)

    @property
    def why_not_ready(self) -> str:
        """The reason why no round can be set up with the choice; empty where there is none."""
        if self.chosen is None or not self.chosen.articles:
            return tr("no unused article is chosen")
        return ""

    def refresh(self) -> None:
        """Read the list and the choice again."""
        if not self.context.engine.has_open_audit:
            self._show([])
            return
        service = self._service()
        self.context.bridge.run(service.asked_about, then=self._show_use, latest="use")
        self.context.bridge.run(service.strata, then=self._show_strata, latest="strata")
        self.context.bridge.run(service.article_ids, self.wanted, then=self._show, latest="ids")

    def narrow(self, **changes: object) -> None:
        """Change a field of the filter."""
        wanted = replace(self.wanted, **changes)  # type: ignore[arg-type]
        if wanted != self.wanted:
            self.wanted = wanted
            self.refresh()

    def show_all(self) -> None:
        self.narrow(source_id=None, stratum=None, unused=False, words="")

    def load(self, ids: Sequence[ArticleId], then: Callable[[Sequence[ArticleLine]], None]) -> None:
        """Rows of a part of the list, as the table asks for them."""
        if self.context.engine.has_open_audit:
            self.context.bridge.run(self._service().lines, list(ids), then=then, owner=self)

    def select(self, line: ArticleLine | None) -> None:
        """Show *line* in the inspector."""
        self.selected = line
        self.revisions = ()
        self.touch_now()
        if line is not None:
            self.context.bridge.run(
                self._service().revisions, line.article.id, then=self._show_revisions, latest="revisions"
            )

    def set_stratum(self, lines: Sequence[ArticleLine], stratum: NewsStratum) -> None:
        """The auditor's own word, with a way back."""
        self._kinds.call([line.article for line in lines], stratum)

    def set_size(self, stratum: str, articles: int) -> None:
        """Have so many *articles* of *stratum* in the next batch; of no stratum: in all."""
        self.sizes[stratum] = articles
        if self.context.engine.has_open_audit:
            self._service().sizes[stratum] = articles
        self._choose()

    def set_up_round(self) -> None:
        """Go to Runs with the articles chosen; with those of the size typed last, once they are chosen."""
        self._leads_on = not self._choosing.over
        if self._leads_on:
            return
        if self.chosen is not None and self.chosen.articles:
            self.context.navigator.go("runs", setup=True, articles=tuple(self.chosen.ids))

    def only(self, source_id: SourceId | None) -> None:
        self.narrow(source_id=source_id)

    def _choose(self) -> None:
        if self.context.engine.has_open_audit:
            self._choosing = self.context.bridge.run(
                self._service().next_batch, then=self._show_choice, latest="choice"
            )

    def _service(self) -> SourceService:
        return self.context.engine.open_audit.sources

    def _show_use(self, in_batches: bool) -> None:
        self.in_batches = in_batches
        self.touch()

    def _show_strata(self, strata: Sequence[NewsStratum]) -> None:
        self.strata = {each.name: each for each in strata}
        sizes = self._service().sizes if self.context.engine.has_open_audit else {}
        self.sizes = {name: sizes.get(name, 1) for name in self.strata or ("",)}
        self._choose()

    def _show(self, ids: Sequence[ArticleId]) -> None:
        self.ids = ids
        self.generation += 1
        self.touch()

    def _show_choice(self, chosen: ChosenArticles) -> None:
        self.chosen = chosen
        self.generation += 1
        self.touch()
        if self._leads_on:
            self.set_up_round()

    def _show_revisions(self, revisions: list[Revision]) -> None:
        self.revisions = tuple(revisions)
        self.touch_now()

    def _changed(self, article_ids: Sequence[ArticleId]) -> None:
        if self.selected is not None and self.selected.article.id in article_ids:
            shown = [self.selected.article.id]
            self.context.bridge.run(self._service().lines, shown, then=self._reselect, latest="selected")

    def _reselect(self, lines: list[ArticleLine]) -> None:
        if lines:
            self.selected = lines[0]
            self.touch_now()

    def _opened(self, _event: object) -> None:
        self.wanted = ArticleFilter()
        self.selected, self.chosen, self._leads_on = None, None, False
        self.refresh()
