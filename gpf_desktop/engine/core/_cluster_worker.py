"""Code that runs inside a worker of a Dask cluster, and the check that it is the same program.

The scheduler and the workers import this module; what is sent beside it are bytes, which only `run` opens.
"""

import pickle
import sys
import threading
import time
import traceback
from collections.abc import Callable, Mapping
from functools import cache
from hashlib import blake2b
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Final

from gpf_desktop.domain.errors import StoppedError

_ONE: Final = threading.Lock()
"""Scorers are made for a process that does one thing at a time; a worker may have been started with more threads."""
_LIBRARIES: Final = ("distributed", "numpy", "scipy", "scikit-learn", "pandas", "vaderSentiment")
"""Whose version may move the last bit of a number, or how a message is packed."""
_EVERY: Final = 0.2
"""Seconds between two tellings of how far it is, each of which asks the scheduler."""


@cache
def program() -> dict[str, str]:
    """Versions and digests that must be equal on both sides for the same bits: Python, libraries, and every line of
    this program."""
    import gpf_desktop

    found = {"gpf-desktop": gpf_desktop.__version__, "Python": f"{sys.version_info.major}.{sys.version_info.minor}"}
    for name in _LIBRARIES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            found[name] = "none"
    root = Path(gpf_desktop.__file__).parent
    lines = blake2b(digest_size=6)
    for path in sorted(root.rglob("*.py")):
        lines.update(path.relative_to(root).as_posix().encode() + path.read_bytes().replace(b"\r\n", b"\n"))
    return {**found, "code": lines.hexdigest()}


def run(packed: bytes, topic: str, ours: Mapping[str, str]) -> bytes:
    """Does what is *packed*: (function, arguments, named arguments). Raises nothing, so that Dask logs nothing of it.

    Returns, pickled, (True, what it returned), (False, what it raised), or (None, `program`) where that is not *ours*.
    With a *topic* the function tells under it how far it is, and ends once the event of that name is set.
    """
    if program() != ours:
        return pickle.dumps((None, program()))
    with _ONE:
        _prepare()
        try:
            function, args, kwargs = pickle.loads(packed)  # noqa: S301
            if topic:
                kwargs["told"] = _telling(topic)
            answer = (True, function(*args, **kwargs))
        except Exception as error:
            # Tracebacks are not sent; notes are pickled with the error.
            error.add_note("".join(traceback.format_exception(error)))
            answer = (False, error)
        try:
            return pickle.dumps(answer)
        except Exception as error:  # what came back cannot be pickled
            return pickle.dumps((False, TypeError(repr(error))))


@cache
def _prepare() -> None:
    """Limit the libraries to one thread, once in each worker, as in a process of our own."""
    from threadpoolctl import threadpool_limits

    threadpool_limits(1)


def _telling(topic: str) -> Callable[[int, int], None]:
    from distributed import Event, get_worker

    worker, ended, next_at = get_worker(), Event(topic), 0.0

    def told(done: int, of: int) -> None:
        nonlocal next_at
        if time.monotonic() < next_at and done < of:
            return
        if ended.is_set():
            raise StoppedError
        worker.log_event(topic, (done, of))
        next_at = time.monotonic() + _EVERY

    return told
