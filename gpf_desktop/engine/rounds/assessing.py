"""The interface through which a round has its answers scored while it goes on."""

from collections.abc import Callable, Mapping
from typing import Protocol as Port

from gpf_desktop.domain.ids import ArticleId, FitGroupId, RunId
from gpf_desktop.domain.items import StudyItem
from gpf_desktop.domain.methods import StudyProtocol
from gpf_desktop.domain.ports.method import Method

OnScored = Callable[[FitGroupId, int, int], None]
"""Is given a group with its bundles, and how many of its cells were open."""


class Assessing(Port):
    """Lives on the engine loop."""

    async def setting(self) -> int:
        """The score setting that it writes under."""
        ...

    def ask(self, group: FitGroupId, *, final: bool) -> None:
        """Score *group* soon."""
        ...

    async def settle(self) -> None:
        """Wait for all that was asked for."""
        ...

    def leave_off(self) -> None:
        """Score nothing further, be it asked for already."""
        ...

    async def conclude(self) -> None:
        """Every cell of the run has its end."""
        ...

    def cancel(self) -> None: ...


Assess = Callable[[RunId, Method, StudyProtocol, Mapping[ArticleId, StudyItem], OnScored], Assessing]
