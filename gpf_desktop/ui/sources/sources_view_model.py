"""State of the page Sources: the sources and how they fare."""

from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from functools import partial
from typing import Any

from PySide6.QtCore import QObject

from gpf_desktop.domain.articles import Dropped
from gpf_desktop.domain.events import (
    AuditClosed,
    AuditOpened,
    SourceFailed,
    SourceFetched,
    SourcesChanged,
    TaskProgressed,
    TaskSucceeded,
)
from gpf_desktop.domain.ids import SourceId
from gpf_desktop.domain.text import tr, trn
from gpf_desktop.engine.collect.source_health import Health, health_of
from gpf_desktop.engine.collect.source_service import FETCH_TASK, SourceService
from gpf_desktop.storage.sources import SourceRow
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.messages import Remedy
from gpf_desktop.ui.page import ViewModel
from gpf_desktop.ui.wording import count_of

_TOPIC = "sources"


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceLine:
    """A source as the table shows it."""

    row: SourceRow
    health: Health
    fetching: bool


class SourcesViewModel(ViewModel):
    """Sources, fetched and removed here; every engine call goes through the bridge."""

    def __init__(self, context: Context, parent: QObject | None = None) -> None:
        super().__init__(context, parent)
        self.lines: tuple[SourceLine, ...] = ()
        self.articles = 0
        self.free = 0
        self.loaded = False
        self.progress = ""
        self.selected: SourceLine | None = None
        self.dropped: tuple[Dropped, ...] = ()
        self._rows: tuple[SourceRow, ...] = ()
        self._fetching: Future[Any] | None = None
        self._under_way: set[SourceId] = set()
        self._failed = 0
        self.listen(lambda _: self.refresh(), SourcesChanged)
        self.listen(self._opened, AuditOpened, AuditClosed)
        self.listen(self._landed, SourceFetched, SourceFailed)
        self.listen(self._progressed, TaskProgressed)
        self.listen(self._fetched, TaskSucceeded)
        self.refresh()

    @property
    def audit_open(self) -> bool:
        return self.context.engine.has_open_audit

    @property
    def service(self) -> SourceService:
        return self.context.engine.open_audit.sources

    @property
    def fetching(self) -> bool:
        return self._fetching is not None and not self._fetching.done()

    @property
    def can_fetch(self) -> bool:
        return not self.fetching and any(line.health is not Health.TEXT for line in self.lines)

    @property
    def subtitle(self) -> str:
        if not self.lines:
            return ""
        held = trn("{n} source", "{n} sources", len(self.lines))
        return tr("{sources}, {free} articles not used yet", sources=held, free=count_of(self.free, self.articles))

    def refresh(self) -> None:
        """Read the sources again."""
        if self.audit_open:
            self.context.bridge.run(self._read, self.service, then=self._show, latest="sources")
        else:
            self._show(((), 0, 0))

    def select(self, line: SourceLine | None) -> None:
        """Show *line* in the inspector, with what was dropped and why."""
        self.selected = line
        self.dropped = ()
        self.touch_now()
        if line is not None:
            self.context.bridge.run(self.service.dropped, line.row.id, then=self._show_dropped, latest="dropped")

    def fetch_all(self) -> None:
        self._fetch(None)

    def fetch(self, lines: Sequence[SourceLine]) -> None:
        """Just these, those that are gone included."""
        self._fetch([line.row.id for line in lines])

    def stop(self) -> None:
        """Cancel what is being fetched; what has come stays."""
        if self._fetching is not None:
            self._fetching.cancel()
        # Ended here: the bridge tells nobody of a future that was cancelled.
        self._under_way.clear()
        self.progress = ""
        self._rebuild()
        self.touch_now()

    def remove(self, lines: Sequence[SourceLine]) -> None:
        """Take sources off the list, with a way back."""
        ids = [line.row.id for line in lines]
        if not ids:
            return
        service = self.service
        name = lines[0].row.title
        words = (
            tr("“{name}” was removed.", name=name)
            if len(ids) == 1
            else trn("{n} source was removed.", "{n} sources were removed.", len(ids))
        )
        undo = Remedy(text=tr("Undo"), do=lambda: self._follow(service.restore(ids)))
        self._follow(service.remove(ids), lambda _: self.context.messages.success(words, undo, topic=_TOPIC))

    def add_sample(self) -> None:
        """The invented news that ship with the program."""
        self._follow(self.service.add_sample())

    def find(self, source_id: SourceId) -> SourceLine | None:
        return next((line for line in self.lines if line.row.id == source_id), None)

    def _fetch(self, ids: list[SourceId] | None) -> None:
        if self.fetching:
            return
        left_out = {Health.TEXT, Health.GONE} if ids is None else {Health.TEXT}
        self._under_way = {
            line.row.id for line in self.lines if line.health not in left_out and (ids is None or line.row.id in ids)
        }
        self._failed = 0
        self.context.messages.clear(_TOPIC)
        self._fetching = self.service.fetch(ids)
        self._rebuild()
        self.touch_now()
        fetching = self._fetching
        self._follow(fetching, lambda _: self._rested(fetching), partial(self._fetch_failed, fetching))

    def _follow(
        self,
        future: "Future[Any]",
        then: Callable[[Any], object] | None = None,
        failed: Callable[[BaseException], object] | None = None,
    ) -> None:
        self.context.bridge.follow(future, then=then, failed=failed, owner=self)

    @staticmethod
    def _read(service: SourceService) -> tuple[tuple[SourceRow, ...], int, int]:
        counts = service.counts()
        return tuple(service.sources()), sum(each.total for each in counts), sum(each.free for each in counts)

    def _show(self, found: tuple[tuple[SourceRow, ...], int, int]) -> None:
        self._rows, self.articles, self.free = found
        self.loaded = True
        self._rebuild()

    def _rebuild(self) -> None:
        self.lines = tuple(
            SourceLine(row=row, health=health_of(row), fetching=row.id in self._under_way) for row in self._rows
        )
        if self.selected is not None:
            self.selected = self.find(self.selected.row.id)
        self.touch()

    def _show_dropped(self, dropped: list[Dropped]) -> None:
        self.dropped = tuple(dropped)
        self.touch_now()

    def _landed(self, event: SourceFetched | SourceFailed) -> None:
        self._under_way.discard(event.source_id)
        self._failed += isinstance(event, SourceFailed)
        self.refresh()
        if self.selected is not None and self.selected.row.id == event.source_id:
            self.select(self.selected)

    def _progressed(self, event: TaskProgressed) -> None:
        if event.task == FETCH_TASK and event.of and self.fetching:
            self.progress = tr("{done} fetched", done=count_of(event.done, event.of))
            self.touch()

    def _fetched(self, event: TaskSucceeded) -> None:
        if event.task != FETCH_TASK or self._fetching is None:
            return
        if self._failed:
            retry = Remedy(text=tr("Retry those"), do=self.retry_failing)
            self.context.messages.warning(event.sentence, retry, topic=_TOPIC)
        else:
            self.context.messages.success(event.sentence, topic=_TOPIC)

    def retry_failing(self) -> None:
        self.fetch([line for line in self.lines if line.health is Health.FAILING])

    def _rested(self, fetching: "Future[Any] | None") -> None:
        # Another one may have been begun before this was told.
        if self._fetching is not fetching:
            return
        self._fetching = None
        self._under_way.clear()
        self.progress = ""
        self._rebuild()

    def _fetch_failed(self, fetching: "Future[Any]", error: BaseException) -> None:
        self._rested(fetching)
        self.context.messages.failure(error, Remedy(text=tr("Retry"), do=self.fetch_all), topic=_TOPIC)

    def _opened(self, _event: object) -> None:
        self.selected, self.dropped, self.loaded = None, (), False
        self._fetching = None
        self._rested(None)
        self.refresh()
