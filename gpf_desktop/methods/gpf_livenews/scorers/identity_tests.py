"""Tests whether identities move meaning, and tone, more than chance, from bundles whose every identity has repeats.

The primary test is stratified (by model, dimension and family, say) and adjusted for the number of strata; a
single bundle's is exploratory. Chunks are drawn one by one, in worker processes too, and then merged, so that no
more than a chunk's answers are held at a time.
"""

from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from gpf_desktop.domain.scores import Chunk, ScoreColumn, ScoredChunk, UnitKind
from gpf_desktop.methods.gpf_livenews import level_tests as kept
from gpf_desktop.methods.gpf_livenews.scorers._gpf_options import GpfOptions

if TYPE_CHECKING:
    from gpf_desktop.stats.resampling import Generations, NullDraws, PermutationTest


MEANING: Final = 0
TONE: Final = 1
"""Places of the two kinds of distance among a bundle's draws."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StratumTest:
    """One stratum's test of one kind, and its p adjusted for all strata (Benjamini and Hochberg)."""

    stratum: str
    test: "PermutationTest"
    adjusted_p: float


def draw_bundles(
    chunk: Chunk, wanted: Container[int], options: GpfOptions, *, seed: int, replicates: int
) -> dict[int, "NullDraws"]:
    """Statistic and permutations of each bundle of *chunk* by its number, in its order.

    Those that are not *wanted*, or without repeats, are passed over. A bundle's permutations depend on *seed* and its
    number alone, not on what is drawn beside it.
    """
    from gpf_desktop.stats.resampling import permute

    return {
        number: permute(answers, seed=(seed, number), replicates=replicates)
        for number, answers in _generations(chunk, options)
        if number in wanted and answers.testable
    }


def merged(parts: Sequence[Mapping[str, "NullDraws"]]) -> dict[str, "NullDraws"]:
    """The strata of several chunks together."""
    whole: dict[str, NullDraws] = {}
    for part in parts:
        for stratum, one in part.items():
            whole[stratum] = whole[stratum].plus(one) if stratum in whole else one
    return whole


def conclude_strata(
    whole: Mapping[str, "NullDraws"], planted: Container[str] = (), kind: int = MEANING
) -> tuple[StratumTest, ...]:
    """Every stratum's test of one *kind*, in the order of *whole*.

    *planted* strata are adjusted among themselves: differences that were put there on purpose would make room for
    false findings among the others.
    """
    from gpf_desktop.stats.multiplicity import benjamini_hochberg
    from gpf_desktop.stats.resampling import conclude

    tests = {stratum: conclude(one)[kind] for stratum, one in whole.items()}
    adjusted: dict[str, float] = {}
    for apart in (False, True):
        some = [stratum for stratum in tests if (stratum in planted) is apart]
        adjusted |= zip(some, benjamini_hochberg([tests[stratum].p for stratum in some]), strict=True)
    return tuple(
        StratumTest(stratum=stratum, test=test, adjusted_p=adjusted[stratum]) for stratum, test in tests.items()
    )


def as_scores(
    own: Mapping[int, "NullDraws"],
    strata: Mapping[int, str],
    whole: Mapping[str, "NullDraws"],
    planted: Container[str],
) -> ScoredChunk:
    """Each bundle's own test, and that of its stratum (`conclude_strata`)."""
    from gpf_desktop.stats.resampling import conclude

    meaning, tone = ({test.stratum: test for test in conclude_strata(whole, planted, kind)} for kind in (MEANING, TONE))
    numbers = sorted(own)
    alone = [conclude(own[number]) for number in numbers]
    together = [meaning[strata[number]] for number in numbers]
    in_tone = [tone[strata[number]] for number in numbers]
    columns: dict[str, list[float]] = {
        kept.LEVEL_STATISTIC: [each[MEANING].statistic for each in alone],
        kept.LEVEL_P: [each[MEANING].p for each in alone],
        kept.LEVEL_SMALLEST_P: [each[MEANING].smallest_p for each in alone],
        kept.LEVEL_STRATUM_P: [each.test.p for each in together],
        kept.LEVEL_STRATUM_SMALLEST_P: [each.test.smallest_p for each in together],
        kept.LEVEL_ADJUSTED_P: [each.adjusted_p for each in together],
        kept.TONE_STATISTIC: [each[TONE].statistic for each in alone],
        kept.TONE_P: [each[TONE].p for each in alone],
        kept.TONE_STRATUM_P: [each.test.p for each in in_tone],
        kept.TONE_ADJUSTED_P: [each.adjusted_p for each in in_tone],
    }
    return ScoredChunk(
        kind=UnitKind.BUNDLE,
        units=numbers,
        columns=tuple(ScoreColumn(name=name, values=[*values]) for name, values in columns.items()),
    )


def _add(strata: dict[str, "NullDraws"], stratum: str, one: "NullDraws") -> None:
    strata[stratum] = strata[stratum].plus(one) if stratum in strata else one


def _generations(chunk: Chunk, options: GpfOptions) -> Iterator[tuple[int, "Generations"]]:
    import numpy as np

    from gpf_desktop.methods.gpf_livenews.scorers._blocks import blocks
    from gpf_desktop.stats.resampling import Generations

    for block in blocks(chunk, options):
        bundles = block.bundles
        for part in block.slices():
            begin = part.begin
            for bundle in range(part.low, part.high):
                end = begin + int(part.distances.sizes[bundle - part.low])
                if block.answers.repeat[begin:end].any():
                    tones = block.tones[begin:end]
                    apart = np.stack(
                        [part.distances.square(bundle - part.low), np.abs(tones[:, None] - tones[None, :])]
                    )
                    own = block.answers.identity[begin:end]
                    yield bundles[bundle].bundle, Generations(distances=apart, groups=own)
                begin = end
