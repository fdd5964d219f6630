"""How long the window does not answer: while pages are opened for the first time, and while its look changes.

    python -m tests.benchmarks.bench_window                     the shipped sample audit
    python -m tests.benchmarks.bench_window --audit A.gpf       another one; --bundles 100080 makes a large one
    python -m tests.benchmarks.bench_window --wait 0            pages are asked for as soon as the audit is open

A stall is the longest time between two beats of a 5 ms timer on the GUI thread, less the 5 ms; own work is how much of
it the GUI thread computed, which a busy machine does not lengthen. Memory is this process's peak.
"""

import argparse
import os
import shutil
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import QEventLoop, QSettings, Qt, QTimer
from PySide6.QtWidgets import QWidget

from gpf_desktop.app import Desktop, make_application
from gpf_desktop.engine.commands.sample import unpack_sample
from gpf_desktop.engine.engine import Engine
from gpf_desktop.ui.review.review_view_model import ReviewViewModel
from gpf_desktop.ui.shell.pages import page_specs
from gpf_desktop.ui.theme import Scheme
from tests.benchmarks.bench_review import synthetic
from tests.benchmarks.processes import peaks
from tests.support.surroundings import use_throwaway_home

BEAT_MS = 5
_QUIET = 0.3


class Heart:
    """Beats on the GUI thread; `turn` runs the event loop and returns the longest pause between two beats."""

    def __init__(self) -> None:
        self.late: list[float] = []
        self.own: list[float] = []
        self._last, self._worked = time.perf_counter(), time.thread_time()
        self._timer = QTimer()
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.setInterval(BEAT_MS)
        self._timer.timeout.connect(self._beat)
        self._timer.start()

    def _beat(self) -> None:
        now, worked = time.perf_counter(), time.thread_time()
        self.late.append(now - self._last - BEAT_MS / 1000)
        self.own.append(worked - self._worked)
        self._last, self._worked = now, worked

    def turn(self, begin: Callable[[], object], until: Callable[[], bool], patience: float = 60.0) -> float:
        """Do *begin* as a click would and answer events until *until* has held for a while; longest stall, seconds."""
        loop = QEventLoop()
        self.late.clear()
        self.own.clear()
        self._last, self._worked = time.perf_counter(), time.thread_time()
        give_up = self._last + patience
        held = self._last

        def look() -> None:
            nonlocal held
            now = time.perf_counter()
            if not until():
                held = now
            if now - held > _QUIET or now > give_up:
                loop.quit()

        watch = QTimer()
        watch.timeout.connect(look)
        watch.start(5)
        QTimer.singleShot(0, loop, begin)
        loop.exec()
        watch.stop()
        return max(self.late, default=0.0)


class Bench:
    """The window over one audit, with its pages not yet built."""

    def __init__(self, folder: Path, audit: Path, wait: float, *, ahead: bool) -> None:
        settings = QSettings(str(folder / "window.ini"), QSettings.Format.IniFormat)
        self.desktop = Desktop(make_application(), settings, Engine)
        self.window = self.desktop.window
        self.heart = Heart()
        self.window.resize(1920, 1080)
        started = time.perf_counter()
        stall = self.heart.turn(self.window.show, lambda: True)
        print(f"window shown; longest stall {1000 * stall:.0f} ms")
        if ahead:
            began = time.perf_counter()
            self.heart.turn(self.desktop.ahead.begin, lambda: self.desktop.ahead.done)
            print(f"pages made ready in {time.perf_counter() - began:.2f} s; {_said(self.heart)}")
        stall = self.heart.turn(lambda: self.window.files.open(audit), lambda: self.window.status.audit_open)
        while time.perf_counter() - started < wait:
            stall = max(stall, self.heart.turn(lambda: None, lambda: True))
        print(f"audit open and {wait:.0f} s waited; longest stall {1000 * stall:.0f} ms")

    def open_page(self, page: str) -> None:
        """Print construction, time to the page's first content and the longest stall of opening *page*."""
        stack, clock = self.window.stack, time.perf_counter
        begin, built, shown = clock(), 0.0, 0.0

        def go() -> None:
            nonlocal begin, built
            begin = clock()
            stack.page(page)
            built = clock() - begin
            self.window.context.navigator.go(page)

        def settled() -> bool:
            nonlocal shown
            done = self.desktop.bridge.idle and self._filled(page)
            if done and not shown:
                shown = clock() - begin
            return done

        self.heart.turn(go, settled)
        widgets = len(stack.page(page).findChildren(QWidget))
        print(
            f"  {page:9s} {widgets:5d} widgets   built on the click {1000 * built:5.0f} ms"
            f"   filled {1000 * shown:5.0f} ms   at most {peaks()[0]:4.0f} MB   {_said(self.heart)}",
            flush=True,
        )

    def _filled(self, page: str) -> bool:
        model = getattr(self.window.stack.page(page), "model", None)
        return not isinstance(model, ReviewViewModel) or model.reader.reading is not None

    def change(self, name: str, act: Callable[[], None]) -> None:
        """Print how long *act* holds the window."""
        clock = time.perf_counter
        own = 0.0

        def go() -> None:
            nonlocal own
            begin = clock()
            act()
            own = clock() - begin

        self.heart.turn(go, lambda: self.desktop.bridge.idle and self.desktop.theme.settled)
        print(f"  {name:34s} call {1000 * own:6.0f} ms   {_said(self.heart)}", flush=True)


def _said(heart: Heart) -> str:
    stalls, own = ([round(1000 * each) for each in found] for found in (heart.late, heart.own))
    long = [each for each in stalls if each > 50]
    return f"longest stall {max(stalls):5d} ms (own work {max(own):5d})   over 50 ms: {long}"


def look(bench: Bench, pages: list[str]) -> None:
    """Colours and text size while a large and a small page is shown, and every page shown again after that."""
    theme, go = bench.desktop.theme, bench.window.context.navigator.go
    print(f"{len(bench.window.findChildren(QWidget))} widgets in the window")
    for page in ("review", "home"):
        bench.change(f"go to {page}", partial(go, page))
        for scheme in (Scheme.DARK, Scheme.HIGH_CONTRAST, Scheme.LIGHT):
            bench.change(f"  {scheme.value} while {page} is shown", partial(theme.set_scheme, scheme, in_turns=True))
        for scale in (125, 100):
            bench.change(
                f"  text at {scale} % while {page} is shown", partial(theme.set_text_scale, scale, in_turns=True)
            )
    for page in pages:
        bench.change(f"go to {page} afterwards", partial(go, page))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--audit", type=Path)
    parser.add_argument("--bundles", type=int, default=0)
    parser.add_argument(
        "--wait", type=float, default=0.0, help="seconds between the audit's opening and the first page"
    )
    parser.add_argument("--cold", action="store_true", help="pages are not made ready ahead")
    later = [spec.id for spec in page_specs() if spec.id not in ("home", "review")]
    parser.add_argument(
        "--pages",
        nargs="+",
        default=["review", *later],
    )
    asked = parser.parse_args()
    use_throwaway_home()
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        audit = folder / "audit.gpf"
        if asked.audit is not None:
            shutil.copyfile(asked.audit, audit)
        elif asked.bundles:
            synthetic(audit, asked.bundles).close()
        else:
            unpack_sample(audit)
        bench = Bench(folder, audit, asked.wait, ahead=not asked.cold)
        try:
            for page in asked.pages:
                bench.open_page(page)
            look(bench, asked.pages)
        finally:
            bench.desktop.close()


if __name__ == "__main__":
    main()
