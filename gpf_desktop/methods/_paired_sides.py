"""Two sides of an audit on what both were asked, question by question: what methods that score answers share.

A score's difference of every question stands against 0, by Student's t over clusters of questions that go together
(`stats.clusters`). All comparisons of one kind share one level (Bonferroni), test models apart. A difference is not
told that values which one side lacks could make by themselves, wherever they lie on the score's scale.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from gpf_desktop.arrays import Bools, Floats, Ints
from gpf_desktop.domain.columns import count, estimate, p_value, score, text
from gpf_desktop.domain.conclusions.conclusion import ConclusionOutcome
from gpf_desktop.domain.conclusions.rendering import chips
from gpf_desktop.domain.findings import Estimate, Finding, Interval, Row, Value
from gpf_desktop.domain.protocol import Decoding
from gpf_desktop.domain.score_tables import SidePair
from gpf_desktop.domain.text import as_said, in_quotes, range_ends, tr, trn
from gpf_desktop.stats.clusters import clustered_mean

ALPHA: Final = 0.05
_NAMED: Final = 3
"""Pairs that are told in sentences, or named as having nothing in common."""
_QUOTED: Final = 60
"""Characters of a system prompt that are quoted."""
_LACKING: Final = 0.1
"""Of a score without ends, the share of pairs that may lack a value."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PairedScore:
    """One score of both sides, a place each for every question that both were asked."""

    name: str
    """By which a margin may be stated."""
    words: str
    first: Floats
    """NaN: the first side has no value."""
    second: Floats
    clusters: Ints
    """What goes together."""
    fewest: int
    """Clusters with a value at both, below which nothing is said."""
    ends: tuple[float, float] | None
    """Of the score's scale; None: it has none."""

    @property
    def both(self) -> Bools:
        found: Bools = ~np.isnan(self.first) & ~np.isnan(self.second)
        return found

    @property
    def lacking(self) -> int:
        """Questions with a value at one side alone."""
        return int((np.isnan(self.first) ^ np.isnan(self.second)).sum())

    def filled(self, *, upward: bool) -> "PairedScore":
        """This score with values that one side lacks put as far as they can lie for the first side, or else for the
        second."""
        assert self.ends is not None
        low, high = self.ends if upward else self.ends[::-1]
        one = ~np.isnan(self.first) | ~np.isnan(self.second)
        first = np.where(np.isnan(self.first) & one, high, self.first)
        return replace(self, first=first, second=np.where(np.isnan(self.second) & one, low, self.second))


@dataclass(frozen=True, slots=True, kw_only=True)
class PairedSides:
    """Two sides of one model, or two models."""

    pair: SidePair
    models: str
    synthetic: bool
    scores: Sequence[PairedScore]
    weighs: str = ""
    """What else is to be known, in sentences."""
    otherwise: str = ""
    """How the first was asked otherwise than the second, in words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Found:
    value: float
    low: float
    high: float
    p: float
    """Times all comparisons of its kind, 1 at most."""

    @property
    def told(self) -> bool:
        return self.p < ALPHA

    @property
    def varies(self) -> bool:
        return self.high > self.low or self.value != 0


def compared(
    every: Sequence[PairedSides], apart: Sequence[str], margins: Mapping[str, float], *, over: str, notes: Sequence[str]
) -> Finding:
    """Each of *every*; *apart*: names of pairs with nothing in common; *over*: what clusters are, in words."""
    families: dict[tuple[str, bool], list[PairedSides]] = {}
    for each in every:
        families.setdefault((each.pair.kind, each.synthetic), []).append(each)
    rows: list[Row] = []
    said: list[str] = []
    for (_, synthetic), family in families.items():
        tests = sum(_enough(paired) for sides in family for paired in sides.scores)
        for sides in family:
            for paired in sides.scores:
                row = _row(sides, paired, max(tests, 1), margins.get(paired.name) or None, over)
                rows.append(row)
                if not synthetic and row.values["outcome"] == chips()[ConclusionOutcome.DIFFERS]:
                    said.append(_sentence(sides, paired, row))
    return Finding(
        name="sides_compared",
        title=tr("Rounds, protocols and settings compared"),
        columns=(
            text("kind", tr("Compared")),
            text("first", tr("First")),
            text("second", tr("Second")),
            text("models", tr("Models"), tr("Each is paired with itself, where models are not what is compared.")),
            text("score", tr("What")),
            estimate("difference", tr("First − second"), tr("Over what both were asked.")),
            score("margin", tr("Too small to matter"), tr("A smaller difference, either way, is held not to matter.")),
            p_value(
                "p",
                tr("Adjusted p"),
                tr("All comparisons of this kind counted (Bonferroni)."),
                plain=tr("By chance alone, all counted"),
            ),
            text("outcome", tr("Outcome")),
            count("lacking", tr("At one side alone"), tr("Questions with a value at one side and not at the other.")),
            text("otherwise", tr("Asked otherwise"), tr("At the first, against the second.")),
            text("weighs", tr("What weighs on it")),
        ),
        rows=tuple(rows),
        reading=tr(
            "Whether the same questions were answered otherwise at the two sides. “Not shown” is no evidence of being"
            " alike, and no order follows from it."
        ),
        highlights=tuple(said[:_NAMED]),
        notes=(*(notes if rows else ()), *_nothing(apart)),
    )


def asked_with(decoding: Decoding, system_prompt: str) -> dict[str, str]:
    """How a side was asked: system prompt and decoding settings in words, by title."""
    system = " ".join(system_prompt.split())
    return {
        tr("system prompt"): quoted(system) if system else tr("none"),
        tr("temperature"): _sent(decoding.temperature),
        tr("top-p"): _sent(decoding.top_p),
        tr("most tokens"): _sent(decoding.max_tokens),
    }


def otherwise(first: Mapping[str, str], second: Mapping[str, str]) -> str:
    """Words on how the *first* side was asked otherwise than the *second*, both as `asked_with` gives them."""
    said = [
        tr("{what} {a} against {b}", what=what, a=way, b=second[what])
        for what, way in first.items()
        if way != second[what]
    ]
    return "; ".join(said) or tr("nothing")


def quoted(said: str) -> str:
    return in_quotes(f"{said[:_QUOTED]}…" if len(said) > _QUOTED else said)


def _sent(value: float | None) -> str:
    return tr("not sent") if value is None else f"{value:g}"


def _enough(each: PairedScore) -> bool:
    return len(np.unique(each.clusters[each.both])) >= each.fewest


def _found(each: PairedScore, tests: int) -> _Found:
    from scipy.special import stdtr

    both = each.both
    differences = (each.first - each.second)[both]
    _, place = np.unique(each.clusters[both], return_inverse=True)
    counts = np.bincount(place).astype(np.float64)
    mean = clustered_mean(np.bincount(place, weights=differences).astype(np.float64), counts)
    low, high = mean.interval(1 - ALPHA / tests)
    if mean.error:
        p = float(2 * stdtr(mean.freedom, -abs(mean.value / mean.error)))
    else:
        # Clusters that do not differ have no t: signs of the questions say how often chance does that.
        p = 2.0 ** (1 - len(differences)) if mean.value else 1.0
    return _Found(value=mean.value, low=low, high=high, p=min(1.0, p * tests))


def _row(sides: PairedSides, each: PairedScore, tests: int, margin: float | None, over: str) -> Row:
    pair = sides.pair
    weighs = [sides.weighs]
    found = _found(each, tests) if _enough(each) else None
    if found is None:
        there = len(np.unique(each.clusters[each.both]))
        outcome, difference = ConclusionOutcome.TOO_FEW, Estimate.unavailable(_too_few(there, each.fewest))
    else:
        outcome = _outcome(each, found, tests, margin)
        words = tr("Student’s t over {clusters}, all comparisons counted", clusters=over)
        ends = Interval(low=found.low, high=found.high, level=0.95, method=words)
        n = int(each.both.sum())
        difference = Estimate(value=found.value, n=n, articles=n, interval=ends)
        if found.told and outcome is not ConclusionOutcome.DIFFERS:
            weighs.append(tr("Values that one side lacks could make this difference."))
    values: dict[str, Value] = {
        "kind": pair.kind,
        "first": pair.names[0],
        "second": pair.names[1],
        "models": sides.models,
        "score": each.words,
        "difference": difference,
        "margin": margin,
        "p": None if found is None else found.p,
        "outcome": chips()[outcome],
        "lacking": each.lacking,
        "otherwise": sides.otherwise,
        "weighs": " ".join(filter(None, weighs)),
    }
    return Row(values=values, bundles=replace(pair.behind, synthetic=sides.synthetic), synthetic=sides.synthetic)


def _outcome(each: PairedScore, found: _Found, tests: int, margin: float | None) -> ConclusionOutcome:
    ways = [_found(each.filled(upward=way), tests) for way in (True, False)] if each.ends and each.lacking else []
    open_ended = each.ends is None and each.lacking > _LACKING * len(each.first)
    if found.told:
        stands = all(way.told and np.sign(way.value) == np.sign(found.value) for way in ways)
        return ConclusionOutcome.DIFFERS if stands and not open_ended else ConclusionOutcome.NOT_SHOWN
    within = margin is not None and all(max(-one.low, one.high) <= margin for one in (found, *ways))
    alike = within and found.varies and not open_ended
    return ConclusionOutcome.ALIKE if alike else ConclusionOutcome.NOT_SHOWN


def _too_few(there: int, fewest: int) -> str:
    return trn("{n} at both, of {fewest} needed", "{n} at both, of {fewest} needed", there, fewest=fewest)


def _sizes(interval: Interval) -> tuple[float, float]:
    low, high = sorted((abs(interval.low), abs(interval.high)))
    return low, high


def _sentence(sides: PairedSides, each: PairedScore, row: Row) -> str:
    difference = row.values["difference"]
    assert isinstance(difference, Estimate)
    assert difference.value is not None
    assert difference.interval is not None
    way = tr("higher") if difference.value > 0 else tr("lower")
    low, high = range_ends(*_sizes(difference.interval), 2)
    return tr(
        "{models}, {score}: {way} in “{first}” than in “{second}” by {value} ({low} to {high}).",
        models=sides.models,
        score=each.words,
        way=way,
        first=sides.pair.names[0],
        second=sides.pair.names[1],
        value=as_said(f"{abs(difference.value):.2f}"),
        low=low,
        high=high,
    )


def _nothing(apart: Sequence[str]) -> Iterator[str]:
    if apart:
        more = len(apart) - _NAMED
        named = [*apart[:_NAMED], *([tr("{n} more", n=more)] if more > 0 else [])]
        yield tr("Not compared, because nothing was asked at both: {pairs}.", pairs="; ".join(named))
