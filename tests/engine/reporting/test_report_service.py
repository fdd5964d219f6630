"""From an audit to one report."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.ids import BundleId
from gpf_desktop.domain.reports import BundleChoice, ReportWishes
from gpf_desktop.domain.reviews import Judgement, Verdict
from gpf_desktop.engine.engine import Engine
from gpf_desktop.engine.open_audit import OpenAudit
from gpf_desktop.engine.reporting.report_facts import shown_address
from gpf_desktop.engine.reporting.results_filter import ResultsFilter
from tests.support.audit_reports import write_report
from tests.support.filled_audit import fill

pytestmark = pytest.mark.slow


@pytest.fixture
def empty(tmp_path) -> Iterator[OpenAudit]:
    engine = Engine(lambda _event: None)
    yield engine.create(tmp_path / "a.gpf", title="Evening news")
    engine.close()


@pytest.fixture
def open_audit(empty) -> OpenAudit:
    fill(empty.context.audit, repeats=2, models_asked=("tailoring-0.6", "faulty"))
    return empty


def test_that_a_report_holds_facts_reading_limits_tables_and_answers(open_audit):
    report = open_audit.reports.report(ReportWishes())
    assert report.title == "Evening news · GPF-LiveNews"
    assert report.all_synthetic
    assert report.reading
    assert any("fewer than ten articles" in limit for limit in report.limits)
    assert any("built-in test models" in limit for limit in report.limits)
    assert [finding.name for finding in report.findings][:3] == [
        "model_table",
        "confirmatory",
        "model_comparison",
    ]
    assert len(report.bundles) == 2
    facts = {fact.name: fact.value for fact in report.facts}
    assert "temperature 0.2" in facts["calibration/faulty (synthetic)"]
    assert "SHA-256" in facts["Protocol"]
    assert "seed 7" in facts["Run “Evening round, 20 Nov”"]
    assert "by words (tf-idf), weighed over each article's main answers" in facts["Scoring"]


def test_that_a_report_says_first_what_is_concluded_whichever_tables_are_left_out(open_audit):
    told = open_audit.results.concluding.page(ResultsFilter())
    assert told is not None
    assert told.lines[0] == "Synthetic: made-up answers of built-in test models. They say nothing about any real model."
    for sections in (None, ("coverage",)):
        assert open_audit.reports.report(ReportWishes(sections=sections)).found == told.lines


def test_that_a_report_tells_what_its_signs_mean(open_audit):
    report = open_audit.reports.report(ReportWishes())
    heads = {column.title for finding in report.findings for column in finding.columns if column.help}
    # Those that mean the same stand together.
    assert heads <= {sign for several, _ in report.signs for sign in (several, *several.split(", "))}
    several = [sign for sign, n in Counter(sign for sign, _ in report.signs).items() if n > 1]
    assert several
    for sign in several:
        meanings = [meaning for each, meaning in report.signs if each == sign]
        assert all(meaning.endswith(")") for meaning in meanings), "each says in which table it means that"


def test_that_quoted_bundles_are_those_that_carry_what_is_concluded_with_every_answer(open_audit):
    report = open_audit.reports.report(ReportWishes(most=2))
    told = open_audit.results.concluding.page(ResultsFilter())
    assert told is not None
    carrying = {bundle for each in told.page.conclusions for bundle in each.bundles}
    assert {bundle.number for bundle in report.bundles} <= carrying
    assert len(report.bundles) == 2
    for bundle in report.bundles:
        assert len(bundle.answers) == bundle.planned
        assert "______" in bundle.question


def test_that_only_wanted_sections_are_in_it(open_audit):
    report = open_audit.reports.report(ReportWishes(sections=("coverage",), bundles=BundleChoice.NONE))
    assert [finding.name for finding in report.findings] == ["coverage"]
    assert report.bundles == ()
    assert report.chosen == ""


def test_that_reviewed_bundles_come_gravest_first_with_what_was_said(open_audit):
    open_audit.reviews.submit(BundleId(1), Judgement(verdict=Verdict.CONTEXT, note="fits")).result()
    open_audit.reviews.submit(BundleId(2), Judgement(verdict=Verdict.HARMFUL, severity=3, note="labels")).result()
    report = open_audit.reports.report(ReportWishes(bundles=BundleChoice.REVIEWED))
    assert [bundle.number for bundle in report.bundles] == [2, 1]
    assert report.bundles[0].reviews[0].note == "labels"
    counts = {fact.name: fact.value for fact in report.review_counts}
    assert counts["Reviewed sets"] == "2"
    assert "Harmful: 1" in counts["Verdicts, each set once"]


def test_that_a_report_without_reviews_says_that_nobody_has_read_the_answers(open_audit):
    counts = open_audit.reports.report(ReportWishes()).review_counts
    assert "none yet" in counts[0].value


def test_that_an_address_of_numbers_keeps_its_brackets():
    assert shown_address("http://[::1]:8000/v1?key=hush") == "http://[::1]:8000/v1"


def test_that_keys_in_an_address_do_not_reach_the_report(open_audit):
    open_audit.context.audit.write(
        lambda c: c.execute(
            "UPDATE run_model SET endpoint = json_set(endpoint, '$.base_url', ?)",
            ("https://user:hush@api.example:8443/v1?key=hush",),
        )
    ).result()
    facts = open_audit.reports.report(ReportWishes()).facts
    assert any("at https://api.example:8443/v1" in fact.value for fact in facts)
    assert not any("hush" in fact.value for fact in facts)


def test_that_progress_is_told_bundle_by_bundle(open_audit):
    told = []
    open_audit.reports.report(ReportWishes(most=3), progress=lambda done, of: told.append((done, of)))
    assert told == [(0, 3), (1, 3), (2, 3)]


def test_that_sections_with_rows_are_offered(open_audit):
    names = [name for name, _ in open_audit.reports.sections()]
    assert "model_table" in names
    assert "coverage" in names


@pytest.mark.parametrize("suffix", ["html", "HTML", "xlsx", "docx"])
def test_that_the_command_writes_the_format_of_the_name(open_audit, tmp_path, suffix):
    target = tmp_path / f"report.{suffix}"
    assert write_report(open_audit, target) == target
    assert target.stat().st_size > 5000


@pytest.mark.parametrize("name", ["report", "report.exe", "report."])
def test_that_an_unknown_format_is_refused_with_those_there_are(open_audit, tmp_path, name):
    with pytest.raises(UserError, match=r"\.html"):
        write_report(open_audit, tmp_path / name)
    assert list(tmp_path.glob("report*")) == []


def test_that_an_audit_without_scores_has_nothing_to_report(empty, tmp_path):
    with pytest.raises(UserError, match="no scores"):
        write_report(empty, Path(tmp_path / "r.html"))
