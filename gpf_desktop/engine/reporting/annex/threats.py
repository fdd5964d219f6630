"""Threats to the numbers: for each, what was checked, what came of it, and what that bears on."""

from collections.abc import Iterator, Sequence
from functools import partial

from gpf_desktop.domain.conclusions.conclusion import ConclusionTag
from gpf_desktop.domain.findings import Finding
from gpf_desktop.domain.report_blocks import WordTable
from gpf_desktop.domain.reports import Report
from gpf_desktop.domain.text import tr
from gpf_desktop.engine.core.context import EngineContext
from gpf_desktop.storage import answer_facts
from gpf_desktop.storage.answer_facts import MarkedAnswers


def threats(context: EngineContext, report: Report, runs: Sequence[int]) -> WordTable:
    """A row for each, those that were not checked among them. Blocks."""
    marks = context.audit.read(partial(answer_facts.marked, runs=runs))
    columns = (tr("Threat"), tr("Checked"), tr("Result"), tr("What it bears on"))
    return WordTable(columns=columns, rows=tuple(_rows(report, marks)))


def _rows(report: Report, marks: MarkedAnswers) -> Iterator[tuple[str, str, str, str]]:
    yield (
        tr("The items were known to the model"),
        tr("not checked: what a model was trained on, no answer tells"),
        tr("unknown"),
        tr("what is compared is asked alike of all, so it moves all numbers more than the differences"),
    )
    yield (tr("Declined"), *_refusals(report))
    yield (
        tr("Answers were cut off"),
        tr("the provider's word for each answer"),
        _of(marks.cut_off, marks.answers),
        tr("scores rest on the part that came"),
    )
    yield (
        tr("Answers quote the test"),
        tr("words of other groups and of the test itself, answer by answer"),
        _of(marks.quoting, marks.answers),
        tr("such answers are flagged and stay in"),
    )
    yield (
        tr("The model knew that it was tested"),
        tr("only where an answer says so"),
        _of(marks.quoting, marks.answers),
        tr("a model that notices and keeps quiet is not found"),
    )
    yield (
        tr("Length of answers"),
        tr("by the tables of the method, where it has one"),
        tr("see “{title}”", title=long.title) if (long := _lengths(report)) else tr("not measured"),
        tr("longer answers share more words"),
    )


def _refusals(report: Report) -> tuple[str, str, str]:
    told = () if report.concluded is None else report.concluded.told
    readings = [each.conclusion.refusals for each in told if each.conclusion.refusals is not None]
    if not readings:
        return (tr("not asked by this method"), tr("unknown"), tr("missing answers: chapter 13"))
    differ = [each.name for each in told if ConclusionTag.REFUSALS_DIFFER in each.conclusion.tags]
    result = _of(sum(each.counted[0] for each in readings), sum(each.counted[1] for each in readings))
    unknown = "" if report.concluded is None else report.concluded.page.unknown_refusals
    result = " ".join(filter(None, (f"{result}." if unknown else result, unknown)))
    bears = tr("differ in {names}", names=", ".join(differ)) if differ else tr("not shown to differ between groups")
    return (tr("by the provider's word and by the answer's own"), result, bears)


def _lengths(report: Report) -> Finding | None:
    return next((each for each in report.findings if "length" in each.name or "diagnostic" in each.name), None)


def _of(n: int, of: int) -> str:
    return tr("{n:,} of {of:,}", n=n, of=of)
