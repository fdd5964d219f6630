"""Exit codes, and the sentence on standard error that goes with them."""

import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

from gpf_desktop.documents.audit_marks import is_audit
from gpf_desktop.documents.targets import StandsAlreadyError
from gpf_desktop.domain.errors import GpfError, SourceError, StorageError, StorageFault, UnfitSourceError, UserError
from gpf_desktop.domain.text import tr

DONE: Final = 0
GAPS: Final = 1
BAD_INPUT: Final = 2
COULD_NOT_RUN: Final = 3
BROKEN: Final = 70
"""The program itself went wrong; sysexits.h calls it EX_SOFTWARE."""

_PASSES: Final = frozenset({StorageFault.LOCKED, StorageFault.FULL, StorageFault.UNREACHABLE, StorageFault.GONE})
"""Of the machine: the same line may do later. All else is wrong with what was named, its permissions too."""


def code_of(error: GpfError) -> int:
    """`BAD_INPUT` for what was typed, named or handed over, `COULD_NOT_RUN` for what the machine or a server did."""
    of_input = isinstance(error, UserError | UnfitSourceError) or (
        isinstance(error, StorageError) and error.fault not in _PASSES
    )
    return BAD_INPUT if of_input else COULD_NOT_RUN


def complain(error: GpfError) -> int:
    """Say *error*; returns its exit code."""
    say(str(_for_the_command_line(error)))
    return code_of(error)


def stopped() -> int:
    """Say that the user stopped the command."""
    say(tr("Stopped; what was stored is kept."))
    return COULD_NOT_RUN


def crashed(error: Exception, typed: Sequence[str] = ()) -> int:
    """Say *error*, which nobody expected, and return the exit code: a fault of an audit that was *typed* is said as
    such.

    Where there is none, the program itself went wrong; details are kept in a file, and it is said where that is.
    """
    from gpf_desktop.settings.crash_notes import keep_details

    for audit in _audits(typed):
        if (fault := _of_the_audit(error, audit)) is not None:
            return complain(fault)
    what = tr("Something went wrong inside the program ({kind}); what was stored is kept.", kind=type(error).__name__)
    kept = keep_details(error)
    if kept is None:
        say(tr("{what} The details could not be written to the disk.", what=what))
    else:
        say(tr("{what} Details, without keys: {path}", what=what, path=str(kept)))
    return BROKEN


def _audits(typed: Sequence[str]) -> Iterator[Path]:
    for text in typed:
        with suppress(OSError, ValueError):
            path = Path(text.partition("=")[2] if text.startswith("--") else text)
            if is_audit(path):
                yield path


def _of_the_audit(error: Exception, path: Path) -> StorageError | None:
    from gpf_desktop.storage.audit_file import fault_behind

    try:
        return fault_behind(error, path)
    except Exception:
        # What goes wrong here says nothing of the file, and must not hide the first error.
        return None


def say(sentence: str) -> None:
    # A file's or a server's own words may hold line breaks; a log takes one line for each sentence.
    print("gpf-desktop:", " ".join(sentence.split()), file=sys.stderr)


def _for_the_command_line(error: GpfError) -> GpfError:
    """*error* without advice that speaks of the window."""
    match error:
        case StandsAlreadyError():
            remedy = tr("Choose another name, or replace it with --force.")
        case StorageError(fault=StorageFault.MISSING):
            remedy = tr("Check its name.")
        # Known by its words alone, which are compared as they are said in the language in use.
        case SourceError() if error.remedy == tr("It is tried again at the next fetch."):
            remedy = tr("Run the same command again later.")
        case _:
            return error
    return GpfError(error.what, remedy)
