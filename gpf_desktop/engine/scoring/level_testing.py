"""Computes, on demand, whether what varies in bundles moved the answers more than chance (method, "Noise").

Bundles whose every level has repeats are permuted in the scoring workers, summed by the strata of their scorer,
adjusted for the number of those strata (Benjamini and Hochberg), and kept as scores of the bundles.
"""

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import asdict, dataclass
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, Final, cast

from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.options import Shown
from gpf_desktop.domain.ports.scorer import Scorer, TestsRepeats
from gpf_desktop.domain.scores import ScoredChunk
from gpf_desktop.domain.text import tr, trn
from gpf_desktop.engine.core import catalogue
from gpf_desktop.engine.core.context import EngineContext
from gpf_desktop.engine.core.followed_task import OneAtATime, Tell
from gpf_desktop.engine.core.protocols import load_protocol
from gpf_desktop.engine.scoring.assessment import primary_of
from gpf_desktop.engine.scoring.score_variants import options_of
from gpf_desktop.engine.scoring.stored_answers import StoredChunk, stream
from gpf_desktop.storage import fit_groups, scores
from gpf_desktop.storage.asked_again import asked_again, set_aside
from gpf_desktop.storage.fit_groups import Basis, StoredGroup
from gpf_desktop.storage.scores import RepeatedBundle
from gpf_desktop.storage.writer import Connection

if TYPE_CHECKING:
    from gpf_desktop.stats.resampling import NullDraws

LEVEL_TEST_TASK: Final = "level test"


@dataclass(frozen=True, slots=True, kw_only=True)
class LevelTestOptions:
    """Settings of the test."""

    replicates: Annotated[
        int,
        Shown(
            label="Replicates",
            help="How often readers are dealt anew; p is (1 + b) / (1 + B), never 0.",
            least=99,
            most=100_000,
        ),
    ] = 2000
    seed: Annotated[int, Shown(label="Seed", help="Seed of the labellings.", least=0)] = 20261120


@dataclass(frozen=True, slots=True, kw_only=True)
class _Wanted:
    method: str
    groups: list[StoredGroup]
    strata: Mapping[int, str]
    """Stratum of each bundle, as one word that no name can look like."""
    planted: frozenset[str]
    """Strata of calibration models."""
    scorer: "TestingScorer"
    primary: Any


class LevelTesting:
    """The level tests of one open audit, one at a time. *changed* is called, on the engine's loop, when one was
    stored."""

    def __init__(self, context: EngineContext, changed: Callable[[], object]) -> None:
        self._context = context
        self._changed = changed
        self._task = OneAtATime(context, LEVEL_TEST_TASK)

    def close(self) -> None:
        self._task.close()

    def cancel(self) -> None:
        """Stop; the test before stays."""
        self._task.cancel()

    def start(self, options: LevelTestOptions, method: str) -> "Future[int]":
        """Test every complete bundle of *method* with repeats; the future holds how many there were.

        Told as the task `LEVEL_TEST_TASK`, which counts bundles passed by. Raises `UserError` while one is under way,
        where nothing has repeats, and for a method whose scorer has no such test.
        """
        self._task.check_free(tr("The test is under way already."), tr("Wait until it is done, or cancel it first."))
        wanted = self._context.audit.read(partial(_wanted, method=method))
        if not wanted.strata:
            raise UserError(
                tr("No question was asked again yet, so there is nothing to test against."),
                tr("Run a round in which questions are asked again."),
            )

        async def test(tell: Tell) -> tuple[int, str]:
            tested, strata = await self._test(wanted, options, tell)
            self._changed()
            return tested, trn(
                "Tested {n} set that was asked again against chance, in {strata} rows.",
                "Tested {n} sets that were asked again against chance, in {strata} rows.",
                tested,
                strata=strata,
            )

        return self._task.start(test, trouble=tr("The test could not be computed."))

    async def _test(self, wanted: _Wanted, options: LevelTestOptions, tell: Tell) -> tuple[int, int]:
        context, strata = self._context, wanted.strata
        scorer, own = wanted.scorer, dict[int, "NullDraws"]()
        whole: dict[str, NullDraws] = {}
        bases: list[Basis] = []
        done, of = 0, sum(group.bundles for group in wanted.groups)
        tell(0, of)

        async def keep(read: StoredChunk, drawn: dict[int, "NullDraws"]) -> None:
            nonlocal done, whole
            own.update(drawn)
            bases.extend(read.bases)
            whole = scorer.merged([whole, *({strata[number]: one} for number, one in drawn.items())])
            done += sum(group.bundles for group in read.stored)
            tell(done, of)

        chosen = frozenset(strata)
        await stream(
            context,
            wanted.scorer,
            wanted.groups,
            wanted.primary,
            lambda chunk: context.scoring.call(
                scorer.draw, chunk, chosen, wanted.primary, options.seed, options.replicates
            ),
            keep,
        )
        scored = scorer.tested(own, strata, whole, wanted.planted)
        await self._save(wanted, options, scored, bases)
        return len(own), len(whole)

    async def _save(
        self,
        wanted: _Wanted,
        options: LevelTestOptions,
        scored: ScoredChunk,
        bases: Sequence[Basis],
    ) -> None:
        settings = {**asdict(wanted.primary), **asdict(options)}

        def save(connection: Connection) -> None:
            """All of it or nothing: half a test would be read as a whole one."""
            setting_id = scores.setting(
                connection,
                scores.LEVEL_TEST,
                wanted.scorer.test_version,
                settings,
                method=wanted.method,
                measures=wanted.scorer.test_measures,
            )
            # There is one at a time: `scores.tested` takes the setting that has values.
            scores.forget_tests(connection)
            scores.save(connection, setting_id, scored, provisional=False, bases=bases)

        await self._context.write(save)


class TestingScorer(Scorer, TestsRepeats):
    """A scorer that tests repeats."""


def _testing_scorer(name: str) -> TestingScorer:
    """The primary scorer of a method. Raises `UserError` where it tests no repeats."""
    method = catalogue.method(name)
    found = primary_of(method, load_protocol(method.default_protocol, method=name)).scorer
    if not isinstance(found, TestsRepeats):
        raise UserError(
            tr("Answers of {method} are not tested against chance set by set.", method=method.title),
            tr("Its tables say what chance would show."),
        )
    return cast("TestingScorer", found)


def _wanted(connection: Connection, method: str) -> _Wanted:
    stored = scores.settings(connection, method)
    scorer = _testing_scorer(method)
    complete = {group.id: group for group in fit_groups.groups(connection) if group.complete}
    every = [bundle for bundle in scores.repeated(connection, method) if bundle.group in complete]
    # A question that was asked in several rounds counts once, as in every table.
    aside = set_aside(asked_again(connection), {complete[bundle.group].run_id for bundle in every})
    bundles = [bundle for bundle in every if bundle.bundle_id not in aside]
    touched = {bundle.group for bundle in bundles}
    return _Wanted(
        method=method,
        groups=[group for key, group in complete.items() if key in touched],
        strata={int(bundle.bundle_id): _stratum(scorer, bundle) for bundle in bundles},
        planted=frozenset(_stratum(scorer, bundle) for bundle in bundles if bundle.synthetic),
        scorer=scorer,
        primary=options_of(stored[0]) if stored else scorer.options(),
    )


def _stratum(scorer: TestsRepeats, bundle: RepeatedBundle) -> str:
    return "\x1f".join((str(bundle.model_id), *scorer.stratum(bundle.coordinates)))
