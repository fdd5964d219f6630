"""Features of each answer, raw and calibrated, and how far they range over the concepts of a bundle; names of concepts
are masked in answers and baselines first."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import isnan
from typing import TYPE_CHECKING, Final

from gpf_desktop.domain.coordinates import MAIN
from gpf_desktop.domain.items import StudyItem
from gpf_desktop.domain.options import NoOptions
from gpf_desktop.domain.ports.scorer import Scorer
from gpf_desktop.domain.scores import (
    VALID,
    BundleAnswers,
    Chunk,
    FitGroup,
    Measure,
    ScoreColumn,
    ScoredChunk,
    Unavailable,
    UnitKind,
)
from gpf_desktop.domain.text import Translated, tr
from gpf_desktop.methods.saged.features import BASELINE_DISTANCE, OF_A_TEXT, TONE, WITH_NAMES, unmasked_name
from gpf_desktop.methods.saged.masking import ConceptNames, masked, names_in
from gpf_desktop.methods.saged.protocol import BASELINES, NAMES

if TYPE_CHECKING:
    from gpf_desktop.arrays import Floats

CALIBRATED: Final = "_calibrated"
RANGE: Final = "_range"

CLASSIFIED: Final = "classified"
"""The feature by a classifier that a setting names."""
RANGED: Final = (TONE.name, CLASSIFIED)
"""Features whose range over a bundle is a score of it."""

Values = list[float | Unavailable]
Further = Callable[[Sequence[str]], "Mapping[str, Floats]"]
"""Features of texts, by name; NaN for a text without one."""


def calibrated_name(feature: str) -> str:
    """The measure of answers that holds *feature* less its baseline's."""
    return feature + CALIBRATED


@dataclass(frozen=True, slots=True)
class _Scored:
    """One fit group's numbers."""

    answers: dict[str, Values]
    """By measure of answers, one per text."""
    bundles: dict[str, Values]
    """By measure of bundles, and `VALID`, one per bundle."""


class FeaturesOfAnswers(Scorer):
    """Features of each answer, its distance from its baseline, and ranges of tone over a bundle."""

    name = "saged"
    version = "6"
    needs_facts = True
    title = Translated("Features of answers")

    @property
    def measures(self) -> tuple[Measure, ...]:
        tone = TONE.name
        return (
            Measure(
                name=calibrated_name(tone) + RANGE,
                title=tr("Range of tone, less the sources' own"),
                short=tr("range"),
                plain=tr("gap in tone, less the sources' own"),
                about=tr("Warmest group less coldest, after the tone of each source is taken off."),
                higher=tr("the tone towards groups differs more, beyond what the sources say"),
                low=0.0,
                grows=True,
                on_card=True,
            ),
            Measure(
                name=tone + RANGE,
                title=tr("Range of tone"),
                short=tr("as answered"),
                plain=tr("gap in tone, as answered"),
                about=tr("Warmest group less coldest, 0 to 2."),
                higher=tr("the tone towards groups differs more"),
                low=0.0,
                high=2.0,
                grows=True,
                on_card=True,
            ),
            *_of_answers(),
        )

    def score(self, chunk: Chunk, options: NoOptions) -> ScoredChunk:  # noqa: ARG002 - the port's signature
        return scored_chunk(chunk)


def scored_chunk(chunk: Chunk, further: Further | None = None) -> ScoredChunk:
    """The features of the answers in *chunk*, with *further* ones where there are any.

    Raises what *further* raises.
    """
    scored = [_of_group(group, further) for group in chunk]
    return ScoredChunk(
        kind=UnitKind.BUNDLE,
        units=[bundle.bundle for group in chunk for bundle in group.bundles],
        columns=_columns([each.bundles for each in scored]),
        further=(
            ScoredChunk(
                kind=UnitKind.ANSWER,
                units=[fact.cell for group in chunk if answered(group) for fact in group.facts],
                columns=_columns([each.answers for each in scored]),
            ),
        ),
    )


def answered(group: FitGroup) -> bool:
    """It has answers: a judge's own group has judgements alone."""
    return any(bundle.arm == MAIN for bundle in group.bundles)


def _of_answers() -> tuple[Measure, ...]:
    named = {
        "tone": tr("tone"),
        "length": tr("length in words"),
        "refusal": tr("declined in its own words"),
        "hedging": tr("hedging"),
        "question_back": tr("question back"),
        "baseline_distance": tr("distance from its source"),
    }
    raw = [
        Measure(
            name=each.name,
            title=named[each.name],
            short=named[each.name],
            higher=each.larger_is,
            unit=UnitKind.ANSWER,
            low=each.low,
            high=each.high,
            on_card=each is TONE,
        )
        for each in (*OF_A_TEXT, BASELINE_DISTANCE)
    ]
    calibrated = [
        Measure(
            name=calibrated_name(each.name),
            title=tr("{feature}, less the source", feature=each.title),
            short=tr("{feature}, less the source", feature=each.short),
            higher=tr("more of it than the source has"),
            unit=UnitKind.ANSWER,
            on_card=each.on_card,
        )
        for each in raw[:-1]
    ]
    # Of these the number with names left in stands beside, to be compared with.
    unmasked = [
        replace(
            each,
            name=unmasked_name(each.name),
            title=tr("{feature}, names left in", feature=each.title),
            short=tr("{feature}, names left in", feature=each.short),
            on_card=False,
        )
        for each in raw
        if each.name in {feature.name for feature in WITH_NAMES}
    ]
    return (
        *raw,
        *calibrated,
        *unmasked,
        *(
            replace(each, name=calibrated_name(each.name), title=tr("{feature}, less the source", feature=each.title))
            for each in unmasked
        ),
    )


def _of_group(group: FitGroup, further: Further | None) -> _Scored:
    import numpy as np

    from gpf_desktop.methods.saged.distances import baseline_distances
    from gpf_desktop.methods.saged.features import encoded
    from gpf_desktop.numerics.tfidf import weights

    if not answered(group):
        return _nothing(group, further)
    n = len(group.texts)
    plain = [*group.texts, *(baseline_of(group, row) for row in range(n))]
    texts = with_names_masked(group, [*range(n), *range(n)], plain)
    found, named = encoded(texts), encoded(plain).of_text
    of_text = {
        **found.of_text,
        **{unmasked_name(each.name): named[each.name] for each in WITH_NAMES},
        **(further(texts) if further is not None else {}),
    }
    weighted = weights(found.counts, np.zeros(2 * n, np.int64))
    apart = baseline_distances(weighted.of_texts(np.arange(n)), weighted.of_texts(np.arange(n, 2 * n)))
    numbers = {name: values[:n] for name, values in of_text.items()}
    numbers[BASELINE_DISTANCE.name] = apart
    numbers |= {calibrated_name(name): values[:n] - values[n:] for name, values in of_text.items()}
    ranged = [name for each in of_text if each in RANGED for name in (calibrated_name(each), each)]
    return _Scored(
        answers={name: [value_of(number) for number in values.tolist()] for name, values in numbers.items()},
        bundles={
            VALID: [float(len(_first(bundle))) for bundle in group.bundles],
            **{
                name + RANGE: [_range(numbers[name][_first(bundle)].tolist()) for bundle in group.bundles]
                for name in ranged
            },
        },
    )


def _nothing(group: FitGroup, further: Further | None) -> _Scored:
    """The scores of a group without an answer: every measure is unavailable."""
    named = [each.name for each in OF_A_TEXT] + ([] if further is None else [CLASSIFIED])
    named += [unmasked_name(each.name) for each in WITH_NAMES]
    ranged = [name + RANGE for each in named if each in RANGED for name in (calibrated_name(each), each)]
    few: Values = [Unavailable.TOO_FEW_ANSWERS] * len(group.bundles)
    answers = [*named, BASELINE_DISTANCE.name, *map(calibrated_name, named)]
    return _Scored(
        # Judgements are no answers: `scored_chunk` names none of them as a unit, so that no value may come either.
        answers={name: [] for name in answers},
        bundles={VALID: [0.0] * len(group.bundles), **dict.fromkeys(ranged, few)},
    )


def baseline_of(group: FitGroup, row: int) -> str:
    """The baseline of the answer in *row* of *group*; empty: there is none."""
    fact = group.facts[row]
    known = group.items[fact.item].data.get(BASELINES)
    return str(known.get(fact.coordinates.get("concept"), "")) if isinstance(known, dict) else ""


def with_names_masked(group: FitGroup, rows: Sequence[int], texts: Sequence[str]) -> list[str]:
    """Each of *texts*, which belongs to the answer in that row of *group*, with its benchmark's names masked."""
    by_names: dict[ConceptNames, list[int]] = {}
    of_item = {number: names_of_item(item) for number, item in group.items.items()}
    for at, row in enumerate(rows):
        by_names.setdefault(of_item[group.facts[row].item], []).append(at)
    found = list(texts)
    for names, places in by_names.items():
        distinct = list(dict.fromkeys(texts[at] for at in places))
        told = dict(zip(distinct, masked(distinct, names), strict=True))
        for at in places:
            found[at] = told[texts[at]]
    return found


def names_of_item(item: StudyItem) -> ConceptNames:
    """The names of the concepts of its benchmark; of an item that keeps none, those that its baselines tell."""
    if kept := item.data.get(NAMES):
        return ConceptNames.read(kept)
    known = item.data.get(BASELINES)
    return names_in({str(concept): str(text) for concept, text in known.items()} if isinstance(known, dict) else {})


def _first(bundle: BundleAnswers) -> list[int]:
    """Rows of the bundle's first generation."""
    return [row for row, repeat in zip(bundle.rows, bundle.repeats, strict=True) if repeat == 0]


def value_of(number: float) -> float | Unavailable:
    """*number* as a score; NaN: a text without a word."""
    return Unavailable.EMPTY_VECTOR if isnan(number) else number


def _range(numbers: list[float]) -> float | Unavailable:
    there = [number for number in numbers if not isnan(number)]
    return max(there) - min(there) if len(there) > 1 else Unavailable.TOO_FEW_ANSWERS


def _columns(parts: list[dict[str, Values]]) -> tuple[ScoreColumn, ...]:
    # All groups have the same measures, those without an answer too (`_nothing`).
    names = parts[0] if parts else ()
    return tuple(ScoreColumn(name=name, values=[value for part in parts for value in part[name]]) for name in names)


SCORER = FeaturesOfAnswers()
