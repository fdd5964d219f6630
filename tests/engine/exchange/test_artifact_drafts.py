"""The draft of the report in an artifact."""

import base64
import zipfile
from datetime import UTC, datetime
from pathlib import Path

import pytest

from gpf_desktop.engine.commands.artifact_commands import (
    open_artifact,
    verify_artifact,
)
from gpf_desktop.engine.exchange.artifact.contents import ArtifactChoices
from gpf_desktop.engine.exchange.artifact.drafts import DRAFT
from gpf_desktop.engine.reporting.drafts.draft import DraftFinding, Evidence, EvidenceKind, ReportDraft
from gpf_desktop.engine.reporting.drafts.draft_files import to_json
from gpf_desktop.storage import report_drafts
from gpf_desktop.storage.audit_file import AuditFile
from tests.engine.exchange.artifacts import WITHHOLDING, artifact_of, made, reviewed
from tests.support.reports import DOT

pytestmark = pytest.mark.slow


def drafted(audit: AuditFile) -> None:
    reviewed(audit)
    passage = Evidence(
        id=1,
        kind=EvidenceKind.PASSAGE,
        title="“secret words”",
        added=datetime(2026, 1, 2, tzinfo=UTC),
        bundle=1,
        cell=1,
    )
    finding = DraftFinding(id=1, title="Refuses", text='Ada Example "saw" it: {{window; ; models}}', evidence=(1,))
    draft = ReportDraft(organisation="Some desk", findings=(finding,), tray=(passage,))
    logo = base64.b64encode(DOT).decode()
    audit.write(lambda connection: report_drafts.keep(connection, to_json(draft), logo)).result()


@pytest.fixture(scope="module")
def with_draft(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("drafted")
    artifact_of(made(folder, drafted), folder / "a.zip")
    return folder / "a.zip"


def kept_draft(audit: Path) -> tuple[str, str]:
    file = AuditFile.open(audit)
    try:
        return file.read(report_drafts.kept)
    finally:
        file.close()


def test_that_the_draft_of_the_report_travels_and_comes_back(with_draft, tmp_path):
    again = open_artifact(with_draft, tmp_path / "again.gpf")
    assert kept_draft(again) == kept_draft(with_draft.with_suffix(".gpf"))
    artifact_of(again, tmp_path / "again.zip")
    assert (tmp_path / "again.zip").read_bytes() == with_draft.read_bytes()
    found = verify_artifact(with_draft)
    assert found.passed
    assert "the report's draft: 1 finding, 1 piece of evidence" in [line.words for line in found.lines]


def test_that_a_draft_goes_without_withheld_words_and_names_or_not_at_all(with_draft, tmp_path):
    audit = with_draft.with_suffix(".gpf")
    artifact_of(audit, tmp_path / "less.zip", WITHHOLDING)
    with zipfile.ZipFile(tmp_path / "less.zip") as archive:
        text = archive.read(DRAFT).decode()
    assert "Refuses" in text
    assert "secret words" not in text
    assert "Ada" not in text
    artifact_of(audit, tmp_path / "none.zip", ArtifactChoices(draft=False))
    with zipfile.ZipFile(tmp_path / "none.zip") as archive:
        assert DRAFT not in archive.namelist()
