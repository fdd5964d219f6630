"""Looking for words in the whole audit, and reading just the bundles that have them."""

from PySide6.QtCore import QObject, Signal

from gpf_desktop.domain.review_queue import QueueFilter
from gpf_desktop.domain.text import tr, trn
from gpf_desktop.engine.review.review_service import ReviewService
from gpf_desktop.engine.review.search_service import SearchFound
from gpf_desktop.ui.audit_timer import AuditTimer
from gpf_desktop.ui.review.review_view_model import ReviewViewModel
from gpf_desktop.ui.wording import count

_AGAIN_MS = 1000
"""While answers are still being indexed, what was found is told anew this often."""


class SearchViewModel(QObject):
    """One search at a time: the last words typed win."""

    found = Signal(str)
    """What was found, in words; empty: nothing was looked for."""

    def __init__(self, model: ReviewViewModel, parent: QObject) -> None:
        super().__init__(parent)
        self._model = model
        self.words = ""
        self.last: SearchFound | None = None
        self._again = AuditTimer(model.context.bridge, self, _AGAIN_MS, lambda: self.look_for(self.words))

    def begin(self) -> None:
        """Index what came since, so that it is there once words are typed."""
        service = self._model.service
        if service is not None:
            service.search.catch_up()

    def look_for(self, words: str) -> None:
        service, self.words, self.last = self._model.service, words.strip(), None
        self._again.stop()
        if not self.words or service is None:
            self.found.emit("")
            return
        self._model.context.bridge.run(
            _find, service, self.words, self._model.blind, then=self._found, owner=self, latest="search"
        )

    def show_as_queue(self) -> None:
        """Read just the bundles that have the words."""
        if self.last is not None and self.last.bundles:
            wanted = QueueFilter(arm=None, bundle_ids=self.last.bundles)
            self._model.filters.set_filter(wanted, tr("search “{words}”", words=self.words))

    def _found(self, found: tuple[str, SearchFound]) -> None:
        words, self.last = found
        # An emptied field begins no read that would take the place of the last one, which still arrives.
        if words == self.words:
            self.found.emit(found_words(self.last))
            if self.last.waiting:
                self.begin()
                self._again.start()


def _find(service: ReviewService, words: str, blind: bool) -> tuple[str, SearchFound]:
    return words, service.search.find(words, blind=blind)


def found_words(found: SearchFound) -> str:
    """340 answers, 1 news item's bundles; in 85 bundles"""
    parts = []
    many = count(found.answers)
    if found.more:
        parts.append(tr("more than {n} answers", n=many))
    elif found.answers:
        parts.append(trn("{many} answer", "{many} answers", found.answers, many=many))
    if found.news:
        parts.append(trn("item of {many} set", "items of {many} sets", found.news, many=count(found.news)))
    if found.notes:
        parts.append(trn("notes on {many} set", "notes on {many} sets", found.notes, many=count(found.notes)))
    said = tr("In the audit: {parts}", parts=", ".join(parts)) if parts else tr("nowhere else in the audit")
    if found.moved:
        moved = trn(
            "{many} moved text not searched", "{many} moved texts not searched", found.moved, many=count(found.moved)
        )
        said = f"{said} · {moved}"
    if not found.waiting:
        return said
    waiting = trn(
        "{many} answer not searched yet",
        "{many} answers not searched yet",
        found.waiting,
        many=count(found.waiting),
    )
    return f"{said} · {waiting}"
