"""Long waits that take no time: a job's vendor gets on by as long as somebody waits for it."""

import asyncio
import threading

from tests.support.batch_servers import BatchServer


class Patience:
    """`rest` as an engine takes it. After *rests* waits nothing moves any more, and `stuck` is set."""

    def __init__(self, server: BatchServer, *, rests: int | None = None) -> None:
        self.waited: list[float] = []
        self.stuck = threading.Event()
        self._server = server
        self._left = rests

    async def rest(self, seconds: float) -> None:
        if self._left == 0:
            self.stuck.set()
            await asyncio.Event().wait()
        if self._left is not None:
            self._left -= 1
        self.waited.append(seconds)
        self._server.advance(seconds)
