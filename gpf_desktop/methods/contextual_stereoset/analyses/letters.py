"""How often each letter is chosen, whatever stands behind it."""

from typing import Final

from gpf_desktop.domain import columns
from gpf_desktop.domain.figures import Intervals
from gpf_desktop.domain.findings import Finding
from gpf_desktop.domain.score_tables import ScoreTables
from gpf_desktop.domain.text import Translated, tr
from gpf_desktop.methods.contextual_stereoset.analyses._rows import ChoicesTable, estimate, row
from gpf_desktop.methods.contextual_stereoset.analyses._stored import stored_choices

_LINE: Final = 0.0005
"""Half of what a line at 1/3 is wide."""


class Letters(ChoicesTable):
    """Position bias."""

    name = "stereoset_letters"
    title = Translated("Letters chosen")

    def analyse(self, scores: ScoreTables, _options: object) -> Finding:
        stored = stored_choices(scores)
        rows = [
            row(
                stored,
                each.choices.model,
                {
                    "letter": found.letter,
                    "share": estimate(found.share, found.low, found.high, n=len(each.choices.items)),
                    "beyond": found.share - 1 / 3 if found.share == found.share else None,
                },
            )
            for each in stored.models
            for found in each.letters
        ]
        return self.table(
            stored,
            (
                columns.text("letter", tr("Letter")),
                columns.estimate("share", tr("Share"), tr("Of valid answers.")),
                columns.score("beyond", tr("Beyond 1/3")),
            ),
            rows,
            figures=(
                Intervals(
                    title=tr("Letters"),
                    label=("model", "letter"),
                    value="share",
                    x_title=tr("share · shaded: 1/3"),
                    band=(1 / 3 - _LINE, 1 / 3 + _LINE),
                ),
            ),
            reading=tr(
                "Options stand in an order that is drawn for each question, so that a liking for a letter "
                "makes no shift by itself; it adds noise. Shifts are given again with the place held."
            ),
        )


ANALYSIS = Letters()
