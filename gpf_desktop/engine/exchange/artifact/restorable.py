"""The sources from which an audit can be made: an artifact, or the folder of an export."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Protocol

from gpf_desktop.engine.exchange.artifact.sealed_zip import Member


class Restorable(Protocol):
    """Files by the names that they have in an artifact."""

    @property
    def path(self) -> Path: ...

    @property
    def seal(self) -> str:
        """Empty where it has none."""

    @property
    def members(self) -> Mapping[str, Member]:
        """The files, by name."""

    def text(self, name: str) -> str:
        """All of a file. Raises `UserError` where it cannot be read."""

    def lines(self, name: str) -> Iterator[bytes]:
        """The rows of a file, each a JSON object. Raises `UserError` where it cannot be read."""
