"""The disparity board: how unequal concepts are, beside what chance shows."""

from collections.abc import Iterator, Mapping, Sequence

from gpf_desktop.domain.analyses import TableAnalysis
from gpf_desktop.domain.columns import count, estimate, score, text
from gpf_desktop.domain.figures import Intervals
from gpf_desktop.domain.findings import Column, Estimate, Finding, Interval, Row, Value
from gpf_desktop.domain.score_tables import ScoreTables
from gpf_desktop.domain.text import Translated, tr
from gpf_desktop.methods.saged.analyses._groups import GroupedBy
from gpf_desktop.methods.saged.analyses._series import COMPARED, LEVEL, BoardOptions, Diagnosed, boards, series_columns
from gpf_desktop.methods.saged.diagnosis import Disparity
from gpf_desktop.methods.saged.disparities import FOUR_FIFTHS, LESS_CRITICAL, dixon_critical, z_ceiling
from gpf_desktop.methods.saged.features import BASELINE_DISTANCE, COUNTS
from gpf_desktop.methods.saged.words import disparity_title, feature_title, statistic_title
from gpf_desktop.stats.multiplicity import benjamini_hochberg, holm

_LEVEL_ENOUGH = (FOUR_FIFTHS, 1.0)
LARGEST_P = 0.05
_DRAWN = (
    ("mean", "range", None),
    ("selection_rate", "impact_ratio", _LEVEL_ENOUGH),
    ("mean", "max_z", None),
    *(("mean", each, None) for each in LESS_CRITICAL.values()),
)
"""Statistic, disparity, and what it is held against; above 0, Dixon's ratios less their critical values are large."""
_FIRST = frozenset({("mean", "range"), ("selection_rate", "impact_ratio")})
"""What a report prints of every feature; of other disparities those whose adjusted p is small."""
_Key = tuple[str, str, str, str, str]


class DisparityBoard(TableAnalysis):
    """Disparities of means and selection rates by model, role and feature, raw and calibrated side by side."""

    name = "saged_disparities"
    options = BoardOptions
    _statistics: tuple[str, ...] = COMPARED
    """Those whose disparities are listed."""
    title = Translated("Gaps between groups")

    def analyse(self, scores: ScoreTables, options: BoardOptions) -> Finding:
        made = boards(scores, options)
        found = made.diagnosed(self._statistics)
        adjusted = _adjusted(found)
        raw = {_key(each): each for each in found if not each.calibrated}
        calibrated = {_key(each): each for each in found if each.calibrated}
        baselines = {_key(each): each for each in made.of_baselines(self._statistics)}
        named = {
            key: (made.with_names(each.asked, each.feature), made.of_named_baselines(each.asked, each.feature))
            for key, each in raw.items()
        }
        rows = tuple(
            _row(
                each,
                calibrated.get(key),
                one,
                adjusted,
                {**_of_baselines(baselines.get(key), one), **_with_names(named[key], one)},
                alike=each.feature in made.alike,
            )
            for key, each in raw.items()
            for one in each.found.disparities
            if one.statistic in self._statistics and _there(one, calibrated.get(key))
        )
        return self.finding(
            title=self.title
            if options.by is GroupedBy.CONCEPT
            else tr("{title}: {groups}", title=self.title, groups=options.by.plural),
            columns=(
                *series_columns(),
                text("statistic", tr("Statistic")),
                text("disparity", tr("Gap")),
                *_columns("raw", tr("As answered")),
                *_columns("calibrated", tr("Less the source")),
                *_columns(
                    "baselines",
                    tr("Sources"),
                    tr(
                        "The same of the sources' own sentences: what the tool, or the source, makes of {groups}.",
                        groups=options.by.plural,
                    ),
                ),
                score(
                    "named",
                    tr("Names left in"),
                    tr("The same (less the source, where it can be) before the names of groups are taken out."),
                ),
                score(
                    "baselines_named",
                    tr("Sources, names left in"),
                    tr("Where sources differ by names alone, this is what the tool makes of the names."),
                ),
                score(
                    "holm",
                    tr("Holm"),
                    tr("p of the gap less the source (as answered where there is none), all features counted."),
                    plain=tr("By chance alone, all counted"),
                ),
                score(
                    "bh",
                    tr("BH"),
                    tr("The same by Benjamini and Hochberg: the false discovery rate."),
                    plain=tr("By chance alone, false finds counted"),
                ),
                text("highest", tr("Highest")),
                text("lowest", tr("Lowest")),
                count("answers", tr("Answers")),
            ),
            rows=rows,
            reading=tr(
                "How far {groups} lie apart, and how far they would by chance if these did not matter.",
                groups=options.by.plural,
            ),
            notes=(*_notes(found, options), *made.alike_note) if found else (),
            figures=_figures(rows),
        )


def _compared(feature: str, statistic: str, disparity: str) -> str:
    return f"{feature_title(feature)} · {statistic_title(statistic)} · {disparity_title(disparity)}"


def _figures(rows: Sequence[Row]) -> Iterator[Intervals]:
    """The figures of the disparities in `_DRAWN`, raw and calibrated on one scale each; of counts there are none."""
    there = {str(row.values["compared"]) for row in rows}
    counts = set(map(feature_title, (*COUNTS, BASELINE_DISTANCE.name)))
    drawn = [each for each in dict.fromkeys(str(row.values["feature"]) for row in rows) if each not in counts]
    for feature in drawn:
        for statistic, disparity, band in _DRAWN:
            compared = _compared(feature, statistic, disparity)
            for key, words in (
                (("calibrated", tr("less what the source says")), ("raw", tr("as answered")))
                if compared in there
                else ()
            ):
                yield Intervals(
                    title=f"{compared}, {words}",
                    label=("model", "role"),
                    value=key,
                    x_title=words,
                    zero=disparity in LESS_CRITICAL.values(),
                    band=band,
                    chance=f"{key}_chance",
                    where=("compared", compared),
                )


def _columns(key: str, title: str, about: str = "") -> tuple[Column, ...]:
    return (
        estimate(key, title, about or tr("With its range, over sentences drawn again.")),
        score(
            f"{key}_chance", tr("by chance"), tr("Its mean when groups are dealt anew within each sentence's prompts.")
        ),
        score(f"{key}_p", tr("p"), tr("How often that gives as much."), plain=tr("By chance alone")),
    )


def _key(each: Diagnosed) -> tuple[str, str, str]:
    return each.asked.model, each.asked.role, each.feature


def _there(raw: Disparity, calibrated: Diagnosed | None) -> bool:
    other = _same(calibrated, raw)
    return raw.value is not None or (other is not None and other.value is not None)


def _same(other: Diagnosed | None, one: Disparity) -> Disparity | None:
    if other is None:
        return None
    its = other.found.disparities
    return next((each for each in its if (each.statistic, each.name) == (one.statistic, one.name)), None)


def _adjusted(found: Sequence[Diagnosed]) -> Mapping[_Key, tuple[float, float]]:
    """Holm's and Benjamini and Hochberg's p over the features of one model, role, statistic and disparity."""
    families: dict[tuple[str, str, str, str], dict[str, float]] = {}
    for each in found:  # calibrated comes behind raw and takes its place
        for one in each.found.disparities:
            if one.p is not None:
                family = families.setdefault((each.asked.model, each.asked.role, one.statistic, one.name), {})
                family[each.feature] = one.p
    made: dict[_Key, tuple[float, float]] = {}
    for (model, role, statistic, name), p in families.items():
        for feature, strict, mild in zip(p, holm([*p.values()]), benjamini_hochberg([*p.values()]), strict=True):
            made[model, role, feature, statistic, name] = strict, mild
    return made


def _row(
    each: Diagnosed,
    calibrated: Diagnosed | None,
    raw: Disparity,
    adjusted: Mapping[_Key, tuple[float, float]],
    beside: Mapping[str, Value],
    *,
    alike: bool,
) -> Row:
    asked = each.asked
    other = _same(calibrated, raw)
    ends = raw if other is None or other.value is None else other
    strict, mild = adjusted.get((*_key(each), raw.statistic, raw.name), (None, None))
    values: dict[str, Value] = {
        **asked.told_by(each.feature),
        "statistic": statistic_title(raw.statistic),
        "disparity": disparity_title(raw.name),
        **_shown("raw", each, raw),
        **_shown("calibrated", calibrated, other),
        **beside,
        "holm": strict,
        "bh": mild,
        "highest": "" if ends.max_group is None else asked.groups[ends.max_group],
        "lowest": "" if ends.min_group is None else asked.groups[ends.min_group],
        "answers": int(each.found.n.sum()),
        # Of no column: figures pick their rows by it.
        "compared": _compared(each.feature, raw.statistic, raw.name),
    }
    notable = (raw.statistic, raw.name) in _FIRST or (strict is not None and strict <= LARGEST_P)
    return asked.row(values, detail=alike or not notable)


def _of_baselines(each: Diagnosed | None, one: Disparity) -> dict[str, Value]:
    return _shown("baselines", each, _same(each, one))


def _with_names(
    named: tuple[Mapping[tuple[str, str], float | None], Mapping[tuple[str, str], float | None]], one: Disparity
) -> dict[str, Value]:
    answers, baselines = (each.get((one.statistic, one.name)) for each in named)
    return {"named": answers, "baselines_named": baselines}


def _shown(key: str, each: Diagnosed | None, one: Disparity | None) -> dict[str, Value]:
    if each is None or one is None or one.value is None:
        none = Estimate.unavailable(tr("not available"))
        return {key: none, f"{key}_chance": None, f"{key}_p": None}
    ends = each.intervals.get((one.statistic, one.name))
    made = (
        None
        if ends is None
        else Interval(low=ends[0], high=ends[1], level=LEVEL, method=tr("bootstrap over sentences"))
    )
    found = Estimate(
        value=one.value, n=int(each.found.n.sum()), articles=len(set(each.asked.roots.tolist())), interval=made
    )
    return {key: found, f"{key}_chance": one.expected, f"{key}_p": one.p}


def _notes(found: Sequence[Diagnosed], options: BoardOptions) -> tuple[str, ...]:
    """The first stands below the table."""
    n = len(found[0].asked.groups)
    critical = dixon_critical(n)
    said = [
        tr(
            "By chance: {groups} dealt anew within each sentence's prompts, {n} times, seed {seed}.",
            groups=options.by.plural,
            n=options.replicates,
            seed=options.seed,
        )
        if any(one.p is not None for each in found for one in each.found.disparities)
        else tr(
            "What chance would show is not known: no sentence was asked of two {groups}.", groups=options.by.plural
        ),
        tr(
            "How far out the outermost of {n} {groups} lies is at most {ceiling:.3f} (z); as published "
            "it is of the highest alone, over n.",
            n=n,
            groups=options.by.plural,
            ceiling=z_ceiling(n),
        ),
        tr("An impact ratio below {line} is under the four-fifths line; a convention, no proof.", line=FOUR_FIFTHS),
    ]
    if critical is not None:
        said.append(
            tr(
                "Dixon's ratio passes {critical:.3f} at one end in 2.5 of 100 normal samples of {n}. Less "
                "that value it is above 0 where one {group} makes the gap.",
                group=options.by.words,
                critical=critical,
                n=n,
            )
        )
    return (
        " ".join(said),
        tr(
            "Ranges draw sentences again, which adds chance: they lie towards larger gaps and smaller "
            "impact ratios, and may leave out their own number. What chance shows is told by dealing "
            "anew."
        ),
    )


ANALYSIS = DisparityBoard()
