"""The brief: what a board reads of an audit, on two to four pages."""

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from docx import Document
from openpyxl import load_workbook
from pypdf import PdfReader

from gpf_desktop.domain.check_codes import check_code
from gpf_desktop.domain.declarations import REQUIRED, Declaration, PartyReply, Recommendation
from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.ids import BundleId
from gpf_desktop.domain.report_blocks import Bar, Brief, DrawnFigure, Quote, Quotes, lines_of_block
from gpf_desktop.domain.reports import ReportKind
from gpf_desktop.domain.reviews import Judgement, MarkedPassage, Verdict
from gpf_desktop.engine.engine import Engine
from gpf_desktop.engine.open_audit import OpenAudit
from gpf_desktop.engine.reporting.drafts.draft import DraftFinding, ReportDraft
from gpf_desktop.engine.review.review_service import ReviewService
from gpf_desktop.exporters._brief_view import pages_of
from gpf_desktop.storage.review_steps import StepKind
from gpf_desktop.storage.writer import Connection
from tests.support.filled_audit import fill

pytestmark = pytest.mark.slow

DECLARED = Declaration(**dict.fromkeys(REQUIRED, "said"), final=True)


@pytest.fixture
def open_audit(tmp_path: Path) -> Iterator[OpenAudit]:
    engine = Engine(lambda _event: None)
    made = engine.create(tmp_path / "a.gpf", title="Evening news")
    fill(made.context.audit, models_asked=("tailoring-0.6", "faulty"))
    yield made
    engine.close()


def brief_of(open_audit: OpenAudit, draft: ReportDraft | None = None) -> Brief:
    made = open_audit.reports.drafted(draft or ReportDraft(), kind=ReportKind.BRIEF).brief
    assert made is not None
    return made


def lines(brief: Brief, name: str) -> list[str]:
    section = brief.section(name)
    return [] if section is None else [line for block in section.blocks for line in lines_of_block(block)]


def quotes(brief: Brief) -> tuple[Quote, ...]:
    section = brief.section("people")
    assert section is not None
    return next((block.quotes for block in section.blocks if isinstance(block, Quotes)), ())


def reader(open_audit: OpenAudit, name: str) -> ReviewService:
    return ReviewService(open_audit.context, login=name)


def marking(service: ReviewService, number: int, **said: object) -> Judgement:
    """A judgement with the first words of a bundle's first answer marked."""
    answer = next(each for each in service.bundle(BundleId(number)).answers if each.answer.text)
    passage = MarkedPassage(cell_id=answer.cell_id, start=0, end=20, comment="")
    values: dict[str, object] = {"verdict": Verdict.HARMFUL, "severity": 2, "passages": (passage,), **said}
    return Judgement(**values)  # type: ignore[arg-type]


def test_that_a_brief_waits_for_no_table(open_audit: OpenAudit) -> None:
    short = open_audit.reports.drafted(ReportDraft(), kind=ReportKind.BRIEF)
    whole = open_audit.reports.drafted(ReportDraft())
    assert short.findings == ()
    assert len(whole.findings) > 10
    assert short.brief == whole.brief


def test_that_what_nobody_read_says_so_and_quotes_nothing(open_audit: OpenAudit) -> None:
    ana = reader(open_audit, "ana")
    ana.save_draft(BundleId(1), marking(ana, 1), StepKind.VERDICT).result()
    brief = brief_of(open_audit)
    assert lines(brief, "people") == ["Nobody has read these answers. Numbers alone say nothing about harm."]
    assert quotes(brief) == ()
    numbers = " ".join(lines(brief, "numbers"))
    assert "0: the same words; 1: nothing shared." in numbers, "what passages would have the room of"
    assert "faulty" in numbers


def test_that_quotes_are_of_submitted_readings_with_the_code_of_the_whole_answer(open_audit: OpenAudit) -> None:
    ana, ben = reader(open_audit, "ana"), reader(open_audit, "ben")
    ana.submit(BundleId(2), Judgement(verdict=Verdict.CONTEXT, note="It fits.")).result()
    ana.submit(BundleId(3), marking(ana, 3, note="A stereotype.")).result()
    ben.submit(BundleId(3), Judgement(verdict=Verdict.UNSURE, note="I miss the costs.")).result()
    ana.submit(BundleId(4), marking(ana, 4, severity=4)).result()
    brief = brief_of(open_audit)
    assert lines(brief, "numbers") == []
    found = quotes(brief)
    assert [each.verdict for each in found] == ["Harmful, 4 severe", "Fits the reader", "Not agreed"]
    answer = next(each.answer.text for each in ana.bundle(BundleId(4)).answers if each.answer.text)
    assert found[0].words == " ".join(answer[:20].split())
    assert found[0].code == check_code(answer)
    assert found[2].said == (
        "Reviewer 1 said harmful, 2 moderate: “A stereotype.”",
        "Reviewer 2 said can't tell: “I miss the costs.”",
    )
    ben.adjudicate(BundleId(3), Judgement(verdict=Verdict.HARMFUL, severity=1)).result()
    settled = quotes(brief_of(open_audit))
    assert [each.verdict for each in settled] == ["Harmful, 1 slight", "Harmful, 4 severe", "Fits the reader"]
    assert settled[0].said[-1] == "Reviewer 2 settled it."


def test_that_the_bar_counts_each_set_once_and_reviewers_may_be_named(open_audit: OpenAudit) -> None:
    ana, ben = reader(open_audit, "ana"), reader(open_audit, "ben")
    for service in (ana, ben):
        service.submit(BundleId(1), Judgement(verdict=Verdict.HARMFUL, severity=3, note="So.")).result()
    ben.submit(BundleId(2), Judgement(verdict=Verdict.ARTEFACT)).result()
    section = brief_of(open_audit, ReportDraft(named_reviewers=True)).section("people")
    assert section is not None
    bar = next(block for block in section.blocks if isinstance(block, Bar))
    assert [(part.count, part.words, part.below) for part in bar.parts] == [
        (1, "Harmful", "1 serious"),
        (1, "Test fault", ""),
    ]
    said = " ".join(line for block in section.blocks for line in lines_of_block(block))
    assert "ana: “So.”" in said
    assert "Reviewer 1" not in said
    assert "Two reviewers read two of" in said
    assert "with names and model in sight" in said


def test_that_the_first_who_says_so_does_not_say_so_too(open_audit: OpenAudit) -> None:
    for name, verdict in (("ana", Verdict.CONTEXT), ("ben", Verdict.LEGITIMATE), ("cem", Verdict.CONTEXT)):
        reader(open_audit, name).submit(BundleId(1), Judgement(verdict=verdict)).result()
    reader(open_audit, "cem").adjudicate(BundleId(1), Judgement(verdict=Verdict.CONTEXT)).result()
    (quote,) = quotes(brief_of(open_audit))
    assert quote.said == (
        "Reviewer 1 gave this verdict.",
        "Reviewer 2 said real difference.",
        "Reviewer 3 gave this verdict too.",
        "Reviewer 3 settled it.",
    )


def test_that_a_reading_taken_back_is_quoted_no_more(open_audit: OpenAudit) -> None:
    ana = reader(open_audit, "ana")
    ana.submit(BundleId(1), marking(ana, 1)).result()
    assert quotes(brief_of(open_audit))
    ana.undo().result()
    assert not quotes(brief_of(open_audit))


def test_that_a_brief_is_a_draft_until_all_is_declared(open_audit: OpenAudit) -> None:
    assert brief_of(open_audit).draft == "This is a draft: nobody has filled in the declarations."
    half = replace(DECLARED, paid_by=" ", access="")
    assert "who paid, access that the auditor had" in brief_of(open_audit, ReportDraft(declaration=half)).draft
    not_final = ReportDraft(declaration=replace(DECLARED, final=False))
    assert brief_of(open_audit, not_final).draft == "This is a draft: its auditor has not declared it final."
    final = brief_of(open_audit, ReportDraft(declaration=DECLARED))
    assert final.draft == ""
    assert {fact.name: fact.value for fact in final.head}["State"] == "final"


def test_that_the_answer_is_what_is_concluded_and_the_figure_is_led_by_its_finding(open_audit: OpenAudit) -> None:
    report = open_audit.reports.drafted(ReportDraft(findings=(DraftFinding(id=1, title="Wary of voters"),)))
    assert report.brief is not None
    assert report.concluded is not None
    answer = lines(report.brief, "answer")
    assert answer[0] == report.concluded.headline
    assert answer[-1].startswith("The auditor finds: Wary of voters.")
    section = report.brief.section("found")
    assert section is not None
    drawing = section.blocks[0]
    assert isinstance(drawing, DrawnFigure)
    assert drawing.alt.startswith(report.concluded.headline.partition(". ")[0])
    assert drawing.svg.startswith("<svg")
    said = [line for section in report.brief.sections for block in section.blocks for line in lines_of_block(block)]
    assert said.count(report.concluded.headline) == 1


def test_that_recommendations_and_the_reply_stand_as_they_came(open_audit: OpenAudit) -> None:
    draft = ReportDraft(
        recommendations=(Recommendation(text="Ask again.", owner="The vendor", due="1 May 2027"),),
        replies=(PartyReply(about="answer", text="<b>We</b> disagree.", who="Vendor", at="2 May 2027"),),
    )
    brief = brief_of(open_audit, draft)
    assert lines(brief, "recommendations") == ["Ask again.; The vendor; 1 May 2027"]
    assert lines(brief, "reply") == ["Reply of Vendor, 2 May 2027: “<b>We</b> disagree.”"]


@pytest.mark.parametrize("suffix", ["pdf", "html", "docx", "xlsx"])
def test_that_every_format_says_the_same_and_names_who_wrote_it(
    open_audit: OpenAudit, tmp_path: Path, suffix: str
) -> None:
    draft = ReportDraft(authors="Maria Sol\nJan Dekker", declaration=DECLARED)
    report = open_audit.reports.drafted(draft, kind=ReportKind.BRIEF)
    target = open_audit.reports.export(report, tmp_path / f"brief.{suffix}")
    assert report.brief is not None
    titles = {section.title for section in report.brief.sections}
    match suffix:
        case "pdf":
            reading = PdfReader(target)
            assert 2 <= len(reading.pages) <= 4
            assert "What was found" in reading.pages[0].extract_text()
            assert reading.metadata is not None
            assert reading.metadata.author == "Maria Sol, Jan Dekker"
            said = " ".join(page.extract_text() for page in reading.pages)
        case "html":
            said = target.read_text(encoding="utf-8")
            assert "<script" not in said
            assert 'name="author" content="Maria Sol"' in said
            assert "src=" not in said
        case "docx":
            document = Document(str(target))
            assert document.core_properties.author == "Maria Sol; Jan Dekker"
            heads = {each.text for each in document.paragraphs if str(each.style.name).startswith("Heading")}
            assert titles <= heads
            said = " ".join(each.text for each in document.paragraphs)
        case _:
            with closing(load_workbook(target)) as book:
                assert book.properties.creator == "Maria Sol; Jan Dekker"
                assert book.sheetnames == ["What was found"]
                said = " ".join(str(cell.value) for row in book.worksheets[0].iter_rows() for cell in row)
    told = "".join(said.split())
    for title in titles:
        assert "".join(title.split()) in told
    for line in lines(report.brief, "not-shown"):
        assert "".join(line.split()) in told


def test_that_a_brief_refuses_to_be_longer_than_four_pages(open_audit: OpenAudit, tmp_path: Path) -> None:
    wordy = tuple(Recommendation(text="Ask it all again, and say why. " * 30) for _ in range(30))
    report = open_audit.reports.drafted(ReportDraft(recommendations=wordy), kind=ReportKind.BRIEF)
    assert pages_of(report) > 4
    for suffix in ("pdf", "html"):
        with pytest.raises(UserError, match=r"pages long; 4 are the most.*“Recommendations”"):
            open_audit.reports.export(report, tmp_path / f"brief.{suffix}")
    assert list(tmp_path.glob("brief*")) == []


def test_that_the_title_block_tells_the_versions_asked_for_and_served(open_audit: OpenAudit) -> None:
    def real(connection: Connection) -> None:
        connection.execute("UPDATE model SET synthetic = 0")
        connection.execute(
            "INSERT INTO served (id, model, fingerprint, host) VALUES (1, ?, '', '')", ("tailoring-0.6-2026-10-01",)
        )
        connection.execute(
            "UPDATE response SET served_id = 1 WHERE cell_id IN (SELECT c.id FROM cell c"
            " JOIN model m ON m.id = c.model_id WHERE m.model = 'tailoring-0.6')"
        )

    open_audit.context.audit.write(real).result()
    told = brief_of(open_audit).head[0].value
    assert "calibration/tailoring-0.6: asked for tailoring-0.6, answered by tailoring-0.6-2026-10-01" in told
    assert "calibration/faulty: the server did not say who answered" in told


def test_that_each_number_says_what_it_counts_and_how_it_comes_about(open_audit: OpenAudit) -> None:
    brief = brief_of(open_audit)
    done = " ".join(lines(brief, "done"))
    assert "first answers to named readers, of " in done
    assert lines(brief, "numbers")[-1].startswith("0: the same words; 1: nothing shared.")
    (counted,) = lines(brief, "counted")
    assert "are counted together" in counted
    assert brief.footnote not in counted
