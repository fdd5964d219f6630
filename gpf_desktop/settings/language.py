"""The language of the words that are shown: the one that the user chose, or the system's."""

import os
from collections.abc import Sequence
from typing import Final

from gpf_desktop.domain import text
from gpf_desktop.domain.resources import resources
from gpf_desktop.settings.preferences import HERE

OPTION_NAME: Final = "look.language"
AS_THE_SYSTEM: Final = "system"
_VARIABLES: Final = ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")
"""The environment's, in the order in which gettext asks them."""


def speak(of_the_system: Sequence[str] | None = None) -> str:
    """Show words in the language of the preference, from now on, and say which it is.

    Where that follows the system, *of_the_system* are its languages, the liked best first; None: the environment's.
    """
    chosen = HERE.get(OPTION_NAME)
    if chosen == AS_THE_SYSTEM:
        wanted = _of_the_environment() if of_the_system is None else of_the_system
    else:
        wanted = [chosen]
    return text.install(resources() / "languages", wanted)


def _of_the_environment() -> list[str]:
    told = next(filter(None, (os.environ.get(name) for name in _VARIABLES)), "")
    return [each for each in told.split(":") if each]
