"""Files of ours beside the audit: written whole or not at all."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from gpf_desktop.documents.whole_files import whole_file
from gpf_desktop.storage.faults import translated


@contextmanager
def written_whole(target: Path) -> Iterator[Path]:
    """A path beside *target* to write to; it takes *target*'s place when the block ends well. Raises `StorageError`."""
    with translated(target), whole_file(target) as beside:
        yield beside
