"""How often each option is chosen at each level; places are left out."""

from collections.abc import Callable, Iterator

from gpf_desktop.domain import columns
from gpf_desktop.domain.figures import Intervals
from gpf_desktop.domain.findings import Column, Finding, Row
from gpf_desktop.domain.score_tables import ScoreTables
from gpf_desktop.domain.text import Translated, capital, tr
from gpf_desktop.methods.contextual_stereoset.analyses._rows import ChoicesTable, estimate, row
from gpf_desktop.methods.contextual_stereoset.analyses._stored import StoredChoices, stored_choices
from gpf_desktop.methods.contextual_stereoset.grid import NOT_CONTRASTED
from gpf_desktop.methods.contextual_stereoset.items import STEREOTYPE_LABELS, VIGNETTE_LABELS
from gpf_desktop.methods.contextual_stereoset.words import option_title, share_title


class Shares(ChoicesTable):
    """SS, the paper's rate, with S / (S + A) and the three shares beside it."""

    name = "stereoset_shares"
    title = Translated("How often each option was chosen, by context")

    def analyse(self, scores: ScoreTables, _options: object) -> Finding:
        stored = stored_choices(scores)
        return self.table(
            stored,
            share_columns(stored.labels),
            share_rows(stored, lambda factor: factor not in NOT_CONTRASTED),
            notes=_falls(stored.labels),
            figures=(
                Intervals(
                    title=capital(tr("{share}, by context", share=share_title(stored.labels))),
                    label=("model", "level"),
                    value="ss",
                    x_title=share_title(stored.labels),
                ),
            ),
        )


def _falls(labels: str) -> Iterator[str]:
    if labels == STEREOTYPE_LABELS:
        yield tr(
            "The share of the stereotype falls where the unrelated option rises: the three shares tell which it was."
        )


def share_columns(labels: str) -> tuple[Column, ...]:
    """The columns of a table of shares; for vignettes, options are headed by number."""
    if labels == VIGNETTE_LABELS:
        return (
            columns.text("level", tr("Context")),
            columns.estimate("ss", share_title(labels), tr("Its share of valid answers.")),
            columns.share("s_of_sa", tr("1/(1+2)"), plain=tr("Of the first two options")),
            columns.share("a", option_title(labels[1])),
            columns.share("u", option_title(labels[2])),
            columns.count("valid", tr("Valid answers")),
        )
    return (
        columns.text("level", tr("Context")),
        columns.estimate(
            "ss", tr("SS"), tr("S / (S + A + U) over valid answers."), plain=tr("Share of the stereotype")
        ),
        columns.share("s_of_sa", tr("S/(S+A)"), plain=tr("Without the unrelated")),
        columns.share(
            "a", tr("A"), tr("Share of the anti-stereotype; of a vignette, option 2."), plain=tr("Anti-stereotype")
        ),
        columns.share(
            "u", tr("U"), tr("Share of the unrelated option; of a vignette, option 3."), plain=tr("Unrelated")
        ),
        columns.count("valid", tr("Valid answers")),
    )


def share_rows(stored: StoredChoices, wanted: Callable[[str], bool]) -> Iterator[Row]:
    """A row for each model and each level of the factors that are *wanted*."""
    for each in stored.models:
        for found in each.shares:
            if not wanted(found.factor):
                continue
            yield row(
                stored,
                each.choices.model,
                {
                    "level": stored.level_title(found.factor, found.level),
                    "ss": estimate(found.ss, found.low, found.high, n=found.items),
                    "s_of_sa": None if found.of_first_two != found.of_first_two else found.of_first_two,
                    "a": found.shares[1] if found.valid else None,
                    "u": found.shares[2] if found.valid else None,
                    "valid": found.valid,
                },
            )


ANALYSIS = Shares()
