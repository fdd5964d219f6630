"""A table that cannot be made takes nothing along: it says who failed, and all others stand."""

import csv
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from gpf_desktop import cli
from gpf_desktop.domain import checkpoints
from gpf_desktop.domain.figures import HeatMap
from gpf_desktop.domain.findings import BundleFilter, Finding, Row
from gpf_desktop.domain.options import NoOptions
from gpf_desktop.domain.reports import Report
from gpf_desktop.engine.core import catalogue
from gpf_desktop.engine.engine import Engine
from gpf_desktop.engine.reporting.analysing import failure_words
from gpf_desktop.engine.reporting.results_filter import ResultsFilter
from gpf_desktop.exporters.html import HtmlExporter
from gpf_desktop.storage.audit_file import AuditFile
from tests.engine.exchange.artifacts import doubt
from tests.support.audit_reports import write_report
from tests.support.filled_audit import fill

pytestmark = pytest.mark.slow

METHOD = "gpf-livenews"
SAID = "could not be made"


@pytest.fixture
def audit(tmp_path: Path) -> Path:
    path = tmp_path / "audit.gpf"
    made = AuditFile.create(path, title="Evening news")
    fill(made, repeats=2, models_asked=("tailoring-0.6", "faulty"), dimensions=("Political",))
    made.close()
    return path


@pytest.fixture
def flagged(audit: Path) -> Path:
    """As a round leaves it: what is noticed about answers too was told by the workers."""
    filled = AuditFile.open(audit)
    doubt(filled)
    filled.close()
    engine = Engine(lambda _event: None)
    engine.open(audit).auto_rescoring.settle().result()
    engine.close()
    return audit


def break_(monkeypatch: pytest.MonkeyPatch, name: str, error: BaseException) -> None:
    analysis = catalogue.analysis(name)
    assert analysis is not None

    def analyse(*_: object) -> Finding:
        raise error

    monkeypatch.setattr(type(analysis), "analyse", analyse)


def run(*arguments: object) -> int:
    return cli.main([str(each) for each in arguments], show_window=lambda _: 0, show_demo=lambda _: 0)


ERRORS = (KeyError("level"), ZeroDivisionError(), RecursionError(), OSError("/home/ann/x"))


NAMES = tuple(catalogue.analyses_of(METHOD))
ROWS = [NAMES[at : at + 5] for at in range(0, len(NAMES), 5)]
TOGETHER = [*ROWS, *([row[at] for row in ROWS if at < len(row)] for at in range(5))]
"""Any two of these tables fail together once at most: one that brings down another is seen to in the other half."""


@pytest.mark.parametrize("names", TOGETHER)
def test_that_any_table_may_fail_in_any_way_and_all_others_stand(
    audit: Path, monkeypatch: pytest.MonkeyPatch, expected_log: object, names: Sequence[str]
) -> None:
    for at, name in enumerate(names):
        expected_log(rf"the table {name} could not be made")  # type: ignore[operator]
        break_(monkeypatch, name, ERRORS[at % len(ERRORS)])
    engine = Engine(lambda _event: None)
    try:
        results = engine.open(audit).results
        found = results.findings(ResultsFilter(method=METHOD))
        assert {each.name for each in found.values() if each.failed} == set(names)
        for name in names:
            (row,) = found[name].rows
            (said,) = row.values.values()
            assert SAID in str(said)
            assert name in str(said)
            assert "/home" not in str(said)
        assert sum(bool(each.rows) for each in found.values()) > 3
    finally:
        engine.close()


def test_that_commands_write_all_other_tables_reports_and_artifacts(
    flagged: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, expected_log: object,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    expected_log(r"the table coverage could not be made")  # type: ignore[operator]
    break_(monkeypatch, "coverage", KeyError("batch"))
    assert run("tables", flagged, "--output", tmp_path / "tables") == 0
    with next((tmp_path / "tables").rglob("coverage.csv")).open(encoding="utf-8-sig", newline="") as file:
        header, *rows = csv.reader(file)
    assert header[0] == "note"
    assert [SAID in row[0] for row in rows] == [True]
    assert len([*(tmp_path / "tables").rglob("*.csv")]) > 4
    for suffix in ("html", "docx", "xlsx", "pdf"):
        report = tmp_path / f"report.{suffix}"
        assert run("report", flagged, "--output", report) == 0
        assert report.stat().st_size > 1000
    assert SAID in (tmp_path / "report.html").read_text(encoding="utf-8")
    assert run("artifact", flagged, "--output", tmp_path / "artifact.zip") == 0
    capsys.readouterr()
    run("verify", tmp_path / "artifact.zip")
    (tables,) = [line for line in capsys.readouterr().out.splitlines() if "numbers of tables" in line]
    assert tables.startswith("agrees")


def test_that_what_ends_a_read_is_no_fault_of_a_table(monkeypatch: pytest.MonkeyPatch, audit: Path) -> None:
    class StopError(Exception):
        pass

    def stop() -> None:
        raise StopError

    def analyse(*_: object) -> Finding:
        checkpoints.passed()
        raise AssertionError("it goes on")

    analysis = catalogue.analysis("coverage")
    monkeypatch.setattr(type(analysis), "analyse", analyse)
    engine = Engine(lambda _event: None)
    try:
        results = engine.open(audit).results
        with checkpoints.told_at_checkpoints(stop), pytest.raises(StopError):
            results.findings(ResultsFilter(method=METHOD), ("coverage",))
    finally:
        engine.close()


HEAT = HeatMap(title="Map", down="model", across="nowhere", value="value")


@pytest.mark.parametrize("spoilt", [{"figures": (HEAT,)}, {"rows": (Row(values={}, bundles=BundleFilter()),)}])
def test_that_a_table_that_cannot_be_printed_or_drawn_is_one_that_could_not_be_made(
    audit: Path, monkeypatch: pytest.MonkeyPatch, expected_log: object, spoilt: dict[str, Any]
) -> None:
    expected_log(r"the table coverage could not be made")  # type: ignore[operator]
    analysis = catalogue.analysis("coverage")
    whole = type(analysis).analyse
    monkeypatch.setattr(type(analysis), "analyse", lambda *given: replace(whole(*given), **spoilt))
    engine = Engine(lambda _event: None)
    try:
        open_audit = engine.open(audit)
        found = open_audit.results.findings(ResultsFilter(method=METHOD))
        assert [each.name for each in found.values() if each.failed] == ["coverage"]
        assert SAID in write_report(open_audit, audit.with_name("r.html")).read_text(encoding="utf-8")
    finally:
        engine.close()


def test_that_a_failing_format_of_another_maker_is_named_and_leaves_no_file(
    flagged: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    class Theirs(HtmlExporter):
        def export(self, report: Report, target: Path, options: NoOptions) -> None:
            raise KeyError("page")

    Theirs.__module__ = "gpf_extra.page"
    monkeypatch.setattr(catalogue, "exporters", lambda: {"html": Theirs()})
    target = flagged.with_name("r.html")
    assert run("report", flagged, "--output", target) == 2
    said = capsys.readouterr().err
    assert "the plug-in html (gpf_extra.page) failed (KeyError)" in said
    assert not target.exists()


def test_that_another_makers_plug_in_is_named_as_theirs() -> None:
    class Theirs:
        name = "their_table"

    Theirs.__module__ = "gpf_extra.tables"
    words = failure_words(Theirs(), ValueError())  # type: ignore[arg-type]
    assert "the plug-in their_table (gpf_extra.tables) failed (ValueError)" in words
    assert "uninstall" in words


def test_that_every_table_is_made_where_a_damaged_audit_lost_a_batch(
    audit: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with closing(sqlite3.connect(audit)) as connection, connection:
        connection.execute("PRAGMA foreign_keys = OFF")
        connection.execute("UPDATE batch SET id = id + 1000")
    assert run("tables", audit, "-o", tmp_path / "tables") == 0
    assert SAID not in capsys.readouterr().err
    told = (tmp_path / "tables" / "batch_view.csv").read_text(encoding="utf-8").splitlines()
    assert {row["batch"] for row in csv.DictReader(told)} == {"1"}
