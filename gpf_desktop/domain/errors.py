"""Errors, by whose fault they are.

    GpfError
    ├── UserError        bad input: a sentence and what to do (exit code 2)
    │   ├── KeyMissingError
    │   └── NoAuditError    what was asked of the open audit comes when none is open
    ├── SourceError      a news source's fault: shown on that source, other sources go on
    │   └── UnfitSourceError    what is there is no news (exit code 2)
    ├── ProviderError    a provider's fault outside a cell (listing models, testing a key)
    └── StorageError     the audit file or the disk: locked, full, unreachable, newer, damaged … (exit code 3)

A failing cell is data (`domain.responses.Miss`), never an exception. Anything that is not a `GpfError` is a
bug and surfaces once, with details to copy and secrets removed.
"""

from enum import StrEnum

from gpf_desktop.domain.ids import ModelId


class GpfError(Exception):
    """A sentence for the user: *what* happened and, where there is something, what to do (*remedy*)."""

    def __init__(self, what: str, remedy: str = "", *, details: str = "") -> None:
        super().__init__(f"{what} {remedy}".strip())
        self.what = what
        self.remedy = remedy
        self.details = details


class StoppedError(Exception):
    """The auditor stopped the work; raised inside it by what it tells how far it is."""


class UserError(GpfError):
    """Something that was typed, picked or imported cannot be used as it is."""


class KeyMissingError(UserError):
    """A model cannot be asked because its key is not to be had; *here* is what to do in the window."""

    def __init__(self, what: str, remedy: str, *, model_id: ModelId, here: str) -> None:
        super().__init__(what, remedy)
        self.model_id = model_id
        self.here = here


class NoAuditError(UserError):
    """Raised when no audit is open."""


class SourceError(GpfError):
    """A news source cannot be read; the message names the source's own answer."""


class UnfitSourceError(SourceError):
    """A source that holds no news, or whose name leads nowhere: it is the same at the next look."""


class ProviderError(GpfError):
    """A provider refused or could not be reached outside a cell."""


class StorageFault(StrEnum):
    """The reason why an audit file cannot be used."""

    LOCKED = "locked"
    FULL = "full"
    READ_ONLY = "read-only"
    NEWER = "newer"
    OLDER = "older"
    """Of an earlier version; it is brought up to date where it is opened for writing."""
    NOT_AN_AUDIT = "not an audit"
    DAMAGED = "damaged"
    INCOMPLETE = "incomplete"
    """A copy without its newest writes; it can be opened as it is where the auditor says so."""
    MISSING = "missing"
    APART = "texts not at hand"
    """Texts that were moved into files beside the audit, and those are not there."""
    FOREIGN = "foreign file beside it"
    """A journal or a -wal file that is another database's lies beside it; SQLite would write that into it."""
    UNREACHABLE = "unreachable"
    """The disk or the network drive does not answer."""
    GONE = "gone"
    """Deleted, moved or replaced while it was open; what it held can still be saved elsewhere."""


class StorageError(GpfError):
    """The audit file or its disk failed; *fault* says how, so that the window can offer the right button."""

    def __init__(self, what: str, remedy: str = "", *, fault: StorageFault, details: str = "") -> None:
        super().__init__(what, remedy, details=details)
        self.fault = fault
