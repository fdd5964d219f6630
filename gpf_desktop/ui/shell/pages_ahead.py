"""Makes the pages ready while nobody waits for them."""

import gc
from collections import deque
from collections.abc import Callable
from importlib import import_module
from typing import Final

from PySide6.QtCore import QObject, QTimer

from gpf_desktop.domain.errors import UserError
from gpf_desktop.engine.core import catalogue
from gpf_desktop.ui.bridge import Bridge
from gpf_desktop.ui.qt_classes import ON_ANY_THREAD, imported_in_turn, make_classes
from gpf_desktop.ui.shell.page_stack import PageStack
from gpf_desktop.ui.shell.pages import PageSpec

REST_MS: Final = 40
"""Between two steps, so that what the auditor does meanwhile is answered first."""
STEP: Final = 0.005
"""Seconds of making Qt's classes before the window is asked for anything else."""


class PagesAhead(QObject):
    """Imports each page's module, off the GUI thread where it may, and then builds the page, part by part.

    A page that is asked for before its turn is built on the spot, as without this. Pages that read the whole audit
    once they are built are only imported. At last it tells which plug-ins of installed packages cannot be used.
    """

    def __init__(self, stack: PageStack, bridge: Bridge, pages: tuple[PageSpec, ...]) -> None:
        super().__init__(stack)
        self._stack, self._bridge = stack, bridge
        self._waiting = deque(sorted(pages, key=lambda page: page.id != "review"))
        """The page with most parts first."""
        self._parts: deque[Callable[[], object]] = deque()
        """What the first page that waits is built of, and has not got yet."""
        self._modules = imported_in_turn(() if ON_ANY_THREAD else [page.module for page in pages])
        self._soon = QTimer(self, singleShot=True, interval=REST_MS)
        self._soon.timeout.connect(self._build)
        self._classes = QTimer(self)
        # Whenever Qt has nothing else to do.
        self._classes.setInterval(0)
        self._classes.timeout.connect(self._make_classes)

    @property
    def done(self) -> bool:
        return not self._waiting

    def begin(self) -> None:
        """Start; safe to call once the window is shown."""
        self._bridge.run(_audit_ready, then=lambda _: self._classes.start(), owner=self, anywhere=True)

    def _make_classes(self) -> None:
        if make_classes(STEP) and next(self._modules, "none is left") == "none is left":
            # Only now: the first page is imported on another thread, where no class of Qt's may be made.
            self._classes.stop()
            self._load()

    def _load(self) -> None:
        if self._waiting:
            self._bridge.run(self._waiting[0].make_ready, then=lambda _: self._soon.start(), owner=self, anywhere=True)
        else:
            # What a round imports at its start sets off a full collection, of 90 ms where it walks over all pages.
            gc.freeze()
            self._bridge.run(catalogue.broken, then=self._tell, anywhere=True)

    def _tell(self, broken: tuple[UserError, ...]) -> None:
        for error in broken:
            self._bridge.report(error)

    def _build(self) -> None:
        if self._parts:
            self._parts.popleft()()
        else:
            page = self._waiting[0]
            if not page.reads_all:
                if not self._stack.build(page.id):
                    self._soon.start()
                    return
                # In the next turn: putting it in takes half as long again, and longer once it is filled.
                QTimer.singleShot(0, self, lambda: self._put_in(page))
                return
        self._go_on()

    def _put_in(self, page: PageSpec) -> None:
        self._parts.extend(self._stack.page(page.id).parts_ahead())
        self._go_on()

    def _go_on(self) -> None:
        if self._parts:
            self._soon.start()
        else:
            self._waiting.popleft()
            self._load()


def _audit_ready() -> None:
    """Import what the first audit that is opened would wait for; none of it has to do with Qt."""
    import_module("gpf_desktop.engine.open_audit")
    catalogue.providers()
