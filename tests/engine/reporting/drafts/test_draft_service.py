"""A draft in its audit: kept, taken back, filed, and printed with evidence."""

import base64
import json
import subprocess
import sys
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.ids import BundleId
from gpf_desktop.domain.reports import BundleChoice
from gpf_desktop.engine.commands.report_command import chosen_draft
from gpf_desktop.engine.engine import Engine
from gpf_desktop.engine.open_audit import OpenAudit
from gpf_desktop.engine.reporting.drafts.draft import DraftFinding, DraftPart, ReportDraft
from gpf_desktop.engine.reporting.drafts.draft_files import draft_text, read_draft, template_of, with_template
from gpf_desktop.engine.reporting.drafts.evidence import EvidenceService
from gpf_desktop.engine.reporting.drafts.references import offered
from gpf_desktop.engine.reporting.results_filter import ResultsFilter
from tests.support.filled_audit import fill
from tests.support.reports import DOT
from tests.support.warm_program import run_program


@pytest.fixture(scope="module")
def filled(tmp_path_factory):
    path = tmp_path_factory.mktemp("draft") / "a.gpf"
    engine = Engine(lambda _event: None)
    open_audit = engine.create(path, title="Evening news")
    fill(open_audit.context.audit, models_asked=("tailoring-0.6",), dimensions=("Religion", "Political"))
    yield open_audit
    engine.close()


@pytest.fixture
def audit(filled: OpenAudit):
    filled.drafts.change("start over", lambda _draft: ReportDraft(bundles=BundleChoice.NONE, tables=()))
    return filled


def written(**fields):
    return lambda draft: replace(draft, **fields)


def evidence_of(audit: OpenAudit) -> EvidenceService:
    return EvidenceService(audit.context, audit.results)


def test_that_steps_are_taken_back_one_by_one_and_typing_on_is_one_step(audit):
    for text in ("W", "Wh", "What"):
        audit.drafts.change("summary", written(summary=text), typing="summary")
    audit.drafts.change("organisation", written(organisation="Audit office"))
    assert audit.drafts.undo_words == "organisation"
    assert audit.drafts.undo()
    assert audit.drafts.current.organisation == ""
    assert audit.drafts.undo()
    assert audit.drafts.current.summary == ""
    assert audit.drafts.redo()
    assert audit.drafts.current.summary == "What"
    assert audit.drafts.redo_words == "organisation"


@pytest.mark.slow
def test_that_a_killed_program_leaves_every_change_that_was_kept(tmp_path):
    path = tmp_path / "k.gpf"
    writes = (
        "import os, sys\n"
        "from dataclasses import replace\n"
        "from pathlib import Path\n"
        "from gpf_desktop.engine.engine import Engine\n"
        "audit = Engine(lambda _event: None).create(Path(sys.argv[1]), title='Killed')\n"
        "audit.drafts.change('summary', lambda d: replace(d, summary='Kept.', logo='aGk=')).result()\n"
        "os.kill(os.getpid(), 9)\n"
    )
    ended = subprocess.run([sys.executable, "-c", writes, str(path)], check=False, timeout=250)
    assert ended.returncode == -9
    engine = Engine(lambda _event: None)
    try:
        draft = engine.open(path).drafts.current
        assert (draft.summary, draft.logo) == ("Kept.", "aGk=")
    finally:
        engine.close()


def test_that_evidence_of_every_kind_prints_with_its_source_and_digest(audit):
    found = evidence_of(audit)
    table = audit.results.findings(ResultsFilter(), ("interaction",))["interaction"]
    read = audit.reviews.bundle(BundleId(1))
    answer = next(each.answer for each in read.answers if each.answer.text)
    items = (
        found.table(ResultsFilter(), "coverage"),
        found.row(ResultsFilter(), "interaction", table.rows[1]),
        found.figure(ResultsFilter(), "interaction", table.figures[0].title),
        found.bundle(BundleId(1)),
        found.passage(BundleId(1), answer.cell_id, 0, 12),
    )
    assert all(audit.drafts.add_evidence(each) for each in items)
    assert not audit.drafts.add_evidence(items[1]), "the same row is not put in twice"
    tray = audit.drafts.current.tray
    finding = DraftFinding(id=1, title="A finding", severity=2, evidence=tuple(each.id for each in tray))
    audit.drafts.change("add", lambda draft: draft.with_finding(finding))
    report = audit.reports.drafted(audit.drafts.current)
    (part,) = report.parts
    printed = part.findings[0].evidence
    assert report.unresolved == ()
    assert len(printed[1].finding.rows) == 1
    assert printed[2].figure_only
    assert printed[2].finding.figures
    assert printed[3].bundle.number == 1
    assert printed[4].passage.words == " ".join(answer.text[:12].split())
    for item, shown in zip(tray, printed, strict=True):
        assert item.digest[:12] in shown.source
        assert "added 20" in shown.source
        assert shown.synthetic
    assert "settings" in printed[0].source
    assert "everything scored" in printed[0].source


def test_that_evidence_that_changed_or_went_says_so(audit):
    found = evidence_of(audit)
    changed = replace(found.bundle(BundleId(1)), digest="0" * 64)
    gone = replace(found.table(ResultsFilter(), "coverage"), row=(("model", "nobody"),), table="coverage")
    for each in (changed, gone):
        audit.drafts.add_evidence(each)
    finding = DraftFinding(id=1, text="{{coverage; nothing}}", evidence=(1, 2))
    audit.drafts.change("add", lambda draft: draft.with_finding(finding))
    said = audit.reports.drafted(audit.drafts.current).unresolved
    assert len(said) == 3
    assert "no column “nothing”" in said[0]
    assert "no more what it was" in said[1]
    assert "no rows any more" in said[2]


def test_that_evidence_removed_leaves_its_findings_and_comes_back_with_undo(audit):
    audit.drafts.add_evidence(evidence_of(audit).bundle(BundleId(1)))
    audit.drafts.change("add", lambda draft: draft.with_finding(DraftFinding(id=1, title="A", evidence=(1,))))
    audit.drafts.change("remove", lambda draft: draft.without_evidence(1))
    assert audit.drafts.current.findings[0].evidence == ()
    audit.drafts.undo()
    assert audit.drafts.current.findings[0].evidence == (1,)
    assert len(audit.drafts.current.tray) == 1


def test_that_sections_are_printed_in_the_order_chosen_and_without_those_that_are_off(audit):
    number = next(iter(offered(audit.reports.tables(ResultsFilter(), ("window",)))))
    draft = ReportDraft(
        summary=f"We asked {number.reference} times.\n\nSecond.",
        scope="All of it.",
        limits="Few.",
        sign_off="Ann\n\nBob",
        order=(DraftPart.SIGN_OFF, DraftPart.SUMMARY),
        off=(DraftPart.LIMITS,),
        tables=("coverage", "model_table"),
        bundles=BundleChoice.NONE,
    )
    report = audit.reports.drafted(draft)
    assert [part.name for part in report.parts] == ["sign_off", "summary", "scope"]
    assert report.parts[0].signers == ("Ann", "Bob")
    assert report.parts[1].paragraphs == (f"We asked {number.shown} times.", "Second.")
    assert [finding.name for finding in report.findings] == ["coverage", "model_table"]


def test_that_a_draft_reads_back_from_its_file_as_it_was(audit):
    audit.drafts.add_evidence(
        evidence_of(audit).row(ResultsFilter(since=datetime(2026, 1, 1, tzinfo=UTC)), "coverage", _row(audit))
    )
    finding = DraftFinding(id=4, title='"""', text="One\n\nTwo \\ '''", severity=4, evidence=(1,))
    logo = base64.b64encode(DOT).decode()
    audit.drafts.change("all", lambda draft: replace(draft.with_finding(finding), logo=logo, off=(DraftPart.SCOPE,)))
    assert read_draft(draft_text(audit.drafts.current), where="d.toml") == audit.drafts.current


def _row(audit):
    return audit.results.findings(ResultsFilter(), ("coverage",))["coverage"].rows[0]


def test_that_a_template_brings_the_organisation_and_nothing_of_the_audit():
    full = ReportDraft(
        title="Ours",
        organisation="Office",
        scope="Always this.",
        findings=(DraftFinding(id=1),),
        off=(DraftPart.LIMITS,),
    )
    template = template_of(full)
    assert (template.title, template.findings, template.organisation) == ("", (), "Office")
    there = ReportDraft(title="Theirs", scope="", summary="Kept.", findings=(DraftFinding(id=2),))
    brought = with_template(there, template)
    assert (brought.title, brought.summary, brought.scope) == ("Theirs", "Kept.", "Always this.")
    assert brought.off == (DraftPart.LIMITS,)
    assert brought.findings == there.findings


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("summery = 'x'", "there is no field “summery”. Did you mean summary?"),
        ("most = 'many'", "d.toml, most: "),
        ("[[findings]]\nseverity = 9", "severity is 9. Use 1 to 4"),
        ("[[findings]]\nevidence = [3]", "the tray holds no evidence 3"),
        ("logo = 'aGVsbG8='", "The logo is no PNG or JPEG picture."),
        ("summary = ", "d.toml is not valid TOML"),
        ("findings = 3", "d.toml, findings: "),
    ],
)
def test_that_a_file_that_is_no_draft_is_refused_with_the_place(text, said):
    with pytest.raises(UserError) as raised:
        read_draft(text, where="d.toml")
    assert said in str(raised.value)


@pytest.mark.slow
def test_that_the_command_prints_the_kept_draft_a_file_or_a_template(audit: OpenAudit, tmp_path: Path):
    audit.drafts.change("summary", written(summary="Kept in the audit.", scope="S {{gone; s}}")).result()
    copy = tmp_path / "copy.gpf"
    audit.save_copy(copy)
    (tmp_path / "t.toml").write_text("organisation = 'The office'\n", encoding="utf-8")
    (tmp_path / "d.toml").write_text("summary = 'From the file.'\ntables = []\n", encoding="utf-8")

    target, saved = tmp_path / "r.html", tmp_path / "out.toml"
    given = ["--template", str(tmp_path / "t.toml"), "--save-draft", str(saved), "--json"]
    done = run_program("report", copy, "-o", target, *given)
    text = target.read_text(encoding="utf-8")
    assert "Kept in the audit." in text
    assert "The office" in text
    said = json.loads(done.stdout)["unresolved"]
    assert said == ["{{gone; s}} stands for no number: there is no table “gone” here."]
    assert read_draft(saved.read_text(encoding="utf-8"), where="out").organisation == "The office"
    assert chosen_draft(audit, tmp_path / "d.toml", None).summary == "From the file."


def test_that_synthetic_answers_are_refused_by_a_format_that_does_not_mark_every_page(audit, tmp_path, monkeypatch):
    monkeypatch.setattr(type(audit.reports.formats()["html"]), "marks_synthetic", False)
    report = audit.reports.drafted(audit.drafts.current)
    with pytest.raises(UserError, match="does not mark synthetic answers on every page"):
        audit.reports.export(report, tmp_path / "r.html")
    assert list(tmp_path.iterdir()) == []
