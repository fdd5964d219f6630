"""Qt's classes, all made on the GUI thread before a module that names them is imported on another.

PySide6 makes a class when it is first named. Where two threads do so at once, one may meet a class that is half made,
and the program ends with a segmentation fault.
"""

from collections.abc import Iterator
from importlib import import_module
from time import perf_counter
from typing import Final

_MODULES: Final = ("QtCore", "QtGui", "QtWidgets", "QtSvg", "QtTest", "QtOpenGLWidgets")
"""What the window uses, and what pyqtgraph asks for."""
_NAMES_AT_ONCE: Final = 16


def _each() -> Iterator[None]:
    for name in _MODULES:
        try:
            module = import_module(f"PySide6.{name}")
        except ImportError:
            continue  # a part that this system has no libraries for; whoever needs it says so
        for at, member in enumerate(dir(module)):
            getattr(module, member)
            if at % _NAMES_AT_ONCE == 0:
                yield


_LEFT = _each()


def make_classes(seconds: float = float("inf")) -> bool:
    """Go on making them for *seconds*, on the GUI thread; True once all are made."""
    until = perf_counter() + seconds
    # `all` stops at the first False and leaves the generator where it is: the next call goes on from there.
    return all(perf_counter() < until for _ in _LEFT)
