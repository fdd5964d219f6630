"""The named contrasts in the model's own probabilities of the options, where its provider gives them."""

from collections.abc import Iterator

import numpy as np

from gpf_desktop.domain.columns import text
from gpf_desktop.domain.findings import Finding, Row
from gpf_desktop.domain.score_tables import ScoreTables
from gpf_desktop.domain.text import Translated, tr
from gpf_desktop.methods.contextual_stereoset.analyses._rows import ChoicesTable, contrast_columns, contrast_values, row
from gpf_desktop.methods.contextual_stereoset.analyses._stored import StoredChoices, stored_choices
from gpf_desktop.methods.contextual_stereoset.measures import Measures
from gpf_desktop.methods.contextual_stereoset.words import statement_for


class Probabilities(ChoicesTable):
    """ΔP over items and matched pairs of contexts."""

    name = "stereoset_probabilities"
    title = Translated("Shift in how likely each option was")

    def analyse(self, scores: ScoreTables, _options: object) -> Finding:
        stored = stored_choices(scores)
        # Not `table`: probabilities are of letters as they were written, whatever a reader corrected.
        return self.finding(
            (
                text("model", tr("Model")),
                *contrast_columns(
                    compared=tr("Whose probability is compared."),
                    difference=tr("Probability at the first less the second."),
                    p=tr("Random sign flips over items."),
                    q=tr("Benjamini and Hochberg over the option’s shifts."),
                ),
            ),
            _rows(stored),
            reading=statement_for(stored.labels).short,
            notes=(
                *(_note(each) for each in stored.models if each.of_chances),
                tr(
                    "How likely an option was is the probability of its letter at the token that is the answer, "
                    "of all three letters. A letter that is not among the likeliest tokens counts as 0."
                ),
            ),
            empty=(
                tr(
                    "No model gave any. The set-up of a study asks for them, of providers that have them: OpenAI and"
                    " compatible ones, and Ollama."
                ),
            ),
        )


def _rows(stored: StoredChoices) -> Iterator[Row]:
    for each in stored.models:
        for label, contrasts in each.of_chances.items():
            for found in contrasts:
                yield row(stored, each.choices.model, contrast_values(label, found))


def _note(each: Measures) -> str:
    """How many answers have probabilities."""
    chances = each.choices.chances
    n = 0 if chances is None else int((~np.isnan(chances[:, :, 0])).sum())
    return tr(
        "{model}: {n:,} of {all:,} answers with a choice have log-probabilities.",
        model=each.choices.model,
        n=n,
        all=int(each.choices.valid.sum()),
    )


ANALYSIS = Probabilities()
