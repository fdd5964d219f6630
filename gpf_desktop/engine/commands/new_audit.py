"""New audits of commands: made and scored beside their place, so that none stands there half scored."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from gpf_desktop.documents.targets import check_audit
from gpf_desktop.documents.whole_files import working_folder
from gpf_desktop.domain.errors import StorageError
from gpf_desktop.storage.faults import disk_full


@contextmanager
def made_beside(target: Path) -> Iterator[Path]:
    """A path for an audit, which the block makes and closes; it takes *target*'s place when the block ends well.

    A kill leaves nothing that the same command would refuse. Raises `StorageError` and `UserError`, which name
    *target*.
    """
    with working_folder(target.absolute().parent, target.name) as folder:
        beside = folder / target.name
        try:
            yield beside
        except StorageError as error:
            named = (words.replace(str(beside), str(target)) for words in (error.what, error.remedy))
            raise StorageError(*named, fault=error.fault, details=error.details) from error
        if (newest := beside.with_name(f"{beside.name}-wal")).exists():
            # Only a full disk keeps what was written last from being folded in, and it would stay behind.
            raise disk_full(target, newest.name)
        # Again: something may have been put there while this was made.
        check_audit(target)
        beside.replace(target)
