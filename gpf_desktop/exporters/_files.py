"""Files that are there whole or not at all."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from gpf_desktop.documents.whole_files import whole_file
from gpf_desktop.domain import checkpoints
from gpf_desktop.domain.disk_errors import fault_of
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
    if (other := _named_elsewhere(target, error)) is not None:
        return StorageError(
            tr(
                "{path} cannot be written: {other}, which it is made with, cannot be used.",
                path=str(target),
                other=other,
            ),
            tr("Look whether it is there and can be read; where it belongs to the program, install that again."),
            fault=fault_of(error),
            details=str(error),
        )
    match fault_of(error):
        case StorageFault.FULL as fault:
            what = tr("The disk that holds {path} is full.", path=str(target))
            remedy = tr("Free some space, then export again.")
        case StorageFault.UNREACHABLE as fault:
            what = tr("The disk or network drive that holds {path} does not answer.", path=str(target))
            remedy = tr("Connect it again, then export once more, or choose another folder.")
        case StorageFault.MISSING as fault if not target.parent.is_dir():
            what = tr("There is no folder {path}.", path=str(target.parent))
            remedy = tr("Choose a folder that exists.")
        case fault:
            what = tr("{path} cannot be written.", path=str(target))
            remedy = tr("Close it where it is open, or choose another name or folder.")
    return StorageError(what, remedy, fault=fault, details=str(error))


def _named_elsewhere(target: Path, error: OSError) -> str | None:
    """The file that *error* names, where it is neither *target*, what is written beside it, nor a folder above."""
    if not isinstance(error.filename, str | bytes):
        return None
    # Compared as written: a folder that is gone has no other spelling.
    named, target = Path(os.fsdecode(error.filename)).absolute(), target.absolute()
    beside = named.parent == target.parent and named.name.startswith(f".{target.name[:50]}.")
    return None if beside or named == target or named in target.parents else str(named)
