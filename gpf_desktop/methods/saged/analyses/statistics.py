"""The statistics board: every statistic of every concept."""

from gpf_desktop.domain.analyses import TableAnalysis
from gpf_desktop.domain.columns import count, score, text
from gpf_desktop.domain.findings import Finding, Value
from gpf_desktop.domain.score_tables import ScoreTables
from gpf_desktop.domain.text import Translated, percent, tr
from gpf_desktop.methods.saged.analyses._choices import Percentiles
from gpf_desktop.methods.saged.analyses._groups import GROUP
from gpf_desktop.methods.saged.analyses._series import BoardOptions, Diagnosed, boards, number, series_columns
from gpf_desktop.methods.saged.features import COUNTS
from gpf_desktop.methods.saged.group_statistics import STATISTICS, percentile_range, quantile
from gpf_desktop.methods.saged.words import statistic_title


class StatisticsBoard(TableAnalysis):
    """Twelve statistics by model, role, feature and concept, raw and calibrated."""

    name = "saged_statistics"
    options = BoardOptions
    title = Translated("Statistics by group")

    def analyse(self, scores: ScoreTables, options: BoardOptions) -> Finding:
        rows = []
        found = boards(scores, options)
        said = [
            (each, tr("less the source") if each.calibrated else tr("as answered"), False) for each in found.diagnosed()
        ]
        # A tool says the same of the baselines whichever model answers: once for each feature.
        first = {each.feature: (each, tr("sources"), True) for each in reversed(found.of_baselines())}
        for each, kind, of_baselines in (*said, *reversed(first.values())):
            detail = each.feature in found.alike or each.feature in COUNTS
            for place, group in enumerate(each.asked.groups):
                values: dict[str, Value] = {
                    **each.asked.told_by(each.feature),
                    **({"model": tr("any"), "role": ""} if of_baselines else {}),
                    "calibrated": kind,
                    "concept": group,
                    **{name: number(float(each.found.statistics[name][place])) for name in STATISTICS},
                    **_quantiles(each, group, options.percentiles, of_baselines=of_baselines),
                    "answers": int(each.found.n[place]),
                }
                rows.append(each.asked.row(values, group, detail=detail))
        low, high = percent(options.percentiles.low), percent(options.percentiles.high)
        return self.finding(
            title=tr("Statistics by {group}", group=options.by.words),
            columns=(
                *series_columns(),
                text("calibrated", tr("Kind")),
                text("concept", options.by.heading),
                *(score(name, _short_title(name), statistic_title(name)) for name in STATISTICS),
                score("quantile", high, tr("The value that {share} of answers do not pass.", share=high)),
                score(
                    "percentile_range",
                    f"{low[:-1]}–{high}",
                    tr("How far the values lie apart that {low} and {high} do not pass.", low=low, high=high),
                ),
                count("answers", tr("Answers")),
            ),
            rows=rows,
            reading=tr("How the numbers of answers of each {group} are spread.", group=options.by.words),
            notes=(
                tr(
                    "Variance and SD are over n − 1 (the authors' library: over n); skewness and kurtosis by "
                    "moments over n, kurtosis less 3. Selection rate: share of values {selected} ({standard}, "
                    "over all groups). Precision: share within {t} of the own source's value. KL: the answers' "
                    "distribution from their sources', on edges that all groups have in common, half a count "
                    "added to each bin. Sources: their own sentences by the same tools, once for all models.",
                    t=options.tolerance,
                    selected=options.selects.words,
                    standard=options.standard.words,
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


def _quantiles(each: Diagnosed, group: str, between: Percentiles, *, of_baselines: bool) -> dict[str, Value]:
    import numpy as np

    asked, feature = each.asked, each.feature
    baselines = asked.baselines(feature) if of_baselines else None
    values = asked.values(feature, calibrated=each.calibrated) if baselines is None else baselines
    mine = values[(asked.frame[GROUP] == group).to_numpy()]
    there = mine[~np.isnan(mine)][None]
    if not there.size:
        return {"quantile": None, "percentile_range": None}
    return {
        "quantile": float(quantile(there, between.high)[0]),
        "percentile_range": float(percentile_range(there, between.low, between.high)[0]),
    }


ANALYSIS = StatisticsBoard()
