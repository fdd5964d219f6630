"""How a method speaks of the two groups of news."""

from collections.abc import Mapping
from typing import Protocol as Port
from typing import runtime_checkable

from gpf_desktop.domain.articles import Stratum


@runtime_checkable
class SortsNews(Port):
    """A method to which it matters whether news is about what its factors name."""

    @property
    def strata(self) -> Mapping[Stratum, str]:
        """What each group is called where a round is set up."""
        ...
