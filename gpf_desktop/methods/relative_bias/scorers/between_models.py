"""How far the models' answers to one question lie apart: by this, questions stand in a reader's queue."""

import numpy as np

from gpf_desktop.domain import scores as names
from gpf_desktop.domain.coordinates import MAIN
from gpf_desktop.domain.options import NoOptions
from gpf_desktop.domain.ports.scorer import Scorer
from gpf_desktop.domain.scores import Chunk, FitGroup, Measure, ScoreColumn, ScoredChunk, Unavailable, UnitKind
from gpf_desktop.domain.text import Translated, tr

Values = dict[str, float | Unavailable]


class BetweenModels(Scorer):
    """Mean tf-idf distance between models on a question (S), and between one model's own generations (N).

    Fitted on the question's answers alone, so that a question is scored as soon as it is answered. D in the tables is
    fitted on all answers of the study.
    """

    name = "relative-bias"
    version = "5"
    title = Translated("Distance between models")

    @property
    def measures(self) -> tuple[Measure, ...]:
        return (
            Measure(
                name=names.SEMANTIC_DISPERSION,
                title=tr("S, distance between models"),
                short="S",
                plain=tr("how far apart, in words"),
                about=tr("0: the same words. 1: not one in common."),
                higher=tr("models answer less alike"),
                low=0.0,
                high=1.0,
                on_card=True,
            ),
            Measure(
                name=names.NOISE,
                title=tr("N, distance between a model's own generations"),
                short="N",
                plain=tr("same question asked again"),
                about=tr("How far apart answers lie when nothing but chance changed."),
                higher=tr("a model's answers to one question asked again differ more"),
                low=0.0,
                high=1.0,
                on_card=True,
            ),
            Measure(
                name=names.COUNTERFACTUAL_FRAMING,
                title=tr("S - N, distance beyond a model's own"),
                short=tr("S - N"),
                plain=tr("what the model adds"),
                about=tr("How far apart models lie, less what asking one again explains."),
                higher=tr("models lie further apart than their own answers asked again"),
                low=-1.0,
                high=1.0,
                on_card=True,
            ),
        )

    def score(self, chunk: Chunk, options: NoOptions) -> ScoredChunk:  # noqa: ARG002 - the port's signature
        found = [pair for group in chunk for pair in _of_group(group)]
        columns = (names.SEMANTIC_DISPERSION, names.NOISE, names.COUNTERFACTUAL_FRAMING, names.VALID)
        return ScoredChunk(
            kind=UnitKind.BUNDLE,
            units=[bundle for bundle, _ in found],
            columns=tuple(ScoreColumn(name=name, values=[values[name] for _, values in found]) for name in columns),
        )


def _of_group(group: FitGroup) -> list[tuple[int, Values]]:
    from gpf_desktop.methods.relative_bias.measures import deltas, distances_of_terms, tfidf_vectors

    # Judgements share a fit with what they are about, and are no answers.
    answers = [row for bundle in group.bundles if bundle.arm == MAIN for row in bundle.rows]
    place = {row: at for at, row in enumerate(answers)}
    vectors = tfidf_vectors([group.texts[row] for row in answers])
    found = []
    for bundle in group.bundles:
        if bundle.arm != MAIN:
            found.append((bundle.bundle, _unavailable(0, False)))
            continue
        rows = np.array([place[row] for row in bundle.rows], np.int64)
        there = [at for at in range(len(rows)) if vectors.lengths[rows[at]] > 0]
        models = list(dict.fromkeys(bundle.levels))
        of_model = np.array([models.index(bundle.levels[at]) for at in there], np.int64)
        found.append((bundle.bundle, _unavailable(len(set(of_model.tolist())), len(there) < len(rows))))
        if len(set(of_model.tolist())) < 2:
            continue
        of_question = np.zeros(len(there), np.int64)
        square = distances_of_terms(vectors.of_texts(rows[there]), of_question, of_model, (1, len(models)))
        values = found[-1][1]
        dispersion = float(np.nanmean(deltas(square, np.ones(len(models), bool))))
        values[names.SEMANTIC_DISPERSION] = dispersion
        # NaN of a model that answered once: N is the mean over those that answered again.
        own = np.diagonal(square[0])
        if not np.isnan(own).all():
            values[names.NOISE] = float(np.nanmean(own))
            values[names.COUNTERFACTUAL_FRAMING] = dispersion - float(np.nanmean(own))
    return found


def _unavailable(models: int, unread: bool) -> Values:
    few = Unavailable.EMPTY_VECTOR if unread else Unavailable.TOO_FEW_ANSWERS
    return {
        names.SEMANTIC_DISPERSION: few,
        names.NOISE: Unavailable.NO_REPEATS if models > 1 else few,
        names.COUNTERFACTUAL_FRAMING: Unavailable.NO_REPEATS if models > 1 else few,
        names.VALID: float(models),
    }


SCORER = BetweenModels()
