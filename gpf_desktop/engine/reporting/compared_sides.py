"""Rounds, protocol versions, score settings and models of an audit, two by two (method, "Comparing")."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import combinations
from typing import TYPE_CHECKING, Any, Final

from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.findings import BundleFilter, Finding
from gpf_desktop.domain.models import ANSWERING, short_names
from gpf_desktop.domain.ports.method_abilities import Comparer
from gpf_desktop.domain.score_tables import SidePair
from gpf_desktop.domain.text import tr
from gpf_desktop.engine.core import catalogue
from gpf_desktop.engine.core.context import EngineContext
from gpf_desktop.engine.reporting.filtered_tables import in_window, within
from gpf_desktop.engine.reporting.results_filter import ResultsFilter
from gpf_desktop.engine.reporting.score_frame import FrameTables
from gpf_desktop.engine.reporting.stored_tables import StoredTables
from gpf_desktop.engine.reporting.who_answered import weighing_words, who_answered
from gpf_desktop.engine.scoring.score_variants import setting_words
from gpf_desktop.storage import models, scores
from gpf_desktop.storage.run_stamps import RunStamp, run_stamps

if TYPE_CHECKING:
    import pandas as pd

SIDES: Final = "sides_compared"
_PAIR: Final = 2
_MOST: Final = 8
"""Sides of one kind whose pairs are listed."""


class SideKind(StrEnum):
    """The kinds of sides that can be compared."""

    MODELS = "models"
    ROUNDS = "rounds"
    PROTOCOLS = "protocols"
    SETTINGS = "settings"

    @property
    def words(self) -> str:
        return {
            SideKind.MODELS: tr("models"),
            SideKind.ROUNDS: tr("rounds"),
            SideKind.PROTOCOLS: tr("protocol versions"),
            SideKind.SETTINGS: tr("score settings"),
        }[self]


_IN_TABLE: Final = (SideKind.ROUNDS, SideKind.PROTOCOLS, SideKind.SETTINGS)


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """One of the two sides of a comparison."""

    name: str
    wanted: ResultsFilter


def sides_title() -> str:
    """The title of the table of compared sides."""
    return tr("Rounds, protocols and settings compared")


class SidesOfAudit:
    """The sides of one audit that can be compared. Everything here blocks: call it from a worker thread."""

    def __init__(self, context: EngineContext, stored: StoredTables) -> None:
        self._context = context
        self._stored = stored

    def known(self, kind: SideKind, wanted: ResultsFilter) -> tuple[Side, ...]:
        """The sides of *kind* within *wanted*, which names a method; rounds and protocols newest first."""
        match kind:
            case SideKind.MODELS if "model" in catalogue.method(str(wanted.method)).grouping.varies:
                # Each set of answers holds all of them, so that a side is told by its name and not by what it holds.
                return tuple(Side(name=name, wanted=wanted) for name in self._answering(wanted))
            case SideKind.MODELS:
                names = self._frame(wanted)["model"].cat.remove_unused_categories().cat.categories
                return tuple(Side(name=str(name), wanted=replace(wanted, models=frozenset({name}))) for name in names)
            case SideKind.SETTINGS:
                every = self._context.audit.read(lambda c: scores.settings(c, str(wanted.method)))
                return _told_apart(
                    (setting_words(each, every[0]), replace(wanted, setting_id=each.id)) for each in every
                )
            case SideKind.ROUNDS:
                return _told_apart((run.name, replace(wanted, runs=frozenset({run.id}))) for run in self._runs(wanted))
            case SideKind.PROTOCOLS:
                return _told_apart(self._by_protocol(wanted))

    def table(self, wanted: ResultsFilter, options: Mapping[str, object]) -> Finding:
        """Every two rounds, protocol versions and score settings within *wanted*, which names a method."""
        kinds = {kind: self.known(kind, wanted) for kind in _IN_TABLE}
        pairs = [(kind, *pair) for kind, sides in kinds.items() for pair in combinations(sides[:_MOST], 2)]
        finding = self._compared(str(wanted.method), pairs, {}, options)
        items = catalogue.method(str(wanted.method)).items_called
        return replace(finding, notes=(*finding.notes, *_whole(finding), *_missing(kinds, items)))

    def compared(
        self,
        method: str,
        pairs: Iterable[tuple[SideKind, Side, Side]],
        margins: Mapping[str, float],
        options: Mapping[str, object],
    ) -> Finding:
        """The comparison of *pairs*, all of *method*; *margins* in place of those of *options*. Raises `UserError`.

        Says under it where the sides are not the models that were asked for, or not the same at both.
        """
        given = list(pairs)
        found = self._compared(method, given, margins, options)
        return replace(found, notes=(*found.notes, *self._who_answered(given)))

    def _compared(
        self,
        method: str,
        pairs: Iterable[tuple[SideKind, Side, Side]],
        margins: Mapping[str, float],
        options: Mapping[str, object],
    ) -> Finding:
        its = catalogue.method(method)
        if not isinstance(its, Comparer):
            raise UserError(tr("{method} compares its sides in tables of its own.", method=its.title))
        return its.comparison([self._pair(*each) for each in pairs], margins, options)

    def _who_answered(self, pairs: Sequence[tuple[SideKind, Side, Side]]) -> Iterator[str]:
        rounds = self._stored.answered_by()
        said: dict[str, None] = {}
        for kind, first, second in pairs:
            runs = [run.id for side in (first, second) for run in self._runs(side.wanted)]
            models = None if kind is not SideKind.MODELS else {first.name, second.name}
            said |= dict.fromkeys(weighing_words(who_answered(rounds, set(runs), models)))
        yield from said

    def behind(self, wanted: ResultsFilter, bundles: BundleFilter) -> set[int]:
        """Ids of *bundles*, which have sides: of questions that both have."""
        frames = []
        for setting, runs in bundles.sides:
            its_runs = frozenset(runs) if runs else wanted.runs
            frame = self._frame(replace(wanted, setting_id=setting or wanted.setting_id, runs=its_runs))
            keep: Any = (frame["arm"] == (bundles.arm or wanted.arm)) & frame[str(bundles.score)].notna()
            if bundles.synthetic is not None:
                keep &= frame["synthetic"] == bundles.synthetic
            frames.append(_current(frame[keep]) if setting else frame[keep])
        factors = catalogue.method(str(wanted.method)).factors
        fixed = [each.name for each in factors if not each.varies and each.name in frames[0]]
        question = ["model", "article_id", *fixed]
        keys = [frame[question].astype(str).agg("\0".join, axis=1) for frame in frames]
        both = set(keys[0]) & set(keys[1])
        return {int(n) for frame, key in zip(frames, keys, strict=True) for n in frame.loc[key.isin(both), "bundle_id"]}

    def _pair(self, kind: SideKind, first: Side, second: Side) -> SidePair:
        names = (first.name, second.name)
        if kind is SideKind.MODELS:
            behind = BundleFilter(compared=names)
        else:
            behind = BundleFilter(sides=(_place(kind, first), _place(kind, second)), about=tr(" and ").join(names))
        tables = (self._tables(first.wanted), self._tables(second.wanted))
        frames = (tables[0].bundles, tables[1].bundles)
        if kind is SideKind.SETTINGS:
            # Else what differs may be the answers that one setting has not seen, and not the settings.
            frames = (_current(frames[0]), _current(frames[1]))
        return SidePair(
            kind=kind.words,
            names=names,
            frames=frames,
            behind=behind,
            same_models=kind is not SideKind.MODELS,
            tables=tables,
        )

    def _frame(self, wanted: ResultsFilter) -> pd.DataFrame:
        found: pd.DataFrame = self._tables(wanted).bundles
        return found

    def _tables(self, wanted: ResultsFilter) -> FrameTables:
        method = str(wanted.method)
        chosen = frozenset(int(run.id) for run in self._runs(wanted))
        setting, aside = (
            self._stored.setting(wanted.setting_id, method),
            self._stored.set_aside(chosen, wanted.articles),
        )
        return within(self._stored.tables(setting, method, aside), wanted, chosen)

    def _runs(self, wanted: ResultsFilter) -> list[RunStamp]:
        return [run for run in self._context.audit.read(run_stamps) if in_window(run, wanted)]

    def _answering(self, wanted: ResultsFilter) -> list[str]:
        """The names of the models that answer within *wanted*, as tables have them."""
        runs = [run.id for run in self._runs(wanted)]
        every = self._context.audit.read(lambda connection: [models.of_run(connection, run) for run in runs])
        named = short_names(model.label for some in every for model in some)
        return list(dict.fromkeys(named[each.label] for some in every for each in some if each.role in ANSWERING))

    def _by_protocol(self, wanted: ResultsFilter) -> Iterator[tuple[str, ResultsFilter]]:
        runs = self._runs(wanted)
        used = self._stored.protocols_by_run(runs)
        for protocol in dict.fromkeys(run.protocol_id for run in runs):
            its = [int(run.id) for run in runs if run.protocol_id == protocol]
            yield used[its[0]].title, replace(wanted, runs=frozenset(its))


def _told_apart(named: Iterable[tuple[str, ResultsFilter]]) -> tuple[Side, ...]:
    """Sides of one name by their number, the oldest, which is the last of *named*, being the first."""
    every = list(named)
    names = [name for name, _ in every]
    return tuple(
        Side(name=name if names.count(name) == 1 else f"{name} ({names[at:].count(name)})", wanted=wanted)
        for at, (name, wanted) in enumerate(every)
    )


def _place(kind: SideKind, side: Side) -> tuple[int | None, tuple[int, ...]]:
    if kind is SideKind.SETTINGS:
        return side.wanted.setting_id, ()
    return None, tuple(sorted(side.wanted.runs or ()))


def _current(frame: pd.DataFrame) -> pd.DataFrame:
    """The bundles of *frame* whose scores rest on all of their answers."""
    found: pd.DataFrame = frame[frame["newer"] == 0]
    return found


def _missing(kinds: Mapping[SideKind, tuple[Side, ...]], items: str) -> Iterator[str]:
    """Says of what there are not two, and how there come to be; and how many are not listed."""
    same = tr("the same news is") if items == tr("news") else tr("the same {items} are", items=items)
    remedies = {
        SideKind.ROUNDS: tr("Rounds compare where {same} asked again: there is one round here, or none.", same=same),
        SideKind.PROTOCOLS: tr(
            "Protocol versions compare where {same} asked with another version: every round here has one.", same=same
        ),
        SideKind.SETTINGS: tr("Two ways of measuring compare after “Measure again …”: there is one here, or none."),
    }
    yield from (words for kind, words in remedies.items() if len(kinds[kind]) < _PAIR)
    for kind, sides in kinds.items():
        if len(sides) > _MOST:
            yield tr(
                "{most} of {n} {kind} are compared here; “gpf-desktop compare” takes any two.",
                most=_MOST,
                n=len(sides),
                kind=kind.words,
            )


def _whole(finding: Finding) -> tuple[str, ...]:
    # What other tables set aside, because it was asked again, is just what rounds are compared by.
    if not any(row.values["kind"] == SideKind.ROUNDS.words for row in finding.rows):
        return ()
    return (tr("Each round enters with all of its sets of answers: none is set aside for another."),)
