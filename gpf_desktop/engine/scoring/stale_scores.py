"""Finds stored scores that do not rest on every answer, and computes them anew."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from gpf_desktop.domain.ids import ArticleId, RunId
from gpf_desktop.domain.items import StudyItem
from gpf_desktop.domain.methods import StudyProtocol
from gpf_desktop.domain.ports.method import Method
from gpf_desktop.domain.protocol import FitScope
from gpf_desktop.engine.core import catalogue
from gpf_desktop.engine.core.context import EngineContext
from gpf_desktop.engine.core.protocols import frozen_protocol
from gpf_desktop.engine.scoring.assessment import Assessor, primary_of
from gpf_desktop.engine.scoring.newer_versions import other_version
from gpf_desktop.engine.scoring.score_variants import options_of, setting_words
from gpf_desktop.engine.scoring.stored_scoring import costly, score_again
from gpf_desktop.storage import batches, fit_groups, protocols, runs, scores
from gpf_desktop.storage.fit_groups import Behind, StoredGroup
from gpf_desktop.storage.run_stamps import run_stamps
from gpf_desktop.storage.scores import ScoreSetting
from gpf_desktop.storage.writer import Connection


@dataclass(frozen=True, slots=True, kw_only=True)
class StaleScores:
    """Scores of one setting that are to be computed."""

    setting: ScoreSetting
    words: str
    groups: tuple[StoredGroup, ...]
    of_protocol: bool
    """The setting is that of the runs' own protocol: an execution scores with it, and flags answers too."""

    @property
    def bundles(self) -> int:
        return sum(group.bundles for group in self.groups)

    @property
    def costly(self) -> bool:
        return costly(self.setting.scorer)


@dataclass(frozen=True, slots=True, kw_only=True)
class StaleSetting:
    """A setting that does not rest on every answer."""

    setting_id: int
    words: str
    """What is different about it."""
    bundles: int
    """Bundles with scores from before the newest answers."""
    newer: int
    """Answers that came after."""
    problem: str
    """Why it could not be brought up to date; empty where nothing has been tried or it is under way."""


def stale_scores(connection: Connection) -> list[StaleScores]:
    """The scores that can be computed now, settings in the order first used.

    Rounds that are being asked are left to their execution, as far as their own protocol's setting goes; language
    models wait for all rounds to rest.
    """
    every = scores.settings(connection)
    found: list[StaleScores] = []
    active = fit_groups.being_asked(connection)
    own_setting = _own_settings(connection, every)
    for setting in every:
        # Scores of two versions of a scorer never stand under one setting: they would be compared as if they were one.
        if other_version(setting) or (costly(setting.scorer) and active):
            continue
        groups = fit_groups.due(connection, setting.id, [run for run, own in own_setting.items() if own == setting.id])
        own = [group for group in groups if own_setting.get(group.run_id) == setting.id]
        others = [group for group in groups if own_setting.get(group.run_id) != setting.id]
        resting = [group for group in own if group.run_id not in active]
        if setting.options.get("fit_scope") == FitScope.RUN:
            # An execution fits on the run when all of it is there, and until then each article on its own.
            resting = [group for group in resting if not fit_groups.is_open(connection, group.run_id)]
        words = setting_words(setting, _primary_among(every, setting.method))
        found += [
            StaleScores(setting=setting, words=words, groups=tuple(some), of_protocol=of_protocol)
            for some, of_protocol in ((resting, True), (others, False))
            if some
        ]
    return found


def stale_settings(connection: Connection, problems: Mapping[int, str]) -> tuple[StaleSetting, ...]:
    """Every setting that is behind, with *problems* by the setting's id; what is being asked follows by itself."""
    every = scores.settings(connection)
    active = fit_groups.being_asked(connection)
    found = []
    for setting in every:
        behind = {key: n for key, n in fit_groups.behind(connection, setting.id).items() if n.run_id not in active}
        if behind:
            found.append(
                StaleSetting(
                    setting_id=setting.id,
                    words=setting_words(setting, _primary_among(every, setting.method)),
                    bundles=sum(each.bundles for each in behind.values()),
                    newer=_newer(setting, behind.values()),
                    problem=problems.get(setting.id, "") or other_version(setting),
                )
            )
    return tuple(found)


def _primary_among(every: Sequence[ScoreSetting], method: str) -> ScoreSetting:
    return next(each for each in every if each.method == method)


async def refresh(context: EngineContext, due: StaleScores, count: Callable[[int], None]) -> None:
    """Compute and store what is *due*; *count* is told of bundles done."""
    if due.of_protocol:
        await _assess(context, due, count)
        return
    setting = due.setting
    await score_again(context, setting.id, setting.scorer, options_of(setting), due.groups, count)


async def _assess(context: EngineContext, due: StaleScores, count: Callable[[int], None]) -> None:
    """Score as an execution would have done, had it not been cut off."""
    for run_id, of_run in groupby(due.groups, key=lambda group: group.run_id):
        groups = list(of_run)
        method, protocol, items = await context.read(lambda connection, run_id=run_id: _frozen(connection, run_id))  # type: ignore[misc]
        assessor = Assessor(context, run_id, method, protocol, items, lambda _group, bundles, _open: count(bundles))
        for group in groups:
            assessor.ask(group.id, final=group.complete)
        try:
            await assessor.settle()
            await assessor.conclude()
        finally:
            assessor.cancel()


def _frozen(connection: Connection, run_id: RunId) -> tuple[Method, StudyProtocol, Mapping[ArticleId, StudyItem]]:
    run = runs.get(connection, run_id)
    protocol = frozen_protocol(run.method, protocols.get(connection, run.protocol_id).text)
    items = {each.id: each.item for each in batches.articles(connection, run.batch_id)}
    return catalogue.method(run.method), protocol, items


def _own_settings(connection: Connection, every: Sequence[ScoreSetting]) -> dict[RunId, int]:
    """The setting of each round's own protocol, with which an execution scores, by round."""
    found: dict[int, int | None] = {}
    stamps = run_stamps(connection)
    for run in stamps:
        if run.protocol_id not in found:
            protocol = frozen_protocol(run.method, protocols.get(connection, run.protocol_id).text)
            primary = primary_of(catalogue.method(run.method), protocol)
            found[run.protocol_id] = next(
                (
                    setting.id
                    for setting in every
                    if setting.method == run.method
                    and setting.scorer == primary.scorer.name
                    and setting.version == primary.scorer.version
                    and options_of(setting) == primary.options
                ),
                None,
            )
    return {run.id: setting_id for run in stamps if (setting_id := found[run.protocol_id]) is not None}


def _newer(setting: ScoreSetting, behind: Collection[Behind]) -> int:
    """Answers that came after; those of a run stand with each of its groups where the setting fits on runs."""
    if setting.options.get("fit_scope") == FitScope.RUN:
        return sum({each.run_id: each.newer for each in behind}.values())
    return sum(each.newer for each in behind)
