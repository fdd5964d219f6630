"""Computes, on demand, whether identities moved the answers more than chance (method, "Noise"; beyond the paper).

Bundles whose every identity has repeats are permuted in the scoring workers, summed by model × dimension × family,
adjusted for the number of those strata (Benjamini and Hochberg), and kept as scores of the bundles.
"""

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Final

from gpf_desktop.domain import scores as names
from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.scores import ScoreColumn, ScoredChunk, UnitKind
from gpf_desktop.domain.text import tr, trn
from gpf_desktop.engine.core.context import EngineContext
from gpf_desktop.engine.core.protocols import DEFAULT_METHOD
from gpf_desktop.engine.core.told_task import OneAtATime, Tell
from gpf_desktop.engine.scoring.score_variants import gpf_options
from gpf_desktop.engine.scoring.stored_answers import Read, streamed
from gpf_desktop.methods.gpf_livenews.scorers._measures import test_measures
from gpf_desktop.methods.gpf_livenews.scorers.gpf import GpfOptions
from gpf_desktop.methods.gpf_livenews.scorers.identity_tests import StratumTest, conclude_strata, draw_bundles, merged
from gpf_desktop.storage import fit_groups, scores
from gpf_desktop.storage.asked_again import asked_again, set_aside
from gpf_desktop.storage.fit_groups import Basis, StoredGroup
from gpf_desktop.storage.scores import RepeatedBundle
from gpf_desktop.storage.writer import Connection

if TYPE_CHECKING:
    from gpf_desktop.stats.resampling import NullDraws, PermutationTest

IDENTITY_TEST_TASK: Final = "identity test"
VERSION: Final = "1"


@dataclass(frozen=True, slots=True, kw_only=True)
class IdentityTestOptions:
    """Settings of the test."""

    replicates: int = field(
        default=2000,
        metadata={
            "help": "Random labellings drawn; p is (1 + b) / (1 + B), never 0.",
            "minimum": 99,
            "maximum": 100_000,
        },
    )
    seed: int = field(default=20261120, metadata={"help": "Seed of the labellings.", "minimum": 0})


@dataclass(frozen=True, slots=True, kw_only=True)
class _Wanted:
    groups: list[StoredGroup]
    strata: Mapping[int, str]
    """Stratum of each bundle, as one word that no name can look like."""
    planted: frozenset[str]
    """Strata of calibration models."""
    primary: GpfOptions


class IdentityTesting:
    """Of one open audit; one test at a time. *changed* is called, on the engine's loop, when it was stored."""

    def __init__(self, context: EngineContext, changed: Callable[[], object]) -> None:
        self._context = context
        self._changed = changed
        self._task = OneAtATime(context, IDENTITY_TEST_TASK)

    def close(self) -> None:
        self._task.close()

    def cancel(self) -> None:
        """Stop; the test before stays."""
        self._task.cancel()

    def start(self, options: IdentityTestOptions) -> "Future[int]":
        """Test every complete bundle with repeats of the audit; the future holds how many there were.

        Told as the task `IDENTITY_TEST_TASK`, which counts bundles passed by. Raises `UserError` while one is under way
        and where nothing has repeats.
        """
        self._task.check_free(tr("The test is under way already."), tr("Wait until it is done, or cancel it first."))
        wanted = self._context.audit.read(_wanted)
        if not wanted.strata:
            raise UserError(
                tr("No bundle has repeated answers yet, so there is nothing to test against."),
                tr("Run a round with the repeat control on."),
            )

        async def test(tell: Tell) -> tuple[int, str]:
            tested, strata = await self._test(wanted, options, tell)
            self._changed()
            return tested, trn(
                "Tested {n} bundle with repeats against chance, in {strata} strata of model, dimension and family.",
                "Tested {n} bundles with repeats against chance, in {strata} strata of model, dimension and family.",
                tested,
                strata=strata,
            )

        return self._task.start(test, trouble=tr("The test could not be computed."))

    async def _test(self, wanted: _Wanted, options: IdentityTestOptions, tell: Tell) -> tuple[int, int]:
        context, strata = self._context, wanted.strata
        own: dict[int, PermutationTest] = {}
        whole: dict[str, NullDraws] = {}
        bases: list[Basis] = []
        done, of = 0, sum(group.bundles for group in wanted.groups)
        tell(0, of)

        async def keep(read: Read, drawn: dict[int, "NullDraws"]) -> None:
            nonlocal done, whole
            own.update(_conclusions(drawn))
            bases.extend(read.bases)
            whole = merged([whole, *({strata[number]: one} for number, one in drawn.items())])
            done += sum(group.bundles for group in read.stored)
            tell(done, of)

        chosen = frozenset(strata)
        await streamed(
            context,
            wanted.groups,
            wanted.primary,
            lambda chunk: context.scoring.call(
                draw_bundles, chunk, chosen, wanted.primary, seed=options.seed, replicates=options.replicates
            ),
            keep,
        )
        tests = {test.stratum: test for test in conclude_strata(whole, wanted.planted)}
        await self._save(wanted, options, own, tests, bases)
        return len(own), len(tests)

    async def _save(
        self,
        wanted: _Wanted,
        options: IdentityTestOptions,
        own: Mapping[int, "PermutationTest"],
        tests: Mapping[str, StratumTest],
        bases: Sequence[Basis],
    ) -> None:
        settings = {**asdict(wanted.primary), **asdict(options)}
        numbers = sorted(own)

        def save(connection: Connection) -> None:
            """All of it or nothing: half a test would be read as a whole one."""
            setting_id = scores.setting(
                connection,
                scores.IDENTITY_TEST,
                VERSION,
                settings,
                method=DEFAULT_METHOD,
                measures=test_measures(),
            )
            scores.forget_tests(connection)
            scored = _as_scores(numbers, own, [tests[wanted.strata[number]] for number in numbers])
            scores.save(connection, setting_id, scored, provisional=False, bases=bases)

        await self._context.write(save)


def _wanted(connection: Connection) -> _Wanted:
    stored = scores.settings(connection, DEFAULT_METHOD)
    complete = {group.id: group for group in fit_groups.groups(connection) if group.complete}
    every = [bundle for bundle in scores.repeated(connection) if bundle.group in complete]
    aside = set_aside(asked_again(connection), {complete[bundle.group].run_id for bundle in every})
    bundles = [bundle for bundle in every if bundle.bundle_id not in aside]
    touched = {bundle.group for bundle in bundles}
    return _Wanted(
        groups=[group for key, group in complete.items() if key in touched],
        strata={int(bundle.bundle_id): _stratum(bundle) for bundle in bundles},
        planted=frozenset(_stratum(bundle) for bundle in bundles if bundle.synthetic),
        primary=gpf_options(stored[0].options) if stored else GpfOptions(),
    )


def _stratum(bundle: RepeatedBundle) -> str:
    return "\x1f".join((str(bundle.model_id), bundle.coordinates["dimension"], bundle.coordinates["family"]))


def _conclusions(drawn: Mapping[int, "NullDraws"]) -> dict[int, "PermutationTest"]:
    from gpf_desktop.stats.resampling import conclude

    return {number: conclude(one) for number, one in drawn.items()}


def _as_scores(numbers: list[int], own: Mapping[int, "PermutationTest"], strata: list[StratumTest]) -> ScoredChunk:
    columns: dict[str, list[float]] = {
        names.IDENTITY_STATISTIC: [own[number].statistic for number in numbers],
        names.IDENTITY_P: [own[number].p for number in numbers],
        names.IDENTITY_SMALLEST_P: [own[number].smallest_p for number in numbers],
        names.IDENTITY_STRATUM_P: [stratum.test.p for stratum in strata],
        names.IDENTITY_STRATUM_SMALLEST_P: [stratum.test.smallest_p for stratum in strata],
        names.IDENTITY_ADJUSTED_P: [stratum.adjusted_p for stratum in strata],
    }
    return ScoredChunk(
        kind=UnitKind.BUNDLE,
        units=numbers,
        columns=tuple(ScoreColumn(name=name, values=[*values]) for name, values in columns.items()),
    )
