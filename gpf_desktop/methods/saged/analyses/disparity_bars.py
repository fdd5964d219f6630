"""The disparity board's bars: the mean over concepts, and how far the lowest and the highest lie from it."""

from collections.abc import Iterator
from dataclasses import replace

from gpf_desktop.domain.analyses import TableAnalysis
from gpf_desktop.domain.columns import count, estimate, text
from gpf_desktop.domain.figures import Intervals
from gpf_desktop.domain.findings import Estimate, Finding, Interval, Row, Value
from gpf_desktop.domain.score_tables import ScoreTables
from gpf_desktop.domain.text import Translated, capital, tr
from gpf_desktop.methods.saged.analyses._groups import GROUP
from gpf_desktop.methods.saged.analyses._series import AskedModel, BoardOptions, boards, series_columns


class EndsBoard(TableAnalysis):
    """Means of concepts by model, role and feature: lowest, mean and highest, raw and calibrated."""

    name = "saged_ends"
    options = BoardOptions
    title = Translated("Lowest, mean and highest group")

    def analyse(self, scores: ScoreTables, options: BoardOptions) -> Finding:
        found = boards(scores, options)
        rows = tuple(
            replace(_row(asked, feature), detail=feature in found.alike)
            for asked in found.asked
            for feature in asked.features
        )
        between = tr("Mean over {groups}, from the lowest to the highest.", groups=options.by.plural)
        return self.finding(
            title=tr("Lowest, mean and highest {group}", group=options.by.words),
            columns=(
                *series_columns(),
                estimate("calibrated", tr("Less the source"), between),
                estimate("raw", tr("As answered"), between),
                text("lowest", tr("Lowest")),
                text("highest", tr("Highest")),
                count("groups", capital(options.by.plural)),
            ),
            rows=rows,
            reading=tr(
                "Where {groups} lie together, and how far apart the outermost are. A line goes from the "
                "lowest mean of a {group} to the highest: it is no range of chance.",
                groups=options.by.plural,
                group=options.by.words,
            ),
            notes=found.alike_note,
            figures=_figures(rows),
        )


def _row(asked: AskedModel, feature: str) -> Row:
    calibrated, raw = (_means(asked, feature, calibrated=each) for each in (True, False))
    told = calibrated or raw
    values: dict[str, Value] = {
        **asked.told_by(feature),
        "calibrated": _spread(asked, calibrated),
        "raw": _spread(asked, raw),
        "lowest": min(told, key=lambda each: told[each], default=""),
        "groups": len(told),
        "highest": max(told, key=lambda each: told[each], default=""),
    }
    return asked.row(values)


def _means(asked: AskedModel, feature: str, *, calibrated: bool) -> dict[str, float]:
    """The mean of each group that has one; empty where *calibrated* is asked for and baselines have no such number."""
    if calibrated and asked.baselines(feature) is None:
        return {}
    values = asked.frame.assign(value=asked.values(feature, calibrated=calibrated)).dropna(subset=["value"])
    found = values.groupby(GROUP, observed=True)["value"].mean()
    return {str(group): float(mean) for group, mean in found.items()}


def _spread(asked: AskedModel, means: dict[str, float]) -> Estimate:
    if not means:
        return Estimate.unavailable(tr("sources have no such number"))
    numbers = means.values()
    ends = Interval(
        low=min(numbers),
        high=max(numbers),
        level=1.0,
        method=tr("from the lowest {group} to the highest", group=asked.by.words),
    )
    return Estimate(
        value=sum(numbers) / len(means), n=len(means), articles=len(set(asked.roots.tolist())), interval=ends
    )


def _figures(rows: tuple[Row, ...]) -> Iterator[Intervals]:
    for feature in dict.fromkeys(str(row.values["feature"]) for row in rows if not row.detail):
        for key, words in (("calibrated", tr("less what the source says")), ("raw", tr("as answered"))):
            there = [row.values[key] for row in rows if row.values["feature"] == feature]
            if any(isinstance(each, Estimate) and each.value is not None for each in there):
                yield Intervals(
                    title=f"{feature}, {words}",
                    label=("model", "role"),
                    value=key,
                    x_title=words,
                    zero=key == "calibrated",
                    where=("feature", feature),
                )


ANALYSIS = EndsBoard()
