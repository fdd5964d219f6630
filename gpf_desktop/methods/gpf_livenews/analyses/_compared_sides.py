"""Sides of any kind, two by two: rounds, protocol versions, score settings, models (method, "Comparing")."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any

from gpf_desktop.domain.columns import text
from gpf_desktop.domain.findings import Finding, Row
from gpf_desktop.domain.score_tables import SidePair
from gpf_desktop.domain.text import tr
from gpf_desktop.methods.gpf_livenews.analyses._means import entering, main_bundles
from gpf_desktop.methods.gpf_livenews.analyses.model_comparison import (
    ComparisonOptions,
    columns,
    counted,
    lengths,
    notes,
    reading,
    row_of,
    stated,
)
from gpf_desktop.methods.gpf_livenews.comparing import QUESTION, Compared, compared, judged, sides_of_shared_models

if TYPE_CHECKING:
    import pandas as pd

_NAMED = 3
"""Models of a pair, and pairs without anything in common, that are named; more are counted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Ready:
    """The bundles of a pair that enter, and what its scores came to."""

    pair: SidePair
    frames: tuple[pd.DataFrame, pd.DataFrame]
    scores: tuple[Compared, ...]
    synthetic: bool

    @property
    def common(self) -> bool:
        """Whether both sides have a score of one question."""
        return any(each.difference.n for each in self.scores)

    @property
    def asked_alike(self) -> bool:
        """Whether both sides were asked one question, whatever came of it."""
        first, second = (set(zip(*(each[name] for name in QUESTION), strict=True)) for each in self.frames)
        return not first.isdisjoint(second)


def of_pairs(pairs: Sequence[SidePair], margins: Mapping[str, float], options: Mapping[str, object]) -> Finding:
    """Each pair on what both of its sides have; *margins* go before those of *options*.

    Where models are not the sides, each model is paired with itself, calibration models only where there are no others.
    Holm's correction is over the pairs of one kind, those of calibration models apart.
    """
    known = {each.name for each in fields(ComparisonOptions)}
    chosen = ComparisonOptions(**{name: value for name, value in options.items() if name in known})  # type: ignore[arg-type]
    used = {**chosen.margins, **margins}
    every = [_ready(pair, used, chosen) for pair in pairs]
    families: dict[tuple[str, bool], list[_Ready]] = {}
    for each in every:
        if each.common:
            families.setdefault((each.pair.kind, each.synthetic), []).append(each)
    found = [row for family in families.values() for row in _rows(family)]
    shown = [frame for family in families.values() for each in family for frame in each.frames]
    return Finding(
        name="sides_compared",
        title=tr("Rounds, protocols and settings compared"),
        columns=(
            text("kind", tr("Compared")),
            *columns(),
            text("models", tr("Models"), tr("Each is paired with itself, where models are not what is compared.")),
        ),
        rows=tuple(found),
        reading=" ".join((reading(), *stated(used))),
        highlights=counted(found),
        notes=(
            *lengths(shown),
            *(notes(0) if found else ()),
            *_nothing([each for each in every if not each.common]),
        ),
    )


def _nothing(every: Sequence[_Ready]) -> Iterator[str]:
    """Says which pairs have nothing in common, and why: nothing that both were asked, or no score of it."""
    why = {
        tr("Not compared: no question was asked of one model on both sides: {pairs}."): [
            each for each in every if not each.asked_alike
        ],
        tr(
            "Not compared: what the reader adds is not known, for there are no answers with no reader named, or too"
            " few: {pairs}."
        ): [each for each in every if each.asked_alike],
    }
    for words, pairs in why.items():
        named = [tr(" and ").join(each.pair.names) for each in pairs[:_NAMED]]
        if len(pairs) > _NAMED:
            named.append(tr("{n} more", n=len(pairs) - _NAMED))
        if named:
            yield words.format(pairs="; ".join(named))


def _ready(pair: SidePair, margins: Mapping[str, float], options: ComparisonOptions) -> _Ready:
    one, other = (entering(main_bundles(each, options), options) for each in pair.frames)
    if pair.same_models:
        one, other = sides_of_shared_models(one, other)
    return _Ready(
        pair=replace(pair, behind=replace(pair.behind, arm=options.arm)),
        frames=(one, other),
        scores=tuple(
            compared(one, other, score, margin, within_models=pair.same_models) for score, margin in margins.items()
        ),
        synthetic=bool(one["synthetic"].any() or other["synthetic"].any()),
    )


def _rows(family: Sequence[_Ready]) -> Iterator[Row]:
    outcomes = iter(judged([score for each in family for score in each.scores]))
    for each in family:
        models = _models(each)
        for _ in each.scores:
            outcome = next(outcomes)
            behind = replace(each.pair.behind, score=outcome.compared.score, synthetic=each.synthetic)
            row = row_of(each.pair.names, outcome, behind, each.synthetic)
            yield replace(row, values={"kind": each.pair.kind, **row.values, "models": models})


def _models(each: _Ready) -> str:
    names: Any = sorted({str(name) for frame in each.frames for name in frame["model"].unique()})
    return ", ".join(names) if len(names) <= _NAMED else tr("{n} models", n=len(names))
