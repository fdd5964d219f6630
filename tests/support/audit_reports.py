from pathlib import Path

from pypdf import PdfReader

from gpf_desktop.domain.report_blocks import DrawnFigure
from gpf_desktop.domain.reports import ReportKind
from gpf_desktop.engine.commands.report_command import check_format, drafted_report
from gpf_desktop.engine.open_audit import OpenAudit
from gpf_desktop.engine.reporting.drafts.draft import ReportDraft
from gpf_desktop.figures.lead import PAPER


def write_report(open_audit: OpenAudit, target: Path) -> Path:
    """Write the report that the audit's draft describes to *target*, as `gpf-desktop report` does."""
    check_format(target)
    return open_audit.reports.export(drafted_report(open_audit, open_audit.drafts.current), target)


def assert_brief_leads(open_audit: OpenAudit, folder: Path) -> None:
    """Its first page has question, answer and what was found, in letters of the size that they have on paper; what was
    done stands on one page."""
    report = open_audit.reports.drafted(ReportDraft(), kind=ReportKind.BRIEF)
    assert report.brief is not None
    found = next(section for section in report.brief.sections if section.name == "found")
    drawn = [block for block in found.blocks if isinstance(block, DrawnFigure)]
    assert [each.width for each in drawn] == [PAPER]
    pages = PdfReader(open_audit.reports.export(report, folder / "brief.pdf")).pages
    assert len(pages) in (2, 3)
    first = pages[0]
    said = first.extract_text()
    assert said.index("The question") < said.index("The answer") < said.index("What was found")
    key = said[said.index("What was found") :]
    assert any(words in key for words in ("true value", "gap by chance")), "the key of the figure stands under it"
    (done,) = [text for page in pages if "What was done" in (text := page.extract_text())]
    assert "asked for" in done
