"""The parts of a page: a `*_page.py` with layout and connections, a `*_view_model.py` with every condition."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from PySide6.QtCore import QChildEvent, QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtWidgets import QWidget

from gpf_desktop.ui.context import Context
from gpf_desktop.ui.theme.tokens import SPACE_2, SPACE_3, SPACE_4
from gpf_desktop.ui.widgets.boxes import PlainWidget, by_width, hbox, vbox
from gpf_desktop.ui.widgets.labels import ElidedLabel
from gpf_desktop.ui.widgets.layouts import ButtonsFlow, SpreadLayout

REPAINT_MS = 50
"""Changes within this time are painted together."""


class ViewModel(QObject):
    """State of a page and every decision about it; no widgets.

    Change attributes, then call `touch`: `changed` comes once for all changes within 50 ms.
    """

    changed = Signal()

    def __init__(self, context: Context, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.context = context
        self._soon = QTimer(self, singleShot=True, interval=REPAINT_MS)
        self._soon.timeout.connect(self.changed)

    @property
    def waits_to_paint(self) -> bool:
        """Something changed and `changed` has not come yet."""
        return self._soon.isActive()

    def touch(self) -> None:
        """Something changed: repaint soon."""
        # Never started anew: changes that come without a pause would put off painting for as long as they come.
        if not self._soon.isActive():
            self._soon.start()

    def touch_now(self) -> None:
        """Repaint at once, as the answer to a click should be."""
        self._soon.stop()
        self.changed.emit()

    def listen(self, handler: Callable[[Any], object], *types: type) -> None:
        """Call *handler* on the GUI thread with each engine event of *types*."""
        self.context.bridge.subscribe(self, handler, *types)


class Header(PlainWidget):
    """The first line of a page: title, what it is about, and its buttons at the right or, where narrow, below."""

    def __init__(self, title: str) -> None:
        super().__init__()
        self.setSizePolicy(by_width())
        self.title = ElidedLabel(title, "title", least=10)
        self.subtitle = ElidedLabel("", "secondary")
        about = PlainWidget()
        self._marks = hbox(self.title, (self.subtitle, 1), parent=about, spacing=SPACE_2)
        ends = PlainWidget()
        ends.setSizePolicy(by_width())
        self._buttons = ButtonsFlow(ends)
        SpreadLayout(self, about, ends, whole=True)

    def add_mark(self, widget: QWidget) -> None:
        """A badge after the title, before the subtitle."""
        self._marks.insertWidget(self._marks.count() - 1, widget)

    def add_button(self, widget: QWidget, *, apart: bool = False) -> None:
        """A button at the right; the main one last. *apart*: not to be pressed in place of its neighbour."""
        if apart:
            self._buttons.addWidget(_Gap(widget))
        self._buttons.addWidget(widget)


class _Gap(PlainWidget):
    """Room before *widget*, as long as that is shown."""

    def __init__(self, widget: QWidget) -> None:
        super().__init__()
        self.setFixedWidth(SPACE_4)
        self.setVisible(not widget.isHidden())
        widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.ShowToParent, QEvent.Type.HideToParent):
            self.setVisible(event.type() == QEvent.Type.ShowToParent)
        return super().eventFilter(watched, event)


class Page(QWidget):
    """One page of the window. Built when first shown, kept from then on."""

    room_changed = Signal()
    """`roomy` may say something else now."""

    def __init__(self, context: Context, page_id: str, title: str) -> None:
        super().__init__()
        self.context = context
        self.page_id = page_id
        self.setObjectName(f"page.{page_id}")
        self.setProperty("page", True)
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.header = Header(title)
        self.body = vbox(
            self.header, parent=self, spacing=SPACE_3, margins=(SPACE_4 + 4, SPACE_3, SPACE_4 + 4, SPACE_4)
        )

    def childEvent(self, event: QChildEvent) -> None:
        """A dialog of a page that is hidden has the page's look, which may be one that was left meanwhile."""
        super().childEvent(event)
        child = event.child() if event.type() == QEvent.Type.ChildPolished else None
        if isinstance(child, QWidget) and child.isWindow():
            self.context.theme.catch_up(self)

    @classmethod
    def made_before(cls, context: Context) -> QWidget | None:
        """The part that takes long, made in a turn of its own before the page and handed to its constructor; None:
        nothing.
        """

    def parts_ahead(self) -> Iterable[Callable[[], object]]:
        """Makes what the page will need once there is something to show, one part after the other."""
        return ()

    @property
    def roomy(self) -> bool:
        """Whether the rail beside the page shows icons alone, so that the page has the room of its words."""
        return False

    def arrive(self, state: Mapping[str, object]) -> None:
        """The page is shown; *state* says with what selected or filtered, empty: as it was left."""

    def flush(self) -> None:
        """Save what was typed: the audit is about to be left."""

    def state(self) -> Mapping[str, object]:
        """The state that `arrive` needs to bring the page back as it is now."""
        return {}

    def inspector(self) -> QWidget | None:
        """The widget in the inspector at the right for this page; None: nothing."""
        return None

    def first_focus(self) -> QWidget | None:
        """The widget that gets the keyboard when the page is shown."""
        return None

    def foot(self) -> QWidget | None:
        """Buttons and boxes at its foot that a message is to stand above; None: there are none."""
        return None

    def panes(self) -> Sequence[QWidget]:
        """The parts of the page that F6 goes to, in turn."""
        return (self,)

    def landing(self, pane: QWidget) -> QWidget | None:
        """The widget that gets the keyboard when F6 comes to *pane*; None: the first one that Tab reaches in it."""

    def search_field(self) -> QWidget | None:
        """The field that Ctrl+F goes to."""
        return None
