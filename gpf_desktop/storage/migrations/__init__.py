"""One file per schema version: ``m0001_….py`` holds ``SQL``, run once, in order, each in a transaction of its own.

What each version changed is told in HISTORY.md beside this file. A file that was released is never edited.
"""

import importlib
import pkgutil
from functools import cache


@cache
def migrations() -> tuple[str, ...]:
    """SQL of every version, ``migrations()[v - 1]`` leading to version v."""
    # Numbers in names have one length, so that their order as text is that of the versions.
    names = sorted(info.name for info in pkgutil.iter_modules(__path__) if info.name.startswith("m"))
    return tuple(importlib.import_module(f"{__name__}.{name}").SQL for name in names)
