"""The named contrasts, with their tests, their bounds, and the order of the options accounted for."""

from collections.abc import Iterator

from gpf_desktop.domain import columns
from gpf_desktop.domain.figures import Profiles
from gpf_desktop.domain.findings import Finding, Row, Value
from gpf_desktop.domain.score_tables import ScoreTables
from gpf_desktop.domain.text import Translated, tr
from gpf_desktop.methods.contextual_stereoset.analyses._rows import (
    ChoicesTable,
    contrast_columns,
    contrast_values,
    estimate,
    row,
)
from gpf_desktop.methods.contextual_stereoset.analyses._stored import StoredChoices, stored_choices


class Contrasts(ChoicesTable):
    """ΔSS over items and matched pairs of contexts."""

    name = "stereoset_contrasts"
    title = Translated("Shift from one context to another")

    def analyse(self, scores: ScoreTables, _options: object) -> Finding:
        stored = stored_choices(scores)
        return self.table(
            stored,
            (
                *contrast_columns(
                    compared=tr("Whose share is compared."),
                    difference=tr("Share at the first less the second."),
                    p=tr("Sign flips over items, of the mean itself."),
                    q=tr("Benjamini and Hochberg over the model's shifts of the option."),
                ),
                columns.estimate(
                    "adjusted", tr("With the place held"), tr("As if the option always stood at the same place.")
                ),
                columns.score("as_s", tr("If all had"), tr("Had every question without a choice chosen the option.")),
                columns.score("as_other", tr("If none had"), tr("Had none of them chosen the option.")),
            ),
            _rows(stored),
            figures=(
                Profiles(
                    title=tr("Shift from one context to another, by model and option"),
                    panel=("model", "option"),
                    line="contrast",
                    values=("difference", "adjusted"),
                    x_title=tr("difference of shares"),
                ),
            ),
        )


def _rows(stored: StoredChoices) -> Iterator[Row]:
    for each in stored.models:
        for label, contrasts in each.of_labels.items():
            for found, adjusted, bound in zip(contrasts, each.adjusted[label], each.bounds[label], strict=True):
                together = tr("the option changes its place with the context") if found.items else ""
                told: dict[str, Value] = {
                    "adjusted": estimate(adjusted.estimate, adjusted.low, adjusted.high, n=found.items, lacks=together),
                    "as_s": bound.all_chosen,
                    "as_other": bound.none_chosen,
                }
                yield row(stored, each.choices.model, contrast_values(label, found) | told)


ANALYSIS = Contrasts()
