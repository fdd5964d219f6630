"""Audits opened lately."""

from pathlib import Path

from PySide6.QtCore import QObject, QSettings, Signal

_MOST = 10
_KEY = "files/recent"


class RecentFiles(QObject):
    """The list behind File › Open recent and Home's list; files that are gone are left out."""

    changed = Signal()

    def __init__(self, settings: QSettings, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._settings = settings

    def paths(self) -> tuple[Path, ...]:
        """Newest first."""
        stored = self._settings.value(_KEY, [])
        texts = [stored] if isinstance(stored, str) else [str(each) for each in stored or []]  # type: ignore[attr-defined]
        return tuple(path for path in map(Path, texts) if path.is_file())

    def add(self, path: Path) -> None:
        path = path.resolve()
        self._store([path, *(other for other in self.paths() if other != path)])

    def forget(self) -> None:
        self._store([])

    def _store(self, paths: list[Path]) -> None:
        self._settings.setValue(_KEY, [str(path) for path in paths[:_MOST]])
        self.changed.emit()
