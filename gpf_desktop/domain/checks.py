"""What a method plants and must find again: its own check of the instrument."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol as Port

from gpf_desktop.domain.findings import Finding


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckLine:
    """One line of the method's table."""

    model: str
    must_show: str
    found: str
    passed: bool


class MethodCheck(Port):
    """Asks a method's calibration models and reads its tables: `CHECK` of its folder's ``check.py``."""

    @property
    def name(self) -> str:
        """The method's."""
        ...

    def plan(self, folder: Path, *, quick: bool) -> str:
        """The round as the text of a plan; files that it names are written to *folder*."""
        ...

    def lines(self, findings: Mapping[str, Finding]) -> Sequence[CheckLine]:
        """What that round's tables show beside what was planted."""
        ...
