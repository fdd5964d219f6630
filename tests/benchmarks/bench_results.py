"""How long the window does not answer while Results is opened and its charts are drawn.

    python -m tests.benchmarks.bench_results                   the shipped sample audit
    python -m tests.benchmarks.bench_results --batches 60      60 batches of one article, asked of 12 models
    python -m tests.benchmarks.bench_results --audit A.gpf     another audit

A stall is the longest time between two beats of a 5 ms timer on the GUI thread, less the 5 ms; work is the most that
the thread itself did between two beats.
"""

import argparse
import os
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import QSettings
from PySide6.QtWidgets import QComboBox

from gpf_desktop.app import Desktop, make_application
from gpf_desktop.engine.commands.sample import unpack_sample
from gpf_desktop.engine.engine import Engine
from gpf_desktop.ui.results.results_page import ResultsPage
from gpf_desktop.ui.widgets.chart_card import ChartCard
from tests.benchmarks import big_store
from tests.benchmarks.bench_window import Heart
from tests.support.surroundings import use_throwaway_home


class Rig:
    """The window over one audit, and a heart that beats in it."""

    def __init__(self, folder: Path, audit: Path) -> None:
        settings = QSettings(str(folder / "window.ini"), QSettings.Format.IniFormat)
        self.desktop = Desktop(make_application(), settings, Engine)
        self.window = self.desktop.window
        self.heart = Heart()
        self.window.resize(1920, 1080)
        self.heart.turn(self.window.show, lambda: True)
        self.heart.turn(lambda: self.window.files.open(audit), lambda: self.window.status.audit_open)

    def do(self, what: str, begin: Callable[[], object], until: Callable[[], bool] | None = None) -> None:
        """Print how long *begin* itself took and the longest stall until everything is there."""
        own = 0.0

        def timed() -> None:
            nonlocal own
            start = time.perf_counter()
            begin()
            own = time.perf_counter() - start

        stall = self.heart.turn(timed, until or self._still)
        work = 1000 * max(self.heart.own, default=0.0)
        took = f"call {1000 * own:4.0f} ms   longest stall {1000 * stall:4.0f} ms, work {work:4.0f} ms"
        print(f"  {what:38s} {took}", flush=True)

    def open_results(self) -> ResultsPage:
        """Twice: the first time modules are read."""
        navigator = self.window.context.navigator
        self.do("Results for the first time", lambda: navigator.go("results"), self._filled)
        page = self._page()
        assert page is not None
        self.do("filled anew", page.model.refresh)
        for name, _ in page.sections.places():
            self.do(f"down to {name}", lambda name=name: page.sections.go_to(name))  # type: ignore[misc]
        self.do("back to the top", lambda: page.area.verticalScrollBar().setValue(0))
        return page

    def next_lines(self, page: ResultsPage) -> None:
        """Another model in front of the control chart, and back to where the page was."""
        line = page.findChild(QComboBox, "card.streaming.0.pick.line")
        if line is None:  # of another method than the first
            return

        def next_line() -> None:
            line.setCurrentIndex((line.currentIndex() + 1) % line.count())
            line.activated.emit(line.currentIndex())

        for _ in range(3):
            self.do("the next model in the control chart", next_line)
        card = page.findChild(ChartCard, "card.streaming.0")
        assert card is not None
        self.do("the control chart as a table", card.as_table.click)

    def _page(self) -> ResultsPage | None:
        return self.window.findChild(ResultsPage, "page.results")

    def _filled(self) -> bool:
        page = self._page()
        return page is not None and page.stack.currentWidget() is page.area and self._still()

    def _still(self) -> bool:
        page = self._page()
        return self.desktop.bridge.idle and page is not None and not page.model.waits_to_paint


@contextmanager
def rig(audit: Path | None, batches: int = 0) -> Iterator[Rig]:
    use_throwaway_home()
    with tempfile.TemporaryDirectory(prefix="gpf-bench-") as place:
        folder = Path(place)
        copy = folder / "Bench.gpf"
        if audit is not None:
            shutil.copyfile(audit, copy)
        elif batches:
            _many(copy, batches)
        else:
            unpack_sample(copy)
        made = Rig(folder, copy)
        try:
            yield made
        finally:
            made.desktop.close()


def _many(path: Path, batches: int) -> None:
    """An audit of *batches* with one article each, and 12 models."""
    engine = Engine(lambda _event: None)
    try:
        open_audit = engine.create(path, title="Many batches")
        bundles = batches * big_store.MODELS * big_store.PER_ARTICLE
        big_store.fill(open_audit.context.audit, bundles, with_answers=False, articles_a_run=1)
    finally:
        engine.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--audit", type=Path)
    parser.add_argument("--batches", type=int, default=0)
    asked = parser.parse_args()
    with rig(asked.audit, asked.batches) as made:
        page = made.open_results()
        made.next_lines(page)


if __name__ == "__main__":
    main()
