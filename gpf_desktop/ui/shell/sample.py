"""The sample audit for the window: made once, in a workshop of its own, beside whatever else is open."""

from pathlib import Path


def ready_sample(path: Path | None = None) -> Path:
    """Where a finished sample audit lies; blocks while it is made. Raises `StorageError`."""
    from gpf_desktop.engine.headless import Headless
    from gpf_desktop.engine.sample import default_place, make_sample

    path = path or default_place()
    headless = Headless(quiet=True)
    try:
        make_sample(headless, path)
    finally:
        headless.workshop.close()
    return path
