"""The features board's pictures: how tone is distributed over the answers about each concept."""

from collections.abc import Iterator

from gpf_desktop.domain.analyses import TableAnalysis
from gpf_desktop.domain.columns import count, score, text
from gpf_desktop.domain.figures import Violins
from gpf_desktop.domain.findings import Finding, Row, Value
from gpf_desktop.domain.grid_picture import short_names
from gpf_desktop.domain.score_tables import ScoreTables
from gpf_desktop.domain.text import Translated, tr
from gpf_desktop.domain.violins import FEWEST
from gpf_desktop.methods.saged.analyses._groups import GROUP
from gpf_desktop.methods.saged.analyses._series import AskedModel, BoardOptions, boards
from gpf_desktop.methods.saged.features import TONE
from gpf_desktop.methods.saged.words import asked_words

STEP = 0.1
"""Of tone, to which values are rounded, so that a picture of 31,500 answers has as many points as it can show."""
_ENDS = {True: 2.0, False: 1.0}
"""Of the scale, calibrated or not: a difference of two tones reaches from −2 to 2."""


class DistributionsBoard(TableAnalysis):
    """Tone of every answer by concept, a picture for each model in each role, calibrated and raw."""

    name = "saged_distributions"
    options = BoardOptions
    title = Translated("Tone, answer by answer")

    def analyse(self, scores: ScoreTables, options: BoardOptions) -> Finding:
        asked = boards(scores, options).asked
        rows = tuple(
            row for each in asked for calibrated in (True, False) for row in _rows(each, calibrated=calibrated)
        )
        return self.finding(
            columns=(
                text("asked", tr("Model, role and kind")),
                text("concept", options.by.heading),
                score("tone", tr("Tone"), tr("Rounded to the nearest tenth.")),
                count("answers", tr("Answers")),
            ),
            rows=rows,
            reading=tr(
                "Two {groups} can have one mean and other answers: read the shape beside the mean.",
                groups=options.by.plural,
            ),
            notes=(
                tr(
                    "The tick, or the large point of an outline, is the median. Tone is VADER's compound, to the "
                    "nearest tenth, also less that of its own source. First answers only. Outlines: Gaussian "
                    "kernel, width by Scott's rule, all equally wide where widest; none of fewer than {fewest} "
                    "answers.",
                    fewest=FEWEST,
                ),
            ),
            figures=_figures(rows),
        )


def _rows(asked: AskedModel, *, calibrated: bool) -> Iterator[Row]:
    import numpy as np

    tones = asked.values(TONE.name, calibrated=calibrated)
    groups = asked.frame[GROUP].astype(str).to_numpy()
    kind = tr("less the source") if calibrated else tr("as answered")
    for group in asked.groups:
        mine = tones[(groups == group) & ~np.isnan(tones)]
        # Counted as whole steps: tenths would fall apart by rounding.
        steps, counts = np.unique(np.rint(mine / STEP), return_counts=True)
        for step, n in zip(steps.tolist(), counts.tolist(), strict=True):
            values: dict[str, Value] = {
                "asked": f"{asked_words(asked.model, asked.role)} · {kind}",
                "concept": group,
                "tone": round(step * STEP, 1) + 0.0,  # never −0
                "answers": n,
            }
            yield asked.row(values, group)


def _figures(rows: tuple[Row, ...]) -> Iterator[Violins]:
    calibrated = tr("less the source")
    every = tuple(dict.fromkeys(str(row.values["asked"]) for row in rows))
    for drawn, short in zip(every, short_names(every), strict=True):
        end = _ENDS[drawn.endswith(calibrated)]
        yield Violins(
            title=tr("Tone · {drawn}", drawn=short),
            label=("asked", "concept"),
            value="tone",
            count="answers",
            x_title=tr("tone"),
            low=-end,
            high=end,
            where=("asked", drawn),
        )


ANALYSIS = DistributionsBoard()
