"""Files that are there whole or not at all."""

import errno
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from gpf_desktop.documents.whole_files import whole_file
from gpf_desktop.domain import checkpoints
from gpf_desktop.domain.errors import StorageError, StorageFault
from gpf_desktop.domain.text import tr


@contextmanager
def written_beside(target: Path) -> Iterator[Path]:
    """A path beside *target* to write to; takes its place when the block ends well, and goes when it does not.

    Raises `StorageError` for whatever the disk says.
    """
    try:
        with whole_file(target) as beside:
            yield beside
            # The last place at which a report that was stopped leaves no file.
            checkpoints.passed()
    except OSError as error:
        raise _fault(target, error) from error


# Much as `storage.faults` has it, which cannot be imported here: storage and exporters stand on one layer.
def _fault(target: Path, error: OSError) -> StorageError:
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return StorageError(
            tr("The disk that holds {path} is full.", path=str(target)),
            tr("Free some space, then export again."),
            fault=StorageFault.FULL,
            details=str(error),
        )
    if error.errno == errno.ENOENT:
        return StorageError(
            tr("There is no folder {path}.", path=str(target.parent)),
            tr("Choose a folder that exists."),
            fault=StorageFault.MISSING,
            details=str(error),
        )
    return StorageError(
        tr("{path} cannot be written.", path=str(target)),
        tr("Close it where it is open, or choose another name or folder."),
        fault=StorageFault.READ_ONLY,
        details=str(error),
    )
