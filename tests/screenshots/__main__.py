"""``python -m tests.screenshots OUT``: every page, light and dark, filled and empty, as PNG files.

Files are called ``<page>-<filled|empty>-<theme>-<width>x<height>.png``. Filled pages show the sample audit, which
is made by the real pipeline unless one is given with ``--audit``.
"""

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import QSettings
from PySide6.QtWidgets import QApplication

from gpf_desktop.app import Desktop, make_application
from gpf_desktop.engine.headless import Headless
from gpf_desktop.engine.sample import make_sample
from gpf_desktop.engine.workshop import Workshop
from gpf_desktop.ui.shell.pages import page_specs
from gpf_desktop.ui.theme import Scheme

_PATIENCE = 30.0
"""Seconds for a page to fill."""
_QUIET = 0.4
"""Seconds without anything under way after which a page counts as filled."""


def main(argv: Sequence[str]) -> int:
    wanted = _parse(argv)
    wanted.out.mkdir(parents=True, exist_ok=True)
    application = make_application()
    with tempfile.TemporaryDirectory(prefix="gpf-screenshots-") as folder:
        sample = wanted.audit or _made(Path(folder) / "Sample audit.gpf")
        desktop = Desktop(application, QSettings(str(Path(folder) / "w.ini"), QSettings.Format.IniFormat), Workshop)
        try:
            desktop.window.show()
            desktop.theme.set_text_scale(wanted.text)
            if "empty" in wanted.states:
                desktop.window.files.create(Path(folder) / "Empty.gpf")
                _take(application, desktop, wanted, "empty")
            if "filled" in wanted.states:
                desktop.window.files.open(sample)
                _take(application, desktop, wanted, "filled")
        finally:
            desktop.close()
    return 0


def _made(path: Path) -> Path:
    headless = Headless(quiet=True)
    try:
        make_sample(headless, path)
    finally:
        headless.workshop.close()
    return path


def _parse(argv: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.screenshots", description=__doc__)
    pages = [page.id for page in page_specs()]
    parser.add_argument("out", type=Path, help="folder for the pictures")
    parser.add_argument("--size", nargs="+", default=["1280x720"], metavar="WxH")
    parser.add_argument("--theme", nargs="+", default=["light", "dark"], choices=[s.value for s in Scheme])
    parser.add_argument("--only", nargs="+", default=pages, choices=pages, metavar="PAGE")
    parser.add_argument("--states", nargs="+", default=["empty", "filled"], choices=["empty", "filled"])
    parser.add_argument("--text", type=int, default=100, help="text size in per cent")
    parser.add_argument("--audit", type=Path, help="an audit to show in place of the sample")
    return parser.parse_args(argv)


def _take(application: QApplication, desktop: Desktop, wanted: argparse.Namespace, state: str) -> None:
    _settle(application, desktop)
    for page in wanted.only:
        desktop.window.context.navigator.go(page)
        _settle(application, desktop)
        for size in wanted.size:
            desktop.window.resize(*map(int, size.split("x")))
            for theme in wanted.theme:
                desktop.theme.set_scheme(Scheme(theme))
                _settle(application, desktop)
                name = f"{page}-{state}-{theme.replace(' ', '-')}-{size}.png"
                desktop.window.grab().save(str(wanted.out / name))
                print(wanted.out / name)


def _settle(application: QApplication, desktop: Desktop) -> None:
    """Let the event loop run until nothing has been under way for a while."""
    quiet_since = time.monotonic()
    until = quiet_since + _PATIENCE
    while time.monotonic() < until and time.monotonic() - quiet_since < _QUIET:
        application.processEvents()
        if not desktop.bridge.idle:
            quiet_since = time.monotonic()
        time.sleep(0.005)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
