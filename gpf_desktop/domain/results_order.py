"""The order of a method's findings from top to bottom: what was found, then comparisons, then tables."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from gpf_desktop.domain.findings import Finding

FOUND = 3
"""So many of the first findings tell what was found where a method does not say."""


def highlights_of(findings: Mapping[str, Finding]) -> tuple[str, ...]:
    """Every finding's highlights, in order."""
    return tuple(line for finding in findings.values() for line in finding.highlights)


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultsOrder:
    """Names of analyses by the part of the page that they stand in; all others are tables."""

    found: tuple[str, ...]
    comparisons: tuple[str, ...] = ()
    two_batches: frozenset[str] = frozenset()
    """Comparisons and tables that say nothing of a single batch: they hide until there are two."""
    two_models: frozenset[str] = frozenset()
    """The same of a single model. Where all of `found` is among them, nothing is found of a model alone."""
    two_vendors: frozenset[str] = frozenset()
    """The same of a single vendor."""
    brief: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """By analysis, the columns that a page shows; files have them all."""
    told: Callable[[Mapping[str, Finding]], tuple[str, ...]] = highlights_of
    """The sentences of what the findings of `found` say, of the one kind that the method's scores support."""
