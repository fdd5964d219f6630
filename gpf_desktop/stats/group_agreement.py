"""Agreement of two groups of people, beyond chance: Vanbelle and Albert (2009), "Agreement between two independent
groups of raters", Psychometrika 74 (3).

Of a unit that both groups judged, the share of pairs, one of each group, that are equal; over units the mean. Chance is
what the groups' own shares of values give. One judge in each group: Cohen's kappa.
"""

from collections import Counter
from collections.abc import Hashable, Sequence

Judged = tuple[Sequence[Hashable], Sequence[Hashable]]
"""What the one group says of a unit, and what the other says."""


def between(units: Sequence[Judged]) -> float | None:
    """The agreement of two groups over the units of which both say something; None where there is none, or chance alone
    agrees as well."""
    both = [(Counter(one), Counter(other)) for one, other in units if one and other]
    if not both:
        return None
    first: Counter[Hashable] = Counter()
    second: Counter[Hashable] = Counter()
    observed = 0.0
    for one, other in both:
        n, m = one.total(), other.total()
        observed += sum(one[value] * other[value] for value in one) / (n * m) / len(both)
        for counts, said, all_said in ((first, one, n), (second, other, m)):
            for value, times in said.items():
                # Each unit weighs the same, however many of a group judged it.
                counts[value] += times / all_said / len(both)  # type: ignore[assignment]
    expected = sum(first[value] * second[value] for value in first)
    return None if expected > 1 - 1e-12 else (observed - expected) / (1 - expected)
