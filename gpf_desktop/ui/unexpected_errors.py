"""Exceptions that nobody expected: each surfaces once, in the message bar, with details to copy."""

import logging
import sys
import threading
from collections.abc import Callable
from types import TracebackType
from typing import Any

from gpf_desktop.domain.redaction import details_of

_log = logging.getLogger(__name__)


class BugCatcher:
    """Takes over the interpreter's last-resort hooks between `install` and `remove`.

    *report* is called on whatever thread the exception died on, once per place in the code; hand it
    `Bridge.report`, never a widget.
    """

    def __init__(self, report: Callable[[BaseException], object]) -> None:
        self._report = report
        # A painter that fails does so with every frame. Without a lock: two threads at once say the same twice at
        # worst.
        self._seen: set[tuple[str, str, int]] = set()
        self._hooks: tuple[Any, Any] | None = None

    def install(self) -> None:
        self._hooks = (sys.excepthook, threading.excepthook)
        sys.excepthook = self._from_interpreter
        threading.excepthook = self._from_thread

    def remove(self) -> None:
        if self._hooks is not None:
            sys.excepthook, threading.excepthook = self._hooks
            self._hooks = None

    def from_loop(self, _loop: object, context: dict[str, Any]) -> None:
        """For ``loop.set_exception_handler``."""
        # Not every complaint of the loop comes with an exception: a task that is destroyed while pending has words
        # only.
        self.catch(context.get("exception") or RuntimeError(str(context.get("message", ""))))

    def catch(self, error: BaseException) -> None:
        """Report *error* unless one like it, from the same line, was reported before."""
        place = _place(error)
        if place not in self._seen:
            self._seen.add(place)
            _log.error("%s", details_of(error))
            self._report(error)

    def _from_interpreter(self, kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        if isinstance(error, KeyboardInterrupt):
            sys.__excepthook__(kind, error, trace)
            return
        self.catch(error.with_traceback(trace))

    def _from_thread(self, caught: threading.ExceptHookArgs) -> None:
        # A thread may end itself with SystemExit, of which Python's own hook says nothing either.
        if caught.exc_value is not None and not isinstance(caught.exc_value, SystemExit):
            self.catch(caught.exc_value)


def _place(error: BaseException) -> tuple[str, str, int]:
    trace = error.__traceback__
    # To where it was raised: one place that passes errors on may see many different ones.
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    if trace is None:
        # Never raised, as what `from_loop` makes of mere words: by these alone two of them can be told apart.
        return (type(error).__name__, str(error), 0)
    return (type(error).__name__, trace.tb_frame.f_code.co_filename, trace.tb_lineno)
