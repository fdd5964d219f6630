"""A method's own check of the instrument: what it plants and must find again."""

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from pathlib import Path

from gpf_desktop.domain.checks import CheckLine
from gpf_desktop.domain.conclusions.rendering import ToldPage
from gpf_desktop.domain.findings import Finding
from gpf_desktop.domain.ports.plug_in import PlugIn


class MethodCheck(PlugIn, declares=True):
    """Asks a method's calibration models and reads its tables: `CHECK` of its folder's ``check.py``; *name* is the
    method's."""

    @property
    @abstractmethod
    def seed(self) -> int:
        """Of the round, where nobody asks for another."""

    @abstractmethod
    def plan(self, folder: Path, *, quick: bool, seed: int) -> str:
        """The round as the text of a plan; files that it names are written to *folder*."""

    @abstractmethod
    def lines(self, findings: Mapping[str, Finding]) -> Sequence[CheckLine]:
        """What that round's tables show beside what was planted."""

    def concluded(self, told: ToldPage) -> Sequence[CheckLine]:
        """What must be concluded of its models, what must not, and what is."""
        return ()
