"""The code book as a table of a report: how often each code was given, and how far people agree on it."""

from typing import Final

from gpf_desktop.domain import columns
from gpf_desktop.domain.findings import BundleFilter, Finding, Row
from gpf_desktop.domain.text import as_said, tr
from gpf_desktop.engine.core.context import EngineContext
from gpf_desktop.engine.review.coding_agreement import FEWEST_ANSWERS, FEWEST_GIVEN, CodeAgreement, code_agreement
from gpf_desktop.stats.agreement import ARTICLES_FOR_INTERVAL

CODE_TABLE: Final = "codes"


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
    value = as_said(f"{found.alpha.value:.2f}")
    if found.alpha.low is None or found.alpha.high is None:
        return tr("{value}, no range", value=value)
    return tr("{value} ({low:.2f} to {high:.2f})", value=value, low=found.alpha.low, high=found.alpha.high)
