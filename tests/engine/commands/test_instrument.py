"""The instrument check: passes on the program as it is, and fails where what is planted does not show."""

import io
import json
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import replace
from typing import Any

import pytest

from gpf_desktop.__main__ import main
from gpf_desktop.domain.checks import CheckLine
from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.findings import Estimate, Finding, Interval
from gpf_desktop.domain.ids import RunId
from gpf_desktop.domain.runs import RunProgress, RunState
from gpf_desktop.domain.scores import COUNTERFACTUAL_FRAMING, RELATIVE_FRAMING, TONE_FRAMING
from gpf_desktop.engine.checking import InstrumentReport
from gpf_desktop.engine.methods.gpf_livenews import instrument
from gpf_desktop.engine.methods.gpf_livenews.instrument import QUICK, InstrumentCheck, ended
from gpf_desktop.engine.methods.gpf_livenews.instrument_checks import check_lines
from gpf_desktop.engine.methods.gpf_livenews.instrument_faults import unanswered
from gpf_desktop.engine.methods.gpf_livenews.instrument_means import Checked
from gpf_desktop.methods.gpf_livenews.level_tests import TONE_STRATUM_P

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def asked() -> tuple[InstrumentReport, Checked, dict[str, Any]]:
    """A real check of reduced extent by its command: its report, what its lines were made from, what was printed."""
    reports: list[InstrumentReport] = []
    seen: list[Checked] = []

    def watched(checked: Checked) -> tuple[CheckLine, ...]:
        seen.append(checked)
        return check_lines(checked)

    def kept(check: InstrumentCheck) -> InstrumentReport:
        reports.append(run(check))
        return reports[0]

    run, told, complained = InstrumentCheck.run, io.StringIO(), io.StringIO()
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(told), redirect_stderr(complained):
        patch.setattr(instrument, "check_lines", watched)
        patch.setattr(InstrumentCheck, "run", kept)
        assert main(["check", "--quick", "--json"]) == 0
    assert complained.getvalue() == ""
    return reports[0], seen[0], json.loads(told.getvalue())


@pytest.fixture
def quick(asked: tuple[InstrumentReport, Checked, dict[str, Any]]) -> tuple[InstrumentReport, Checked]:
    return asked[:2]


def failed(checked: Checked) -> list[str]:
    return [f"{line.model}: {line.must_show}" for line in check_lines(checked) if not line.passed]


def test_that_every_line_of_the_methods_table_passes(quick: tuple[InstrumentReport, Checked]) -> None:
    report, _ = quick
    assert report.passed, report.sentences()
    assert len(report.lines) == 37
    assert report.as_dict()["passed"] is True
    assert report.sentences()[-1] == "The test shows what was planted."


def test_that_a_bundle_of_fewer_than_two_answers_need_not_be_scored(quick: tuple[InstrumentReport, Checked]) -> None:
    cells = quick[1].cells["faulty"]
    first = cells[0]
    same = {factor: level for factor, level in first.coordinates if factor != "identity"}
    bundle = [each for each in cells if each.article_key == first.article_key and same.items() <= {*each.coordinates}]
    assert len(bundle) > 2
    refused = [replace(each, missing="refused") if each in bundle[1:] else each for each in cells]
    assert unanswered(refused) == unanswered(cells) + 1
    progress = RunProgress(
        run_id=RunId(1),
        state=RunState.FINISHED,
        planned=9,
        answered=5,
        missing=4,
        bundles_planned=3,
        bundles_scored=2,
        bundles_provisional=0,
        left=None,
        spent=0.0,
        spend_cap=None,
        models=(),
    )
    assert ended([progress], 1).passed
    assert not ended([progress], 0).passed
    assert not ended([replace(progress, missing=3)], 1).passed


def test_that_the_table_is_printed_for_programs(asked: tuple[InstrumentReport, Checked, dict[str, Any]]) -> None:
    table = asked[2]
    assert table["passed"] is True
    assert {line["model"] for line in table["lines"]} >= {
        "calibration/neutral",
        "calibration/tailoring-δ",
        "calibration/tone-δ",
        "calibration/leaky",
        "calibration/faulty",
    }


def test_that_framing_in_neutral_fails_its_line(quick: tuple[InstrumentReport, Checked]) -> None:
    frame = quick[1].frame.copy()
    frame.loc[frame["model"] == "calibration/neutral", COUNTERFACTUAL_FRAMING] += 0.05
    assert "calibration/neutral: what the reader adds: 90% range within 0.04 of 0" in failed(
        replace(quick[1], frame=frame)
    )


def test_that_tone_that_noise_alone_moves_fails_its_lines(quick: tuple[InstrumentReport, Checked]) -> None:
    frame, tests = quick[1].frame.copy(), quick[1].tests.copy()
    frame.loc[frame["model"] == "calibration/neutral", TONE_FRAMING] += 0.2
    tests[TONE_STRATUM_P] = 0.04
    assert failed(replace(quick[1], frame=frame, tests=tests)) == [
        "calibration/neutral: tone the reader adds: 90% range within 0.1 of 0",
        "calibration/neutral: the test against chance finds something in no more rows than chance explains",
        "calibration/tone-δ: tone the reader adds rises with what is planted, from neutral on",
    ]
    tests[TONE_STRATUM_P] = 0.06
    assert failed(replace(quick[1], tests=tests)) == [
        "calibration/tone-δ: the test of tone finds a planted 0.9 in at least 90% of the rows"
    ]


def test_that_framing_that_moves_with_length_and_rounds_counted_twice_fail(
    quick: tuple[InstrumentReport, Checked],
) -> None:
    cut = quick[1].cut.copy()
    cut[RELATIVE_FRAMING] += 0.2
    lines = failed(replace(quick[1], cut=cut))
    assert [line.partition(":")[0] for line in lines] == [
        "calibration/neutral, cut to half",
        "calibration/tailoring-0.5, cut to half",
    ]
    coverage = quick[1].twice["coverage"]
    rows = tuple(replace(row, values={**row.values, "planned": 2 * row.values["planned"]}) for row in coverage.rows)  # type: ignore[operator]
    both = {**quick[1].twice, "coverage": replace(coverage, rows=rows)}
    assert failed(replace(quick[1], twice=both)) == [
        "calibration/tailoring-0.5, asked twice: every count over both rounds is that of one"
    ]


def test_that_cut_answers_are_held_against_whole_ones_of_the_same_questions(
    quick: tuple[InstrumentReport, Checked],
) -> None:
    frame, cut = quick[1].frame.copy(), quick[1].cut.copy()
    kept = ("Impact", "Significance", "Policy / Action")
    for part, moved in ((frame, None), (cut, 1.0)):
        others = ~part["family"].isin(kept) & (part["model"] == "calibration/tailoring-0.5")
        part.loc[others, RELATIVE_FRAMING] = moved
    assert failed(replace(quick[1], frame=frame, cut=cut)) == []


def test_that_tailoring_in_the_wrong_order_fails_its_lines(quick: tuple[InstrumentReport, Checked]) -> None:
    turned = replace(quick[1], deltas=("0.5", "0.1", "0.9"))
    lines = failed(turned)
    assert "calibration/tailoring-δ: how far apart, in words rises with what is planted, from neutral on" in lines
    assert "calibration/tailoring-δ: what the reader adds rises with what is planted, from neutral on" in lines
    assert "calibration/tone-δ: spread of tone rises with what is planted, from neutral on" in lines


def test_that_a_leak_without_its_flag_or_a_flag_without_a_leak_fails(quick: tuple[InstrumentReport, Checked]) -> None:
    cells = list(quick[1].cells["leaky"])
    leaking = next(number for number, cell in enumerate(cells) if any(flag == "leakage" for flag, _ in cell.flags))
    clean = next(number for number, cell in enumerate(cells) if not cell.flags)
    for number, flags in ((leaking, ()), (clean, (("leakage", "Hindu: Hindus"),))):
        changed = [*cells]
        changed[number] = replace(cells[number], flags=flags)
        lines = failed(replace(quick[1], cells={**quick[1].cells, "leaky": changed}))
        assert lines == ["calibration/leaky: the flag “quotes the test” stands at just the planted answers"]


def changed(finding: Finding, change: Callable[[dict[str, object]], dict[str, object]]) -> Finding:
    rows = tuple(
        replace(row, values=change(dict(row.values))) if row.values["model"] == "calibration/faulty" else row  # type: ignore[arg-type]
        for row in finding.rows
    )
    return replace(finding, rows=rows)


def test_that_a_table_that_miscounts_fails(quick: tuple[InstrumentReport, Checked]) -> None:
    findings = dict(quick[1].findings)
    findings["coverage"] = changed(findings["coverage"], lambda values: {**values, "empty": values["empty"] + 1})  # type: ignore[operator]
    assert failed(replace(quick[1], findings=findings)) == [
        "calibration/faulty: the table of answers that came equals what was planted"
    ]
    findings = dict(quick[1].findings)
    refusals = findings["refusals"]
    last = max(place for place, row in enumerate(refusals.rows) if row.values["model"] == "calibration/faulty")
    findings["refusals"] = replace(refusals, rows=(*refusals.rows[:last], *refusals.rows[last + 1 :]))
    assert failed(replace(quick[1], findings=findings)) == [
        "calibration/faulty: the table of what was declined equals what was planted, row by row"
    ]


def test_that_rates_far_from_the_planted_ones_fail_their_line(quick: tuple[InstrumentReport, Checked]) -> None:
    _, checked = quick
    findings = dict(checked.findings)
    related = Estimate(value=0.9, n=10, articles=5, interval=Interval(low=0.8, high=1.0, level=0.95, method="by hand"))
    rows = tuple(replace(row, values={**row.values, "refused": related}) for row in findings["refusals"].rows)
    findings["refusals"] = replace(findings["refusals"], rows=rows)
    assert "calibration/faulty: the 95% ranges of what was declined hold the planted rates" in failed(
        replace(checked, findings=findings)
    )


def test_that_a_failed_line_fails_the_report(quick: tuple[InstrumentReport, Checked]) -> None:
    report, _ = quick
    wrong = replace(report, lines=(*report.lines[:-1], replace(report.lines[-1], passed=False)))
    assert not wrong.passed
    assert wrong.sentences()[-1] == "1 line failed: do not rely on scores."
    assert any(line.startswith("FAIL") for line in wrong.sentences())


def test_that_cancelling_ends_the_check_with_a_sentence() -> None:
    check = InstrumentCheck(QUICK, lambda _done, _of: check.cancel())
    with pytest.raises(UserError, match="cancelled"):
        check.run()
