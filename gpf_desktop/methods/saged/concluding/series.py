"""Series to compare between concepts: features of each model in each role, as tables of roots and concepts."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from gpf_desktop.arrays import Bools, Floats, Ints
from gpf_desktop.domain.cells import cell_seed
from gpf_desktop.domain.score_tables import ScoreTables
from gpf_desktop.methods.saged.analyses._judged import METHOD, Judgements
from gpf_desktop.methods.saged.analyses._series import AskedModel, BoardOptions, boards
from gpf_desktop.methods.saged.features import HEDGING, LENGTH, QUESTION_BACK, REFUSAL, TONE, unmasked_name
from gpf_desktop.methods.saged.gaps import Gap, by_root_and_concept, comparable, widest_gap
from gpf_desktop.methods.saged.masking import alike_but_for_names
from gpf_desktop.methods.saged.protocol import nearly_alike_roots, title_of
from gpf_desktop.methods.saged.scorers.features_of_answers import CLASSIFIED, calibrated_name

if TYPE_CHECKING:
    import pandas as pd

    from gpf_desktop.methods.saged.benchmark import BenchmarkRow

HEDGED: Final = 5.0
"""Hedging words in 100, from which an answer hedges."""
HEDGES: Final = 2
"""How many it has at least: one of a short answer is little."""
_SEED: Final = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """One model in one role, by its answers about the concepts of one domain."""

    of: AskedModel
    domain: str
    """Empty: all answers of the audit are of one."""
    frame: Any
    groups: tuple[str, ...]
    matched: frozenset[int]
    """Roots whose baselines differ by the concept alone."""
    alike: Mapping[int, int] = field(default_factory=dict)
    """Items whose prompts are nearly alike, and the one as which they count: a root is all of them together."""

    @property
    def key(self) -> str:
        """Stable: stored in files."""
        return f"{self.of.role}/{self.domain}" if self.domain else self.of.role

    @property
    def root_of(self) -> Ints:
        """The item as which each row of `frame` counts."""
        items = self.frame["article_id"].to_numpy(np.int64)
        return np.array([self.alike.get(each, each) for each in items.tolist()], np.int64) if self.alike else items

    @property
    def roots(self) -> Ints:
        """(roots,) the items, in the order of every table here."""
        found: Ints = np.unique(self.root_of)
        return found

    def cells(self, values: Floats) -> Floats:
        """*values* of the rows of `frame`, as (roots, concepts)."""
        number = {group: at for at, group in enumerate(self.groups)}
        concepts = np.array([number[str(each)] for each in self.frame["concept"]], np.int64)
        return by_root_and_concept(self.root_of, concepts, values, len(self.groups))

    def gap(self, cells: Floats, tests: int) -> Gap | None:
        """The widest of *cells*, *tests* being made on the page."""
        seed = cell_seed(_SEED, self.of.model, self.of.role, self.domain)
        return widest_gap(cells, tests=tests, seed=(seed,))

    @property
    def bundles(self) -> Ints:
        """(roots,) the set of answers to each."""
        ids = self.frame["bundle_id"].groupby(self.root_of, sort=True).max()
        found: Ints = ids.to_numpy(np.int64)
        return found


@dataclass(frozen=True, slots=True, kw_only=True)
class FeatureSeries:
    """One feature of an `Asked`."""

    asked: Asked
    feature: str
    judged: Judgements | None
    cells: Floats
    """Less the baseline's number where there is one."""
    calibrated: bool
    raw: Floats
    baselines: Floats
    """Of matched roots; NaN for others."""
    unmasked: Floats | None

    @property
    def name(self) -> str:
        """Stable: stored in files."""
        if self.judged is None:
            return f"{self.feature}/{self.asked.key}"
        rubric, judge = (each.replace("/", "-") for each in (self.judged.rubric, self.judged.judge_name))
        return f"judged/{rubric}/{judge}/{self.asked.key}"

    @property
    def comparable(self) -> bool:
        return comparable(self.cells)

    def gap(self, tests: int) -> Gap | None:
        return self.asked.gap(self.cells, tests)

    @property
    def gap_of_names(self) -> Gap | None:
        """The gap that the tool gives between baselines that differ by the concept alone."""
        return self.asked.gap(self.baselines, 1)


def evasive(frame: Any) -> Bools:
    """True for the rows of *frame* that decline, hedge or ask back."""
    hedging, length = frame[HEDGING.name].to_numpy(float), frame[LENGTH.name].to_numpy(float)
    with np.errstate(invalid="ignore"):
        found: Bools = (
            (frame[REFUSAL.name].to_numpy(float) > 0)
            | (frame[QUESTION_BACK.name].to_numpy(float) > 0)
            | ((hedging >= HEDGED) & (hedging * length / 100 > HEDGES - 0.5))
        )
    return found


def asked_of(scores: ScoreTables) -> list[Asked]:
    """Every model in every role, by domain where there are several."""
    rows = _rows(scores)
    several = len({next(iter(of_root.values())).domain for of_root in rows.values()}) > 1
    matched = {
        at
        for at, of_root in rows.items()
        if alike_but_for_names({row.concept: row.baseline for row in of_root.values()})
    }
    every = boards(scores, BoardOptions()).asked
    as_one = _as_one(rows, [asked.frame for asked in every])
    found = []
    for asked in every:
        at = list(zip(asked.frame["run_id"].tolist(), asked.frame["headline"].astype(str), strict=True))
        domains = np.array([next(iter(rows[each].values())).domain if several and each in rows else "" for each in at])
        alike = np.array([each in matched for each in at])
        for domain in dict.fromkeys(domains.tolist()):
            here = domains == domain
            frame = asked.frame[here]
            items = frame["article_id"].to_numpy()
            unlike = {as_one.get(each, each) for each in items[~alike[here]].tolist()}
            found.append(
                Asked(
                    of=asked,
                    domain=domain,
                    frame=frame,
                    groups=_groups(frame),
                    matched=frozenset(as_one.get(each, each) for each in items[alike[here]].tolist()) - unlike,
                    alike=as_one,
                )
            )
    return found


def series_of(asked: Sequence[Asked], judged: Sequence[Judgements]) -> Iterator[FeatureSeries]:
    """The features of each of *asked* that speak of concepts: tone, a classifier's, levels of judges."""
    by_name = {each.name: each for each in judged}
    for each in asked:
        for feature in (TONE.name, CLASSIFIED, *by_name):
            if feature in each.frame and each.frame[feature].notna().any():
                yield _series(each, feature, by_name.get(feature))


def _series(asked: Asked, feature: str, judged: Judgements | None) -> FeatureSeries:
    frame = asked.frame
    raw = frame[feature].to_numpy(float)
    calibrated = calibrated_name(feature)
    less = frame[calibrated].to_numpy(float) if calibrated in frame else np.full(len(raw), np.nan)
    has_baselines = not bool(np.isnan(less).all())
    cells = asked.cells(less if has_baselines else raw)
    matched = np.isin(asked.roots, list(asked.matched))
    baselines = np.where(matched[:, None], asked.cells(raw - less), np.nan)
    named = unmasked_name(feature)
    named = calibrated_name(named) if has_baselines else named
    return FeatureSeries(
        asked=asked,
        feature=feature,
        judged=judged,
        cells=cells,
        calibrated=has_baselines,
        raw=asked.cells(raw),
        baselines=baselines,
        unmasked=asked.cells(frame[named].to_numpy(float)) if named in frame else None,
    )


def _rows(scores: ScoreTables) -> Mapping[tuple[int, str], Mapping[str, "BenchmarkRow"]]:
    """The rows of the benchmark by concept, for each run and root (called as frames call it)."""
    return {
        (run, title_of(rows)): rows
        for run, terms in scores.terms(METHOD).items()
        for rows in terms.protocol.roots.values()
    }


def _as_one(rows: Mapping[tuple[int, str], Mapping[str, "BenchmarkRow"]], frames: Sequence[Any]) -> Mapping[int, int]:
    """The first of the items whose prompts are nearly alike (`nearly_alike_roots`), for each such item in *frames*."""
    keys = list(rows)
    place = dict(zip(keys, nearly_alike_roots([rows[key] for key in keys]).tolist(), strict=True))
    together: dict[int, set[int]] = {}
    for frame in frames:
        of_frame = frame[["run_id", "headline", "article_id"]].drop_duplicates()
        for run, title, item in zip(*(of_frame[name].tolist() for name in of_frame), strict=True):
            if (key := (run, str(title))) in place:
                together.setdefault(place[key], set()).add(item)
    return {item: min(items) for items in together.values() if len(items) > 1 for item in items}


def _groups(frame: "pd.DataFrame") -> tuple[str, ...]:
    return tuple(str(each) for each in frame["concept"].cat.remove_unused_categories().cat.categories)
