"""Classes of Qt, all made on the GUI thread before a module that names them is imported on another.

PySide6 makes a class when it is first named. Where two threads do so at once, one may meet a class that is half made,
and the program ends with a segmentation fault. Before Python 3.12 so it does when a module of the window is imported on
another thread at all: see docs/decisions/pyside6.md.
"""

import re
import sys
from collections.abc import Iterable, Iterator
from importlib import import_module
from importlib.abc import InspectLoader
from importlib.util import find_spec
from time import perf_counter
from typing import Final

ON_ANY_THREAD: Final = sys.version_info >= (3, 12)
"""Whether modules that derive classes from Qt's may be imported off the GUI thread."""
_MODULES: Final = ("QtCore", "QtGui", "QtWidgets", "QtSvg", "QtTest", "QtOpenGLWidgets")
"""What the window uses, and what pyqtgraph asks for."""
_NAMES_AT_ONCE: Final = 16
_IMPORTED: Final = re.compile(r"^from (gpf_desktop\.ui\.[\w.]+) import ", re.MULTILINE)


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
    if not ON_ANY_THREAD:
        import_module("pyqtgraph")


_LEFT = _each()


def make_classes(seconds: float = float("inf")) -> bool:
    """Go on making them for *seconds*, on the GUI thread; True once all are made."""
    until = perf_counter() + seconds
    # `all` stops at the first False and leaves the generator where it is: the next call goes on from there.
    return all(perf_counter() < until for _ in _LEFT)


def imported_in_turn(modules: Iterable[str]) -> Iterator[None]:
    """Import *modules* of the window, one of those that they need at each step: the GUI thread is soon free again."""
    seen: set[str] = set()
    for module in modules:
        for name in _needed(module, seen):
            import_module(name)
            yield


def _needed(name: str, seen: set[str]) -> Iterator[str]:
    """The modules of the window that module *name* imports and that were not *seen* yet, and then *name* itself."""
    seen.add(name)
    spec = find_spec(name)
    source = spec.loader.get_source(name) if spec and isinstance(spec.loader, InspectLoader) else None
    for each in _IMPORTED.findall(source or ""):
        if each not in seen:
            yield from _needed(each, seen)
    yield name
