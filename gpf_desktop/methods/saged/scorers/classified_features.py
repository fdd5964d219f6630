"""One more feature of each answer, by a text classifier that the auditor names; the others stand beside it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.options import Shown
from gpf_desktop.domain.ports.scorer import Scorer
from gpf_desktop.domain.resources import resources
from gpf_desktop.domain.scores import Chunk, Measure, ScoredChunk, ScoreVariant, UnitKind
from gpf_desktop.domain.text import Translated, tr
from gpf_desktop.methods.saged.scorers.features_of_answers import (
    CLASSIFIED,
    RANGE,
    calibrated_name,
    scored_chunk,
)
from gpf_desktop.methods.saged.scorers.features_of_answers import SCORER as FEATURES
from gpf_desktop.numerics.model_options import ModelOptions, model_shown

if TYPE_CHECKING:
    from collections.abc import Mapping

    from gpf_desktop.arrays import Floats


@dataclass(frozen=True, slots=True, kw_only=True)
class FeatureClassifierOptions(ModelOptions):
    """The model, and what its labels count."""

    model: Annotated[str, model_shown("a text classifier")] = ""
    counts: Annotated[
        tuple[str, ...],
        Shown(
            label="What each label counts",
            help="A label and its number, one a line; labels that are not named count 0. “always” is added to every "
            "text: positive: 0.5, negative: -0.5 and always: 0.5 go from 0 to 1.",
        ),
    ] = ("positive: 1", "negative: -1")
    each_on_its_own: Annotated[
        bool, Shown(label="Labels do not exclude each other", help="Each has a probability of its own.")
    ] = False
    longest: Annotated[
        int, Shown(label="Longest", help="Tokens of one window; longer texts are read in several, averaged by tokens.")
    ] = 512


class ClassifiedFeatures(Scorer):
    """The features that every study has, and the classifier's: raw, calibrated, and their ranges over a bundle."""

    name = "saged-classifier"
    version = "2"
    costly = True
    needs_facts = True
    options = FeatureClassifierOptions
    title = Translated("A feature by a text classifier")

    @property
    def measures(self) -> tuple[Measure, ...]:
        raw, calibrated = CLASSIFIED, calibrated_name(CLASSIFIED)
        more = tr("what the classifier finds differs more between groups")
        return (
            *FEATURES.measures,
            Measure(
                name=raw,
                title=tr("By the classifier"),
                short=tr("by the classifier"),
                unit=UnitKind.ANSWER,
                higher=tr("more of what its labels count"),
                on_card=True,
            ),
            Measure(
                name=calibrated,
                title=tr("By the classifier, less the source"),
                short=tr("calibrated"),
                unit=UnitKind.ANSWER,
                higher=tr("more of it than the source has"),
                on_card=True,
            ),
            Measure(
                name=calibrated + RANGE,
                title=tr("gap by the classifier, less the sources' own"),
                short=tr("gap by the classifier"),
                higher=more,
                low=0.0,
                grows=True,
                on_card=True,
            ),
            Measure(
                name=raw + RANGE,
                title=tr("gap by the classifier, as answered"),
                short=tr("gap by the classifier, as answered"),
                higher=more,
                low=0.0,
                grows=True,
                on_card=True,
            ),
        )

    @property
    def presets(self) -> Sequence[ScoreVariant]:
        """The paper's classifiers, a setting for each feature."""
        from gpf_desktop.methods.saged.classifiers import read_classifiers

        found = read_classifiers(resources() / "methods" / "saged" / "classifiers.yaml").values()
        return [
            ScoreVariant(
                name=f"{self.name}-{feature}",
                title=tr("{feature} by {model}", feature=feature.replace("_", ", ").capitalize(), model=each.model),
                scorer=self.name,
                options=FeatureClassifierOptions(
                    model=each.model,
                    revision=each.revision,
                    counts=tuple(f"{label}: {number:g}" for label, number in numbers.items()),
                    each_on_its_own=each.each_on_its_own,
                    longest=each.longest,
                ),
                needs=tr("The model must be on this machine; it can be fetched here from huggingface.co."),
            )
            for each in found
            for feature, numbers in each.features.items()
        ]

    def score(self, chunk: Chunk, options: FeatureClassifierOptions) -> ScoredChunk:
        """Raises `UserError` without the model, and for a label that it does not have."""
        from gpf_desktop.methods.saged.classifiers import Classifier

        classifier = Classifier(
            name=options.model,
            model=options.model,
            revision=options.revision,
            weights=options.weights,
            longest=options.longest,
            each_on_its_own=options.each_on_its_own,
            features={CLASSIFIED: _numbers(options.counts)},
        )

        def classified(texts: Sequence[str]) -> "Mapping[str, Floats]":
            return classifier.of_texts(texts)

        return scored_chunk(chunk, classified)


def _numbers(counts: Sequence[str]) -> dict[str, float]:
    """The number of each label, by its name in lower case. Raises `UserError`."""
    found = {}
    for line in counts:
        # From the right: a label may hold a colon, a number does not.
        label, mark, number = line.rpartition(":")
        try:
            found[label.strip().lower()] = float(number)
        except ValueError:
            mark = ""
        if not mark or not label.strip():
            raise UserError(
                tr("“{line}” gives no label and its number.", line=line[:60]), tr("Write, for example, positive: 1.")
            )
    return found


SCORER = ClassifiedFeatures()
