"""Starts of this program: the command that starts it again, for schedules and for lines that people copy; and safe
mode."""

import os
import sys
from pathlib import Path
from typing import Final

_WINDOWED: Final = "-window"
"""How the executable's name ends that has no terminal; on Windows it says nothing to whoever waits for its words."""


def program() -> tuple[str, ...]:
    """The words before the arguments, with a full path: schedulers and terminals may not search the user's PATH.

    Of a frozen build its executable; else this Python with the package. Of the two that Windows has, the one that
    prints.
    """
    if not getattr(sys, "frozen", False):
        return (sys.executable, "-m", "gpf_desktop")
    itself = Path(sys.executable)
    printing = itself.with_name(itself.stem.removesuffix(_WINDOWED) + itself.suffix)
    return (str(printing if printing.exists() else itself),)


SAFE: Final = "--safe"
"""The option of a start that nothing from outside can spoil."""
_IN_SAFE_MODE: Final = "GPF_DESKTOP_SAFE"
"""A variable of the environment, which worker processes have too."""


def enter_safe_mode() -> None:
    """Use the program alone from now on: without plug-ins of installed packages, with the window as it comes."""
    os.environ[_IN_SAFE_MODE] = "1"


def in_safe_mode() -> bool:
    return os.environ.get(_IN_SAFE_MODE) == "1"
