"""Files of ours beside the audit: written whole or not at all."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from gpf_desktop.storage.faults import translated


@contextmanager
def written_whole(target: Path) -> Iterator[Path]:
    """A path beside *target* to write to; it takes *target*'s place when the block ends well. Raises `StorageError`."""
    beside = target.with_name(f".{target.name[:80]}.part")
    with translated(target):
        try:
            yield beside
            beside.replace(target)
        finally:
            with suppress(FileNotFoundError):
                beside.unlink()
