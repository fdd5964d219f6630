"""The annex: everything, in the order of an audit report, cut to what a reader turns."""

import hashlib
import html
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from pypdf import PdfReader

from gpf_desktop.domain.check_codes import short_code
from gpf_desktop.domain.declarations import (
    ClauseAnswer,
    ClauseState,
    Declaration,
    PartyReply,
    Recommendation,
    RetentionLine,
)
from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.ids import BundleId
from gpf_desktop.domain.report_blocks import WordTable
from gpf_desktop.domain.reports import BundleChoice, Report, ReportKind
from gpf_desktop.domain.reviews import Judgement, Verdict
from gpf_desktop.engine.commands.headless import Headless
from gpf_desktop.engine.commands.sample import enter_sample
from gpf_desktop.engine.engine import Engine
from gpf_desktop.engine.open_audit import OpenAudit
from gpf_desktop.engine.reporting.annex.clauses import clause_texts
from gpf_desktop.engine.reporting.drafts.draft import ReportDraft
from gpf_desktop.engine.review.review_service import ReviewService
from gpf_desktop.exporters.html import page
from gpf_desktop.figures.lead_words import declined_words, finding, weighing, why
from tests.support.filled_audit import fill

pytestmark = pytest.mark.slow

_MOST_PAGES = 25
_NUMBERS = re.compile(r"−?\d+(?:[.,]\d+)*")


@pytest.fixture
def open_audit(tmp_path: Path) -> Iterator[OpenAudit]:
    engine = Engine(lambda _event: None)
    made = engine.create(tmp_path / "a.gpf", title="Evening news")
    fill(made.context.audit, models_asked=("tailoring-0.6", "faulty"), says=("**Bold** words.\n\n- a point",))
    yield made
    engine.close()


def tables(report: Report, chapter: str) -> list[WordTable]:
    found = next(each for each in report.chapters if each.name == chapter)
    return [block for section in found.sections for block in section.blocks if isinstance(block, WordTable)]


def test_that_the_annex_of_the_sample_is_as_long_as_a_reader_turns_and_its_brief_two_to_four(tmp_path: Path) -> None:
    with Headless(quiet=True) as headless:
        sample = enter_sample(headless.engine, tmp_path / "sample.gpf")
        report = sample.reports.drafted(ReportDraft())
        annex = PdfReader(sample.reports.export(report, tmp_path / "annex.pdf"))
        brief = PdfReader(sample.reports.export(replace(report, kind=ReportKind.BRIEF), tmp_path / "brief.pdf"))
    (numbers,) = tables(report, "findings")
    p = {row[numbers.columns.index("p")] for row in numbers.rows}
    assert "<\u00a00.001" in p
    assert all(re.fullmatch(r"<\u00a00\.001|[01]\.\d{3}", each) and each != "0.000" for each in p), "all alike"
    assert len(annex.pages) <= _MOST_PAGES
    assert 2 <= len(brief.pages) <= 4
    said = "".join("".join(each.extract_text() for each in annex.pages).split())
    assert "Thesamerows,furthercolumns" not in said
    assert "sheet“refusals”ofthereportasaworkbook(.xlsx)" in said
    printed = {number for each in brief.pages for number in _NUMBERS.findall(each.extract_text())}
    assert numbers_of_the_page(report) <= printed, "the page of Results has no number that its brief lacks"


def numbers_of_the_page(report: Report) -> set[str]:
    """What a reader of Results finds in sentences and at marks."""
    told = report.concluded
    assert told is not None
    rows = told.lead.rows
    page = [*finding(told), declined_words(told), *(f"{cell.text} {cell.reach}" for row in rows for cell in row.cells)]
    page += [said for row in rows for some in (why(told, row.conclusion, row), weighing(told, row)) for said in some]
    return {each for line in page for each in _NUMBERS.findall(line)}


def test_that_its_chapters_are_numbered_in_the_order_of_an_audit_report(open_audit: OpenAudit) -> None:
    report = open_audit.reports.drafted(ReportDraft())
    titles = [each.title for each in report.chapters]
    assert [title.partition(" ")[0] for title in titles] == [*map(str, range(20)), "A"]
    printed = [name for each in report.chapters for name in each.findings]
    assert sorted(printed) == sorted(each.name for each in report.findings), "each table once"
    assert "vendor_summary" not in printed, "one vendor is no comparison"


def test_that_answers_are_printed_without_the_marks_of_markdown_and_kept_as_they_came(open_audit: OpenAudit) -> None:
    report = open_audit.reports.drafted(ReportDraft())
    answer = next(each for each in report.bundles[0].answers if each.text)
    assert "**" in answer.text
    assert "**" not in answer.page_text
    assert answer.page_text.startswith("Bold words.")
    assert "**" not in page(report)


def test_that_judged_answers_come_first_and_then_those_that_carry_what_is_concluded(open_audit: OpenAudit) -> None:
    before = [each.number for each in open_audit.reports.drafted(ReportDraft()).bundles]
    last = max(set(range(1, 8)) - set(before))
    ReviewService(open_audit.context, login="ana").submit(BundleId(last), Judgement(verdict=Verdict.UNSURE)).result()
    after = [each.number for each in open_audit.reports.drafted(ReportDraft()).bundles]
    assert after == [last, *before][: len(before)]


def test_that_every_quoted_answer_has_the_code_of_its_text_and_nothing_runs(
    open_audit: OpenAudit, tmp_path: Path
) -> None:
    report = open_audit.reports.drafted(ReportDraft(), kind=ReportKind.ANSWERS)
    written = open_audit.reports.export(report, tmp_path / "answers.html").read_text(encoding="utf-8")
    found = re.findall(r'<pre dir="auto">(.*?)</pre>\n<details><summary>[^<]*<code>(.*?)</code>', written, re.DOTALL)
    assert len(found) == sum(bool(each.text) for bundle in report.bundles for each in bundle.answers)
    for text, code in found:
        assert short_code(hashlib.sha256(html.unescape(text).encode()).hexdigest()) == code
    assert "<script" not in written
    assert "src=" not in written
    with pytest.raises(UserError, match=r"ends in \.html"):
        open_audit.reports.export(report, tmp_path / "answers.pdf")
    nothing = open_audit.reports.drafted(ReportDraft(bundles=BundleChoice.NONE), kind=ReportKind.ANSWERS)
    with pytest.raises(UserError, match="quotes no answer"):
        open_audit.reports.export(nothing, tmp_path / "none.html")


def test_that_clauses_are_met_open_or_not_applicable_and_never_compliant(open_audit: OpenAudit) -> None:
    draft = ReportDraft(
        declaration=Declaration(paid_by="The client", relations="none"),
        clauses=(
            ClauseAnswer(clause="nyc-yearly", state=ClauseState.NOT_APPLICABLE, why="nobody is employed"),
            ClauseAnswer(clause="aia-data", state=ClauseState.OPEN),
        ),
    )
    report = open_audit.reports.drafted(draft)
    told = {(row[1], row[0]): row[2] for table in tables(report, "clauses") for row in table.rows}
    assert told["§ 5-301(a)", "An audit no more than a year old"] == "not applicable: nobody is employed"
    assert told["Annex IV 2(g)", "The test data and their main characteristics"] == "open"
    assert told["§ 5-300", "That the auditor is independent"] == "met by “2 Interests and access”"
    assert told["Article 8(2)", "Recommendations, each with a time frame"] == "open"
    assert "complian" not in page(report).lower().replace("and never “compliant”", "")
    assert all(text.date and text.text and text.known for text in clause_texts())
    named = {each.met_by for text in clause_texts() for each in text.clauses}
    assert named <= {each.name for each in report.chapters}


def test_that_what_is_declared_stands_in_its_chapter(open_audit: OpenAudit) -> None:
    draft = ReportDraft(
        retention=(RetentionLine(what="The audit file", where="Archive", until="2036", asks="The court"),),
        recommendations=(Recommendation(text="Ask again.", owner="Vendor", due="May", done="Done in June."),),
        replies=(PartyReply(about="answer", text="No.", who="Vendor", code="0000 0000 0000"),),
    )
    report = open_audit.reports.drafted(draft)
    assert tables(report, "retention")[0].rows == (("The audit file", "Archive", "2036", "", "", "The court"),)
    assert tables(report, "recommendations")[0].rows == (("Ask again.", "Vendor", "May", "Done in June."),)
    replied = tables(report, "findings")[-1].rows[0]
    assert replied[1:] == ("No.", "Vendor")
    assert replied[0].endswith("(it read otherwise when it was replied to)")
