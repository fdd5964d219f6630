"""The look of the window, and the signal of its change."""

from collections.abc import Callable, Generator, Iterator
from enum import StrEnum
from itertools import count
from typing import Final

import shiboken6
from PySide6.QtCore import QObject, QSettings, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QFont, QIcon, QPixmap
from PySide6.QtWidgets import QApplication, QWidget

from gpf_desktop.engine.core.gc_pause import gc_paused
from gpf_desktop.ui.theme import icons
from gpf_desktop.ui.theme.fonts import BASE_POINTS, interface_font
from gpf_desktop.ui.theme.qt_palette import disabled_text, qt_palette
from gpf_desktop.ui.theme.style_sheet import style_sheet
from gpf_desktop.ui.theme.tokens import READING_POINTS, Palette, PaletteName, palettes

TEXT_SCALES = (100, 110, 125, 150, 175, 200)
"""Per cent, as the View menu offers them."""
_AT_ONCE: Final = 100
"""Followers called in a turn."""
_DONE: Final = object()


class Scheme(StrEnum):
    """The auditor's choice of colours; *system* follows the desktop."""

    SYSTEM = "system"
    LIGHT = "light"
    DARK = "dark"
    HIGH_CONTRAST = "high contrast"


class Theme(QObject):
    """Applies palette, font and text scale to the application and its style sheet to what is dressed with it, live.

    Standard widgets follow by themselves. Whoever paints or holds an icon listens to `changed`, or hands its
    icon to `put_icon`. A hidden page follows once it is shown.
    """

    changed = Signal()

    def __init__(self, application: QApplication, settings: QSettings) -> None:
        super().__init__()
        self._application = application
        self._settings = settings
        self._scheme = _scheme(settings.value("view/scheme"))
        self._scale = _scale(settings.value("view/text_scale", 100))
        self._icons: dict[tuple[str, str], QIcon] = {}
        self._colors: dict[str, QColor] = {}
        self._followers: dict[int, tuple[QObject, Callable[[], None]]] = {}
        self._worn: dict[int, tuple[str, str]] = {}
        """Icon and colour of what was given one, by its `id` for as long as it lives."""
        self._windows: dict[int, QWidget] = {}
        self._pages: set[QWidget] = set()
        self._behind: set[QWidget] = set()
        """Of the pages, what waits for `catch_up`."""
        self._numbers = count()
        self._steps: Generator[None, None, None] | None = None
        """What is left of putting a choice into force."""
        self._turn = QTimer(self, interval=0)
        self._turn.timeout.connect(self._step)
        with gc_paused():
            application.setStyle("Fusion")
        application.styleHints().colorSchemeChanged.connect(self._system_changed)
        self.apply()

    @property
    def scheme(self) -> Scheme:
        return self._scheme

    @property
    def text_scale(self) -> int:
        """Per cent."""
        return self._scale

    @property
    def palette_name(self) -> PaletteName:
        """The palette in force; *system* means dark exactly where the desktop says so."""
        match self._scheme:
            case Scheme.LIGHT:
                return PaletteName.LIGHT
            case Scheme.DARK:
                return PaletteName.DARK
            case Scheme.HIGH_CONTRAST:
                return PaletteName.HIGH_CONTRAST
            case Scheme.SYSTEM:
                dark = self._application.styleHints().colorScheme() is Qt.ColorScheme.Dark
                return PaletteName.DARK if dark else PaletteName.LIGHT

    @property
    def tokens(self) -> Palette:
        """The tokens of the palette that was put into force last."""
        return self._tokens

    def color(self, token: str) -> QColor:
        """The colour called *token* in tokens.json; the caller's own."""
        # Painters ask for two hundred in a turn.
        if token not in self._colors:
            self._colors[token] = QColor(getattr(self._tokens, token))
        return QColor(self._colors[token])

    def font(self, factor: float = 1.0, *, weight: QFont.Weight = QFont.Weight.Normal) -> QFont:
        """The interface font at *factor* times the normal size, for painters."""
        made = interface_font(BASE_POINTS * factor * self._scale / 100)
        made.setWeight(weight)
        return made

    def reading_font(self) -> QFont:
        """The font that answers are set in."""
        return interface_font(READING_POINTS * self._scale / 100)

    def px(self, length: float) -> int:
        """*length* at 100 % as pixels at the present text scale."""
        return round(length * self._scale / 100)

    def set_scheme(self, scheme: Scheme, *, in_turns: bool = False) -> None:
        """*in_turns*: the window answers meanwhile, and shows the old look until the new one is all there."""
        if scheme is not self._scheme:
            self._scheme = scheme
            self._settings.setValue("view/scheme", scheme.value)
            self._put_in_force(in_turns=in_turns)

    def set_text_scale(self, scale: int, *, in_turns: bool = False) -> None:
        """Set all text to *scale* per cent, kept within 100 and 200; *in_turns* as in `set_scheme`."""
        scale = max(TEXT_SCALES[0], min(TEXT_SCALES[-1], scale))
        if scale != self._scale:
            self._scale = scale
            self._settings.setValue("view/text_scale", scale)
            self._put_in_force(in_turns=in_turns)

    def step_text_scale(self, steps: int, *, in_turns: bool = False) -> None:
        """Go *steps* sizes up (or down) the list that the View menu offers; *in_turns* as in `set_scheme`."""
        nearest = min(range(len(TEXT_SCALES)), key=lambda at: abs(TEXT_SCALES[at] - self._scale))
        self.set_text_scale(TEXT_SCALES[max(0, min(len(TEXT_SCALES) - 1, nearest + steps))], in_turns=in_turns)

    @property
    def settled(self) -> bool:
        """The present choice is in force everywhere."""
        return self._steps is None

    def apply(self) -> None:
        """Put the present choice into force everywhere."""
        self._put_in_force(in_turns=False)

    def _put_in_force(self, *, in_turns: bool) -> None:
        if self._steps is not None:
            self._steps.close()
        self._steps = self._changing()
        if in_turns:
            self._turn.start()
        else:
            while self._steps is not None:
                self._step()

    def _step(self) -> None:
        if self._steps is None or next(self._steps, _DONE) is _DONE:
            self._steps = None
            self._turn.stop()

    def _changing(self) -> Generator[None, None, None]:
        """Goes on after each part that takes some milliseconds."""
        name = self.palette_name
        tokens = palettes()[name]
        self._tokens = tokens
        self._colors.clear()
        self._icons.clear()
        self._sheet = style_sheet(name, self._scale)
        with gc_paused():
            self._application.setPalette(qt_palette(tokens))
            self._application.setFont(self.font())
        self._behind = self._out_of_sight()
        # Half of it in the new colours is not shown, nor painted twice.
        still = [each for each in self._application.topLevelWidgets() if each.isVisible() and each.updatesEnabled()]
        for window in still:
            window.setUpdatesEnabled(False)
        try:
            for window in tuple(self._windows.values()):
                if not shiboken6.isValid(window) or window in self._behind:
                    continue
                yield
                # Closed in between, a dialog is gone.
                if shiboken6.isValid(window):
                    with gc_paused():
                        window.setStyleSheet(self._sheet)
            # Followers paint and measure with what is in force, so palette, font and style sheets come first.
            yield from self._painting(None)
        finally:
            for window in still:
                if shiboken6.isValid(window):
                    window.setUpdatesEnabled(True)
        self.changed.emit()

    def dress(self, window: QWidget) -> None:
        """Give *window*, what is in it and what will be the style sheet, for as long as it lives.

        Neither the application nor the main window has one: Qt styles every widget below a sheet that is exchanged,
        .2 ms each, and of the 3,000 in the main window a tenth is in sight. With an application's, it also styles
        every part of a page anew each time that it is put into another on its way into the window, which took three
        quarters of the time that pages take to be built.
        """
        windows, number = self._windows, next(self._numbers)
        windows[number] = window
        window.destroyed.connect(lambda: windows.pop(number, None))
        window.setStyleSheet(self._sheet)

    def dress_page(self, page: QWidget) -> None:
        """`dress` *page*, which lives as long as the main window; `catch_up` before it or a window of its is shown."""
        self._pages.add(page)
        self.dress(page)

    def catch_up(self, page: QWidget) -> None:
        """Give *page*, which is about to be shown by itself or by a dialog, what changed while it was hidden."""
        if page in self._behind:
            self._behind.remove(page)
            with gc_paused():
                page.setStyleSheet(self._sheet)
            for _ in self._painting(page):
                pass

    def _out_of_sight(self) -> set[QWidget]:
        """Hidden pages without a dialog that is shown."""
        windows = [each for each in self._application.topLevelWidgets() if each.isVisible()]
        shown = {around for window in windows for around in _chain(window)}
        return {page for page in self._pages if page.isHidden() and page not in shown}

    def _painting(self, page: QWidget | None) -> Generator[None, None, None]:
        """Call the followers in *page*; None: all but those in pages that are behind. Goes on after `_AT_ONCE`."""
        for at, (owner, follower) in enumerate(tuple(self._followers.values())):
            if at % _AT_ONCE == 0:
                yield
            # Painting one may have ended another.
            if shiboken6.isValid(owner):
                around = next((each for each in _chain(owner) if each is page or each in self._behind), None)
                if around is page:
                    follower()

    def release(self) -> None:
        """Follow nothing any more."""
        self._turn.stop()
        self._followers.clear()
        self._worn.clear()
        self._windows.clear()
        self._pages.clear()
        self._behind.clear()
        self.deleteLater()

    def icon(self, name: str, color: str = "text") -> QIcon:
        """Icon *name* in the colour called *color*, for as long as the palette stays."""
        made = self._icons.get((name, color))
        if made is None:
            made = icons.icon(name, normal=getattr(self.tokens, color), disabled=disabled_text(self.tokens))
            self._icons[name, color] = made
        return made

    def pixmap(self, name: str, color: str = "text", size: int = 20) -> QPixmap:
        """Icon *name* as a picture for labels; *size* is before text scaling."""
        ratio = self._application.devicePixelRatio()
        return icons.pixmap(name, getattr(self.tokens, color), self.px(size), ratio)

    def put_icon(self, target: QObject, name: str, color: str = "text") -> None:
        """Give *target* (anything with ``setIcon``) an icon that follows the palette, in place of another."""
        worn, key = self._worn, id(target)

        def paint() -> None:
            target.setIcon(self.icon(*worn[key]))  # type: ignore[attr-defined]

        # What changes its icon again and again follows once.
        first = key not in worn
        worn[key] = name, color
        paint()
        if first:
            self.on_change(target, paint)
            target.destroyed.connect(lambda: worn.pop(key, None))

    def follow(self, owner: QObject, paint: Callable[[], None]) -> None:
        """Call *paint* now and after every change, for as long as *owner* lives."""
        self.on_change(owner, paint)
        paint()

    def on_change(self, owner: QObject, paint: Callable[[], None]) -> None:
        """Call *paint* after every change, for as long as *owner* lives."""
        followers, number = self._followers, next(self._numbers)
        # By a number of its own rather than by its owner: one owner may follow with several.
        followers[number] = owner, paint
        owner.destroyed.connect(lambda: followers.pop(number, None))

    def _system_changed(self) -> None:
        if self._scheme is Scheme.SYSTEM:
            self.apply()


def _chain(inner: QObject) -> Iterator[QObject]:
    """*inner* and what it is in, from within."""
    around: QObject | None = inner
    while around is not None:
        yield around
        around = around.parent()


def _scheme(stored: object) -> Scheme:
    return next((scheme for scheme in Scheme if scheme.value == stored), Scheme.SYSTEM)


def _scale(stored: object) -> int:
    # A settings file gives numbers back as text, and who edits it may write anything.
    text = str(stored)
    return max(TEXT_SCALES[0], min(TEXT_SCALES[-1], int(text))) if text.isdecimal() else TEXT_SCALES[0]
