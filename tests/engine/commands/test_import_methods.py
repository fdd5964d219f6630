"""A table of any method becomes an audit that is reviewed, has results and is reported."""

import json
from collections import Counter
from dataclasses import asdict
from pathlib import Path

import pytest

from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.reports import ReportWishes
from gpf_desktop.domain.review_queue import QueueFilter, QueueOrder, QueueTab
from gpf_desktop.engine.commands.headless import Headless
from gpf_desktop.engine.commands.import_command import import_tables, make_audit
from gpf_desktop.engine.commands.score_command import score_file
from gpf_desktop.engine.core import catalogue, protocols
from gpf_desktop.engine.core.plug_ins import HERE
from gpf_desktop.engine.reporting.results_filter import ResultsFilter
from gpf_desktop.storage import protocols as stored_protocols
from tests.support.answer_tables import METHODS, MODELS, write_answers
from tests.support.packages import install

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("method", METHODS)
def test_that_answers_of_every_method_are_imported_reviewed_and_reported(method: str, tmp_path: Path) -> None:
    assert set(METHODS) == set(catalogue.importers()) == set(catalogue.methods())
    table = write_answers(tmp_path, method)
    with Headless(quiet=True) as headless:
        summary = import_tables(headless, [table], method, {}, tmp_path / "a.gpf")
        assert len(summary.problems) == 1
        assert set(MODELS) <= set(summary.models)
        audit = headless.engine.open_audit
        results = audit.results.results(ResultsFilter())
        assert results.imported == f"Answers imported from {table.name}."
        first = catalogue.method(method).results_order.found[0] if method != "gpf-livenews" else "model_table"
        assert results.findings[first].rows
        queue = audit.reviews.queue(QueueFilter(), QueueOrder()).tabs[QueueTab.TO_DO]
        bundle = audit.reviews.bundle(queue[0])
        assert all(each.answer.text for each in bundle.answers)
        reports = audit.reports
        reports.export(reports.report(ReportWishes()), tmp_path / "r.html")
    page = (tmp_path / "r.html").read_text("utf-8")
    assert catalogue.method(method).title in page
    assert f"Answers imported from {table.name}" in page


def test_that_an_importer_of_a_package_need_not_name_controls(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lab = """
from dataclasses import replace
from gpf_desktop.methods.contextual_stereoset.importing import IMPORTER
from gpf_desktop.methods.contextual_stereoset.method import METHOD

class Method(type(METHOD)):
    name, title = "ours", "Ours"

class Importer(type(IMPORTER)):
    name = "ours"

    def study(self, tables, given, tell):
        return replace(super().study(tables, given, tell), controls=None)

METHOD, IMPORTER = Method(), Importer()
"""
    declared = "[gpf_desktop.methods]\nours = lab:METHOD\n[gpf_desktop.importers]\nours = lab:IMPORTER\n"
    install(tmp_path / "site", "lab", "1", {"lab.py": lab}, declared)
    monkeypatch.syspath_prepend(str(tmp_path / "site"))
    monkeypatch.setattr(HERE, "_found", {})
    monkeypatch.setattr(HERE, "_broken", {})
    make_audit([write_answers(tmp_path, "contextual-stereoset")], "ours", {}, tmp_path / "a.gpf", lambda *_: None)
    ((stored,),) = cells(tmp_path / "a.gpf", "SELECT controls FROM run")
    assert json.loads(str(stored)) == asdict(catalogue.method("contextual-stereoset").no_controls())


def cells(path: Path, query: str) -> list[tuple[object, ...]]:
    with Headless(quiet=True) as headless:
        audit = headless.engine.open(path, read_only=True)
        return audit.context.audit.read(lambda c: c.execute(query).fetchall())


def test_that_choices_of_an_imported_audit_are_those_of_the_scored_table(tmp_path: Path) -> None:
    table = write_answers(tmp_path, "contextual-stereoset")
    table.write_text("\n".join(table.read_text().splitlines()[:-1]) + "\n")
    with Headless(quiet=True) as headless:
        summary = import_tables(headless, [table], "contextual-stereoset", {}, tmp_path / "a.gpf")
    assert "4 items in 4 contexts of year, style; 8 are without context, 0 to a question asked again" in summary.said[0]
    found = cells(tmp_path / "a.gpf", "SELECT category, count(*) FROM score WHERE category IS NOT NULL GROUP BY 1")
    scored = score_file("contextual-stereoset", table, {}).tables["choices.csv"]
    assert dict(found) == Counter(row[-1] for row in scored.rows)


def test_that_features_of_an_imported_audit_are_those_of_the_scored_table(tmp_path: Path) -> None:
    table = write_answers(tmp_path, "saged")
    table.write_text("\n".join(table.read_text().splitlines()[:-1]) + "\n")
    with Headless(quiet=True) as headless:
        import_tables(headless, [table], "saged", {}, tmp_path / "a.gpf")
    made = score_file("saged", table, {}).tables["features.csv"]
    place = made.columns.index("calibrated_feature:tone")
    query = "SELECT value FROM score WHERE name = 'tone_calibrated'"
    assert sorted(value for (value,) in cells(tmp_path / "a.gpf", query)) == pytest.approx(
        sorted(row[place] for row in made.rows)
    )


def test_that_a_root_with_several_prompts_about_a_concept_is_told_apart_and_domains_are_not_mixed(
    tmp_path: Path,
) -> None:
    table = tmp_path / "t.csv"
    head = "domain,concept,root,prompt,model,response\n"
    table.write_text(head + "d,Chad,r,one,m,x\nd,Chad,r,two,m,y\nd,Mali,r,one,m,z\nd,Chad,r,one,m,again\n")
    made = make_audit([table], "saged", {}, tmp_path / "a.gpf", lambda _doing, _done, _of: None)
    assert [(each.item, each.answer.repeat) for each in made.study.answers] == [(0, 0), (1, 0), (0, 0), (0, 1)]
    table.write_text(head + "d,Chad,r,one,m,x\ne,Mali,r,one,m,z\n")
    with pytest.raises(UserError, match="several domains: d, e"):
        make_audit([table], "saged", {}, tmp_path / "b.gpf", lambda _doing, _done, _of: None)
    made = make_audit([table], "saged", {"domain": "e"}, tmp_path / "b.gpf", lambda _doing, _done, _of: None)
    assert [each.why for each in made.study.problems] == ["it is of the domain “d”"]


def test_that_a_study_too_large_for_a_protocol_s_file_is_kept_and_read_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = write_answers(tmp_path, "saged")
    monkeypatch.setattr(protocols, "LARGEST", 1000)
    protocols.frozen_protocol.cache_clear()
    with Headless(quiet=True) as headless:
        import_tables(headless, [table], "saged", {}, tmp_path / "a.gpf")
        audit = headless.engine.open_audit
        (kept,) = audit.context.audit.read(lambda c: stored_protocols.every(c, "saged"))
        read = protocols.frozen_protocol("saged", kept.text)
        assert protocols.protocol_hash(read) == kept.hash
        assert any(finding.rows for finding in audit.results.results(ResultsFilter()).findings.values())
    with pytest.raises(UserError, match="is neither a protocol's file nor its JSON"):
        protocols.kept_protocol(kept.text[:-9], where="a.gpf", method="saged")


def test_that_a_study_too_large_for_an_audit_makes_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    table = write_answers(tmp_path, "saged")
    monkeypatch.setattr(protocols, "LARGEST", 1000)
    monkeypatch.setattr(protocols, "LARGEST_KEPT", 1000)
    with pytest.raises(UserError, match="characters, and an audit holds 1,000"):
        make_audit([table], "saged", {}, tmp_path / "a.gpf", lambda _doing, _done, _of: None)
    assert [path for path in tmp_path.iterdir() if path.name.startswith("a.gpf")] == []
