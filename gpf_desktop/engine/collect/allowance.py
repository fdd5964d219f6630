"""A common allowance for the sizes of documents that are fetched at the same time."""

from types import TracebackType
from typing import Final

ALLOWANCE: Final = 96 * 1024 * 1024
LEAST: Final = 1024 * 1024
"""Bytes that every document may have, whatever the others hold: feeds have a tenth of it."""


class Allowance:
    """Bytes for all the documents under way: one may have as much as the others leave it, so none takes all."""

    def __init__(self, size: int = ALLOWANCE) -> None:
        self.left = size

    def share(self) -> "AllowanceShare":
        return AllowanceShare(self)


class AllowanceShare:
    """One document's part of an allowance, given back at the end of the `with`. Used on one event loop."""

    def __init__(self, allowance: Allowance) -> None:
        self._allowance = allowance
        self._held = 0

    def __enter__(self) -> "AllowanceShare":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._allowance.left += self._held
        self._held = 0

    def admits(self, more: int) -> bool:
        """Whether the document may take *more* bytes, which are then counted."""
        wanted = self._held + more
        # What is left leaves out what this document holds: growing piece by piece, it stops at about half of what the
        # others leave it. Those that need no more than `LEAST` may bring it below 0.
        if wanted > max(LEAST, self._allowance.left):
            return False
        self._held = wanted
        self._allowance.left -= more
        return True
