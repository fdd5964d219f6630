"""The scores of GPF-LiveNews: how far a bundle's answers move apart in meaning and in tone."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from gpf_desktop.domain.coordinates import Coordinates
from gpf_desktop.domain.ports.scorer import Explains, FitsRuns, HasVariants, Scorer, TestsRepeats
from gpf_desktop.domain.protocol import FitScope
from gpf_desktop.domain.scores import BundleAnswers, Chunk, FitGroup, Measure, ScoredChunk, ScoreVariant, WiderFit
from gpf_desktop.domain.text import Translated, tr
from gpf_desktop.methods.gpf_livenews.scorers import identity_tests
from gpf_desktop.methods.gpf_livenews.scorers._gpf_options import GpfOptions
from gpf_desktop.methods.gpf_livenews.scorers._measures import measures, test_measures
from gpf_desktop.numerics import merged_frequencies


def variants(scorer: str, base: GpfOptions, words: Sequence[str]) -> tuple[ScoreVariant, ...]:
    """Each differs from *base* in one thing."""
    every = (FitScope.ARTICLE, FitScope.BUNDLE, FitScope.RUN, FitScope.MAIN)
    other_scopes = [scope for scope in every if scope is not base.fit_scope]
    further = (
        ("word-pairs", tr("By words, with pairs of words"), replace(base, word_pairs=True)),
        ("masked", tr("without readers' names"), replace(base, mask=tuple(words))),
        ("by-sentence", tr("tone by sentence"), replace(base, by_sentence=True)),
    )
    scopes = ((f"fit-{each}", _fitted(each), replace(base, fit_scope=each)) for each in other_scopes)
    return tuple(
        ScoreVariant(name=name, title=title, scorer=scorer, options=options)
        for name, title, options in (*scopes, *further)
    )


def differences(options: GpfOptions, others: GpfOptions) -> tuple[str, ...]:
    """The ways in which *options* differ from *others*, in words."""
    words = []
    if options.fit_scope is not others.fit_scope:
        words.append(_fitted(options.fit_scope))
    if options.word_pairs and not others.word_pairs:
        words.append(tr("with word pairs"))
    if options.mask != others.mask:
        words.append(tr("without readers' names") if options.mask else tr("with readers' names"))
    if options.by_sentence and not others.by_sentence:
        words.append(tr("tone by sentence"))
    if options.rarefy != others.rarefy:
        words.append(tr("spread of tone of {m} answers", m=options.rarefy))
    return tuple(words)


def only_masked(options: GpfOptions, others: GpfOptions) -> bool:
    return bool(options.mask) and not others.mask and replace(options, mask=()) == others


def _fitted(scope: FitScope) -> str:
    return tr("by words, weighed over {scope}", scope=scope.words)


if TYPE_CHECKING:
    from gpf_desktop.numerics.explain import BundleExplanation
    from gpf_desktop.stats.resampling import NullDraws


class GpfScorer(Scorer, Explains, FitsRuns, HasVariants, TestsRepeats):
    """Dispersion, noise, framing, tone range, MAD, rarefied range and both silhouettes of each bundle."""

    name = "gpf"
    version = "6"
    preloads = (
        "gpf_desktop.methods.gpf_livenews.scorers._bundle_scores",
        "gpf_desktop.methods.gpf_livenews.scorers._readability",
    )
    test_version = "2"
    options = GpfOptions
    title = Translated("GPF-LiveNews scores")

    @property
    def measures(self) -> tuple[Measure, ...]:
        return measures()

    def score(self, chunk: Chunk, options: GpfOptions) -> ScoredChunk:
        """Columns `domain.scores.ALL_SCORES`, `VALID` and `READABILITY`, one value or reason per bundle of *chunk*."""
        from gpf_desktop.methods.gpf_livenews.scorers._blocks import reading_of, together
        from gpf_desktop.methods.gpf_livenews.scorers._bundle_scores import score_chunk
        from gpf_desktop.methods.gpf_livenews.scorers._readability import readability

        def scored(groups: Chunk) -> ScoredChunk:
            # Each answer is read once, for its scores, for those without the readers' names, and for its tone alone.
            reading = reading_of(options)
            found = score_chunk(groups, options, reading=reading)
            return replace(found, columns=(*found.columns, *readability(groups, options, reading)))

        first, *others = [scored(groups) for groups in together(chunk)] or [scored(())]
        for other in others:
            first.units.extend(other.units)
            for column, more in zip(first.columns, other.columns, strict=True):
                column.values.extend(more.values)
        return first

    def fits_the_run(self, options: GpfOptions) -> bool:
        return options.fit_scope is FitScope.RUN

    def frequencies(self, chunk: Chunk, options: GpfOptions) -> WiderFit:
        from gpf_desktop.numerics.references import masked

        texts = masked([text for group in chunk for text in group.texts], options.mask)
        return merged_frequencies.counted(texts, pairs=options.word_pairs)

    def explain(self, group: FitGroup, bundle: BundleAnswers, options: GpfOptions) -> "BundleExplanation | None":
        from gpf_desktop.numerics.explain import explain

        return explain(group, bundle, fit_scope=options.fit_scope, word_pairs=options.word_pairs)

    def variants(self, base: GpfOptions, words: Sequence[str]) -> tuple[ScoreVariant, ...]:
        return variants(self.name, base, words)

    differences = staticmethod(differences)
    only_masked = staticmethod(only_masked)

    @property
    def test_measures(self) -> tuple[Measure, ...]:
        return test_measures()

    def stratum(self, coordinates: Coordinates) -> tuple[str, ...]:
        return coordinates["dimension"], coordinates["family"]

    def draw(
        self, chunk: Chunk, wanted: frozenset[int], options: GpfOptions, seed: int, replicates: int
    ) -> dict[int, "NullDraws"]:
        return identity_tests.draw_bundles(chunk, wanted, options, seed=seed, replicates=replicates)

    merged = staticmethod(identity_tests.merged)
    tested = staticmethod(identity_tests.as_scores)


SCORER = GpfScorer()

__all__ = ["SCORER", "GpfOptions"]
