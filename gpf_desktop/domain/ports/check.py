"""A method's own check of the instrument: effects that it plants and must find again."""

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
        """The seed of the round, if nobody asks for another."""

    @property
    @abstractmethod
    def reads(self) -> tuple[str, ...]:
        """The names of the findings that `lines` reads; no others are made."""

    @abstractmethod
    def plan(self, folder: Path, *, quick: bool, seed: int) -> str:
        """The round as the text of a plan; files that it names are written to *folder*."""

    @abstractmethod
    def lines(self, findings: Mapping[str, Finding]) -> Sequence[CheckLine]:
        """Lines that compare that round's tables with what was planted."""

    def concluded(self, told: ToldPage) -> Sequence[CheckLine]:
        """Lines that compare the conclusions about its models with what must and what must not be concluded."""
        return ()
