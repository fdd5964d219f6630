"""Steps through a review queue of many bundles and times what the strip above the answers costs at each step.

    python -m tests.benchmarks.bench_strip AUDIT.gpf          at the bundles of an audit that lies there
    python -m tests.benchmarks.bench_strip                    20,000 bundles of nine answers, made for it

The window's own processor time, in milliseconds. The plain way: a list of Qt's with the same tiles as lines of text.
"""

import argparse
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QSettings
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QListWidget

from gpf_desktop.app import Desktop, make_application
from gpf_desktop.domain.review_queue import QueueTab
from gpf_desktop.engine.engine import Engine
from gpf_desktop.ui.review.review_page import ReviewPage
from tests.benchmarks.bench_review import synthetic

STEPS = 20


def own(what: Callable[[], object]) -> float:
    """Milliseconds of this thread's processor."""
    begin = time.thread_time()
    what()
    return 1000 * (time.thread_time() - begin)


def measure(application: QApplication, page: ReviewPage) -> None:
    """Print the table."""
    strip, reader, plain = page.reading.strip, page.model.reader, QListWidget()
    plain.resize(strip.size())
    plain.show()
    turns, filled, listed = [], [], []
    for _ in range(STEPS):
        longest = own(lambda: page.model.go(1))
        while not page.context.bridge.idle or reader.explanation is None:
            longest = max(longest, own(application.processEvents))
            time.sleep(0.001)
        turns.append(longest)
        tiles = strip.tiles.tiles
        strip.show_tiles(())
        filled.append(own(lambda tiles=tiles: (strip.show_tiles(tiles), strip.viewport().repaint())))  # type: ignore[misc]
        plain.clear()
        words = [tile.spoken for tile in tiles]
        listed.append(own(lambda words=words: (plain.addItems(words), plain.viewport().repaint())))  # type: ignore[misc]
    print(f"{page.model.queue.count(QueueTab.TO_DO)} bundles to do, {STEPS} of them opened one after the other")
    for name, found in (
        ("the strip filled and painted", filled),
        ("  plain: a list of its words", listed),
        ("the longest turn until the next is all there", turns),
    ):
        print(f"  {name:44s} median {statistics.median(found):5.1f} ms, at most {max(found):5.1f} ms")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("audit", type=Path, nargs="?")
    asked = parser.parse_args()
    application = make_application()
    with tempfile.TemporaryDirectory() as folder:
        path = asked.audit or Path(folder) / "many.gpf"
        if asked.audit is None:
            synthetic(path, 20_000).close()
        settings = QSettings(str(Path(folder) / "window.ini"), QSettings.Format.IniFormat)
        desktop = Desktop(application, settings, Engine)
        try:
            desktop.window.resize(1920, 1080)
            desktop.window.show()
            desktop.ahead.begin()
            desktop.window.files.open(path)
            while not (desktop.window.status.audit_open and desktop.ahead.done):
                QTest.qWait(5)
            desktop.window.context.navigator.go("review")
            page = desktop.window.stack.current
            assert isinstance(page, ReviewPage)
            while page.model.reader.explanation is None:
                QTest.qWait(5)
            measure(application, page)
        finally:
            desktop.close()


if __name__ == "__main__":
    main()
