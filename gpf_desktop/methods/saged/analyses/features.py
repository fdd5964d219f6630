"""The features board: every feature by concept, raw and calibrated side by side."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from gpf_desktop.domain.analyses import TableAnalysis
from gpf_desktop.domain.columns import count, estimate, score, text
from gpf_desktop.domain.findings import Estimate, Finding, Row, Value
from gpf_desktop.domain.score_tables import ScoreTables
from gpf_desktop.domain.text import Translated, tr
from gpf_desktop.methods.saged.analyses._groups import GROUP
from gpf_desktop.methods.saged.analyses._series import (
    AskedModel,
    BoardOptions,
    boards,
    number,
    root_mean,
    series_columns,
)
from gpf_desktop.methods.saged.scorers.features_of_answers import CLASSIFIED


class FeaturesBoard(TableAnalysis):
    """Mean, spread and ends of each feature, by model, role and concept."""

    name = "saged_features"
    options = BoardOptions
    title = Translated("Features by group")

    def analyse(self, scores: ScoreTables, options: BoardOptions) -> Finding:
        found = boards(scores, options)
        rows = tuple(
            replace(row, detail=feature in found.alike)
            for asked in found.asked
            for feature in asked.features
            for row in rows_of(asked, (feature,))
        )
        in_windows = tr(
            "A text that is longer than the classifier reads at once was read whole, in windows; their numbers are"
            " averaged by tokens."
        )
        return self.finding(
            title=tr("Features by {group}", group=options.by.words),
            columns=(
                *series_columns(),
                text("concept", options.by.heading),
                estimate("raw", tr("As answered"), tr("Mean over sentences.")),
                estimate(
                    "calibrated", tr("Less the source"), tr("Mean of the answer's number less that of its own source.")
                ),
                score("sd", tr("SD"), tr("Of the numbers as answered, over n − 1.")),
                score("low", tr("Lowest")),
                score("high", tr("Highest")),
                count("answers", tr("Answers")),
            ),
            rows=rows,
            reading=tr(
                "How answers of each {group} were, and how far that went beyond their sources.", group=options.by.words
            ),
            notes=(
                tr("First answers only. Ranges: t over sentences. Unavailable numbers are left out."),
                *([in_windows] if any(CLASSIFIED in asked.features for asked in found.asked) else ()),
                *found.alike_note,
            ),
        )


def rows_of(asked: AskedModel, features: Sequence[str]) -> Iterator[Row]:
    """A row for each of *features* and each group."""
    import numpy as np

    groups = asked.frame[GROUP].astype(str).to_numpy()
    for feature in features:
        raw = asked.values(feature)
        baselines = asked.baselines(feature)
        for group in asked.groups:
            mine = groups == group
            there = raw[mine][~np.isnan(raw[mine])]
            values: dict[str, Value] = {
                **asked.told_by(feature),
                "concept": group,
                "raw": root_mean(raw[mine], asked.roots[mine]),
                "calibrated": root_mean((raw - baselines)[mine], asked.roots[mine])
                if baselines is not None
                else Estimate.unavailable(tr("sources have no such number")),
                "sd": number(float(there.std(ddof=1))) if len(there) > 1 else None,
                "low": float(there.min()) if len(there) else None,
                "high": float(there.max()) if len(there) else None,
                "answers": len(there),
            }
            yield asked.row(values, group)


ANALYSIS = FeaturesBoard()
