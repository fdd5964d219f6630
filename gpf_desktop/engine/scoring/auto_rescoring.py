"""Keeps scores current by itself: answers that come later reach every setting in use, not only the primary one.

What is due is read from the store alone (`storage.fit_groups`), so a program that was killed in the middle goes on
where it stopped, and nothing is computed where nothing has changed. Settings that run a language model wait until no
round is being asked.
"""

import asyncio
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from functools import partial
from typing import Final

from gpf_desktop.domain.errors import GpfError, StorageError, UserError
from gpf_desktop.domain.events import (
    BundlesScored,
    Event,
    ReviewChanged,
    RunRested,
    RunStarted,
    TaskCancelled,
    TaskFailed,
    TaskProgressed,
    TaskSucceeded,
)
from gpf_desktop.domain.text import tr, trn
from gpf_desktop.engine.core.context import EngineContext
from gpf_desktop.engine.core.followed_task import failed
from gpf_desktop.engine.core.running_tasks import RunningTasks
from gpf_desktop.engine.scoring.newer_versions import left_unscored, renew
from gpf_desktop.engine.scoring.stale_scores import StaleScores, StaleSetting, refresh, stale_scores, stale_settings
from gpf_desktop.storage.fit_groups import StoredGroup

AUTO_RESCORING_TASK: Final = "auto rescoring"
_IN_VAIN: Final = 3
"""Looks in a row at which the same may be due: between two of them a reviewer may have corrected what scorers go by."""
_GATHER: Final = 0.5
"""Seconds in which articles that become complete while a round is asked are gathered."""


class AutoRescoring:
    """The automatic rescoring of one open audit. *changed* is called, on the engine's loop, after scores were added.

    *afterwards* is called on a worker thread when a round rests and everything is current; it may read the audit.
    """

    def __init__(self, context: EngineContext, changed: Callable[[], object], afterwards: Callable[[], object]) -> None:
        self._context = context
        self._changed = changed
        self._afterwards = afterwards
        self._tasks = RunningTasks(context.loop)
        self._working: Future[None] | None = None
        self._current: tuple[StaleScores, asyncio.Task[None]] | None = None
        self._again = self._rested = self._closed = False
        self._declined: set[int] = set()
        self._problems: dict[int, str] = {}
        self._trouble: GpfError | None = None
        self._tried: dict[int, tuple[tuple[StoredGroup, ...], int]] = {}
        """By setting, what was due of it at the last look, and at how many looks in a row."""

    def heard(self, event: Event) -> None:
        """Told of everything that the engine announces, from whatever thread."""
        match event:
            # Not after provisional ones: what they rest on grows on, and other settings would be computed for nothing.
            case BundlesScored(provisional=0) | ReviewChanged(corrected=True):
                self.look()
            case RunRested():
                self._on_loop(self._after_rest)
            case RunStarted():
                self._on_loop(self._make_way)

    def look(self) -> None:
        """See soon whether anything is due. Costs nothing where no second setting is in use."""
        self._on_loop(self._wake)

    def refresh(self) -> None:
        """The auditor asks for it: also what was cancelled or failed before is tried again."""
        self._declined.clear()
        self._problems.clear()
        self._trouble = None
        self.look()

    def cancel(self) -> None:
        """Stop computing the present setting; it stays behind until `refresh` or until the audit is opened again."""
        self._on_loop(self._decline)

    def settle(self) -> "Future[None]":
        """Done once everything is current that can be now. Raises what this machine kept from being computed, such as a
        full disk: scores that are missing for it say nothing of the audit."""
        return self._tasks.start(self._settled)

    def stale_settings(self) -> tuple[StaleSetting, ...]:
        """Settings whose scores do not rest on every answer yet. Reads the store."""
        return self._context.audit.read(lambda connection: stale_settings(connection, self._problems))

    def due(self) -> bool:
        """Whether scores are behind the answers that are there. Reads the store."""
        return self._context.audit.read(lambda connection: bool(left_unscored(connection) or stale_scores(connection)))

    def close(self) -> None:
        """End what is being computed; what was stored stays, the rest is due at the next opening."""
        self._closed = True
        self._tasks.cancel_all()

    def _on_loop(self, act: Callable[[], object]) -> None:
        if not self._closed:
            with suppress(RuntimeError):  # the program is ending
                self._context.loop.loop.call_soon_threadsafe(act)

    def _wake(self) -> None:
        self._again = True
        if self._working is None and not self._closed:
            self._working = self._tasks.start(self._work)

    def _after_rest(self) -> None:
        self._rested = True
        self._wake()

    def _make_way(self) -> None:
        # A language model takes the cores that the round's own scores need; what it has stored stays.
        if self._current is not None and self._current[0].costly:
            self._current[1].cancel()

    def _decline(self) -> None:
        if self._current is not None:
            self._declined.add(self._current[0].setting.id)
            self._current[1].cancel()

    async def _settled(self) -> None:
        while self._working is not None:
            await asyncio.wait([asyncio.shield(asyncio.wrap_future(self._working))])
        if self._trouble is not None:
            raise self._trouble

    async def _work(self) -> None:
        if isinstance(self._trouble, StorageError):
            self._trouble = None
        try:
            await self._work_off()
        except StorageError as error:
            # A full disk, say: what was due stays due, and whatever is asked of the audit next says so.
            self._again, self._trouble = False, error
        # Nobody awaits this work: what it does not tell of is lost, like a method that is not installed here.
        except Exception as error:
            self._again = False
            trouble = tr("What follows from new answers could not be computed.")
            self._context.emit(self._failed(error, trouble))
        finally:
            self._working = None

    async def _work_off(self) -> None:
        while self._again:
            # Before reading what is due: who asks from here on is heard by the next turn.
            self._again = False
            rested, self._rested = self._rested, False
            for method in await self._context.read(left_unscored):
                await self._context.write(partial(renew, method=method))
            due = [
                each
                for each in await self._context.read(stale_scores)
                # Or each look would begin them anew, and fail in the same way.
                if each.setting.id not in self._declined and each.setting.id not in self._problems
            ]
            due = self._without_stuck(due)
            if due:
                await self._announce(due)
            if rested:
                await self._context.loop.loop.run_in_executor(self._context.threads, self._afterwards)
            if self._again and not self._rested:
                await asyncio.sleep(_GATHER)

    def _failed(self, error: BaseException, trouble: str) -> TaskFailed:
        """*error* as it is told, and kept for who waits unless it is of the setting alone, as a model that is not
        there."""
        told = failed(AUTO_RESCORING_TASK, error, trouble)
        if not isinstance(error, UserError):
            remedy = told.remedy or tr("Look whether memory and disk have room, then try again.")
            self._trouble = GpfError(told.what, remedy, details=told.details)
        return told

    def _without_stuck(self, due: list[StaleScores]) -> list[StaleScores]:
        """*due* without what stays due whatever is computed, as in an audit whose counts are not its answers'."""
        before, self._tried = self._tried, {}
        for each in due:
            groups, times = before.get(each.setting.id, ((), 0))
            times = times + 1 if groups == each.groups else 1
            self._tried[each.setting.id] = each.groups, times
            if times > _IN_VAIN:
                what = tr("The scores “{setting}” stay behind their answers whatever is computed.", setting=each.words)
                todo = tr("The audit does not hold as many answers as it counts: look at it by gpf-desktop doctor.")
                self._problems[each.setting.id] = what
                self._context.emit(TaskFailed(task=AUTO_RESCORING_TASK, what=what, remedy=todo, details=""))
        return [each for each in due if each.setting.id not in self._problems]

    async def _announce(self, due: list[StaleScores]) -> None:
        """Bring each up to date, as one task."""
        of, done, failure = sum(each.bundles for each in due), 0, None
        context = self._context
        context.emit(TaskProgressed(task=AUTO_RESCORING_TASK, done=0, of=of))

        def count(bundles: int) -> None:
            nonlocal done
            done += bundles
            context.emit(TaskProgressed(task=AUTO_RESCORING_TASK, done=done, of=of))

        stopped = False
        for each in due:
            task = asyncio.get_running_loop().create_task(refresh(context, each, count))
            self._current = each, task
            try:
                # `wait` raises nothing of the task's: what is cancelled here is all of the work,
                # what ends the task one setting.
                await asyncio.wait([task])
            except asyncio.CancelledError:
                task.cancel()
                await asyncio.wait([task])
                context.emit(TaskCancelled(task=AUTO_RESCORING_TASK))
                raise
            finally:
                self._current = None
            if task.cancelled():
                stopped = True
            elif (error := task.exception()) is not None:
                trouble = tr("The scores “{setting}” could not be brought up to date.", setting=each.words)
                failure = self._failed(error, trouble)
                self._problems[each.setting.id] = failure.what
        self._changed()
        if failure is not None:
            context.emit(failure)
        elif stopped:
            context.emit(TaskCancelled(task=AUTO_RESCORING_TASK))
        else:
            sentence = trn("Brought the scores of {n} set up to date.", "Brought {n} scores up to date.", done)
            context.emit(TaskSucceeded(task=AUTO_RESCORING_TASK, sentence=sentence))
