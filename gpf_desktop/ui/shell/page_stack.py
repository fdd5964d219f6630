"""Shows one page at a time, building each when it is first asked for."""

from collections.abc import Generator

from PySide6.QtCore import QSize, Signal
from PySide6.QtWidgets import QAbstractScrollArea, QStackedWidget

from gpf_desktop.domain.events import AuditClosed, AuditOpened
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.navigation import Place
from gpf_desktop.ui.page import Page
from gpf_desktop.ui.shell.pages import PageSpec
from gpf_desktop.ui.widgets.fields import SearchField


class PageStack(QStackedWidget):
    """The centre of the window."""

    shown = Signal(str)
    room_changed = Signal()
    """Another page is shown, or it wants more or less room."""

    def __init__(self, context: Context, pages: tuple[PageSpec, ...]) -> None:
        super().__init__()
        self.setObjectName("pageStack")
        self._context = context
        self._specs = {page.id: page for page in pages}
        self._pages: dict[str, Page] = {}
        self._building: dict[str, Generator[None, None, Page]] = {}
        self._built: dict[str, Page] = {}
        """Not put in yet."""
        context.navigator.here = self.here
        context.navigator.moved.connect(self.show_place)
        context.bridge.subscribe(self, lambda _event: self._begin_anew(), AuditOpened, AuditClosed)
        # The least size is that of the page shown, and what is around asks for it again only when it is told to.
        self.currentChanged.connect(self.updateGeometry)

    def minimumSizeHint(self) -> QSize:
        """The least size of the page that is shown: those behind it, made ahead and never fitted, would widen the
        window.
        """
        page = self.currentWidget()
        return super().minimumSizeHint() if page is None else page.minimumSizeHint().expandedTo(page.minimumSize())

    def here(self) -> Place | None:
        """The present page with its state."""
        page = self.current
        return None if page is None else Place(page=page.page_id, state=page.state())

    def flush(self) -> None:
        """Have every page save what was typed: the audit is about to be left."""
        for page in self._pages.values():
            for field in page.findChildren(SearchField):
                field.flush()
            page.flush()

    def _begin_anew(self) -> None:
        """Another audit is read from the beginning: where one was in the last one says nothing about it."""
        for page in self._pages.values():
            for area in page.findChildren(QAbstractScrollArea):
                area.verticalScrollBar().setValue(0)
                area.horizontalScrollBar().setValue(0)

    @property
    def current(self) -> Page | None:
        widget = self.currentWidget()
        return widget if isinstance(widget, Page) else None

    def page(self, page_id: str) -> Page:
        """The page called *page_id*, built now if it was not."""
        if page_id not in self._pages:
            while not self.build(page_id):
                pass
            page = self._pages[page_id] = self._built.pop(page_id)
            self.addWidget(page)
            page.room_changed.connect(self.room_changed)
            self._context.theme.dress_page(page)
        return self._pages[page_id]

    def build(self, page_id: str) -> bool:
        """Build the next part of the page called *page_id*; whether that was all of it. `page` puts it in."""
        if page_id in self._pages or page_id in self._built:
            return True
        steps = self._building.setdefault(page_id, self._specs[page_id].building(self._context))
        try:
            next(steps)
        except StopIteration as made:
            self._built[page_id] = made.value
            del self._building[page_id]
            return True
        return False

    def show_place(self, place: Place) -> None:
        page = self.page(place.page)
        self._context.theme.catch_up(page)
        self.setCurrentWidget(page)
        self.room_changed.emit()
        page.arrive(place.state)
        self.shown.emit(place.page)
        focus = page.first_focus()
        if focus is not None:
            focus.setFocus()
