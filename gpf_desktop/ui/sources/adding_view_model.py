"""State of the box that takes anything: what was found there, and which of it is ticked."""

from collections.abc import Callable, Sequence
from concurrent.futures import Future
from enum import Enum, auto
from functools import partial
from typing import Any

from PySide6.QtCore import QObject, Signal

from gpf_desktop.domain.articles import Dropped
from gpf_desktop.domain.errors import GpfError
from gpf_desktop.domain.events import AuditClosed
from gpf_desktop.domain.ids import SourceId
from gpf_desktop.domain.text import tr, trn
from gpf_desktop.engine.collect.discovery import SITE, Candidate, Detection
from gpf_desktop.engine.collect.news_catalogue import CatalogueSource, Publisher, news_catalogue
from gpf_desktop.engine.collect.source_service import SourceService
from gpf_desktop.ui.bridge import Pending
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.messages import Remedy
from gpf_desktop.ui.page import ViewModel
from gpf_desktop.ui.wording import count

_TOPIC = "adding"


class Stage(Enum):
    """The stage of adding a source."""

    IDLE = auto()
    LOOKING = auto()
    FOUND = auto()
    CATALOGUE = auto()
    ADDING = auto()


class AddingViewModel(ViewModel):
    """Looks at what is typed, offers what it found, keeps what is ticked."""

    kept = Signal(str)
    """What was typed is in the list; the box is free for the next."""

    def __init__(self, context: Context, parent: QObject | None = None) -> None:
        super().__init__(context, parent)
        self.stage = Stage.IDLE
        self.problem = ""
        self.detection: Detection | None = None
        self.ticked: set[int] = set()
        self.shown = 0
        self.picked: set[str] = set()
        """Titles of catalogue sources that are ticked."""
        self._typed = ""
        self._looking: Future[Any] | None = None
        self._look = Pending()
        self._left = 0
        self._awaited: list[Pending] = []
        """What this audit was asked; nothing of it may arrive in another one."""
        self.listen(self._audit_closed, AuditClosed)

    @property
    def can_look(self) -> bool:
        return self.context.engine.has_open_audit and self.stage not in {Stage.LOOKING, Stage.ADDING}

    @property
    def catalogue(self) -> tuple[Publisher, ...]:
        return news_catalogue()

    @property
    def candidates(self) -> tuple[Candidate, ...]:
        return () if self.detection is None else self.detection.candidates

    @property
    def preview(self) -> Candidate | None:
        return self.candidates[self.shown] if self.shown < len(self.candidates) else None

    @property
    def title(self) -> str:
        """“RSS, Atom or RDF feed: Example news”."""
        if self.detection is None:
            return ""
        if self.detection.title:
            return tr("{kind}: {title}", kind=self.detection.words, title=self.detection.title)
        return self.detection.words

    @property
    def summary(self) -> str:
        """A line on the content of the shown candidate, in numbers."""
        candidate = self.preview
        if candidate is None:
            return ""
        words = trn("{n} item", "{n} items", candidate.kept)
        if candidate.dropped:
            reasons = list(dict.fromkeys(dropped.reason for dropped in candidate.dropped))
            words = tr(
                "{items}; {n} dropped: {why}", items=words, n=count(len(candidate.dropped)), why="; ".join(reasons[:2])
            )
        return (
            tr("{words}; {n} more over the cap", words=words, n=count(candidate.uncounted))
            if candidate.uncounted
            else words
        )

    @property
    def add_words(self) -> str:
        return trn("Add this source", "Add {n} sources", max(1, len(self.ticked)))

    def look(self, typed: str) -> None:
        """Find out what *typed* is."""
        typed = typed.strip()
        if not typed or self.stage is Stage.LOOKING:
            return
        if not self.context.engine.has_open_audit:
            self.problem = tr("Open or make an audit first: sources are kept in it.")
            self.touch_now()
            return
        self._typed = typed
        self.problem = ""
        self.detection = None
        self.stage = Stage.LOOKING
        self.touch_now()
        self._looking = self._service().detect(typed)
        self._look = self._await(self._looking, self._found, self._not_found, latest="look")

    def cancel(self) -> None:
        """Back to the lists; a look under way is given up."""
        if self._looking is not None:
            self._looking.cancel()
        # One that has ended is told of no more either.
        self._look.cancel()
        self.stage = Stage.IDLE
        self.problem = ""
        self.detection = None
        self.touch_now()

    def tick(self, at: int, on: bool) -> None:
        (self.ticked.add if on else self.ticked.discard)(at)
        self.touch_now()

    @property
    def missed(self) -> tuple[Dropped, ...]:
        """Feeds of a list that offer nothing now."""
        return () if self.detection is None else self.detection.missed

    @property
    def all_ticked(self) -> bool:
        return len(self.ticked) == len(self.candidates)

    def tick_all(self) -> None:
        """Tick every candidate, or none where all are ticked."""
        self.ticked = set() if self.all_ticked else set(range(len(self.candidates)))
        self.touch_now()

    def show(self, at: int) -> None:
        """Preview the candidate at *at*."""
        if at != self.shown and 0 <= at < len(self.candidates):
            self.shown = at
            self.touch_now()

    def add(self) -> None:
        """Keep what is ticked."""
        chosen = [candidate for at, candidate in enumerate(self.candidates) if at in self.ticked]
        if not chosen:
            return
        note = " ".join(self.detection.notes) if self.detection is not None else ""
        self.stage = Stage.ADDING
        self.touch_now()
        service = self._service()
        there = {row.id for row in service.sources()}
        future = service.add(chosen, typed=self._typed, note=note)
        self._await(future, partial(self._added, self._typed, there), self._not_added)

    def open_catalogue(self) -> None:
        self.problem = ""
        self.stage = Stage.CATALOGUE
        self.touch_now()

    def pick(self, source: CatalogueSource, on: bool) -> None:
        (self.picked.add if on else self.picked.discard)(source.title)
        self.touch_now()

    def add_picked(self) -> None:
        """Add the catalogue sources that are ticked, each by the first of its ways that works."""
        sources = [
            source for publisher in self.catalogue for source in publisher.sources if source.title in self.picked
        ]
        if sources:
            self._add_catalogue(sources)

    def _add_catalogue(self, sources: list[CatalogueSource]) -> None:
        self.picked.clear()
        self.stage = Stage.ADDING
        self._left = len(sources)
        self.touch_now()
        service = self._service()
        for source in sources:
            found = service.detect_first(source.ways)
            self._await(found, partial(self._keep_entry, service, source), partial(self._entry_failed, source))

    def _keep_entry(self, service: SourceService, source: CatalogueSource, found: Detection) -> None:
        note = " ".join(found.notes)
        added = service.add(found.candidates[:1], note=note)
        self._await(added, lambda _: self._entry_done(), partial(self._entry_failed, source))
        if note:
            self.context.messages.info(f"{source.title}: {note}", topic=f"{_TOPIC}.{source.title}")

    def _entry_failed(self, source: CatalogueSource, error: BaseException) -> None:
        retry = Remedy(text=tr("Retry"), do=lambda: self._add_catalogue([source]))
        words = error.what if isinstance(error, GpfError) else str(error)
        self.context.messages.error(
            tr("{source} could not be added. {why}", source=source.title, why=words),
            retry,
            topic=f"{_TOPIC}.{source.title}",
        )
        self._entry_done()

    def _entry_done(self) -> None:
        self._left -= 1
        if self._left <= 0 and self.stage is Stage.ADDING:
            self.stage = Stage.IDLE
        self.touch_now()

    def _await(
        self,
        future: Future[Any],
        then: Callable[[Any], object],
        failed: Callable[[BaseException], object],
        latest: str = "",
    ) -> Pending:
        self._awaited = [pending for pending in self._awaited if not pending.over]
        pending = self.context.bridge.follow(future, then=then, failed=failed, owner=self, latest=latest)
        self._awaited.append(pending)
        return pending

    def _audit_closed(self, _event: AuditClosed) -> None:
        """Forget what was found or ticked: it was meant for the audit that is gone."""
        for pending in self._awaited:
            pending.cancel()
        self._typed, self._left = "", 0
        self.ticked.clear()
        self.picked.clear()
        self.cancel()

    def _service(self) -> SourceService:
        return self.context.engine.open_audit.sources

    def _found(self, detection: Detection) -> None:
        self.detection = detection
        # A site offers the same news in several ways; a list names sources that somebody chose.
        self.ticked = {0} if detection.kind == SITE else set(range(len(detection.candidates)))
        self.shown = 0
        self.stage = Stage.FOUND
        self.touch_now()

    def _not_found(self, error: BaseException) -> None:
        self.stage = Stage.IDLE
        self.problem = self.context.messages.words_of(error)
        self.touch_now()

    def _not_added(self, error: BaseException) -> None:
        if self.stage is Stage.ADDING:
            self._not_found(error)
        else:
            self.context.messages.failure(error, topic=_TOPIC)

    def _added(self, typed: str, there: set[SourceId], added: Sequence[SourceId]) -> None:
        # Given up meanwhile, something else may be looked at by now.
        if self.stage is Stage.ADDING:
            self.stage = Stage.IDLE
            self.detection = None
            self._typed = ""
        ids = set(added)
        new, known = len(ids - there), len(ids & there)
        words = [trn("{n} source was added.", "{n} sources were added.", new)] if new else []
        if known:
            words.append(trn("{n} source was in the list already.", "{n} sources were in the list already.", known))
        self.context.messages.success(" ".join(words), topic=_TOPIC)
        self.kept.emit(typed)
        self.touch_now()
