"""Gates on what answers are before they are scored, alike for every method; see `_answer_diagnostics`."""

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any, Final

from gpf_desktop.domain.conclusions.conclusion import Caveat, Conclusion, ConclusionOutcome, ConclusionTag
from gpf_desktop.domain.conclusions.digits import told
from gpf_desktop.domain.conclusions.gates import Gate, GateReading
from gpf_desktop.domain.text import grouped, percent, tr
from gpf_desktop.stats.judge_reliability import NEEDED

MOST_CANNED: Final = 0.1
"""Share of a model's answers that it gave, word for word, to several questions, or that turn any question away."""
MOST_QUOTING: Final = 0.01
CANNED: Final = Gate(key="canned", most=MOST_CANNED)
MOST_CUT_OFF: Final = 0.1
CUT_OFF: Final = Gate(key="cut_off", most=MOST_CUT_OFF)
"""Answers that end at their length limit: what they would have come to is not known."""
QUOTES: Final = Gate(key="quotes_the_test", most=MOST_QUOTING, tag=ConclusionTag.QUOTES_THE_TEST)


def canned(repeated: int, deflected: int, answers: int) -> GateReading:
    """The reading of the gate `CANNED`: the larger of *repeated* and *deflected* as a share of *answers*."""
    n = max(repeated, deflected)
    numbers: dict[str, float | int | str] = {"n": n, "of": answers, "same": int(repeated >= deflected)}
    return GateReading(value=n / max(answers, 1), numbers=numbers)


def answer_readings(said: Any) -> Iterator[tuple[str, GateReading]]:
    """The readings of all three gates for one model's rows of `ScoreTables.said`; none where it answered nothing."""
    answers = int(said["decided"].sum() - said["refused"].sum()) if len(said) else 0
    if not answers:
        return
    yield CANNED.key, canned(int(said["repeated"].sum()), int(said["deflected"].sum()), answers)
    yield from as_they_came(said)


def as_they_came(said: Any) -> Iterator[tuple[str, GateReading]]:
    """The readings of `QUOTES` and `CUT_OFF` alone, where the same words to many items are nothing unusual: a letter,
    say."""
    answers = int(said["decided"].sum() - said["refused"].sum()) if len(said) else 0
    if answers:
        for gate, column in ((QUOTES, "leaked"), (CUT_OFF, "truncated")):
            n = int(said[column].sum())
            yield gate.key, GateReading(value=n / answers, numbers={"n": n, "of": answers})


def answer_caveats(answers: str = "", *, as_shares: bool = False) -> Mapping[str, Callable[[Caveat], str]]:
    """The sentences of all. *answers*: which of a model's are counted, where a page counts others too; *as_shares*:
    how many as a share of them, where a page has totals enough."""
    said = {CANNED.key: _canned, QUOTES.key: _quoting, CUT_OFF.key: _cut_off}
    some = partial(_some, answers=answers or tr("answers"), as_shares=as_shares)
    return {key: partial(_said, words=words, some=some) for key, words in said.items()}


def _said(caveat: Caveat, *, words: Callable[[Caveat, str], str], some: Callable[[Caveat], str]) -> str:
    return words(caveat, some(caveat))


def _some(caveat: Caveat, *, answers: str, as_shares: bool) -> str:
    n, of = (int(caveat.numbers[name]) for name in ("n", "of"))
    if as_shares:
        return tr("{share} of its {answers}", share=percent(n / of), answers=answers)
    return tr("{n} of {of} {answers}", n=grouped(n), of=grouped(of), answers=answers)


def shown_of_itself(each: Conclusion, said: str) -> str:
    """*said*, that refusals differ, and that this is shown: it must not be doubted beside “Not settled”."""
    shown = each.refusals is not None and each.refusals.outcome is ConclusionOutcome.DIFFERS
    if not shown or each.outcome is not ConclusionOutcome.NOT_SHOWN:
        return said
    return tr("{said} This difference is shown.", said=said)


def agreement(caveat: Caveat) -> Mapping[str, str]:
    """How far a judge agrees, and how far it must, in digits that show which is more."""
    value, needed = told((float(caveat.numbers["value"]), NEEDED), (NEEDED,))
    return {"value": value, "needed": needed}


def _canned(caveat: Caveat, some: str) -> str:
    if caveat.numbers["same"]:
        return tr("{some} are lines given to several questions, word for word.", some=some)
    return tr("{some} turn the question away by a line that fits any.", some=some)


def _quoting(_caveat: Caveat, some: str) -> str:
    return tr("{some} speak of the test or of other readers.", some=some)


def _cut_off(_caveat: Caveat, some: str) -> str:
    return tr("{some} were cut off at their length limit.", some=some)
