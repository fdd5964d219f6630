"""The context that every stage works with while one audit is open."""

import asyncio
from collections.abc import Callable, Coroutine
from concurrent.futures import Executor, Future
from dataclasses import dataclass
from typing import Any, TypeVar

from gpf_desktop.domain.events import Event
from gpf_desktop.engine.core.loop_thread import LoopThread
from gpf_desktop.engine.core.worker_pool import WorkerPool
from gpf_desktop.settings.keys import KeyRing
from gpf_desktop.storage.audit_file import AuditFile, Read
from gpf_desktop.storage.writer import Write

T = TypeVar("T")
Emit = Callable[[Event], None]
Rest = Callable[[float], Coroutine[Any, Any, None]]


async def sleep(seconds: float) -> None:
    await asyncio.sleep(seconds)


@dataclass(frozen=True, slots=True, kw_only=True)
class EngineContext:
    """The open audit and the engine's shared means. Stages hold it; they own nothing in it."""

    audit: AuditFile
    emit: Emit
    """Announces an event; may be called from any thread."""
    loop: LoopThread
    threads: Executor
    """For work that blocks: large reads, parsing, exports."""
    scoring: WorkerPool
    """Workers for scorers, here or of a cluster."""
    keys: KeyRing
    rest: Rest = sleep
    """Waits long waits, in seconds: those between two looks at a batch job."""

    async def write(self, write: Write[T]) -> T:
        """Awaited on the engine loop: durable when it returns."""
        # Who is cancelled here takes back a write that still waits for its turn; one that has begun is committed.
        return await asyncio.wrap_future(self.audit.write(write))

    async def read(self, read: Read[T]) -> T:
        """A read that must not hold up the loop."""
        return await self.loop.loop.run_in_executor(self.threads, self.audit.read, read)

    def spawn(self, work: Callable[[], T]) -> "Future[T]":
        """Run *work* on a worker thread."""
        return self.threads.submit(work)
