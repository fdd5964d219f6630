"""Dimension × family: two heat maps, and the cells where answers moved most and least."""

from collections.abc import Mapping, Sequence

from gpf_desktop.domain.figures import HeatMap
from gpf_desktop.domain.findings import Estimate
from gpf_desktop.domain.map_titles import title_of_map
from gpf_desktop.domain.scores import RELATIVE_FRAMING, SEMANTIC_DISPERSION, SENTIMENT_RANGE_RAREFIED
from gpf_desktop.domain.text import Translated, tr
from gpf_desktop.methods.gpf_livenews.analyses._means import (
    Group,
)
from gpf_desktop.methods.gpf_livenews.analyses._means_by import MeansBy

_LISTED = 3
_MARGIN = 0.03
"""Of a scale: what is too small to matter of relative framing, and as much of the others."""


class Interaction(MeansBy):
    """Interaction table of the method, rows and columns by falling mean S, so that the eye finds the corner."""

    name = "interaction"
    title = Translated("Group of readers, by kind of question")
    reading = Translated(
        "Higher: answers moved further apart across readers in this window. It does not say why, or that it is harmful."
    )

    @property
    def factors(self) -> Mapping[str, str]:
        return {"dimension": tr("Group of readers"), "family": tr("Kind of question")}

    def in_order(self, found: list[Group]) -> list[Group]:
        """Rows of one dimension stay together; dimensions, and families within each, by falling mean S."""

        def falling(at: int) -> dict[str, float]:
            values: dict[str, list[float]] = {}
            for group in found:
                mean = group.means[SEMANTIC_DISPERSION].value
                if mean is not None:
                    values.setdefault(group.key[at], []).append(mean)
            # Negative, so that an ascending, stable sort lets means fall; 1.0 below puts what has no mean last.
            return {name: -sum(means) / len(means) for name, means in values.items()}

        dimensions, families = falling(0), falling(1)
        return sorted(found, key=lambda group: (dimensions.get(group.key[0], 1.0), families.get(group.key[1], 1.0)))

    def highlights(self, found: Sequence[Group]) -> Sequence[str]:
        notes = []
        # S does not compare where answers are of unlike lengths: hence not first. One is enough: maps show the others.
        named = (
            (RELATIVE_FRAMING, tr("share the reader adds")),
            (SEMANTIC_DISPERSION, tr("how far apart, in words")),
            (SENTIMENT_RANGE_RAREFIED, tr("spread of tone")),
        )
        for score, name in named:
            ranked = sorted(
                (group.means[score].value or 0.0, f"{' × '.join(group.key)} {_said(group.means[score])}")
                for group in found
                if group.means[score].value is not None
            )
            if len(ranked) < 2:
                continue
            listed = min(_LISTED, len(ranked) // 2)
            notes += [
                tr(
                    "Highest by “{score}”: {cells}.",
                    score=name,
                    cells=", ".join(words for _, words in ranked[::-1][:listed]),
                ),
                tr("Lowest by “{score}”: {cells}.", score=name, cells=", ".join(words for _, words in ranked[:listed])),
            ]
            break
        if notes:
            notes.append(
                tr(
                    "The highest and the lowest of {n} means lie apart by chance too: read their ranges.",
                    n=len(found),
                )
            )
        return tuple(notes)

    def figures(self, found: Sequence[Group]) -> Sequence[HeatMap]:
        """Relative framing first where every cell has it: repeats of single articles leave holes."""
        maps = [
            ("s", SEMANTIC_DISPERSION, tr("How far apart, in words"), 1.0),
            ("r_star", SENTIMENT_RANGE_RAREFIED, tr("Spread of tone, fair to small groups"), 2.0),
        ]
        if all(group.means[RELATIVE_FRAMING].value is not None for group in found):
            maps.insert(0, ("relative", RELATIVE_FRAMING, tr("Share the reader adds"), 1.0))
        return tuple(
            HeatMap(
                title=title_of_map(title, {", ".join(group.key): group.means[score] for group in found}),
                down="dimension",
                across="family",
                value=value,
                high=high,
                centred=True,
                margin=_MARGIN * high,
            )
            for value, score, title, high in maps
        )


def _said(mean: Estimate) -> str:
    if mean.interval is None:
        return tr("{value:.3f} (n {n}, no range)", value=mean.value, n=mean.n)
    return tr(
        "{value:.3f} ({low:.3f} to {high:.3f}, n {n})",
        value=mean.value,
        low=mean.interval.low,
        high=mean.interval.high,
        n=mean.n,
    )


ANALYSIS = Interaction()
