"""A copy of an audit for each day that it is open, and before a round is deleted; the newest ones stay."""

import re
import shutil
import stat
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, date, datetime
from hashlib import sha256
from pathlib import Path
from typing import Final

import platformdirs

from gpf_desktop.documents.targets import check_audit, of_the_disk
from gpf_desktop.documents.whole_files import whole_file
from gpf_desktop.domain.errors import StorageError, StorageFault
from gpf_desktop.domain.text import tr
from gpf_desktop.settings.preferences import HERE
from gpf_desktop.storage.audit_file import AuditFile

_BEFORE: Final = "before deletion"
"""In the names of copies that are there to bring a deleted round back."""
_DAY: Final = re.compile(rf" (\d{{4}}-\d\d-\d\d)( {_BEFORE}(?: \d+)?)?\.gpf$")
_DELETIONS_KEPT: Final = 3
_LONGEST_NAME: Final = 80
_ROOM: Final = 512 * 2**20
"""Bytes that stay free beside a copy."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DailyCopy:
    """An audit as it was on a day."""

    path: Path
    day: date
    size: int
    """Bytes."""
    made: datetime | None
    """None where the file's own time is not of that day."""
    before_deletion: bool = False
    """Made before a round was deleted, beside that day's own."""

    @property
    def audit(self) -> str:
        """The name of the file that it was made of."""
        return _DAY.sub("", self.path.name)


class DailyCopies:
    """The daily copies of the audit at one path. Everything here blocks."""

    def __init__(self, audit: Path, among: Path | None = None) -> None:
        """*among* is the folder of all audits' copies; None: that of the preferences."""
        path = audit.absolute()
        self._stem = path.stem[:_LONGEST_NAME]
        # Of two audits of one name each has a folder of its own.
        self.folder = (among or _folder()) / f"{self._stem}-{sha256(str(path).encode()).hexdigest()[:8]}"

    def listed(self) -> tuple[DailyCopy, ...]:
        """The newest first."""
        return _listed(self.folder)

    def make(self, audit: AuditFile, today: date) -> Path | None:
        """Copy *audit* as it is now, and remove copies beyond those that are kept; what is returned is the copy.

        None: today's is there, nothing has changed since the newest one, or none are wanted. Raises `StorageError`.
        """
        kept: int = HERE.get("work.daily_copies")
        there = self._of_days()
        if not kept or (there and (there[0].day >= today or _changed(audit.path) <= there[0].path.stat().st_mtime)):
            return None
        target = self.folder / f"{self._stem} {today.isoformat()}.gpf"
        self._save(audit, target)
        _remove(self._of_days()[kept:])
        return target

    def make_before_deletion(self, audit: AuditFile, today: date) -> Path | None:
        """Copy *audit* as it is now, whatever copies there are; of such ones the newest `_DELETIONS_KEPT` stay.

        None: no copies are wanted. Raises `StorageError`.
        """
        if not HERE.get("work.daily_copies"):
            return None
        name = f"{self._stem} {today.isoformat()} {_BEFORE}"
        names = (f"{name}.gpf", *(f"{name} {n}.gpf" for n in range(2, 1000)))
        target = next(path for each in names if not (path := self.folder / each).exists())
        self._save(audit, target)
        made = [each for each in self.listed() if each.before_deletion]
        made.sort(key=lambda each: each.path.stat().st_mtime_ns, reverse=True)
        _remove([each for each in made[_DELETIONS_KEPT:] if each.path != target])
        return target

    def _of_days(self) -> tuple[DailyCopy, ...]:
        return tuple(each for each in self.listed() if not each.before_deletion)

    def _save(self, audit: AuditFile, target: Path) -> None:
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            needed, free = audit.path.stat().st_size + _ROOM, shutil.disk_usage(self.folder).free
        except OSError as error:
            raise of_the_disk(error, target) from error
        if free < needed:
            raise StorageError(
                tr("No copy was made: {folder} has too little room.", folder=str(self.folder)),
                tr("Make room, or choose another folder or fewer copies in Preferences."),
                fault=StorageFault.FULL,
            )
        audit.save_copy(target)
        # Opened by itself it would be worked on, and go with the others one day.
        target.chmod(stat.S_IRUSR)


def all_copies(among: Path | None = None) -> tuple[DailyCopy, ...]:
    """The daily copies of every audit, newest first."""
    folder = among or _folder()
    found = [copy for each in folder.glob("*") if each.is_dir() for copy in _listed(each)]
    return tuple(sorted(found, key=_newness, reverse=True))


def restore(copy: DailyCopy, target: Path) -> None:
    """Make *copy* an audit of its own at *target*, where nothing may be; the copy stays. Raises `GpfError`."""
    check_audit(target)
    try:
        with whole_file(target) as part:
            shutil.copyfile(copy.path, part)
    except OSError as error:
        raise of_the_disk(error, target) from error


def _remove(copies: Iterable[DailyCopy]) -> None:
    for old in copies:
        # Windows removes nothing that is write-protected.
        old.path.chmod(stat.S_IRUSR | stat.S_IWUSR)
        old.path.unlink(missing_ok=True)


def _folder() -> Path:
    chosen: str = HERE.get("folders.copies")
    return Path(chosen) if chosen else platformdirs.user_data_path("gpf-desktop", appauthor=False) / "copies"


def _listed(folder: Path) -> tuple[DailyCopy, ...]:
    found = []
    for path in folder.glob("*.gpf"):
        day = _DAY.search(path.name)
        if day and path.is_file():
            its, lies = date.fromisoformat(day[1]), path.stat()
            at = datetime.fromtimestamp(lies.st_mtime, UTC)
            # The folder may have been copied here since, with other times.
            made = at if at.astimezone().date() == its else None
            found.append(DailyCopy(path=path, day=its, size=lies.st_size, made=made, before_deletion=bool(day[2])))
    return tuple(sorted(found, key=_newness, reverse=True))


def _newness(copy: DailyCopy) -> tuple[date, float]:
    return copy.day, copy.made.timestamp() if copy.made else 0.0


def _changed(path: Path) -> float:
    """The time of the last write to *path*, or to what is written beside it and not yet in it."""
    log = path.with_name(f"{path.name}-wal")
    return max(each.stat().st_mtime for each in (path, log) if each.exists())
