"""Runs a command in this process and says what went wrong with it."""

import hashlib
import io
from collections.abc import Iterable, Mapping, Sequence
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from gpf_desktop.__main__ import main
from gpf_desktop.settings import crash_notes

DOCUMENTED: Final = frozenset({0, 1, 2, 3})
"""Done, with gaps, bad input, could not run; 70 is for bugs of the program alone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ran:
    """What a command did."""

    argv: tuple[str, ...]
    code: int
    said: str
    """On standard error."""
    details: str
    """The traceback, where the program itself went wrong."""
    touched: tuple[str, ...]
    """Inputs that are other than they were."""

    @property
    def complaint(self) -> str:
        """What is wrong with how it ended; empty where nothing is."""
        if self.code not in DOCUMENTED:
            return f"ends with {self.code}: {self.details[-1500:]}"
        if self.code < 2 and ("Traceback" in self.said or "could not be made" in self.said):
            return f"ends with {self.code}, and swallows: {self.said[-1500:]}"
        if self.code >= 2 and "gpf-desktop: " not in self.said:
            return f"ends with {self.code} and says nothing of it"
        return f"changed {self.touched}" if self.touched else ""


def ran(argv: Sequence[object], *, inputs: Iterable[Path] = ()) -> Ran:
    """Give the command *argv*; *inputs* are files that it may only read."""
    before = _digests(inputs)
    words = tuple(map(str, argv))
    said, out = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(said):
        code = main(words)
    notes = sorted(crash_notes.folder().glob("crash-*.txt")) if code not in DOCUMENTED else []
    return Ran(
        argv=words,
        code=code,
        said=said.getvalue(),
        details=notes[-1].read_text(encoding="utf-8") if notes else "",
        touched=tuple(path.name for path, digest in _digests(before).items() if digest != before[path]),
    )


def _digests(paths: Iterable[Path]) -> Mapping[Path, str]:
    return {path: hashlib.sha256(path.read_bytes()).hexdigest() if path.exists() else "" for path in paths}
