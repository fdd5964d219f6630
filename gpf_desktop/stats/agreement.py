"""How far reviewers agree, beyond chance where that is asked for.

    raw        share of pairs of judgements of one bundle that are equal
    kappa      Cohen (1960), two reviewers, bundles that both judged
    alpha      Krippendorff (2019, "Content Analysis", ch. 12): any number of reviewers, missing judgements allowed

A bundle is a *unit*: a row with one value per reviewer, None where that reviewer said nothing. Where nothing varies,
chance alone would agree as well: kappa and alpha are then None, which is shown as unavailable.
"""

from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import Any, Final

import numpy as np

Unit = Sequence[Any]
"""One value per reviewer; None is missing."""
Statistic = Callable[[Sequence[Unit]], float | None]

REPLICATES: Final = 2000
ARTICLES_FOR_INTERVAL: Final = 10
"""Under ten articles a percentile bootstrap covers far too little (method, "Intervals")."""
LEVEL: Final = 0.95


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreement:
    """One statistic with its interval and what it rests on."""

    value: float | None
    low: float | None
    high: float | None
    """Bounds of the 95 % interval by articles; None under ten articles."""
    units: int
    """Bundles that at least two reviewers judged."""
    articles: int


def raw(units: Sequence[Unit]) -> float | None:
    """Share of equal pairs, each unit weighing the same; None where no unit has two judgements."""
    shares = []
    for unit in units:
        said = _said(unit)
        if len(said) > 1:
            pairs = len(said) * (len(said) - 1)
            shares.append(sum(n * (n - 1) for n in Counter(said).values()) / pairs)
    return sum(shares) / len(shares) if shares else None


def cohen(units: Sequence[Unit]) -> float | None:
    """Kappa of exactly two reviewers over the units that both judged."""
    pairs = [(unit[0], unit[1]) for unit in units if unit[0] is not None and unit[1] is not None]
    if not pairs:
        return None
    n = len(pairs)
    observed = sum(a == b for a, b in pairs) / n
    first, second = Counter(a for a, _ in pairs), Counter(b for _, b in pairs)
    expected = sum(first[value] * second[value] for value in first) / (n * n)
    # Counts are whole: where both only ever said one and the same, the quotient is 1 without rounding.
    return None if expected == 1 else (observed - expected) / (1 - expected)


def alpha_nominal(units: Sequence[Unit]) -> float | None:
    """Krippendorff's alpha where values are names."""
    return _alpha(units, lambda a, b, _counts: float(a != b))


def alpha_ordinal(units: Sequence[Unit]) -> float | None:
    """Krippendorff's alpha where values are ranks: unlike ranks count by how many judgements lie between them."""
    return _alpha(units, _between)


def with_interval(statistic: Statistic, units: Sequence[Unit], articles: Sequence[Hashable], *, seed: int) -> Agreement:
    """*statistic* of *units* with a bootstrap interval over *articles* (one per unit), the unit of independence."""
    # One judgement alone agrees with nobody; its article would widen the draw without adding anything to it.
    counted = [(unit, article) for unit, article in zip(units, articles, strict=True) if len(_said(unit)) > 1]
    by_article: dict[Hashable, list[Unit]] = {}
    for unit, article in counted:
        by_article.setdefault(article, []).append(unit)
    groups = list(by_article.values())
    low = high = None
    if len(groups) >= ARTICLES_FOR_INTERVAL:
        draw = np.random.default_rng(seed)
        found = []
        for chosen in draw.integers(0, len(groups), (REPLICATES, len(groups))):
            # An article that is drawn twice brings its bundles twice, as two articles would.
            value = statistic([unit for at in chosen for unit in groups[at]])
            # Draws in which nothing varies have no agreement; the interval is over those that have.
            if value is not None:
                found.append(value)
        if found:
            edge = 100 * (1 - LEVEL) / 2
            low, high = (float(bound) for bound in np.percentile(found, [edge, 100 - edge]))
    return Agreement(
        value=statistic([unit for unit, _ in counted]), low=low, high=high, units=len(counted), articles=len(groups)
    )


Distance = Callable[[Any, Any, Counter[Any]], float]


def _alpha(units: Sequence[Unit], distance: Distance) -> float | None:
    """1 - D_o / D_e from the coincidences of values within units; None where nothing varies."""
    coincidences: Counter[tuple[Any, Any]] = Counter()
    for unit in units:
        said = _said(unit)
        if len(said) < 2:
            continue
        # A unit of m judgements has m (m − 1) ordered pairs: by this weight it adds m to the coincidences, not m².
        weight = 1 / (len(said) - 1)
        for a, b in permutations(said, 2):
            coincidences[a, b] += weight  # type: ignore[assignment]
    totals: Counter[Any] = Counter()
    for (a, _), weight in coincidences.items():
        totals[a] += weight
    n = sum(totals.values())
    if n <= 1:
        return None
    apart = {(a, b): distance(a, b, totals) for a in totals for b in totals}
    observed = sum(weight * apart[pair] for pair, weight in coincidences.items())
    # Over n − 1, as values are dealt to pairs without replacement: Krippendorff's correction for few judgements.
    expected = sum(totals[a] * totals[b] * apart[a, b] for a in totals for b in totals if a != b) / (n - 1)
    return None if expected == 0 else 1 - observed / expected


def _between(a: Any, b: Any, totals: Counter[Any]) -> float:
    low, high = min(a, b), max(a, b)
    inside = sum(n for value, n in totals.items() if low <= value <= high)
    return float((inside - (totals[a] + totals[b]) / 2) ** 2) if a != b else 0.0


def _said(unit: Unit) -> list[Any]:
    return [value for value in unit if value is not None]
