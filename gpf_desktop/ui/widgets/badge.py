"""Chips: a state said by icon and word, never by colour alone."""

from enum import StrEnum

from PySide6.QtWidgets import QFrame, QLabel, QSizePolicy

from gpf_desktop.domain.text import tr
from gpf_desktop.ui.theme import Theme
from gpf_desktop.ui.theme.tokens import SPACE_1, SPACE_2
from gpf_desktop.ui.widgets.boxes import hbox
from gpf_desktop.ui.widgets.labels import label
from gpf_desktop.ui.widgets.layouts import restyle
from gpf_desktop.ui.widgets.plain import plain_tip

_ICON = 14


class Tone(StrEnum):
    """The meaning of a chip's, an icon's or a figure's colour, and the name of that colour in the style sheet."""

    NEUTRAL = "neutral"
    SUCCESS = "success"
    WARNING = "warning"
    DANGER = "danger"
    INFO = "info"
    SYNTHETIC = "synthetic"

    @property
    def token(self) -> str:
        """Its colour in tokens.json."""
        return "text_secondary" if self is Tone.NEUTRAL else self.value


class Badge(QFrame):
    """A small outlined chip with a word and, where given, an icon."""

    def __init__(self, theme: Theme, text: str, tone: Tone = Tone.NEUTRAL, icon: str = "", *, help: str = "") -> None:  # noqa: A002
        super().__init__()
        self._theme = theme
        self._icon_name = icon
        self._tone = tone
        self._icon = QLabel()
        self._text = label(text)
        self.setToolTip(plain_tip(help))
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Maximum)
        hbox(self._icon, self._text, parent=self, spacing=SPACE_1, margins=(SPACE_2, 1, SPACE_2, 1))
        theme.follow(self, self._paint)

    @property
    def text(self) -> str:
        return self._text.text()

    def show_state(self, text: str, tone: Tone = Tone.NEUTRAL, icon: str = "") -> None:
        """Say something else; to style it anew for the same takes a millisecond."""
        if (text, tone, icon) == (self.text, self._tone, self._icon_name):
            return
        self._text.setText(text)
        self._tone, self._icon_name = tone, icon
        self._paint()

    def _paint(self) -> None:
        self.setProperty("badge", self._tone.value)
        self._icon.setVisible(bool(self._icon_name))
        if self._icon_name:
            self._icon.setPixmap(self._theme.pixmap(self._icon_name, self._tone.token, _ICON))
        self.setAccessibleName(self._text.text())
        restyle(self)
        # Its colour hangs on the chip's property too, and Qt looks at the rules again only for whom it is asked to.
        restyle(self._text)


def passed_badge(theme: Theme, yes: str, no: str, *, passed: bool) -> Badge:
    """Says *yes* or *no* of what was checked."""
    return Badge(theme, yes, Tone.SUCCESS, "check-circle") if passed else Badge(theme, no, Tone.DANGER, "error")


def synthetic_badge(theme: Theme, *, in_full: bool = False) -> Badge:
    """Stands wherever answers of calibration models do; *in_full*: where all that a page says is of them."""
    words = tr("Made up by a built-in test model: no real model said this.")
    text = tr("synthetic: made up by built-in test models") if in_full else tr("synthetic")
    return Badge(theme, text, Tone.SYNTHETIC, "synthetic", help=words)


def provisional_badge(theme: Theme) -> Badge:
    """Stands beside a score whose article is not complete for its model."""
    words = tr("This score can still change a little: not all answers about this article have arrived.")
    return Badge(theme, tr("until all answers are in"), Tone.NEUTRAL, "provisional", help=words)
