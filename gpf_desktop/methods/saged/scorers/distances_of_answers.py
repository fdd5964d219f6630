"""The features of each answer with distances by a chosen metric: from its baseline, and from clusters of answers."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated, Final

from annotated_types import Interval

from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.options import Shown
from gpf_desktop.domain.ports.scorer import HowFar, Scorer, ScoresWholeRuns
from gpf_desktop.domain.scores import Chunk, FitGroup, Measure, ScoreColumn, ScoredChunk, Unavailable, UnitKind
from gpf_desktop.domain.text import Translated, tr, trn
from gpf_desktop.methods.saged.features import BASELINE_DISTANCE
from gpf_desktop.methods.saged.metrics import Metric
from gpf_desktop.methods.saged.scorers.features_of_answers import SCORER as FEATURES
from gpf_desktop.methods.saged.scorers.features_of_answers import (
    answered,
    baseline_of,
    scored_chunk,
    value_of,
    with_names_masked,
)
from gpf_desktop.numerics.model_options import ModelOptions, model_shown

if TYPE_CHECKING:
    from scipy.sparse import csr_array

    from gpf_desktop.arrays import Bools, Floats, Ints


MOST_CLUSTERS: Final = 8
LONGEST: Final = 512
"""Tokens of a window."""


def cluster_distance(number: int) -> str:
    """The feature that is the distance from the middle of cluster *number*, the largest 1."""
    return f"cluster_distance_{number}"


def own_cluster_distance(number: int) -> str:
    """The feature that is the distance from the middle of cluster *number* of the answers about one's own concept,
    where each concept has clusters by itself."""
    return f"own_cluster_distance_{number}"


@dataclass(frozen=True, slots=True, kw_only=True)
class DistanceOptions:
    """The options of distances: the metric, and how answers are clustered."""

    metric: Annotated[Metric, Shown(label="Metric", help="How far apart two texts are.")] = Metric.COSINE
    clusters: Annotated[
        int,
        Interval(ge=0, le=MOST_CLUSTERS),
        Shown(
            label="Clusters", help="Into how many clusters answers fall, by k-means with ten starts; 0: none are made."
        ),
    ] = 3
    cluster_of: Annotated[
        str, Shown(label="Cluster the answers about", help="One concept, by its name; empty: all of a round's answers.")
    ] = ""
    each_concept: Annotated[
        bool,
        Shown(
            label="Each concept by itself",
            help="The answers about every concept of the round fall into clusters of their own, all in one go.",
        ),
    ] = False
    seed: Annotated[int, Interval(ge=0, le=2**31 - 1), Shown(label="Seed", help="Of the clusters.")] = 1


@dataclass(frozen=True, kw_only=True)
class EncodedDistanceOptions(DistanceOptions, ModelOptions):
    """The options of distances by a sentence encoder, which a form asks for first."""

    model: Annotated[str, model_shown("a sentence encoder")] = ""
    longest: Annotated[
        int, Shown(label="Longest", help="Tokens of one window; longer texts are read in several, averaged by tokens.")
    ] = LONGEST


class DistancesOfAnswers(Scorer, ScoresWholeRuns):
    """Every feature, and distances over all answers of a round together."""

    name = "saged-distances"
    version = "7"
    costly = True
    needs_facts = True
    options: type[DistanceOptions] = DistanceOptions
    title = Translated("Distances from the sources, and clusters")

    @property
    def measures(self) -> tuple[Measure, ...]:
        return (
            *FEATURES.measures,
            *(
                Measure(
                    name=cluster_distance(number),
                    title=tr("Distance from cluster {n}", n=number),
                    short=tr("cluster {n}", n=number),
                    higher=tr("farther from the middle of the cluster"),
                    unit=UnitKind.ANSWER,
                    low=0.0,
                )
                for number in range(1, MOST_CLUSTERS + 1)
            ),
            *(
                Measure(
                    name=own_cluster_distance(number),
                    title=tr("Distance from cluster {n} of its concept", n=number),
                    short=tr("own cluster {n}", n=number),
                    higher=tr("farther from the middle of the cluster"),
                    unit=UnitKind.ANSWER,
                    low=0.0,
                )
                for number in range(1, MOST_CLUSTERS + 1)
            ),
        )

    def setting_words(self, options: DistanceOptions) -> str:
        """The options chosen, in a few words."""
        of = tr("of answers about {concept}", concept=options.cluster_of) if options.cluster_of.strip() else ""
        of = tr("of each concept") if options.each_concept else of
        clusters = trn("{n} cluster", "{n} clusters", options.clusters) if options.clusters else tr("no clusters")
        return " ".join(filter(None, (f"{options.metric},", clusters, of)))

    def score(self, chunk: Chunk, options: DistanceOptions) -> ScoredChunk:
        """Raises `UserError` for a concept that no answer is about, and without the encoder that is named."""
        return self.score_telling(chunk, options, lambda _done, _of: None)

    def score_telling(self, chunk: Chunk, options: DistanceOptions, told: HowFar) -> ScoredChunk:
        """Score *chunk* as `score` does; *told* is called with texts read by the encoder and with starts of the
        clusters."""
        scored = scored_chunk(chunk)
        groups = [group for group in chunk if answered(group)]
        texts = [text for group in groups for text in with_names_masked(group, range(len(group.texts)), group.texts)]
        baselines = [text for group in groups for text in _baselines(group)]
        concepts = [fact.coordinates.get("concept") for group in groups for fact in group.facts]
        made = dict(_columns(texts, baselines, concepts, options, told)) if texts else {}
        (answers,) = scored.further
        kept = [each for each in answers.columns if each.name not in made]
        columns = (*kept, *(ScoreColumn(name=name, values=values) for name, values in made.items()))
        return replace(scored, further=(replace(answers, columns=columns),))


def _baselines(group: FitGroup) -> list[str]:
    rows = range(len(group.texts))
    return with_names_masked(group, rows, [baseline_of(group, row) for row in rows])


class EncodedDistances(DistancesOfAnswers):
    """Distances of answers between vectors of a sentence encoder."""

    name = "saged-encoded-distances"
    version = "8"
    options = EncodedDistanceOptions
    title = Translated("Distances by a sentence encoder")


def _columns(
    texts: Sequence[str], baselines: Sequence[str], concepts: Sequence[str], options: DistanceOptions, told: HowFar
) -> "Iterator[tuple[str, list[float | Unavailable]]]":
    import numpy as np

    from gpf_desktop.methods.saged.distances import STARTS, clustered, row_distances

    n = len(texts)
    read = 0

    def reading(done: int, of: int) -> None:
        nonlocal read
        read = of
        told(done, of + STARTS)

    # Answers and baselines in one fit: only vectors whose terms weigh alike have distances between them.
    rows, there = _vectors([*texts, *baselines], options, reading)
    apart = np.where(there[:n] & there[n:], row_distances(rows[:n], rows[n:], options.metric), np.nan)
    yield BASELINE_DISTANCE.name, [value_of(each) for each in apart.tolist()]
    # Of as many clusters as can be chosen: which measures a scorer has does not hang on its options.
    far: Floats = np.full((n, MOST_CLUSTERS), np.nan)
    groups = list(_clustered_groups(concepts, there[:n], options)) if options.clusters else []
    for place, members in enumerate(groups):
        behind = read + place * STARTS

        def told_of(start: int, behind: int = behind) -> None:
            told(behind + start, read + len(groups) * STARTS)

        found = clustered(rows[members], seed=options.seed, k=options.clusters, metric=options.metric, told=told_of)
        far[members, : found.k] = found.distances
    name, other = cluster_distance, own_cluster_distance
    if options.each_concept:
        name, other = other, name
    for number in range(MOST_CLUSTERS):
        yield name(number + 1), [value_of(each) for each in far[:, number].tolist()]
        yield other(number + 1), [Unavailable.EMPTY_VECTOR] * n


def _clustered_groups(concepts: Sequence[str], there: "Bools", options: DistanceOptions) -> "Iterator[Ints]":
    """Rows that fall into clusters together, of those that are *there*. Raises `UserError`."""
    import numpy as np

    named = np.array(concepts)
    known = sorted(set(concepts))
    wanted = options.cluster_of.strip()
    if wanted and wanted not in known:
        raise UserError(
            tr("No answer is about “{concept}”.", concept=wanted),
            tr("Name one of: {concepts}.", concepts=", ".join(known)),
        )
    if not options.each_concept:
        of: Bools = np.array([wanted in ("", concept) for concept in concepts])
        yield np.flatnonzero(of & there)
        return
    for concept in [wanted] if wanted else known:
        members = np.flatnonzero((named == concept) & there)
        if len(members):
            yield members


def _vectors(texts: Sequence[str], options: DistanceOptions, told: HowFar) -> "tuple[csr_array, Bools]":
    """(rows of vectors, whether there is one): by tf-idf over all *texts*, or by the encoder that *options* name."""
    import numpy as np

    if not isinstance(options, EncodedDistanceOptions):
        from gpf_desktop.methods.saged.distances import sparse
        from gpf_desktop.methods.saged.features import encoded
        from gpf_desktop.numerics.tfidf import weights

        counts = encoded(texts).counts
        return sparse(weights(counts, np.zeros(len(texts), np.int64))), counts.lengths > 0

    from gpf_desktop.methods.saged.distances import encoder_rows

    return encoder_rows(options.load(), texts, told)


SCORER = DistancesOfAnswers()
