"""Is a target's difference from its baselines within the margin, beyond it, or undecided?"""

import math
from functools import lru_cache

from gpf_desktop.domain import columns
from gpf_desktop.domain.analyses import TableAnalysis
from gpf_desktop.domain.figures import Intervals
from gpf_desktop.domain.findings import Column, Finding, Row, Value
from gpf_desktop.domain.score_tables import ScoreTables
from gpf_desktop.domain.text import Translated, tr
from gpf_desktop.methods.relative_bias.analyses._stored import StoredStudy, estimate, stored_study
from gpf_desktop.methods.relative_bias.comparing import Comparison, Tested, corrected
from gpf_desktop.methods.relative_bias.sentences import score_title, summary, warnings
from gpf_desktop.stats.obedience import orders_in_words

TESTS = {"welch": "Welch", "paired": "paired"}


class TestsOfTargets(TableAnalysis):
    """Both tests of every target by every score, with the band that they are held against."""

    name = "relative_bias_tests"
    version = "6"
    reads_replies = True
    title = Translated("Model under study against the models compared")

    def analyse(self, scores: ScoreTables, _options: object) -> Finding:
        stored = stored_study(scores)
        rows = () if stored is None else rows_of_tests(stored)
        said = _notes(stored) if stored else ()
        return self.finding(
            columns=columns_of_tests(),
            rows=rows,
            reading=tr("Not shown speaks for neither side. A model under study is held against these models only."),
            notes=said,
            empty=said,
            figures=(band(),),
        )


def band() -> Intervals:
    """Differences drawn against the band that they are held against."""
    return Intervals(
        title=tr("How far from the models compared, in margins"),
        label=("score", "target", "test"),
        value="in_margins",
        x_title=tr("in margins: alike lies within −1 and 1, differs beyond"),
        zero=True,
        band=(-1.0, 1.0),
    )


def columns_of_tests() -> tuple[Column, ...]:

    return (
        columns.text("score", tr("Score")),
        columns.text("target", tr("Model under study")),
        columns.text("test", tr("Test"), tr("Welch's is the paper's; the paired one is the main one.")),
        columns.text("outcome", tr("Outcome"), tr("By Holm's correction over the models under study.")),
        columns.score("mean_target", tr("Mean of the model under study"), plain=tr("Its mean")),
        columns.score("mean_baselines", tr("Mean of the models compared"), plain=tr("Mean of the others")),
        columns.estimate("difference", tr("Difference"), tr("Model under study less the models compared.")),
        columns.score(
            "margin", tr("Too small to matter"), tr("k standard deviations of the means of the models compared.")
        ),
        columns.score("margin_low", tr("Too small, from"), tr("95%, by the jackknife over the models compared.")),
        columns.score("margin_high", tr("Too small, to")),
        columns.estimate("in_margins", tr("In margins"), tr("The difference over what is too small to matter.")),
        columns.p_value(
            "p_lower",
            tr("p, lower"),
            tr("Small where the difference is above −margin."),
            plain=tr("Beyond the lower end, by chance"),
        ),
        columns.p_value(
            "p_upper",
            tr("p, upper"),
            tr("Small where the difference is below +margin."),
            plain=tr("Beyond the upper end, by chance"),
        ),
        columns.score("standard_error", tr("Standard error"), tr("Of the difference.")),
        columns.score("t_lower", tr("t, lower"), tr("(difference + margin) / standard error")),
        columns.score("t_upper", tr("t, upper"), tr("(difference − margin) / standard error")),
        columns.score("df", tr("Degrees of freedom"), plain=tr("Units for the range")),
        columns.text(
            "robust",
            tr("Robust"),
            tr("The conclusion is the same without each of the models compared in turn."),
            plain=tr("The same without each model compared"),
        ),
    )


@lru_cache(maxsize=2)
def rows_of_tests(stored: StoredStudy) -> tuple[Row, ...]:
    """Both tests of each target by each score."""
    rows = []
    for of_score in stored.comparisons:
        both = [corrected([each.tests[place] for each in of_score]) for place in (0, 1)]
        for number, comparison in enumerate(of_score):
            # A judge or an encoder of another round alone may not have seen this target or its baselines.
            if not comparison.welch.questions or math.isnan(comparison.welch.mean_baselines):
                continue
            for tested, adjusted in zip(comparison.tests, both, strict=True):
                target = stored.study.answers.models[comparison.target]
                values = _values(stored, comparison, tested, adjusted[number][2].words)
                rows.append(stored.row(target, values))
    return tuple(rows)


def _values(stored: StoredStudy, comparison: Comparison, tested: Tested, outcome: str) -> dict[str, Value]:
    test, margin = tested.test, comparison.margin
    difference = estimate(
        test.difference if test else tested.mean_target - tested.mean_baselines,
        tested.low,
        tested.high,
        n=tested.questions,
    )
    interval = difference.interval
    in_margins = None
    if margin and difference.value is not None:
        in_margins = estimate(
            difference.value / margin,
            interval.low / margin if interval else None,
            interval.high / margin if interval else None,
            n=tested.questions,
        )
    return {
        "score": score_title(comparison.score),
        "target": stored.study.answers.models[comparison.target],
        "test": TESTS[tested.name],
        "outcome": outcome,
        "mean_target": _number(tested.mean_target),
        "mean_baselines": _number(tested.mean_baselines),
        "difference": difference,
        "margin": margin,
        "margin_low": comparison.margin_low,
        "margin_high": comparison.margin_high,
        "in_margins": in_margins,
        "p_lower": test.p_lower if test else None,
        "p_upper": test.p_upper if test else None,
        "standard_error": test.standard_error if test else None,
        "t_lower": test.t_lower if test else None,
        "t_upper": test.t_upper if test else None,
        "df": test.df if test else None,
        "robust": tr("no") if comparison.flips(tested.name) else tr("yes"),
    }


def _number(mean: float) -> float | None:
    """*mean* where there is one."""
    return None if math.isnan(mean) else mean


def _notes(stored: StoredStudy) -> tuple[str, ...]:
    said = [summary(stored.study), *warnings(stored.study, stored.comparisons, stored.agreements)]
    said += orders_in_words(stored.obediences)
    if not stored.comparisons:
        said.append(tr("No test: a model under study needs three models or more to be held against."))
    said.append(tr("Too small to matter: {k:g} standard deviations of the means of the models compared.", k=stored.k))
    said += [
        tr("Questions written in part by {model} ({day}), and edited by the auditor.", model=model, day=day)
        for model, day in stored.written
    ]
    return tuple(said)


ANALYSIS = TestsOfTargets()
