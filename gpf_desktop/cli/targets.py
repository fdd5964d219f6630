"""Looks at the place where a result will be written before anything is computed for it."""

import os
from pathlib import Path

from gpf_desktop.domain.errors import StorageError, StorageFault, UserError
from gpf_desktop.domain.text import tr


def check_folder(target: Path) -> None:
    """Raises `UserError` where *target* cannot be a file, `StorageError` where its folder cannot be written to."""
    folder = target.absolute().parent
    if target.is_dir():
        raise UserError(tr("{path} is a folder.", path=str(target)), tr("Give the name of a file in it."))
    if not folder.is_dir():
        raise UserError(tr("There is no folder {path}.", path=str(target.parent)), tr("Make it first."))
    if not os.access(folder, os.W_OK):
        raise StorageError(
            tr("Nothing can be written in {path}.", path=str(folder)),
            tr("Choose another folder, or ask for permission to write there."),
            fault=StorageFault.READ_ONLY,
        )
