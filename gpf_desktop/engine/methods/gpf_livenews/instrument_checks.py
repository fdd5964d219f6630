"""Checks that compare what the instrument must show of each calibration model (method, "Calibration models") with what
it shows.

Pure: stored scores, tables and cells in, lines with pass or fail out.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from gpf_desktop.domain.checks import CheckLine
from gpf_desktop.domain.ladders import Ladder, Rung
from gpf_desktop.domain.scores import (
    COUNTERFACTUAL_FRAMING,
    RELATIVE_FRAMING,
    SEMANTIC_DISPERSION,
    SENTIMENT_RANGE,
    TONE_FRAMING,
)
from gpf_desktop.domain.text import percent, tr
from gpf_desktop.engine.methods.gpf_livenews.instrument_faults import answer_key, faulty, leakage_errors, leaky
from gpf_desktop.engine.methods.gpf_livenews.instrument_means import PROVIDER, Checked, difference_of, mean_of, whole
from gpf_desktop.methods.gpf_livenews.level_tests import LEVEL_STRATUM_P, TONE_STRATUM_P

if TYPE_CHECKING:
    import pandas as pd

NEAR_ZERO: Final = 0.02
TONE_NEAR_ZERO: Final = 0.05
SAME_AT_LENGTH: Final = 0.1
"""How far answers cut to half their length may move the relative framing of tailoring."""
FOUND: Final = 0.9
"""Least share of strata in which the test finds the largest δ."""
_LEVEL: Final = 0.05
_UNLIKELY: Final = 0.01
"""Chance that a right test has more strata at the level than the line allows."""


def check_lines(checked: Checked) -> tuple[CheckLine, ...]:
    """The lines of the check, in the order of the method's table."""
    return (
        _near_zero(checked, COUNTERFACTUAL_FRAMING, tr("what the reader adds"), NEAR_ZERO),
        _near_zero(checked, TONE_FRAMING, tr("tone the reader adds"), TONE_NEAR_ZERO),
        _by_chance(checked),
        *(
            _rising(checked, "tailoring", score, title)
            for score, title in (
                (SEMANTIC_DISPERSION, tr("how far apart, in words")),
                (COUNTERFACTUAL_FRAMING, tr("what the reader adds")),
                (RELATIVE_FRAMING, tr("share the reader adds")),
            )
        ),
        _found(checked, "tailoring", LEVEL_STRATUM_P, tr("meaning")),
        _rising(checked, "tone", SENTIMENT_RANGE, tr("spread of tone")),
        _rising(checked, "tone", TONE_FRAMING, tr("tone the reader adds")),
        _found(checked, "tone", TONE_STRATUM_P, tr("tone")),
        _tone_without_framing(checked),
        *_cut_short(checked),
        _asked_twice(checked),
        leaky(checked),
        leakage_errors(checked.protocol),
        *faulty(checked),
    )


def _near_zero(checked: Checked, score: str, title: str, asked: float) -> CheckLine:
    found, bound = mean_of(checked.frame, "neutral", score), asked * checked.bounds
    return CheckLine(
        model=f"{PROVIDER}/neutral",
        must_show=tr("{score}: 90% range within {bound} of 0", score=title, bound=bound),
        found=f"{title} {found}",
        passed=found.within(bound),
    )


def _by_chance(checked: Checked) -> CheckLine:
    """A line that checks that strata without an effect reach the level no more often than chance allows."""
    from scipy.stats import binom

    kinds = {tr("meaning"): LEVEL_STRATUM_P, tr("tone"): TONE_STRATUM_P}
    shares = {what: _at_level(checked.tests, "neutral", name) for what, name in kinds.items()}
    return CheckLine(
        model=f"{PROVIDER}/neutral",
        must_show=tr("the test against chance finds something in no more rows than chance explains"),
        found="; ".join(
            tr("{what}: {n} of {all}, {expected:.1f} expected", what=what, n=n, all=of, expected=_LEVEL * of)
            for what, (n, of) in shares.items()
        ),
        passed=all(of > 0 and n <= binom.ppf(1 - _UNLIKELY, of, _LEVEL) for n, of in shares.values()),
    )


def ladders(checked: Checked) -> tuple[Ladder, ...]:
    """The number of strata in which each test finds each δ, from neutral on."""
    kinds = (
        ("tailoring", LEVEL_STRATUM_P, tr("Content planted, found by the test of words")),
        ("tone", TONE_STRATUM_P, tr("Tone planted, found by the test of tone")),
    )
    made = []
    for kind, name, title in kinds:
        steps = (("0", "neutral"), *((delta, f"{kind}-{delta}") for delta in _ladder(checked, kind)))
        shares = [(float(delta), *_at_level(checked.tests, model, name)) for delta, model in steps]
        rungs = tuple(Rung(delta=delta, found=n, of=of) for delta, n, of in shares)
        made.append(Ladder(title=title, rungs=rungs))
    return tuple(made)


def _found(checked: Checked, kind: str, name: str, what: str) -> CheckLine:
    """The ladder of power: in how many strata the test finds each δ."""
    shares = {delta: _at_level(checked.tests, f"{kind}-{delta}", name) for delta in _ladder(checked, kind)}
    most, of = shares[checked.deltas[-1]]
    return CheckLine(
        model=f"{PROVIDER}/{kind}-δ",
        must_show=tr(
            "the test of {what} finds a planted {delta} in at least {share} of the rows",
            what=what,
            delta=checked.deltas[-1],
            share=percent(FOUND),
        ),
        found="; ".join(f"δ {delta}: {n} of {all_}" for delta, (n, all_) in shares.items()),
        passed=of > 0 and most >= FOUND * of,
    )


def _at_level(tests: pd.DataFrame, model: str, name: str) -> tuple[int, int]:
    """Strata of *model* whose p is at the level, and all of its strata."""
    own = tests[tests["model"] == f"{PROVIDER}/{model}"]
    # Every bundle of a stratum carries the stratum's p, so that any of them tells it.
    strata = own.groupby(list(answer_key().strata()), observed=True)[name].first()
    return int((strata <= _LEVEL).sum()), len(strata)


def _ladder(checked: Checked, kind: str) -> tuple[str, ...]:
    return (*(checked.faint if kind == "tailoring" else ()), *checked.deltas)


def _rising(checked: Checked, kind: str, score: str, title: str) -> CheckLine:
    steps = ("neutral", *(f"{kind}-{delta}" for delta in _ladder(checked, kind)))
    values = [mean_of(checked.frame, step, score).value for step in steps]
    between = " < " if _rises(values) else ", "
    return CheckLine(
        model=f"{PROVIDER}/{kind}-δ",
        must_show=tr("{score} rises with what is planted, from neutral on", score=title),
        found=f"{title} " + between.join(f"{value:.4f}" for value in values),
        passed=_rises(values),
    )


def _rises(values: Sequence[float]) -> bool:
    return all(less < more for less, more in pairwise(values))


def _tone_without_framing(checked: Checked) -> CheckLine:
    bound = NEAR_ZERO * checked.bounds
    found = {
        delta: difference_of(checked.frame, f"tone-{delta}", "neutral", COUNTERFACTUAL_FRAMING)
        for delta in checked.deltas
    }
    return CheckLine(
        model=f"{PROVIDER}/tone-δ",
        must_show=tr(
            "what the reader adds, near neutral's: 90% range of the difference within {bound} of 0", bound=bound
        ),
        found="; ".join(f"δ {delta}: {mean}" for delta, mean in found.items()),
        passed=all(mean.within(bound) for mean in found.values()),
    )


def _cut_short(checked: Checked) -> tuple[CheckLine, ...]:
    """The same answers, cut: S moves, relative framing hardly."""
    made = []
    for model, asked in (("neutral", NEAR_ZERO), (f"tailoring-{checked.middle}", SAME_AT_LENGTH)):
        bound = asked * checked.bounds
        moved = {
            score: difference_of(checked.cut, model, model, score, checked.frame)
            for score in (SEMANTIC_DISPERSION, RELATIVE_FRAMING)
        }
        made.append(
            CheckLine(
                model=tr("{model}, cut to half", model=f"{PROVIDER}/{model}"),
                must_show=tr(
                    "share the reader adds, as at full length: 90% range of the difference within {bound} of 0",
                    bound=bound,
                ),
                found=tr(
                    "share the reader adds {relative}; how far apart, in words {s}",
                    relative=moved[RELATIVE_FRAMING],
                    s=moved[SEMANTIC_DISPERSION],
                ),
                passed=moved[RELATIVE_FRAMING].within(bound),
            )
        )
    return tuple(made)


def _asked_twice(checked: Checked) -> CheckLine:
    """Counts over a batch that was asked twice are those of one time."""
    kinds = (
        (tr("questions planned"), "coverage", "planned"),
        (tr("questions answered or declined"), "refusals", "decided"),
        (tr("sets of answers"), "model_table", "bundles"),
    )
    counts = {
        what: [sum(whole(row.values[key]) for row in found[table].rows) for found in (checked.once, checked.twice)]
        for what, table, key in kinds
    }
    return CheckLine(
        model=tr("{model}, asked twice", model=f"{PROVIDER}/tailoring-{checked.middle}"),
        must_show=tr("every count over both rounds is that of one"),
        found="; ".join(
            tr("{what}: {both} over both, {one} in one", what=what, both=both, one=one)
            for what, (one, both) in counts.items()
        ),
        passed=all(one == both > 0 for one, both in counts.values()),
    )
