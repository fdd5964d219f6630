"""Audits opened lately."""

import os
from pathlib import Path

from PySide6.QtCore import QObject, QSettings, Signal

_MOST = 10
_KEY = "files/recent"


class RecentFiles(QObject):
    """The list behind File › Open recent, which leaves out files that are gone, and Home's, which says so."""

    changed = Signal()

    def __init__(self, settings: QSettings, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._settings = settings

    def paths(self) -> tuple[Path, ...]:
        """Newest first, without those that are gone."""
        return tuple(path for path in self.known() if path.is_file())

    def known(self) -> tuple[Path, ...]:
        """Newest first, with those that are gone; asks no disk."""
        stored = self._settings.value(_KEY, [])
        # From a settings file a list of one comes back as a plain text.
        texts = [stored] if isinstance(stored, str) else stored if isinstance(stored, list) else []
        return tuple(filter(_may_be, (Path(str(each)) for each in texts)))

    def add(self, path: Path) -> None:
        path = path.resolve()
        self._store([path, *(other for other in self.known() if other != path)])

    def drop(self, path: Path) -> None:
        """Take *path* off the list."""
        self._store([other for other in self.known() if other != path])

    def forget(self) -> None:
        self._store([])

    def _store(self, paths: list[Path]) -> None:
        self._settings.setValue(_KEY, [str(path) for path in paths[:_MOST]])
        self.changed.emit()


def _may_be(path: Path) -> bool:
    """Whether a file may be called so: a name from a damaged settings file makes every look at it an error."""
    try:
        return all(len(os.fsencode(part)) < 256 for part in path.parts)
    except ValueError:
        return False
