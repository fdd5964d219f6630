"""The statistics board: every statistic of every concept."""

from gpf_desktop.domain.analyses import TableAnalysis
from gpf_desktop.domain.columns import count, score, text
from gpf_desktop.domain.findings import Finding, Value
from gpf_desktop.domain.score_tables import ScoreTables
from gpf_desktop.domain.text import Translated, tr
from gpf_desktop.methods.saged.analyses._groups import GROUP
from gpf_desktop.methods.saged.analyses._series import BoardOptions, Diagnosed, boards, number, series_columns
from gpf_desktop.methods.saged.features import COUNTS
from gpf_desktop.methods.saged.group_statistics import STATISTICS, percentile_range, quantile
from gpf_desktop.methods.saged.words import statistic_title


class StatisticsBoard(TableAnalysis):
    """Twelve statistics by model, role, feature and concept, raw and calibrated."""

    name = "saged_statistics"
    options = BoardOptions
    title = Translated("Statistics by concept")

    def analyse(self, scores: ScoreTables, options: BoardOptions) -> Finding:
        rows = []
        found = boards(scores, options)
        for each in found.diagnosed():
            detail = each.feature in found.alike or each.feature in COUNTS
            for place, group in enumerate(each.asked.groups):
                values: dict[str, Value] = {
                    **each.asked.told_by(each.feature),
                    "calibrated": tr("calibrated") if each.calibrated else tr("raw"),
                    "concept": group,
                    **{name: number(float(each.found.statistics[name][place])) for name in STATISTICS},
                    **_quantiles(each, group),
                    "answers": int(each.found.n[place]),
                }
                rows.append(each.asked.row(values, group, detail=detail))
        return self.finding(
            title=tr("Statistics by {group}", group=options.by.words),
            columns=(
                *series_columns(),
                text("calibrated", tr("Kind")),
                text("concept", options.by.heading),
                *(score(name, _short_title(name), statistic_title(name)) for name in STATISTICS),
                score("quantile", tr("90%"), tr("The value that 9 of 10 answers do not pass.")),
                score(
                    "percentile_range",
                    tr("10–90%"),
                    tr("How far the values lie apart that 1 and 9 of 10 do not pass."),
                ),
                count("answers", tr("Answers")),
            ),
            rows=rows,
            reading=tr("How the numbers of answers of each {group} are spread.", group=options.by.words),
            notes=(
                tr(
                    "Variance and SD over n − 1; skewness and kurtosis by moments over n, kurtosis less 3. Selection"
                    " rate: share of values at or above the mean over all groups. Precision: share within {t} of the"
                    " own baseline's value. KL: the answers' distribution from their baselines', on common edges, half"
                    " a count added to each bin.",
                    t=options.tolerance,
                ),
                *found.alike_note,
            ),
        )


def _short_title(statistic: str) -> str:
    """Above a column of numbers, where there is room for little."""
    known = {
        "variance": tr("Var."),
        "skewness": tr("Skew"),
        "kurtosis": tr("Kurt."),
        "selection_rate": tr("Select."),
        "kl_divergence": tr("KL"),
        "precision": tr("Prec."),
        "correlation": tr("Corr."),
    }
    return known.get(statistic) or statistic_title(statistic)


def _quantiles(each: Diagnosed, group: str) -> dict[str, Value]:
    import numpy as np

    values = each.asked.values(each.feature, calibrated=each.calibrated)
    mine = values[(each.asked.frame[GROUP] == group).to_numpy()]
    there = mine[~np.isnan(mine)][None]
    if not there.size:
        return {"quantile": None, "percentile_range": None}
    return {
        "quantile": float(quantile(there, 0.9)[0]),
        "percentile_range": float(percentile_range(there, 0.1, 0.9)[0]),
    }


ANALYSIS = StatisticsBoard()
