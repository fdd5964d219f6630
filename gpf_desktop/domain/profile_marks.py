"""The marks of small multiples, from a finding's rows: the same for whoever draws them."""

from collections.abc import Sequence
from dataclasses import dataclass

from gpf_desktop.domain.figures import Profiles
from gpf_desktop.domain.findings import Estimate, Finding, Row
from gpf_desktop.domain.grid_picture import short_names
from gpf_desktop.domain.text import tr


@dataclass(frozen=True, slots=True, kw_only=True)
class EstimateMark:
    """One estimate of one row, as charts lay it out."""

    row: Row
    estimate: Estimate

    @property
    def value(self) -> float | None:
        return self.estimate.value

    @property
    def low(self) -> float | None:
        return None if self.estimate.interval is None else self.estimate.interval.low

    @property
    def high(self) -> float | None:
        return None if self.estimate.interval is None else self.estimate.interval.high


@dataclass(frozen=True, slots=True, kw_only=True)
class ProfileMark(EstimateMark):
    """A mark in one of several small panels."""

    panel: str
    line: str
    place: int
    """Which of its line's estimates it is, from 0."""
    title: str
    """Of its column."""


def profile_marks(finding: Finding, figure: Profiles) -> list[ProfileMark]:
    """Row by row; panels name models without their providers, where that leaves them distinct."""
    titles = {column.key: column.label for column in finding.columns}
    names = [_shortened([str(row.values[key]) for row in finding.rows]) for key in figure.panel]
    panels = [" · ".join(parts) for parts in zip(*names, strict=True)]
    return [
        ProfileMark(
            panel=panel, line=str(row.values[figure.line]), place=place, title=titles[key], row=row, estimate=value
        )
        for panel, row in zip(panels, finding.rows, strict=True)
        for place, key in enumerate(figure.values)
        if isinstance(value := row.values[key], Estimate)
    ]


def legend(finding: Finding, figure: Profiles) -> str:
    """Words that say what a filled and what a hollow mark is; empty if there are only filled ones."""
    titles = {column.key: column.label for column in finding.columns}
    if len(figure.values) < 2:
        return ""
    first, second = (titles[key] for key in figure.values)
    return tr("filled: {first}, hollow: {second}", first=first, second=second)


def _shortened(names: Sequence[str]) -> list[str]:
    distinct = list(dict.fromkeys(names))
    short = dict(zip(distinct, short_names(distinct), strict=True))
    return [short[name] for name in names]
