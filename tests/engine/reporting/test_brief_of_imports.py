"""A brief of answers that came from elsewhere counts what was asked, and not what the protocol could ask."""

import csv
from pathlib import Path

import pytest

from gpf_desktop.domain.report_blocks import lines_of_block
from gpf_desktop.domain.reports import ReportKind
from gpf_desktop.engine.commands.headless import Headless
from gpf_desktop.engine.commands.import_command import import_tables
from gpf_desktop.engine.engine import Engine
from gpf_desktop.engine.reporting.drafts.draft import ReportDraft

pytestmark = pytest.mark.slow

FAITHS = ("Hindu", "Muslim", "Jewish")


def test_that_readers_and_questions_that_nobody_asked_about_are_not_counted(tmp_path: Path) -> None:
    with (tmp_path / "answers.csv").open("w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(("model", "headline", "text", "dimension", "identity", "family", "response"))
        for article in (1, 2):
            for faith in FAITHS:
                said = f"For {faith} readers part {article} changes prayer and school runs."
                rows.writerow(
                    ("elm", f"Council decides, part {article}", "New lanes.", "Religion", faith, "Impact", said)
                )
    with Headless(quiet=True) as headless:
        import_tables(headless, [tmp_path / "answers.csv"], "gpf-livenews", {}, tmp_path / "a.gpf")
    engine = Engine(lambda _event: None)
    audit = engine.open(tmp_path / "a.gpf")
    brief = audit.reports.drafted(ReportDraft(), kind=ReportKind.BRIEF).brief
    engine.close()
    assert brief is not None
    told = {
        name: " ".join(line for block in section.blocks for line in lines_of_block(block))
        for name in ("done", "not-shown")
        if (section := brief.section(name)) is not None
    }
    assert "3 readers named in the questions, such as “Jewish” or “Hindu”" in told["done"]
    assert "1 kind of question on each article: impact" in told["done"]
    assert "these two articles, 3 labels and one kind of question" in told["not-shown"]
