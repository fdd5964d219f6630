from dataclasses import replace
from pathlib import Path

import pytest

from gpf_desktop.domain.findings import Finding, Interval
from gpf_desktop.engine.commands.headless import Headless
from gpf_desktop.engine.commands.method_check import PlannedCheck
from gpf_desktop.engine.commands.run_command import run_plan
from gpf_desktop.engine.reporting.results_filter import ResultsFilter
from gpf_desktop.engine.rounds.plans import read_plan
from gpf_desktop.methods.contextual_stereoset.check import CHECK


def shifted(finding: Finding, column: str, by: float) -> Finding:
    """Every estimate of *column* moved, its interval with it."""
    rows = []
    for row in finding.rows:
        old = row.values[column]
        interval = old.interval  # type: ignore[union-attr]
        moved = Interval(low=interval.low + by, high=interval.high + by, level=interval.level, method=interval.method)
        new = replace(old, value=old.value + by, interval=moved)  # type: ignore[arg-type,union-attr]
        rows.append(replace(row, values={**row.values, column: new}))
    return replace(finding, rows=tuple(rows))


@pytest.mark.slow
def test_that_the_check_passes_on_what_is_planted_and_fails_on_anything_else(tmp_path: Path) -> None:
    with Headless(quiet=True) as headless:
        plan = read_plan(CHECK.plan(tmp_path, quick=True), where="check")
        audit = headless.engine.create(tmp_path / "a.gpf", title="check")
        run_plan(headless, audit, plan, beside=tmp_path)
        findings = audit.results.findings(ResultsFilter())
    assert [line.found for line in CHECK.lines(findings) if not line.passed] == []
    moved = {**findings, "stereoset_contrasts": shifted(findings["stereoset_contrasts"], "difference", 0.3)}
    assert [line.passed for line in CHECK.lines(moved)][:4] == [False] * 4
    letters = {**findings, "stereoset_letters": shifted(findings["stereoset_letters"], "share", -0.1)}
    assert [line.model for line in CHECK.lines(letters) if not line.passed] == ["first-letter"]
    quiet = {**findings, "stereoset_coverage": replace(findings["stereoset_coverage"], notes=())}
    assert [line.model for line in CHECK.lines(quiet) if not line.passed] == ["refusing"]


@pytest.mark.slow
def test_that_the_command_reports_lines_and_what_was_asked() -> None:
    told: list[tuple[int, int]] = []
    report = PlannedCheck(CHECK, quick=True, tell=lambda done, of: told.append((done, of))).run()
    assert report.passed
    assert told[-1] == (5 * 16 * 75, 5 * 16 * 75)
    assert "16 items" in report.sentences()[0]
