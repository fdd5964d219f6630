"""Answers before anything is scored, one table for every method: declined, turned away, canned, cut off, long.

By model, and by the parts that a method names (readers, themes, contexts, concepts): each part is held against the
others of its kind about the same item, all tests of the table counted, and one that differs is said to do so more often
or less often. A method has it by a file of a few lines in its folder of analyses.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from gpf_desktop.domain.analyses import TableAnalysis
from gpf_desktop.domain.columns import count, p_value, text
from gpf_desktop.domain.coordinates import MAIN
from gpf_desktop.domain.findings import BundleFilter, Finding, Row
from gpf_desktop.domain.score_tables import ScoreTables
from gpf_desktop.domain.text import Translated, grouped, tr
from gpf_desktop.stats.stepwise_tests import NamedGroup, Parts, step_down

if TYPE_CHECKING:
    import pandas as pd

    from gpf_desktop.arrays import Ints

ALPHA: Final = 0.05
MODEL: Final = "model"


@dataclass(frozen=True, slots=True, kw_only=True)
class PartsOf:
    """One way in which answers are counted."""

    title: Callable[[], str]
    """What a part is called."""
    by: str
    """The column whose values are the parts; `MODEL`: models are held against each other."""
    groups: tuple[str, ...] = ()
    """Columns within whose values parts are held against each other."""
    only: Callable[[Any], Any] = lambda said: said
    """Which rows of `ScoreTables.said` count."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Trait:
    """Something that an answer is or is not."""

    name: str
    more: str
    less: str
    events: Callable[[pd.DataFrame], Any]


def _traits() -> tuple[_Trait, ...]:
    return (
        _Trait(
            name="declined",
            more=tr("declined more often"),
            less=tr("declined less often"),
            events=lambda said: said["refused"] + said["worded_refusals"],
        ),
        _Trait(
            name="deflected",
            more=tr("turned away more often"),
            less=tr("turned away less often"),
            events=lambda said: said["deflected"],
        ),
        _Trait(
            name="repeated",
            more=tr("given the same line more often"),
            less=tr("given the same line less often"),
            events=lambda said: said["repeated"],
        ),
        _Trait(
            name="truncated",
            more=tr("cut off more often"),
            less=tr("cut off less often"),
            events=lambda said: said["truncated"],
        ),
        _Trait(
            name="leaked",
            more=tr("quotes the test more often"),
            less=tr("quotes the test less often"),
            events=lambda said: said["leaked"],
        ),
    )


@dataclass(slots=True, kw_only=True)
class _Group:
    """Parts of one kind that are held against each other, and what is counted of each."""

    kind: PartsOf
    model: str
    within: tuple[tuple[str, str], ...]
    parts: list[str]
    counts: list[dict[str, int]]
    tests: list[tuple[str, str, Parts]]
    """What it says of who has more and of who has less, and the counts by item."""


class AnswerDiagnostics(TableAnalysis):
    """The table of answers before scoring for one method: its name, and the ways in which its answers are counted."""

    version = "1"
    title = Translated("What answers are before they are scored")

    def __init__(self, name: str, *kinds: PartsOf) -> None:
        self._name = name
        self._kinds = (PartsOf(title=lambda: tr("Model"), by=MODEL, only=_of_first(kinds)), *kinds)

    @property
    def name(self) -> str:
        return self._name

    def analyse(self, scores: ScoreTables, _options: object) -> Finding:
        rows: list[Row] = []
        tests = 0
        for synthetic in (False, True):
            said = scores.said[scores.said["synthetic"] == synthetic]
            groups = [group for kind in self._kinds for group in _groups(kind, said)]
            made = [(group, more, less, parts) for group in groups for more, less, parts in group.tests]
            named, asked = step_down([parts for *_, parts in made], ALPHA)
            tests += asked
            told = _told(made, named)
            rows += [row for group in groups for row in _rows(group, told, synthetic)]
        return self.finding(
            columns=_columns(),
            rows=rows,
            reading=tr(
                "No score holds that one is declined and another answered, or that many questions get the same line."
            ),
            highlights=_highlights(rows),
            notes=(
                tr(
                    "Held against the others of its kind about the same item, exactly: rates are dealt anew "
                    "within each item, step by step without whoever is named already. {n:,} comparisons are "
                    "counted together (Holm). Longer: more words than the middle one about the same item.",
                    n=tests,
                ),
                tr(
                    "Same line: its words stand under another item of the round too. Turned away: by a line that "
                    "fits any question. Words that decline are found in English and some other languages, near "
                    "the beginning."
                ),
            ),
        )


def _of_first(kinds: Sequence[PartsOf]) -> Callable[[Any], Any]:
    return kinds[0].only if kinds else lambda said: said


def _columns() -> tuple[Any, ...]:
    return (
        text("model", tr("Model")),
        text("kind", tr("Counted by")),
        text("within", tr("Group")),
        text("part", tr("Part")),
        count("decided", tr("Answered or declined"), tr("Questions answered or declined, asked again too.")),
        count("refused", tr("Declined by the provider")),
        count("worded", tr("Declined in its own words")),
        count("deflected", tr("Turned away")),
        count("repeated", tr("Same line")),
        count("truncated", tr("Cut off")),
        count("leaked", tr("Quotes the test")),
        count("words", tr("Words"), tr("Of an answer, on average.")),
        text("differs", tr("Differs"), tr("From the others of its kind, all tests of the table counted.")),
        p_value(
            "adjusted",
            tr("Adjusted p"),
            tr("All tests of the table counted together (Holm's correction)."),
            plain=tr("By chance alone, all counted"),
        ),
    )


def _groups(kind: PartsOf, said: pd.DataFrame) -> Iterator[_Group]:
    some: Any = kind.only(said)
    some = some[some[kind.by].astype(str) != ""] if kind.by in some else some.iloc[:0]
    if some.empty:
        return
    keys = [*(() if kind.by == MODEL else (MODEL,)), *kind.groups]
    every = some.groupby(keys, observed=True) if keys else [((), some)]
    for key, its in every:
        named = dict(zip(keys, map(str, key if isinstance(key, tuple) else (key,)), strict=True))
        model = named.pop(MODEL, "")
        yield _group(kind, model, tuple(named.items()), its)


def _group(kind: PartsOf, model: str, within: tuple[tuple[str, str], ...], its: Any) -> _Group:
    parts = [str(each) for each in its[kind.by].astype(str).drop_duplicates()]
    order = {str(each): at for at, each in enumerate(its[kind.by].cat.categories)} if _ordered(its[kind.by]) else {}
    parts.sort(key=lambda each: (order.get(each, 0), each))
    place = {part: at for at, part in enumerate(parts)}
    at = its[kind.by].astype(str).map(place).to_numpy(np.int64)
    items, item = np.unique(its["article_id"].to_numpy(), return_inverse=True)
    shape = len(items), len(parts)

    def by_item(values: Any) -> Ints:
        # Whole numbers far below 2 ** 53: adding them up as floats is exact.
        found = np.bincount(item * shape[1] + at, values.to_numpy(np.float64), shape[0] * shape[1])
        return found.astype(np.int64).reshape(shape)

    decided = by_item(its["decided"])
    answered = decided - by_item(its["refused"])
    tests = [
        (each.more, each.less, Parts(events=np.minimum(by_item(each.events(its)), decided), trials=decided))
        for each in _traits()
    ]
    tests.append((tr("longer answers"), tr("shorter answers"), _long(by_item(its["words"]), answered)))
    sums = {name: by_item(its[name]).sum(axis=0).tolist() for name in _SUMMED}
    counts = [{name: sums[name][at] for name in _SUMMED} for at in range(len(parts))]
    return _Group(kind=kind, model=model, within=within, parts=parts, counts=counts, tests=tests)


_SUMMED: Final = (
    "decided",
    "refused",
    "worded_refusals",
    "deflected",
    "repeated",
    "truncated",
    "leaked",
    "words",
)


def _ordered(column: Any) -> bool:
    return hasattr(column, "cat")


def _long(words: Ints, answered: Ints) -> Parts:
    """Whether each part's answers about an item have more words than the middle part's."""
    there = answered > 0
    mean = np.divide(words, answered, out=np.full(words.shape, np.nan), where=there)
    kept = there.sum(axis=1) > 1
    mean, there = mean[kept], there[kept]
    middle = np.nanmedian(mean, axis=1, keepdims=True) if len(mean) else mean
    return Parts(events=(there & (mean > middle)).astype(np.int64), trials=there.astype(np.int64))


def _told(
    made: Sequence[tuple[_Group, str, str, Parts]], named: Sequence[NamedGroup]
) -> dict[tuple[int, int], list[tuple[str, float]]]:
    """(words that compare a part with the others, p) by the id of its group and the place of the part in it."""
    found: dict[tuple[int, int], list[tuple[str, float]]] = {}
    for each in named:
        group, more, less, parts = made[each.group]
        events, trials = parts.events.sum(axis=0), parts.trials.sum(axis=0)
        others = int(events.sum() - events[each.part]), int(trials.sum() - trials[each.part])
        often = int(events[each.part]) * others[1] > others[0] * int(trials[each.part])
        words = tr(
            "{said} ({n} of {of}, others {k} of {k_of})",
            said=more if often else less,
            n=grouped(int(events[each.part])),
            of=grouped(int(trials[each.part])),
            k=grouped(others[0]),
            k_of=grouped(others[1]),
        )
        found.setdefault((id(group), each.part), []).append((words, each.p))
    return found


def _rows(group: _Group, told: dict[tuple[int, int], list[tuple[str, float]]], synthetic: bool) -> Iterator[Row]:
    for place, part in enumerate(group.parts):
        counts = group.counts[place]
        said = told.get((id(group), place), [])
        answered = counts["decided"] - counts["refused"]
        by_model = group.kind.by == MODEL
        fixed = () if by_model else group.within
        yield Row(
            values={
                "model": part if by_model else group.model,
                "kind": group.kind.title(),
                "within": ", ".join(value for _, value in group.within),
                "part": "" if by_model else part,
                "decided": counts["decided"],
                "refused": counts["refused"],
                "worded": counts["worded_refusals"],
                "deflected": counts["deflected"],
                "repeated": counts["repeated"],
                "truncated": counts["truncated"],
                "leaked": counts["leaked"],
                "words": round(counts["words"] / answered) if answered else 0,
                "differs": "; ".join(words for words, _ in said),
                "adjusted": min((p for _, p in said), default=None),
            },
            bundles=BundleFilter(model=part if by_model else group.model, arm=MAIN, levels=fixed),
            synthetic=synthetic,
        )


def _highlights(rows: Sequence[Row]) -> Iterator[str]:
    for row in rows:
        if row.values["differs"] and not row.synthetic:
            part, model = row.values["part"], row.values["model"]
            who = tr("{part} ({model})", part=part, model=model) if part else model
            yield tr("{who}: {said}.", who=who, said=row.values["differs"])
