"""Sides of any kind, two by two, question by question: a model with another system prompt, say, or in another round."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import numpy as np

from gpf_desktop.arrays import Floats
from gpf_desktop.domain.findings import Finding
from gpf_desktop.domain.score_tables import RunTerms, ScoreTables, SidePair, asked_first
from gpf_desktop.domain.text import tr
from gpf_desktop.methods._paired_sides import PairedScore, PairedSides, asked_with, compared, otherwise
from gpf_desktop.methods.relative_bias.analyses._stored import METHOD, StoredStudy, stored_study

JUDGE: Final = "judge"
DISTANCE: Final = "distance"
"""Scores of a comparison, by which a margin may be stated."""
_FEWEST: Final = 4
"""Themes: of two rounds with nothing between them, marks of three themes told a difference on 8 of 100 pages, of four
to eight on 0 to 2 (600 pages each, four models, two judges)."""


def of_pairs(pairs: Sequence[SidePair], margins: Mapping[str, float]) -> Finding:
    """Each pair on the questions that both of its sides have: each judge's marks, and how far a model lies from the
    others where both sides asked the same ones. *margins* by `JUDGE` and `DISTANCE`."""
    ready = [(pair, list(_ready(pair))) for pair in pairs]
    stated = {name: margins.get(name) or (_agreed(pairs) if name == JUDGE else 0.0) for name in (JUDGE, DISTANCE)}
    return compared(
        [each for _, some in ready for each in some],
        [tr(" and ").join(pair.names) for pair, some in ready if not some],
        stated,
        over=tr("themes"),
        notes=(
            tr(
                "Paired by question, themes going together. Marks are compared where one judge model gave them by one"
                " marking guide. “From the others” is compared where the same others were asked at both."
            ),
        ),
    )


def _agreed(pairs: Sequence[SidePair]) -> float:
    """The margin in marks that the protocol asked first states; 0: none."""
    runs = {run: terms for pair in pairs if pair.tables for t in pair.tables for run, terms in t.terms(METHOD).items()}
    return float(runs[min(runs)].protocol.margin_levels) if runs else 0.0


def _ready(pair: SidePair) -> Iterator[PairedSides]:
    assert pair.tables is not None, "its pairs are answers"
    one, other = (stored_study(tables) for tables in pair.tables)
    if one is None or other is None:
        return
    pairs = [(model, model) for model in one.study.answers.models if model in other.study.answers.models]
    if not pair.same_models:
        pairs = [pair.names] if set(pair.names) <= set(one.study.answers.models) else []
    same_guide = _guide(pair.tables[0]) == _guide(pair.tables[1])
    for first, second in pairs:
        scores = list(_scores(one, other, first, second, same_guide=same_guide))
        if scores:
            yield PairedSides(
                pair=pair,
                models=", ".join(dict.fromkeys((first, second))),
                synthetic=first in one.synthetic or second in other.synthetic,
                scores=scores,
                otherwise=_otherwise(pair.tables, one.labels.get(first, first)),
                weighs="" if same_guide else tr("The sides were marked by unlike guides: marks are not compared."),
            )


def _scores(
    one: StoredStudy, other: StoredStudy, first: str, second: str, *, same_guide: bool
) -> Iterator[PairedScore]:
    at = [_places(each) for each in (one, other)]
    both = [question for question in at[0] if question in at[1]]
    if not both:
        return
    places = [np.array([of[question] for question in both]) for of in at]
    _, clusters = np.unique([theme for theme, _ in both], return_inverse=True)
    columns = (one.study.answers.models.index(first), other.study.answers.models.index(second))

    def paired(name: str, words: str, values: Sequence[Floats], ends: tuple[float, float]) -> PairedScore:
        mine, theirs = (each[place, column] for each, place, column in zip(values, places, columns, strict=True))
        return PairedScore(
            name=name,
            words=words,
            first=mine,
            second=theirs,
            clusters=clusters.astype(np.int64),
            fewest=_FEWEST,
            ends=ends,
        )

    for judge, top in one.tops.items():
        if same_guide and judge in one.study.levels and judge in other.study.levels:
            levels = (one.study.levels[judge], other.study.levels[judge])
            yield paired(JUDGE, tr("marks of judge model {judge}", judge=judge), levels, (1.0, float(top)))
    if one.study.answers.models == other.study.answers.models and len(one.study.answers.models) > 1:
        mine, theirs = one.study.values(), other.study.values()
        for encoder in one.study.embeddings:
            name = f"embedding:{encoder}"
            if name in mine and name in theirs:
                words = tr("from the others, by {encoder}", encoder=encoder)
                yield paired(DISTANCE, words, (mine[name][0], theirs[name][0]), (0.0, 1.0))


def _places(stored: StoredStudy) -> dict[tuple[str, str], int]:
    answers = stored.study.answers
    return {
        (answers.themes[theme], question): at
        for at, (theme, question) in enumerate(zip(answers.theme_of, answers.questions, strict=True))
    }


def _guide(tables: ScoreTables) -> Any:
    """The levels and the sentence of what counts as bias by which judges rate at a side; a set over its rounds."""
    return {(each.protocol.rubric.levels, each.protocol.counts_as_bias) for each in tables.terms(METHOD).values()}


def _otherwise(tables: tuple[ScoreTables, ScoreTables], model: str) -> str:
    """How *model* was asked otherwise at the first side than at the second."""
    one, other = (asked_first(each.terms(METHOD)) for each in tables)
    if one is None or other is None:
        return ""
    return otherwise(_asked(one, model), _asked(other, model))


def _asked(terms: RunTerms, model: str) -> dict[str, str]:
    return asked_with(terms.decoding.get(model) or terms.protocol.decoding, terms.protocol.system_prompt)
