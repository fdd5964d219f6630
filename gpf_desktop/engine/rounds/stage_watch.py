"""Plans the later stages of a run while it is asked, and tells its runners whether to wait for them."""

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from typing import Any

from gpf_desktop.domain.ids import FitGroupId

PlanNext = Callable[[FitGroupId], Coroutine[Any, Any, None]]


class StageWatch:
    """The stages of one execution; used on the engine loop only. *saving*: whether answers are on their way to the
    file."""

    def __init__(self, plan_next: PlanNext, saving: Callable[[], bool]) -> None:
        self.left: dict[FitGroupId, int] = {}
        """Group → stages not planned yet, of those that have any."""
        self._plan_next = plan_next
        self._saving = saving
        self.planned = 0
        """Times that a stage was planned: read it before cells are looked for, and tell it to `more` where none are."""
        self._planning: set[asyncio.Task[None]] = set()
        self._failure: BaseException | None = None
        self._waiting = 0
        self._runners: Sequence[asyncio.Task[None]] = ()
        self._stirred = asyncio.Event()

    def watch(self, runners: Sequence["asyncio.Task[None]"]) -> None:
        """Set the *runners* that may call `more`."""
        self._runners = runners
        for each in runners:
            # A runner that ends may have been the last that could bring cells for those that wait.
            each.add_done_callback(lambda _: self._stirred.set())

    def ended(self, group: FitGroupId, cells_open: int) -> None:
        """An answer of *group* was saved, and so many of its cells are open: plan its next stage where none is."""
        self._stirred.set()
        if cells_open == 0 and group in self.left:
            task = asyncio.get_running_loop().create_task(self._plan_next(group))
            self._planning.add(task)
            task.add_done_callback(self._ended)

    def now(self, group: FitGroupId, left: int) -> None:
        """Set how many stages of *group* are not planned yet."""
        self.left[group] = left
        if not left:
            del self.left[group]

    async def more(self, seen: int) -> bool:
        """Called by a runner that found nothing to ask when *planned* was *seen*: True once a stage was planned since,
        False where none can be any more.

        Raises what planning raised.
        """
        self._waiting += 1
        # Those that wait already count the runners at work anew: this one may have been the last.
        self._stirred.set()
        try:
            while self.planned == seen and self._failure is None:
                if not (self.left or self._planning) or self._all_still():
                    # The others that wait come to the same end.
                    self._stirred.set()
                    return False
                self._stirred.clear()
                await self._stirred.wait()
        finally:
            self._waiting -= 1
        if self._failure is not None:
            raise self._failure
        return True

    async def settle(self) -> None:
        """Wait until nothing is being planned. Raises what planning raised."""
        while self._planning:
            await asyncio.wait(self._planning)
        if self._failure is not None:
            raise self._failure

    def _all_still(self) -> bool:
        """Whether nothing is under way that could end a cell: what is left rests on cells that nobody asks now."""
        at_work = sum(not runner.done() for runner in self._runners) - self._waiting
        return not (self._planning or self._saving() or at_work > 0)

    def _ended(self, task: "asyncio.Task[None]") -> None:
        self._planning.discard(task)
        self.planned += 1
        if not task.cancelled() and (error := task.exception()) is not None:
            self._failure = self._failure or error
        self._stirred.set()
