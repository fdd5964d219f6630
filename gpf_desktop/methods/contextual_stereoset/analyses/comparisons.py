"""Whether contrasts of two models differ, over what both were asked."""

from gpf_desktop.domain.columns import estimate, p_value, text
from gpf_desktop.domain.findings import Finding
from gpf_desktop.domain.score_tables import ScoreTables
from gpf_desktop.domain.text import Translated, tr
from gpf_desktop.methods.contextual_stereoset.analyses._rows import ChoicesTable, of_contrast, row
from gpf_desktop.methods.contextual_stereoset.analyses._stored import stored_choices
from gpf_desktop.methods.contextual_stereoset.words import difference_title


class Comparisons(ChoicesTable):
    """Paired difference of ΔSS of each two models."""

    name = "stereoset_comparisons"
    title = Translated("Models beside each other")

    def analyse(self, scores: ScoreTables, _options: object) -> Finding:
        stored = stored_choices(scores)
        apart = tr("Difference of the {difference}", difference=difference_title(stored.labels))
        rows = [
            row(
                stored,
                each.first,
                {
                    "other": each.second,
                    "contrast": str(found.contrast),
                    "difference": of_contrast(found),
                    "p": found.p,
                    "q": found.q,
                },
            )
            for each in stored.comparisons
            for found in each.contrasts
        ]
        return self.table(
            stored,
            (
                text("other", tr("Less that of")),
                text("contrast", tr("Shift between")),
                estimate("difference", apart, tr("Over items of both.")),
                p_value("p", tr("p"), tr("Sign flips over items, of the mean itself."), plain=tr("By chance alone")),
                p_value(
                    "q",
                    tr("q"),
                    tr("Benjamini and Hochberg over the shifts of the two models."),
                    plain=tr("By chance alone, all counted"),
                ),
            ),
            rows,
            empty=(tr("Two models or more are compared, asked about the same items."),),
        )


ANALYSIS = Comparisons()
