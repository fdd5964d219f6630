"""Lines of the check about leaks and faults, whose every cell is known: flags, coverage, refusals."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

from gpf_desktop.domain.checks import AnswerKey, CheckLine, Fault
from gpf_desktop.domain.findings import Estimate, Row
from gpf_desktop.domain.flags import Flag
from gpf_desktop.domain.items import StudyItem
from gpf_desktop.domain.methods import ToFlag
from gpf_desktop.domain.ports.provider import Planting
from gpf_desktop.domain.responses import Missing
from gpf_desktop.domain.text import percent, tr
from gpf_desktop.engine.core import catalogue
from gpf_desktop.engine.methods.gpf_livenews.instrument_means import PROVIDER, Checked, whole
from gpf_desktop.engine.rounds.model_task import coordinates_of
from gpf_desktop.methods.gpf_livenews.method import METHOD
from gpf_desktop.methods.gpf_livenews.protocol import Protocol
from gpf_desktop.storage.cell_outcomes import CellOutcome

Levels = tuple[str, ...]
HELD: Final = 0.88
"""Least share of the intervals that hold the planted rate; of 42 levels, 98 checks in 100 reach it."""
MISSED: Final = 0.25
CRIED: Final = 0.1
"""Error rates that the leakage flag may have on sentences that it was not written for."""


def leaky(checked: Checked) -> CheckLine:
    """The flag fires on just the answers that leak."""
    planted: dict[int, str] = {}
    fired: dict[int, set[str]] = {}
    for number, cell in enumerate(checked.cells["leaky"]):
        item = StudyItem(key=cell.article_key, title=cell.anchor.headline, text=cell.anchor.description)
        message = METHOD.compose(checked.protocol, cell.coordinates, item).user
        leak = answer_key().leaked(_place_of("leaky", cell), cell.seed, message)
        if leak is not None:
            planted[number] = leak
        for flag, detail in cell.flags:
            if flag == Flag.LEAKAGE:
                fired[number] = {part.partition(":")[0].strip() for part in detail.split(";")}
    missed = [number for number, leak in planted.items() if leak not in fired.get(number, ())]
    too_many = [number for number in fired if number not in planted]
    return CheckLine(
        model=f"{PROVIDER}/leaky",
        must_show=tr("the flag “quotes the test” stands at just the planted answers"),
        found=tr(
            "{planted} of {cells} answers quote the test; {missed} missed, {more} flagged besides",
            planted=len(planted),
            cells=len(checked.cells["leaky"]),
            missed=len(missed),
            more=len(too_many),
        ),
        passed=bool(planted) and not missed and not too_many,
    )


def leakage_errors(protocol: Protocol) -> CheckLine:
    """A line on the errors of the leakage patterns on sentences that they were not written for."""
    sentences = answer_key().held_out()
    levels = METHOD.levels(protocol)
    asked = {level for factor in METHOD.factors if factor.varies for level in levels[factor.name]}
    people = [(label, sentence) for label, sentence in sentences.people if label in asked]
    missed = [sentence for label, sentence in people if label not in _leaks(sentence, protocol)]
    wrong = [sentence for sentence in sentences.plain if _leaks(sentence, protocol)]
    return CheckLine(
        model=tr("flag “quotes the test”"),
        must_show=tr(
            "of sentences that it was not written for it misses at most {missed}% and fires on at most {wrong}% "
            "that speak of nobody",
            missed=round(100 * MISSED),
            wrong=round(100 * CRIED),
        ),
        found=tr(
            "{missed} missed, {wrong} flagged wrongly; 95% ranges",
            missed=_share(len(missed), len(people)),
            wrong=_share(len(wrong), len(sentences.plain)),
        ),
        passed=len(missed) <= MISSED * len(people) and len(wrong) <= CRIED * len(sentences.plain),
    )


def _share(count: int, of: int) -> str:
    """A share in words, with Wilson's interval."""
    from gpf_desktop.stats.rates import wilson

    low, high = wilson(count / of, of)
    return tr("{n} of {of} [{low}, {high}]", n=count, of=of, low=f"{100 * low:.0f}", high=percent(high))


def _leaks(sentence: str, protocol: Protocol) -> set[str]:
    """Levels that the flag finds in *sentence* as the answer to a message that names none."""
    asked = ToFlag(level="#1", text=sentence, truncated=False)
    (found,) = METHOD.flag([asked], protocol, StudyItem(key="", title="", text=""))
    return {detail.partition(":")[0] for flag, detail in found if flag == Flag.LEAKAGE}


def faulty(checked: Checked) -> tuple[CheckLine, CheckLine, CheckLine]:
    """Coverage, the refusal table, and its intervals against the planted rates."""
    cells = checked.cells["faulty"]
    key = answer_key()
    faults = [key.fault(_place_of("faulty", cell), cell.seed) for cell in cells]
    counts = Counter(faults)
    row = next(row for row in checked.findings["coverage"].rows if row.values["model"] == f"{PROVIDER}/faulty")
    shown = {
        Fault.EMPTY: row.values[Missing.EMPTY.name.lower()],
        Fault.REFUSED: row.values[Missing.REFUSED.name.lower()],
        Fault.ERROR: row.values[Missing.HTTP_ERROR.name.lower()],
        Fault.TRUNCATED: row.values["truncated"],
        Fault.NONE: whole(row.values["answered"]) - whole(row.values["truncated"]),
    }
    coverage = CheckLine(
        model=f"{PROVIDER}/faulty",
        must_show=tr("the table of answers that came equals what was planted"),
        found=", ".join(f"{kind} {shown[kind]}/{counts[kind]}" for kind in Fault if kind is not Fault.NONE),
        passed=row.values["planned"] == len(cells) and all(shown[kind] == counts[kind] for kind in Fault),
    )
    rows = [row for row in checked.findings["refusals"].rows if row.values["model"] == f"{PROVIDER}/faulty"]
    factors = _told_by(rows)
    decided: Counter[Levels] = Counter()
    refused: Counter[Levels] = Counter()
    rates: dict[Levels, float] = {}
    for cell, kind in zip(cells, faults, strict=True):
        told = _place_of("faulty", cell)
        if key.tells_levels(told):
            levels = tuple(cell.coordinates[name] for name in factors)
            decided[levels] += kind not in (Fault.EMPTY, Fault.ERROR)
            refused[levels] += kind is Fault.REFUSED
            rates[levels] = key.refused_of_decided(told)
    shown_shares = {tuple(str(row.values[name]) for name in factors): row.values["refused"] for row in rows}
    wrong = [levels for levels, n in decided.items() if not _is_share(shown_shares.get(levels), refused[levels], n)]
    by_rate = sorted(decided, key=lambda levels: refused[levels] / decided[levels])
    held = sum(_holds(shown_shares.get(levels), rate) for levels, rate in rates.items())
    refusals = CheckLine(
        model=f"{PROVIDER}/faulty",
        must_show=tr("the table of what was declined equals what was planted, row by row"),
        found=tr(
            "{right} of {all} rows as planted, from {least} to {most}",
            right=len(decided) - len(wrong),
            all=len(decided),
            least=_rate(by_rate[0], refused, decided),
            most=_rate(by_rate[-1], refused, decided),
        ),
        passed=not wrong and shown_shares.keys() == decided.keys(),
    )
    rated = CheckLine(
        model=f"{PROVIDER}/faulty",
        must_show=tr("the 95% ranges of what was declined hold the planted rates"),
        found=tr("{held} of {all} ranges do", held=held, all=len(rates)),
        passed=held >= HELD * len(rates),
    )
    return coverage, refusals, rated


def answer_key() -> AnswerKey:
    """The key to what the calibration models of the check were made to do."""
    models = catalogue.provider(PROVIDER)
    assert isinstance(models, Planting)
    return models.answer_key


def _told_by(rows: Sequence[Row]) -> tuple[str, ...]:
    """The factors by which the *rows* of a table go, in the method's order."""
    return tuple(each.name for each in METHOD.factors if rows and each.name in rows[0].values)


def _holds(shown: object, rate: float) -> bool:
    return (
        isinstance(shown, Estimate) and shown.interval is not None and shown.interval.low <= rate <= shown.interval.high
    )


def unanswered(cells: Sequence[CellOutcome]) -> int:
    """Bundles of *cells* of which fewer than two first generations were answered: they have no score."""
    varying = {factor.name for factor in METHOD.factors if factor.varies}
    answers: Counter[tuple[object, ...]] = Counter()
    for cell in cells:
        if not cell.repeat:
            bundle = (cell.article_key, *(each for each in cell.coordinates if each[0] not in varying))
            answers[bundle] += not cell.missing
    return sum(number < 2 for number in answers.values())


def _place_of(model: str, cell: CellOutcome) -> dict[str, str | int]:
    return coordinates_of(model, cell.article_key, cell.coordinates, cell.repeat)


def _is_share(shown: object, count: int, of: int) -> bool:
    return (
        isinstance(shown, Estimate)
        and shown.n == of
        and shown.value is not None
        and abs(shown.value - count / of) < 1e-12
    )


def _rate(levels: Levels, refused: Counter[Levels], decided: Counter[Levels]) -> str:
    return f"{levels[-1]} {percent(refused[levels] / decided[levels])}"
