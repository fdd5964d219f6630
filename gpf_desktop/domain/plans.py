"""A round as it is wanted, before articles are chosen and anything is frozen."""

from dataclasses import dataclass
from typing import Any

from gpf_desktop.domain.models import Endpoint, Role
from gpf_desktop.domain.scopes import WHOLE, Scope


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanSource:
    """A source of a plan's articles: an address, or a file."""

    target: str
    title: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """A plan as `gpf-desktop run` is given it; its values tell the round from others."""

    name: str
    articles_per_source: int
    method: str
    protocol: str
    """Name of a shipped protocol, or a file."""
    controls: Any
    """Of the method's own type; None: the protocol's own sizes."""
    last_batch: bool
    """Ask the last batch's articles of these models instead of taking new ones."""
    seed: int
    spend_cap: float | None
    """US dollars."""
    sources: tuple[PlanSource, ...]
    models: tuple[Endpoint, ...]
    scope: Scope = WHOLE
    """What of the design is left out."""
    roles: tuple[Role, ...] = ()
    """Of each of *models*; empty: all are targets."""
    article_words: str = ""
    """All of which an article holds, or a day, to be taken (`Article.holds`)."""

    def role(self, place: int) -> Role:
        """The role of the model at *place*."""
        return self.roles[place] if self.roles else Role.TARGET
