"""Keeps Python from collecting a widget in the middle of what Qt does with it."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def gc_paused() -> Iterator[None]:
    """While Qt walks over widgets, Python must not collect one: code of ours runs on the way, a collection may start in
    any of it, and Qt would go on with a widget that is gone."""
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collects:
            gc.enable()
