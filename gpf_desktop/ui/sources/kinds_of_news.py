"""A person's choice of what news is about, with a way back; from every page that lists articles."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QObject

from gpf_desktop.domain.articles import Article
from gpf_desktop.domain.ids import ArticleId
from gpf_desktop.domain.news_strata import NewsStratum
from gpf_desktop.domain.text import tr, trn
from gpf_desktop.engine.collect.source_service import StratumChange
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.messages import Remedy

_TOPIC = "stratum"


class KindsOfNews:
    """Kinds of news in the open audit; *owner* is the Qt object whose end ends what is under way."""

    def __init__(
        self,
        context: Context,
        owner: QObject,
        changed: Callable[[Sequence[ArticleId]], object] = lambda _: None,
    ) -> None:
        """*changed* is told of the articles whose kind was changed, and again when that is taken back."""
        self._context, self._owner, self._changed = context, owner, changed

    def call(self, articles: Sequence[Article], stratum: NewsStratum) -> None:
        """Take *articles* for news of *stratum* from now on; what is that already by a person's word stays."""
        ids = [each.id for each in articles if each.stratum != stratum.name or not each.stratum_by_auditor]
        if ids:
            changing = self._context.engine.open_audit.sources.set_stratum(ids, stratum.name)
            self._context.bridge.follow(changing, then=lambda before: self._told(stratum, before), owner=self._owner)

    def _told(self, stratum: NewsStratum, before: list[StratumChange]) -> None:
        words = trn(
            "{n} article is now {stratum}.",
            "{n} articles are now {stratum}.",
            len(before),
            stratum=stratum.title,
        )
        self._context.messages.success(words, Remedy(text=tr("Undo"), do=lambda: self._take_back(before)), topic=_TOPIC)
        self._changed([each.article_id for each in before])

    def _take_back(self, before: Sequence[StratumChange]) -> None:
        restoring = self._context.engine.open_audit.sources.restore_strata(before)
        ids = [each.article_id for each in before]
        self._context.bridge.follow(restoring, then=lambda _: self._changed(ids), owner=self._owner)
