"""The named contrasts in the model's own probabilities of the options, where its provider gives them."""

from collections.abc import Iterator

import numpy as np

from gpf_desktop.domain.findings import ColumnKind, Finding, Row
from gpf_desktop.domain.ports import NoOptions
from gpf_desktop.domain.score_tables import ScoreTables
from gpf_desktop.domain.text import tr
from gpf_desktop.methods.contextual_stereoset.analyses._rows import column, finding, of_contrast, row
from gpf_desktop.methods.contextual_stereoset.analyses._stored import StoredChoices, stored_choices
from gpf_desktop.methods.contextual_stereoset.measures import Measures
from gpf_desktop.methods.contextual_stereoset.words import option_title


class Probabilities:
    """ΔP over items and matched pairs of contexts."""

    name = "stereoset_probabilities"
    version = "1"
    options = NoOptions

    @property
    def title(self) -> str:
        return tr("Contrasts in log-probabilities")

    def analyse(self, scores: ScoreTables, options: NoOptions) -> Finding:  # noqa: ARG002 - the port's signature
        stored = stored_choices(scores)
        return finding(
            self.name,
            self.title,
            (
                column("option", tr("Option"), ColumnKind.TEXT, tr("Whose probability is compared.")),
                column("contrast", tr("Contrast"), ColumnKind.TEXT),
                column("difference", tr("Difference"), ColumnKind.ESTIMATE, tr("P at the first less the second.")),
                column("p", tr("p"), ColumnKind.SCORE, tr("Random sign flips over items.")),
                column("q", tr("q"), ColumnKind.SCORE, tr("Benjamini and Hochberg over the option’s contrasts.")),
                column("pairs", tr("Pairs"), ColumnKind.COUNT, tr("Of contexts alike but for the factor.")),
            ),
            tuple(_rows(stored)),
            notes=(
                *(_told(each) for each in stored.models if each.of_chances),
                tr(
                    "P is the probability of an option’s letter at the token that is the answer, over the three"
                    " letters; a letter that is not among the likeliest tokens counts as 0."
                ),
            ),
        )


def _rows(stored: StoredChoices) -> Iterator[Row]:
    for each in stored.models:
        for label, contrasts in each.of_chances.items():
            for found in contrasts:
                yield row(
                    stored,
                    each.choices.model,
                    {
                        "option": option_title(label),
                        "contrast": str(found.contrast),
                        "difference": of_contrast(found),
                        "p": found.p,
                        "q": found.q,
                        "pairs": found.pairs,
                    },
                )


def _told(each: Measures) -> str:
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
