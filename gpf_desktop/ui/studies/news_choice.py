"""The choice of the news that a round asks about."""

from collections.abc import Callable, Iterable
from functools import partial

from gpf_desktop.domain.articles import Article
from gpf_desktop.domain.ids import ArticleId, BatchId
from gpf_desktop.engine.rounds.setup_choices import SetupChoices
from gpf_desktop.storage.batches import Batch

NEWEST = 200
"""Unused articles offered; older ones are reached through a batch by stratum on the Sources page."""

SHOWN = 8
"""Articles that stand in the form before all are asked for: it scrolls as a whole, its tables never by themselves."""


class NewsChoice:
    """Unused articles, of which some are ticked, or an earlier batch; *told* is called with what has changed: what is
    asked about (True), or only what is shown."""

    def __init__(self, told: Callable[[bool], object]) -> None:
        self._chose, self._shows = partial(told, True), partial(told, False)
        self.articles: tuple[Article, ...] = ()
        self.batches: tuple[Batch, ...] = ()
        self.batch_id: BatchId | None = None
        self.chosen: set[ArticleId] = set()
        self._all = False
        self.words = ""

    @property
    def fitting(self) -> tuple[Article, ...]:
        """The articles that hold all words looked for, in headline, description, source or day (2026-11-29)."""
        return tuple(article for article in self.articles if article.holds(self.words))

    @property
    def ids(self) -> tuple[ArticleId, ...]:
        """The articles asked about, in the order in which they are offered; of an earlier batch none."""
        return () if self.batch_id is not None else tuple(a.id for a in self.articles if a.id in self.chosen)

    @property
    def number(self) -> int:
        """How many are asked about."""
        if self.batch_id is None:
            return len(self.chosen)
        return next((batch.articles for batch in self.batches if batch.id == self.batch_id), 0)

    @property
    def shown(self) -> tuple[Article, ...]:
        """The newest that fit, and what is chosen of the others; all that fit where they are wanted."""
        first = {a.id for a in (self.fitting if self._all else self.fitting[:SHOWN])}
        return tuple(a for a in self.articles if a.id in first or a.id in self.chosen)

    def look_for(self, words: str) -> None:
        """Show those that hold all of *words*; what is chosen stays chosen."""
        self.words = words
        self._shows()

    def show_all(self) -> None:
        self._all = True
        self._shows()

    def take(self, article: Article, *, on: bool) -> None:
        (self.chosen.add if on else self.chosen.discard)(article.id)
        self._chose()

    def take_newest(self, number: int, stratum: str | None = None) -> None:
        """Tick the *number* newest articles that fit, of one stratum or of any."""
        fitting = [article for article in self.fitting if stratum is None or article.stratum == stratum]
        self.chosen = {article.id for article in fitting[:number]}
        self._chose()

    def take_ids(self, article_ids: Iterable[ArticleId]) -> None:
        """Tick articles that were chosen on the Sources page; they are to be loaded."""
        self.batch_id, self.chosen = None, set(article_ids)

    def set_batch(self, batch_id: BatchId | None) -> None:
        """Ask an earlier batch again, or None for new articles."""
        self.batch_id = batch_id
        self._chose()

    def load(self, found: SetupChoices) -> None:
        self.articles, self.batches = found.articles, found.batches
        self.chosen &= {article.id for article in self.articles}

    def clear(self) -> None:
        """Forget what was chosen for one audit: in the next, a batch has another's number."""
        self.articles, self.batches, self.batch_id, self._all = (), (), None, False
        self.chosen, self.words = set(), ""
