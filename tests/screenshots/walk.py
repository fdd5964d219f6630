"""``python -m tests.screenshots.walk``: goes through every page with Tab and Shift+Tab and says what it meets.

Lists, page by page, the order in which Tab reaches the parts, and after it what is wrong: a part that looks the same
with the keyboard as without it, one that Tab does not leave, one that only one direction reaches, one that jumps back
up the page.
"""

import argparse
import os
import sys
import tempfile
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from gpf_desktop.engine.commands.sample import unpack_sample
from gpf_desktop.ui.theme import Scheme
from tests.screenshots.scenes import PAGES, STATES
from tests.screenshots.stage import Stage
from tests.support.surroundings import use_throwaway_home
from tests.ui.accessibility import spoken_name

_LONGEST = 400
_ROUND = 4
"""Pixels around a part that its focus ring may take."""


def main(argv: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.screenshots.walk", description=(__doc__ or "").split(":")[0])
    parser.add_argument("--only", nargs="+", default=list(PAGES), choices=PAGES, metavar="PAGE")
    parser.add_argument("--states", nargs="+", default=["new", "sample"], choices=list(STATES))
    parser.add_argument("--theme", default=Scheme.LIGHT.value, choices=[scheme.value for scheme in Scheme])
    wanted = parser.parse_args(argv)
    use_throwaway_home()
    wrong: list[str] = []
    with tempfile.TemporaryDirectory(prefix="gpf-walk-") as place:
        unpack_sample(Path(place) / "Sample audit.gpf")
        with Stage(Path(place), 100) as stage:
            stage.resize(1280, 720, moving=False)
            for state in wanted.states:
                STATES[state].enter(stage)
                stage.dress(Scheme(wanted.theme))
                for page in wanted.only:
                    stage.page(page)
                    print(f"{state} {page}", flush=True)
                    wrong += [f"{state} {page}: {words}" for words in _walked(stage)]
    print("", *(wrong or ["nothing wrong"]), sep="\n")
    return 1 if wrong else 0


def _walked(stage: Stage) -> Iterator[str]:
    page = stage.window.stack.current
    assert page is not None
    stage.window.activateWindow()
    (page.first_focus() or stage.window.rail.findChild(QWidget, f"rail.{page.page_id}")).setFocus()
    stage.settle()
    forward, dim = _round(stage, forward=True)
    for at, part in enumerate(forward, start=1):
        place = part.mapTo(stage.window, QPoint(0, 0))
        print(f"  {at:3d} {_called(part):60s} at {place.x()}, {place.y()}")
    yield from (f"looks the same with the keyboard: {_called(part)}" for part in dim)
    backward, _ = _round(stage, forward=False)
    for here, there, way in ((forward, backward, "Shift+Tab"), (backward, forward, "Tab")):
        yield from (f"{way} misses {_called(part)}" for part in here if part not in there)
    within = [page.isAncestorOf(part) for part in forward]
    # The round goes on at the top of the page after the rail, which is no way back up.
    start = within.index(False) if False in within else 0
    inside = [part for part in (*forward[start:], *forward[:start]) if page.isAncestorOf(part)]
    for one, other in pairwise(inside):
        up = one.mapTo(page, one.rect().topLeft()).y() - other.mapTo(page, other.rect().bottomLeft()).y()
        left = other.mapTo(page, QPoint()).x() <= one.mapTo(page, QPoint()).x()
        if up > 0 and left:
            yield f"goes back up by {up} px from {_called(one)} to {_called(other)}"


def _round(stage: Stage, *, forward: bool) -> tuple[list[QWidget], list[QWidget]]:
    """The parts in their order until one comes again, and those among them that do not show the focus."""
    window = stage.window
    seen: list[QWidget] = []
    dim: list[QWidget] = []
    part = QApplication.focusWidget()
    for _ in range(_LONGEST):
        if part is None or part in seen:
            break
        seen.append(part)
        QApplication.processEvents()
        place = QRect(part.mapTo(window, QPoint(0, 0)), part.size()).adjusted(-_ROUND, -_ROUND, _ROUND, _ROUND)
        with_it = _picture(window, place)
        QTest.keyClick(part, Qt.Key.Key_Tab if forward else Qt.Key.Key_Backtab)
        after = QApplication.focusWidget()
        if after is part:
            print(f"  Tab does not leave {_called(part)}")
            break
        QApplication.processEvents()
        # The place that is lit now must not be the one that was lit before, or a caret alone would do.
        if with_it == _picture(window, place):
            dim.append(part)
        part = after
    return seen, dim


def _picture(window: QWidget, place: QRect) -> QImage:
    return window.grab(place).toImage()


def _called(part: QWidget) -> str:
    return f"{part.objectName() or type(part).__name__} “{spoken_name(part)[:40]}”"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
