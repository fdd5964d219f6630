"""Theme and text size are preferences too, whoever changes them: a menu, the page of preferences, or `config`."""

from contextlib import suppress

from PySide6.QtCore import QObject, QSettings

from gpf_desktop.domain.errors import GpfError
from gpf_desktop.settings.preferences import Preferences
from gpf_desktop.ui.theme.theme import Scheme, Theme

_KEYS = {"look.theme": "view/scheme", "look.text_size": "view/text_scale"}


def hand_over_look(settings: QSettings, preferences: Preferences) -> None:
    """Before a `Theme` is made of *settings*, have them say what *preferences* do.

    Where nobody has chosen any preference yet, those take over what *settings* kept before there were any.
    """
    if not preferences.path.exists():
        for name, key in _KEYS.items():
            stored = settings.value(key)
            text = "" if stored is None else str(stored)
            value = int(text) if text.isdecimal() and len(text) < 9 else text
            with suppress(GpfError):
                if stored is not None:
                    preferences.set(name, value)
    for name, key in _KEYS.items():
        settings.setValue(key, preferences.get(name))


class KeptLook(QObject):
    """Keeps *theme* and *preferences* alike for as long as *theme* lives. On the window's thread."""

    def __init__(self, theme: Theme, preferences: Preferences) -> None:
        super().__init__(theme)
        self._theme, self._preferences = theme, preferences
        leave = preferences.follow(self._chosen)
        theme.changed.connect(self._keep)
        theme.destroyed.connect(leave)

    def _chosen(self, name: str) -> None:
        match name:
            case "look.theme":
                self._theme.set_scheme(Scheme(self._preferences.get(name)), in_turns=True)
            case "look.text_size":
                self._theme.set_text_scale(self._preferences.get(name), in_turns=True)

    def _keep(self) -> None:
        # A disk that is full takes no look; the window has it all the same.
        with suppress(GpfError):
            for name, value in (("look.theme", self._theme.scheme.value), ("look.text_size", self._theme.text_scale)):
                if self._preferences.get(name) != value:
                    self._preferences.set(name, value)
