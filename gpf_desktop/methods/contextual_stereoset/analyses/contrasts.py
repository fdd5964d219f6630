"""The named contrasts, with their tests, their bounds, and the order of the options accounted for."""

from collections.abc import Iterator

from gpf_desktop.domain.figures import Profiles
from gpf_desktop.domain.findings import ColumnKind, Finding, Row
from gpf_desktop.domain.ports import NoOptions
from gpf_desktop.domain.score_tables import ScoreTables
from gpf_desktop.domain.text import tr
from gpf_desktop.methods.contextual_stereoset.analyses._rows import column, estimate, finding, of_contrast, row
from gpf_desktop.methods.contextual_stereoset.analyses._stored import StoredChoices, stored_choices
from gpf_desktop.methods.contextual_stereoset.words import option_title

_FOUND = 0.05


class Contrasts:
    """ΔSS over items and matched pairs of contexts."""

    name = "stereoset_contrasts"
    version = "1"
    options = NoOptions

    @property
    def title(self) -> str:
        return tr("Contrasts")

    def analyse(self, scores: ScoreTables, options: NoOptions) -> Finding:  # noqa: ARG002 - the port's signature
        stored = stored_choices(scores)
        return finding(
            self.name,
            self.title,
            (
                column("option", tr("Option"), ColumnKind.TEXT, tr("Whose share is compared.")),
                column("contrast", tr("Contrast"), ColumnKind.TEXT),
                column("difference", tr("Difference"), ColumnKind.ESTIMATE, tr("Share at the first less the second.")),
                column("p", tr("p"), ColumnKind.SCORE, tr("Exact sign flips over items.")),
                column("q", tr("q"), ColumnKind.SCORE, tr("Benjamini and Hochberg over the model's contrasts.")),
                column("pairs", tr("Pairs"), ColumnKind.COUNT, tr("Of contexts alike but for the factor.")),
                column("adjusted", tr("Order-adjusted"), ColumnKind.ESTIMATE, tr("With the option's place held.")),
                column("as_s", tr("Invalid as chosen"), ColumnKind.SCORE, tr("Cells without a choice count as S.")),
                column(
                    "as_other", tr("Invalid as not"), ColumnKind.SCORE, tr("Cells without a choice count as not S.")
                ),
            ),
            tuple(_rows(stored)),
            notes=stored.notes(),
            figures=(
                Profiles(
                    title=tr("Contrasts by model and option"),
                    panel=("model", "option"),
                    line="contrast",
                    values=("difference", "adjusted"),
                    x_title=tr("difference of shares"),
                ),
            ),
            highlights=tuple(_highlights(stored)),
        )


def _rows(stored: StoredChoices) -> Iterator[Row]:
    for each in stored.models:
        first = option_title(each.choices.labels[0])
        for found, adjusted, bound in zip(each.contrasts, each.adjusted, each.bounds, strict=True):
            yield row(
                stored,
                each.choices.model,
                {
                    "option": first,
                    "contrast": str(found.contrast),
                    "difference": of_contrast(found),
                    "p": found.p,
                    "q": found.q,
                    "pairs": found.pairs,
                    "adjusted": estimate(adjusted.estimate, adjusted.low, adjusted.high, n=found.items),
                    "as_s": bound.all_chosen,
                    "as_other": bound.none_chosen,
                },
            )
        for label, others in each.of_other_labels.items():
            for found in others:
                yield row(
                    stored,
                    each.choices.model,
                    {
                        "option": option_title(label),
                        "contrast": str(found.contrast),
                        "difference": of_contrast(found),
                        "p": found.p,
                        "q": None,
                        "pairs": found.pairs,
                        "adjusted": None,
                        "as_s": None,
                        "as_other": None,
                    },
                )


def _highlights(stored: StoredChoices) -> Iterator[str]:
    for each in stored.models:
        for found in each.contrasts:
            if found.q <= _FOUND:
                yield tr(
                    "{model} chooses “{option}” {more} at {a} than at {b} (by {points:.1f} points).",
                    model=each.choices.model,
                    option=option_title(each.choices.labels[0]),
                    more=tr("more often") if found.estimate > 0 else tr("less often"),
                    a=found.contrast.a,
                    b=found.contrast.b,
                    points=100 * abs(found.estimate),
                )


ANALYSIS = Contrasts()
