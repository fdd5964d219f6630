"""What starts this program again, for schedules and for lines that people copy."""

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
