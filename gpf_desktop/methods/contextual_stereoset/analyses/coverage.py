"""The coverage table: valid, declined, unread and corrected answers among the cells that were asked, by level."""

from collections.abc import Iterator

from gpf_desktop.domain.columns import count, share, text
from gpf_desktop.domain.findings import Finding, Row
from gpf_desktop.domain.score_tables import ScoreTables
from gpf_desktop.domain.text import Translated, tr
from gpf_desktop.methods.contextual_stereoset.analyses._rows import ChoicesTable, row
from gpf_desktop.methods.contextual_stereoset.analyses._stored import StoredChoices, stored_choices
from gpf_desktop.methods.contextual_stereoset.shares import CONTEXT, ENOUGH


class CoverageTable(ChoicesTable):
    """Valid answers over asked cells."""

    name = "stereoset_coverage"
    title = Translated("Answers that came")

    def analyse(self, scores: ScoreTables, _options: object) -> Finding:
        stored = stored_choices(scores)
        return self.table(
            stored,
            (
                text("level", tr("Context")),
                count("asked", tr("Asked")),
                count("valid", tr("Valid")),
                count("refused", tr("Declined")),
                count("unparsed", tr("No choice read"), tr("No plain choice, or no answer.")),
                count("corrected", tr("Corrected"), tr("Whose choice a reviewer gave.")),
                share("rate", tr("Answers that came")),
            ),
            _rows(stored),
            notes=(tr("Of single contexts, those under 99% are listed."),),
            reading=tr("What is not plainly a choice is left out, and never guessed."),
        )


def _rows(stored: StoredChoices) -> Iterator[Row]:
    for each in stored.models:
        for found in each.coverage:
            if found.factor == CONTEXT and found.rate >= ENOUGH:
                continue
            yield row(
                stored,
                each.choices.model,
                {
                    "level": stored.level_title(found.factor, found.level),
                    "asked": found.asked,
                    "valid": found.valid,
                    "refused": found.refused,
                    "unparsed": found.unparsed,
                    "corrected": found.corrected,
                    "rate": found.rate if found.asked else None,
                },
            )


ANALYSIS = CoverageTable()
