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
        """The seal; empty if there is none."""

    @property
    def members(self) -> Mapping[str, Member]:
        """The files, by name."""

    def text(self, name: str) -> str:
        """The whole text of a file. Raises `UserError` if it cannot be read."""

    def lines(self, name: str) -> Iterator[bytes]:
        """The rows of a file, each a JSON object. Raises `UserError` if it cannot be read."""
