"""Places within long reads at which whoever asked can be told of it, or end it.

A read that takes seconds calls `passed` between its steps; who started it in this thread says by `told_at_checkpoints`
what is to happen there. What that raises ends the read, so that Stop need not wait for its end.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final

_ENDED: Final[ContextVar[BaseException | None]] = ContextVar("ended", default=None)
_PASSED: Final[ContextVar[Callable[[], object] | None]] = ContextVar("checkpoint", default=None)


@contextmanager
def told_at_checkpoints(tell: Callable[[], object]) -> Iterator[None]:
    """Have *tell* called at every checkpoint that this thread passes within the block."""
    before = _PASSED.set(tell)
    try:
        yield
    finally:
        _PASSED.reset(before)


def passed() -> None:
    """Raises what the teller raises; nothing where nobody asked to be told."""
    if (tell := _PASSED.get()) is not None:
        try:
            tell()
        except BaseException as error:
            _ENDED.set(error)
            raise


def ended_by(error: BaseException) -> bool:
    """Whether *error* is what the teller ended the read with, rather than a fault of what was being read."""
    return error is _ENDED.get()
