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
    title = Translated("How much each part of the context moves the choice")

    def analyse(self, scores: ScoreTables, _options: object) -> Finding:
        stored = stored_choices(scores)
        return self.table(
            stored,
            (
                columns.text("measure", tr("Measure")),
                columns.estimate("value", tr("Value"), tr("On the scale of a share, from 0 to 1.")),
                columns.estimate("beyond", tr("Beyond chance"), tr("What chance leaves of it.")),
                columns.p_value(
                    "p",
                    tr("p"),
                    tr("Of the spread by permutation, of shifts by sign flips."),
                    plain=tr("By chance alone"),
                ),
                columns.p_value(
                    "q",
                    tr("q"),
                    tr("Benjamini and Hochberg over the model's shifts."),
                    plain=tr("By chance alone, all counted"),
                ),
            ),
            _rows(stored),
            notes=(
                tr(
                    "“How much … moves it” is the standard deviation of the {share} over all places, years, "
                    "styles or observers, the rest held. Chance alone gives more than 0. Beyond chance is the "
                    "root of its square less the mean square where contexts are dealt anew within items, at "
                    "least 0. Where there are only two of a kind, it has the p of their shift. p is drawn: at "
                    "least 1 in 2,000 of a spread, 1 in 10,000 of a shift.",
                    share=share_title(stored.labels),
                ),
                tr(
                    "Ranges of 95%, by bootstrap over items, which are drawn whole; of a spread, less what the "
                    "drawing adds."
                ),
            ),
            figures=(
                Profiles(
                    title=tr("How much each part of the context moves the choice"),
                    panel=("model",),
                    line="measure",
                    values=("value", "beyond"),
                    x_title=tr(
                        "how much it moves the choice, and {difference}", difference=difference_title(stored.labels)
                    ),
                ),
            ),
        )


def _rows(stored: StoredChoices) -> Iterator[Row]:
    for each in stored.models:
        model, items = each.choices.model, len(each.choices.items)
        for found in each.dispersions:
            sigma = estimate(found.sigma, found.low, found.high, n=items)
            excess = estimate(found.sigma_excess, found.excess_low, found.excess_high, n=items)
            measure = tr("how much {factor} moves it", factor=factor_title(found.factor))
            values: dict[str, Value] = {"measure": measure, "value": sigma, "beyond": excess, "p": found.p, "q": None}
            yield row(stored, model, values)
        for contrast in each.contrasts:
            measure = f"{difference_title(each.choices.labels)} · {contrast.contrast}"
            values = {"measure": measure, "value": of_contrast(contrast), "beyond": None}
            yield row(stored, model, {**values, "p": contrast.p, "q": contrast.q})


ANALYSIS = Fingerprint()
