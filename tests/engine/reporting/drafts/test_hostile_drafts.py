"""Drafts that say what has broken exports elsewhere, from the audit file to every format."""

from dataclasses import replace

import pytest

from gpf_desktop.domain.ids import BundleId
from gpf_desktop.domain.reports import BundleChoice
from gpf_desktop.engine.engine import Engine
from gpf_desktop.engine.reporting.drafts.draft import DraftFinding, ReportDraft
from gpf_desktop.engine.reporting.drafts.draft_files import draft_text, from_json, read_draft, to_json
from gpf_desktop.exporters.html import simple_page
from tests.support.hostile_audit import fill_hostile
from tests.support.reports import HOSTILE

HUGE = "word " * 8_000
RIGHT_TO_LEFT = "דוח על חדשות\n\nعربي"


def draft_of(text: str) -> ReportDraft:
    finding = DraftFinding(id=1, title=text, text=text, severity=4)
    written = dict.fromkeys(("summary", "scope", "limits", "conclusion", "sign_off", "organisation", "authors"), text)
    return ReportDraft(title=text, findings=(finding,), bundles=BundleChoice.NONE, tables=(), **written)


@pytest.mark.parametrize("text", [*HOSTILE, RIGHT_TO_LEFT, "", "'''\"\"\"\\", "\x00\x85\u2028"])
def test_that_a_draft_comes_back_from_the_audit_and_from_a_file_with_the_words_it_had(text):
    draft = draft_of(text)
    there = from_json(to_json(draft))
    assert there.summary == text.replace("\ud83d", "?")
    assert read_draft(draft_text(there), where="d.toml") == there


@pytest.mark.slow
@pytest.mark.parametrize("text", ["\n\n".join(HOSTILE), RIGHT_TO_LEFT, HUGE, ""])
def test_that_every_format_prints_a_hostile_draft_of_a_hostile_audit(text, tmp_path):
    engine = Engine(lambda _event: None)
    try:
        audit = engine.create(tmp_path / "h.gpf", title="Hostile")
        fill_hostile(audit.context.audit)
        audit.drafts.change("all", lambda _draft: draft_of(text)).result()
        audit.drafts.add_evidence(audit.reports.evidence().bundle(BundleId(1)))
        rests = replace(audit.drafts.current.findings[0], evidence=(1,))
        audit.drafts.change("rests", lambda draft: draft.with_finding(rests)).result()
        report = audit.reports.drafted(audit.drafts.current)
        assert simple_page(report)
        for suffix in audit.reports.formats():
            written = audit.reports.export(report, tmp_path / f"r.{suffix}")
            assert written.stat().st_size > 5000
        page = (tmp_path / "r.html").read_text(encoding="utf-8")
        assert "<script" not in page
        assert page.count("<img") == 0
    finally:
        engine.close()
