"""The contrasts within each type, and whether types differ in them."""

from collections.abc import Iterator
from operator import itemgetter
from typing import Final

from gpf_desktop.domain.columns import estimate, p_value, score, text
from gpf_desktop.domain.figures import Profiles
from gpf_desktop.domain.findings import Finding, Row, Value
from gpf_desktop.domain.score_tables import ScoreTables
from gpf_desktop.domain.text import Translated, capital, decimal, tr
from gpf_desktop.methods.contextual_stereoset.analyses._rows import ChoicesTable, of_contrast, row
from gpf_desktop.methods.contextual_stereoset.analyses._stored import StoredChoices, stored_choices
from gpf_desktop.methods.contextual_stereoset.words import difference_title, statement_for

_TESTS_NAMED: Final = 8
"""Below the picture; the table has all."""


class Types(ChoicesTable):
    """Factor × type."""

    name = "stereoset_types"
    title = Translated("Shift by type")

    def analyse(self, scores: ScoreTables, _options: object) -> Finding:
        stored = stored_choices(scores)
        difference = difference_title(stored.labels)
        return self.table(
            stored,
            (
                text("type", tr("Type")),
                text("contrast", tr("Shift between")),
                estimate("difference", difference),
                p_value(
                    "q",
                    tr("q"),
                    tr("Benjamini and Hochberg over the shifts of the type."),
                    plain=tr("By chance alone, all counted"),
                ),
                score("as_s", tr("If all had"), tr("Had every question without a choice chosen the option.")),
                score("as_other", tr("If none had"), tr("Had none of them chosen the option.")),
                p_value(
                    "interaction",
                    tr("p of interaction"),
                    tr("Do types differ? By permutation."),
                    plain=tr("Do types differ, by chance alone"),
                ),
            ),
            _rows(stored),
            notes=(
                tr(
                    "Do types differ: types are dealt anew over items (p of interaction); one test for each "
                    "shift and model."
                ),
            ),
            figures=(
                Profiles(
                    title=capital(tr("{difference}, by type", difference=difference)),
                    panel=("model", "type"),
                    line="contrast",
                    values=("difference",),
                    x_title=difference,
                    columns=4,
                ),
            ),
            reading=f"{statement_for(stored.labels).short} {_differing(stored)}",
        )


def _differing(stored: StoredChoices) -> str:
    """Said under the picture, which has no place for it: whether types differ in a contrast."""
    tests = {
        f"{each.choices.model}, {found.estimate.contrast}": found.interaction_p
        for each in stored.models
        for found in each.by_group
    }
    smallest = sorted(tests.items(), key=itemgetter(1))[:_TESTS_NAMED]
    return tr(
        "Do types differ? By chance alone, {n} of {all}, the least likely first: {tests}.",
        n=len(smallest),
        all=len(tests),
        tests="; ".join(f"{named} {decimal(p, 3)}" for named, p in smallest),
    )


def _rows(stored: StoredChoices) -> Iterator[Row]:
    for each in stored.models:
        for found in each.by_group:
            values: dict[str, Value] = {
                "type": found.group,
                "contrast": str(found.estimate.contrast),
                "difference": of_contrast(found.estimate),
                "q": found.estimate.q,
                "as_s": found.bounds.all_chosen,
                "as_other": found.bounds.none_chosen,
                "interaction": found.interaction_p,
            }
            yield row(stored, each.choices.model, values, group=found.group)


ANALYSIS = Types()
