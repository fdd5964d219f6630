"""Calibrated tone by concept: what stands first, since it is the one feature that every study has."""

from dataclasses import replace

from gpf_desktop.domain.analyses import TableAnalysis
from gpf_desktop.domain.columns import count, estimate, text
from gpf_desktop.domain.figures import HeatMap, Intervals
from gpf_desktop.domain.findings import Finding
from gpf_desktop.domain.score_tables import ScoreTables
from gpf_desktop.domain.text import Translated, tr
from gpf_desktop.methods.saged.analyses._series import BoardOptions, boards
from gpf_desktop.methods.saged.analyses.features import rows_of
from gpf_desktop.methods.saged.features import TONE
from gpf_desktop.methods.saged.words import asked_words


class ToneBoard(TableAnalysis):
    """Tone by model, role and concept, raw and calibrated, drawn on one scale."""

    name = "saged_tone"
    options = BoardOptions
    title = Translated("Tone by group")

    def analyse(self, scores: ScoreTables, options: BoardOptions) -> Finding:
        rows = tuple(
            replace(row, values={**row.values, "asked": asked_words(asked.model, asked.role)})
            for asked in boards(scores, options).asked
            for row in rows_of(asked, (TONE.name,))
        )
        return self.finding(
            title=tr("Tone by {group}", group=options.by.words),
            columns=(
                text("asked", tr("Model and role")),
                text("concept", options.by.heading),
                estimate(
                    "calibrated", tr("Less the source"), tr("Mean of the answer's tone less that of its own source.")
                ),
                estimate("raw", tr("As answered"), tr("Mean over sentences.")),
                count("answers", tr("Answers")),
            ),
            rows=rows,
            reading=tr(
                "How much more positive or negative answers of each {group} were than their sources.",
                group=options.by.words,
            ),
            notes=(tr("VADER's compound, −1 (coldest) to 1 (warmest); first answers only; ranges: t over sentences."),),
            figures=(
                Intervals(
                    title=tr("Tone less the source's, by {group}", group=options.by.words),
                    label=("asked", "concept"),
                    value="calibrated",
                    x_title=tr("tone less the source's"),
                    zero=True,
                ),
                HeatMap(
                    title=tr("Tone less the source's"), down="concept", across="asked", value="calibrated", low=-1.0
                ),
            ),
        )


ANALYSIS = ToneBoard()
