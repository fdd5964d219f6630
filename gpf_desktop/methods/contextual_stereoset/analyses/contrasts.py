"""The named contrasts, with their tests, their bounds, and the order of the options accounted for."""

from collections.abc import Iterator

from gpf_desktop.domain import columns
from gpf_desktop.domain.figures import Profiles
from gpf_desktop.domain.findings import Finding, Row, Value
from gpf_desktop.domain.score_tables import ScoreTables
from gpf_desktop.domain.text import Translated, decimal, tr
from gpf_desktop.methods.contextual_stereoset.analyses._rows import (
    ChoicesTable,
    contrast_columns,
    contrast_values,
    estimate,
    row,
)
from gpf_desktop.methods.contextual_stereoset.analyses._stored import StoredChoices, stored_choices
from gpf_desktop.methods.contextual_stereoset.words import factor_title, option_title

_FOUND = 0.05


class Contrasts(ChoicesTable):
    """ΔSS over items and matched pairs of contexts."""

    name = "stereoset_contrasts"
    title = Translated("Contrasts")

    def analyse(self, scores: ScoreTables, _options: object) -> Finding:
        stored = stored_choices(scores)
        return self.table(
            stored,
            (
                *contrast_columns(
                    compared=tr("Whose share is compared."),
                    difference=tr("Share at the first less the second."),
                    p=tr("Sign flips over items, of the mean itself."),
                    q=tr("Benjamini and Hochberg over the model's contrasts of the option."),
                ),
                columns.estimate("adjusted", tr("Order-adjusted"), tr("With the option's place held.")),
                columns.score("as_s", tr("All if invalid"), tr("Cells without a choice all count as the option.")),
                columns.score("as_other", tr("None if invalid"), tr("None of such cells counts as the option.")),
            ),
            _rows(stored),
            figures=(
                Profiles(
                    title=tr("Contrasts by model and option"),
                    panel=("model", "option"),
                    line="contrast",
                    values=("difference", "adjusted"),
                    x_title=tr("difference of shares"),
                ),
            ),
            highlights=_highlights(stored),
        )


def _rows(stored: StoredChoices) -> Iterator[Row]:
    for each in stored.models:
        for label, contrasts in each.of_labels.items():
            for found, adjusted, bound in zip(contrasts, each.adjusted[label], each.bounds[label], strict=True):
                told: dict[str, Value] = {
                    "adjusted": estimate(adjusted.estimate, adjusted.low, adjusted.high, n=found.items),
                    "as_s": bound.all_chosen,
                    "as_other": bound.none_chosen,
                }
                yield row(stored, each.choices.model, contrast_values(label, found) | told)


def _highlights(stored: StoredChoices) -> Iterator[str]:
    for each in stored.models:
        for found in each.contrasts:
            if found.q <= _FOUND:
                # Percentage points in the direction that the sentence names.
                scale = 100 if found.estimate > 0 else -100
                low, high = sorted((scale * found.low, scale * found.high))
                yield tr(
                    "{model} chooses “{option}” {more} with {factor} {a} than with {b}, by {points} points"
                    " ({low} to {high}) over {items} items, q ≤ .05 over its contrasts.",
                    model=each.choices.model,
                    option=option_title(each.choices.labels[0]),
                    more=tr("more often") if found.estimate > 0 else tr("less often"),
                    factor=factor_title(found.contrast.factor),
                    a=found.contrast.a,
                    b=found.contrast.b,
                    points=decimal(scale * found.estimate, 1),
                    low=decimal(low, 1),
                    high=decimal(high, 1),
                    items=found.items,
                )


ANALYSIS = Contrasts()
