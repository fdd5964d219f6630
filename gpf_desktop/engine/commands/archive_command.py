"""`gpf-desktop archive`: texts of old rounds beside the audit, and back."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from gpf_desktop.domain.text import tr, trn
from gpf_desktop.engine.commands.headless import Headless
from gpf_desktop.engine.commands.progress_line import ProgressLine
from gpf_desktop.engine.rounds.old_texts import MovedTexts, OldTexts


@dataclass(frozen=True, slots=True, kw_only=True)
class Archived:
    """The texts that a command moved or brought back, and the bytes of the audit before and after."""

    audit: Path
    moved: MovedTexts
    back: bool
    before: int
    after: int

    def sentences(self) -> list[str]:
        if not self.moved.rounds:
            return [tr("No round to bring back.") if self.back else tr("No round ended before then with texts in it.")]
        n, sizes = len(self.moved.rounds), {"before": self.before / 1e6, "after": self.after / 1e6}
        if self.back:
            words = trn("The texts of {n} round are back.", "The texts of {n} rounds are back.", n)
        else:
            words = trn(
                "The texts of {n} round lie in “{folder}”, beside the audit. Keep both together.",
                "The texts of {n} rounds lie in “{folder}”, beside the audit. Keep both together.",
                n,
                folder=self.moved.folder,
            )
        return [words, tr("The audit takes {after:,.1f} MB, {before:,.1f} before.", **sizes)]

    def as_dict(self) -> dict[str, object]:
        return {
            "audit": str(self.audit),
            "rounds": list(self.moved.rounds),
            "texts": self.moved.texts,
            "folder": self.moved.folder,
            "bytes_before": self.before,
            "bytes_after": self.after,
        }


def move_texts(path: Path, before: datetime, *, quiet: bool) -> Archived:
    """Move the texts of the rounds that ended *before*. Raises `StorageError`, `UserError`."""
    return _done(path, lambda old, line: old.move(old.before(before), line.told), quiet=quiet, back=False)


def bring_texts_back(path: Path, *, quiet: bool) -> Archived:
    """Bring the texts of every round back. Raises `StorageError`."""
    return _done(path, lambda old, line: old.bring_back(sorted(old.moved()), line.told), quiet=quiet, back=True)


def _done(path: Path, do: Callable[[OldTexts, ProgressLine], MovedTexts], *, quiet: bool, back: bool) -> Archived:
    with ProgressLine() as line, Headless(quiet=quiet) as headless:
        opened = headless.enter(path, must_exist=True)
        size = path.stat().st_size
        opened.auto_rescoring.settle().result()
        moved = do(opened.old_texts, line)
    return Archived(audit=path, moved=moved, back=back, before=size, after=path.stat().st_size)


def moment(text: str) -> datetime:
    """The beginning of the day *text*, as 2026-01-31, here. Raises `ValueError`."""
    return datetime.strptime(text, "%Y-%m-%d").astimezone().astimezone(UTC)
