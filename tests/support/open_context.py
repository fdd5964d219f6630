"""An open audit with everything a stage works with, and what it announced.

with OpenBench(tmp_path) as bench: SourceService(bench.bench).fetch().result()
bench.events, bench.of(SourceFetched), bench.wait_for(SourceFetched)
"""

import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import TracebackType
from typing import Self, TypeVar

from gpf_desktop.domain.events import Event
from gpf_desktop.engine.core.context import EngineContext
from gpf_desktop.engine.core.loop_thread import LoopThread
from gpf_desktop.engine.core.scoring_pool import ScoringPool
from gpf_desktop.settings.keys import KeyRing
from gpf_desktop.storage.audit_file import AuditFile

E = TypeVar("E")


class OpenBench:
    """Closed by leaving the block."""

    def __init__(self, folder: Path) -> None:
        self.events: list[Event] = []
        self._said = threading.Condition()
        self._threads = ThreadPoolExecutor(4, thread_name_prefix="test-worker")
        self.context = EngineContext(
            audit=AuditFile.create(folder / "audit.gpf", title="Evening round"),
            emit=self._emit,
            loop=LoopThread(),
            threads=self._threads,
            scoring=ScoringPool(),
            keys=KeyRing(),
        )

    def of(self, kind: type[E]) -> list[E]:
        """The events of one kind, in their order."""
        return [event for event in self.events if isinstance(event, kind)]

    def wait_for(self, kind: type[E]) -> E:
        """The first event of one kind; fails where none comes within ten seconds."""
        with self._said:
            assert self._said.wait_for(lambda: self.of(kind), 10), f"no {kind.__name__} came"
            return self.of(kind)[0]

    def _emit(self, event: Event) -> None:
        with self._said:
            self.events.append(event)
            self._said.notify_all()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.context.loop.close()
        self.context.audit.close()
        self.context.scoring.close()
        self._threads.shutdown()
