"""People's codes as tables of a report: how often each code was given, how far people and groups of them agree."""

from functools import partial
from typing import Final

from gpf_desktop.domain import columns
from gpf_desktop.domain.conclusions.digits import FEW
from gpf_desktop.domain.conclusions.rendering import number
from gpf_desktop.domain.findings import BundleFilter, Finding, Row
from gpf_desktop.domain.study_entries import STUDY
from gpf_desktop.domain.text import range_ends, tr
from gpf_desktop.engine.core.context import EngineContext
from gpf_desktop.engine.review.coding_agreement import (
    FEWEST_ANSWERS,
    FEWEST_GIVEN,
    FEWEST_PEOPLE,
    FEWEST_SETS,
    CodeAgreement,
    GroupAgreement,
    code_agreement,
    group_agreement,
)
from gpf_desktop.stats.agreement import ARTICLES_FOR_INTERVAL
from gpf_desktop.storage import study_entries

CODE_TABLE: Final = "codes"
GROUP_TABLE: Final = "reviewer_groups"
MEMO_TABLE: Final = "memos"


def coded_tables(context: EngineContext) -> tuple[Finding, ...]:
    """`code_table`, `group_table` and `memo_table`, where there is something in them. Blocks."""
    made = (code_table(context), group_table(context), memo_table(context))
    return tuple(each for each in made if each is not None)


def code_table(context: EngineContext) -> Finding | None:
    """A row for each code that anybody gave to words of an answer; None where nobody did. Blocks."""
    found = context.audit.read(code_agreement)
    if not found:
        return None
    return Finding(
        name=CODE_TABLE,
        title=tr("Codes that people gave"),
        columns=(
            columns.text("code", tr("Code")),
            columns.text("definition", tr("Definition")),
            columns.count("passages", tr("Quotes")),
            columns.count("sets", tr("Sets"), tr("Sets of answers with such a quote.")),
            columns.count("people", tr("Reviewers"), tr("People who gave it.")),
            columns.count("answers", tr("Read twice"), tr("Answers that two or more read while the code was there.")),
            columns.text("agreement", tr("Agreement"), tr("Krippendorff's alpha: whether an answer has the code.")),
        ),
        rows=tuple(
            Row(
                values={
                    "code": each.code.name,
                    "definition": " ".join(each.code.definition.split()),
                    "passages": each.passages,
                    "sets": each.sets,
                    "people": each.people,
                    "answers": each.answers,
                    "agreement": agreement_told(each),
                },
                bundles=BundleFilter(answers=each.cells, about=tr("code “{code}”", code=each.code.name)),
            )
            for each in found
        ),
        reading=tr(
            "Codes are people's words for what they saw. Agreement is told from {n} answers on that two or more read, "
            "where {m} have the code; a range from {least} items on.",
            n=FEWEST_ANSWERS,
            m=FEWEST_GIVEN,
            least=ARTICLES_FOR_INTERVAL,
        ),
    )


def agreement_told(found: CodeAgreement) -> str:
    """“0.71 (0.52 to 0.86)”, or why there is none."""
    if found.alpha is None:
        return tr("too few")
    if found.alpha.value is None:
        return tr("nothing varies")
    value = number(found.alpha.value)
    if found.alpha.low is None or found.alpha.high is None:
        return tr("{value}, no range", value=value)
    low, high = range_ends(found.alpha.low, found.alpha.high, FEW)
    return tr("{value} ({low} to {high})", value=value, low=low, high=high)


def group_table(context: EngineContext) -> Finding | None:
    """A table of how far reviewers agree within groups and between them; None if no group may be shown. Blocks."""
    found = context.audit.read(group_agreement)
    if not found:
        return None
    return Finding(
        name=GROUP_TABLE,
        title=tr("Agreement by group of reviewers"),
        columns=(
            columns.text("groups", tr("Groups")),
            columns.count("sets", tr("Shared sets")),
            columns.text("agreement", tr("Agreement"), tr("On verdicts, beyond chance.")),
        ),
        rows=tuple(
            Row(
                values={"groups": groups_told(each), "sets": each.sets, "agreement": group_agreement_told(each)},
                bundles=BundleFilter(),
            )
            for each in found
        ),
        reading=tr(
            "Of verdicts, beyond chance: within a group Krippendorff's alpha, between two a kappa of all pairs across"
            " them. Groups of fewer than {n} people are not shown; under {m} shared sets there are too few.",
            n=FEWEST_PEOPLE,
            m=FEWEST_SETS,
        ),
    )


def memo_table(context: EngineContext) -> Finding | None:
    """A table of memos on items and on the study, the study first; None if there are none. Blocks."""
    memos = [each for each in context.audit.read(study_entries.memos) if each.text.strip()]
    if not memos:
        return None
    titles = context.audit.read(partial(study_entries.titled, subjects=frozenset(each.subject for each in memos)))
    return Finding(
        name=MEMO_TABLE,
        title=tr("Memos"),
        columns=(columns.text("about", tr("About")), columns.text("memo", tr("Memo"))),
        rows=tuple(
            Row(
                values={
                    "about": titles.get(each.subject, tr("the study")),
                    "memo": " ".join(each.text.split()),
                },
                bundles=BundleFilter(),
            )
            for each in sorted(memos, key=lambda memo: (memo.subject != STUDY, memo.at))
        ),
        reading=tr("What reviewers noticed beyond single sets, in their own words."),
    )


def groups_told(found: GroupAgreement) -> str:
    """“within Students”, “Pensioners and Students”"""
    if found.other:
        return tr("{a} and {b}", a=found.group, b=found.other)
    return tr("within {a}", a=found.group)


def group_agreement_told(found: GroupAgreement) -> str:
    """“0.42”, or why there is none."""
    if found.too_few:
        return tr("too few")
    return tr("nothing varies") if found.value is None else number(found.value)
