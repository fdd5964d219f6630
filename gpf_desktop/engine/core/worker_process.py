"""A spawned process that calls functions, one at a time, at the other end of a pipe.

Own code, because pools of processes share queues. Where a worker is killed while a call is being written to such a
queue, Python's executor hangs for good before 3.11.5 (gh-94777), and loky leaves a thread behind that waits for good;
both leave semaphores behind when the program is ended, and neither knows a time limit for one call. A pipe of its own
ends with either end of it, and nothing else.
"""

import contextlib
import importlib
import multiprocessing
import os
import signal
import sys
import threading
import traceback
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection
from typing import Any, Final, TypeVar, cast

from gpf_desktop.domain.ports.scorer import HowFar
from gpf_desktop.domain.resources import resources
from gpf_desktop.domain.text import install, language
from gpf_desktop.linear_algebra import in_one_thread

T = TypeVar("T")

NICENESS: Final = 10
PATIENCE: Final = 10
"""How many times its limit a call may take by the clock: a busy machine is not the call's fault, but one that waits
for good uses no processor time."""


class WorkerDiedError(BrokenExecutor):
    """The process was killed, or ran out of memory, in the middle of a call."""


class WorkerProcess:
    """One process, started at once and ready later; for one thread at a time, but for `end`."""

    def __init__(self, name: str, modules: tuple[str, ...]) -> None:
        """*modules* are loaded before the first call, whose time they would take."""
        context = multiprocessing.get_context("spawn")
        self._pipe, far = context.Pipe()
        self._process = context.Process(target=_serve, args=(far, modules, language()), name=name, daemon=True)
        self._ending = threading.Lock()
        with _without_ctrl_c():
            self._process.start()
        # With this end open here as well, the worker's death would not be the end of the pipe.
        far.close()
        self._ready = False

    @property
    def alive(self) -> bool:
        return self._process.is_alive()

    def call(
        self,
        function: Callable[..., T],
        *args: Any,
        limit: float | None = None,
        told: HowFar | None = None,
        **kwargs: Any,
    ) -> T:
        """Call the module-level *function* in the process within *limit* seconds of processor time; return or raise its
        outcome.

        With *told*, the function gets a callback of its own, and what it reports is passed to *told* on the calling
        thread; an error of *told* ends the process and is raised.

        Raises `TimeoutError` if it takes longer, or `PATIENCE` times as long by the clock, with the process ended, and
        `WorkerDiedError`. Windows has the clock alone.
        """
        try:
            if not self._ready:
                # Starting takes a second and more on a busy machine: the limit is for the call alone.
                self._pipe.recv()
                self._ready = True
            self._pipe.send((function, args, kwargs, limit or 0.0, told is not None))
            in_time = self._pipe.poll(limit and limit * PATIENCE)
            returned, outcome = self._pipe.recv() if in_time else (False, TimeoutError())
            while returned is None and told is not None:
                self._tell(told, outcome)
                returned, outcome = self._pipe.recv()
        except (EOFError, OSError) as error:
            self.end()
            if sys.platform != "win32" and self._process.exitcode == -signal.SIGPROF:
                raise TimeoutError from error
            raise WorkerDiedError(repr(error)) from error
        if not in_time:
            self.end()
        if not returned:
            raise cast("Exception", outcome)
        return cast("T", outcome)

    def _tell(self, told: HowFar, far: Any) -> None:
        try:
            told(*far)
        except BaseException:
            # The function would compute on, for nobody.
            self.end()
            raise

    def end(self) -> None:
        """End the process, in the middle of a call too. Safe to call again, and from another thread."""
        # One thread at a time: of two that wait for one child the system tells only one that it has ended.
        with self._ending:
            self._process.kill()
            self._process.join()


@contextlib.contextmanager
def _without_ctrl_c() -> Iterator[None]:
    """Block SIGINT for processes that are started inside, from their first moment; Windows has no such mask.

    A worker that ignores it by itself does so only once Python has begun, and until then prints where it was.
    """
    if sys.platform == "win32":
        yield
        return
    # It begins with the first process that is started, and lets SIGINT through afterwards.
    resource_tracker.ensure_running()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, (signal.SIGINT,))
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _serve(pipe: Connection, modules: tuple[str, ...], spoken: str) -> None:
    install(resources() / "languages", [spoken])
    _prepare(modules)
    # The end of the pipe is the end of the program, or of its interest; there is nobody to tell.
    with contextlib.suppress(EOFError, OSError):
        pipe.send(None)
        while True:
            function, args, kwargs, limit, told = pipe.recv()
            if told:
                kwargs["told"] = lambda done, of: pipe.send((None, (done, of)))
            _end_after(limit)
            try:
                answer = (True, function(*args, **kwargs))
            except Exception as error:
                # Tracebacks do not pass through the pipe; notes are pickled with the error.
                error.add_note("".join(traceback.format_exception(error)))
                answer = (False, error)
            _end_after(0.0)
            try:
                pipe.send(answer)
            # The pipe itself is gone, which the block around ends with. Any other error is of what was to be sent.
            except OSError:
                raise
            except Exception as error:  # what came back cannot be pickled
                pipe.send((False, TypeError(repr(error))))


def _end_after(seconds: float) -> None:
    """The system ends this process once it has worked for *seconds* more, inside a library's own loop too; 0: never."""
    if sys.platform != "win32":
        signal.setitimer(signal.ITIMER_PROF, seconds)


def _prepare(modules: tuple[str, ...]) -> None:
    """Runs once when a worker starts: loads what it needs, one thread a worker, and an end with its parent."""
    # Ctrl+C in a terminal reaches every process of its group; the program ends its workers itself.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if sys.platform != "win32":
        # The window and the answers on their way come first.
        os.nice(NICENESS)
    in_one_thread()
    threading.Thread(target=_end_with_parent, name="end with parent", daemon=True).start()
    for module in modules:
        importlib.import_module(module)


def _end_with_parent() -> None:
    """End this process with its parent, also in the middle of a call, when nobody looks at what the parent's end has
    closed."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
