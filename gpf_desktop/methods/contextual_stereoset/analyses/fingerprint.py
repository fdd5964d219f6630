"""Context Sensitivity Fingerprint: a profile per model on one scale."""

from collections.abc import Iterator

from gpf_desktop.domain import columns
from gpf_desktop.domain.figures import Profiles
from gpf_desktop.domain.findings import Finding, Row, Value
from gpf_desktop.domain.score_tables import ScoreTables
from gpf_desktop.domain.text import Translated, tr
from gpf_desktop.methods.contextual_stereoset.analyses._rows import ChoicesTable, estimate, of_contrast, row
from gpf_desktop.methods.contextual_stereoset.analyses._stored import StoredChoices, stored_choices
from gpf_desktop.methods.contextual_stereoset.words import difference_title, factor_title, share_title


class Fingerprint(ChoicesTable):
    """σ of every factor, beside it what is left beyond chance, and the named contrasts."""

    name = "stereoset_fingerprint"
    title = Translated("Context Sensitivity Fingerprint")

    def analyse(self, scores: ScoreTables, _options: object) -> Finding:
        stored = stored_choices(scores)
        return self.table(
            stored,
            (
                columns.text("measure", tr("Measure")),
                columns.estimate("value", tr("Value"), tr("On the scale of a share, from 0 to 1.")),
                columns.estimate("beyond", tr("Beyond chance"), tr("What of σ sampling noise leaves.")),
                columns.p_value("p", tr("p"), tr("Of σ by permutation, of contrasts and of two levels by sign flips.")),
                columns.p_value("q", tr("q"), tr("Benjamini and Hochberg over the model's contrasts.")),
            ),
            _rows(stored),
            notes=(
                tr(
                    "σ is the standard deviation of {share} over the levels of a factor, the other factors held."
                    " Sampling noise alone gives σ above 0: beyond chance is the root of σ² less its mean where"
                    " labels are permuted within items, at least 0. A factor of two levels has the p of their"
                    " contrast. p is drawn: it is no smaller than 1 in 2,000 of σ, 1 in 10,000 of contrasts.",
                    share=share_title(stored.labels),
                ),
                tr(
                    "Intervals: 95%, by bootstrap over items, which are drawn whole; those of σ less the noise that"
                    " the drawing adds."
                ),
            ),
            figures=(
                Profiles(
                    title=tr("Fingerprint"),
                    panel=("model",),
                    line="measure",
                    values=("value", "beyond"),
                    x_title=tr("σ, and {difference}", difference=difference_title(stored.labels)),
                ),
            ),
        )


def _rows(stored: StoredChoices) -> Iterator[Row]:
    for each in stored.models:
        model, items = each.choices.model, len(each.choices.items)
        for found in each.dispersions:
            sigma = estimate(found.sigma, found.low, found.high, n=items)
            excess = estimate(found.sigma_excess, found.excess_low, found.excess_high, n=items)
            measure = tr("σ · {factor}", factor=factor_title(found.factor))
            values: dict[str, Value] = {"measure": measure, "value": sigma, "beyond": excess, "p": found.p, "q": None}
            yield row(stored, model, values)
        for contrast in each.contrasts:
            measure = f"{difference_title(each.choices.labels)} · {contrast.contrast}"
            values = {"measure": measure, "value": of_contrast(contrast), "beyond": None}
            yield row(stored, model, {**values, "p": contrast.p, "q": contrast.q})


ANALYSIS = Fingerprint()
