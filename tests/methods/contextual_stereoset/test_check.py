from collections.abc import Mapping, Sequence
from dataclasses import replace
from operator import neg
from pathlib import Path

import pytest

from gpf_desktop.domain.checks import CheckLine
from gpf_desktop.domain.findings import Finding
from gpf_desktop.engine.commands.headless import Headless
from gpf_desktop.engine.commands.method_check import PlannedCheck
from gpf_desktop.engine.commands.run_command import run_plan
from gpf_desktop.engine.reporting.results_filter import ResultsFilter
from gpf_desktop.engine.rounds.plans import read_plan
from gpf_desktop.methods.contextual_stereoset.check import CHECK, StereoSetCheck, contrast_lines
from tests.support.findings import moved


def failed(findings: Mapping[str, Finding]) -> list[int]:
    return [at for at, line in enumerate(CHECK.lines(findings)) if not line.passed]


@pytest.mark.slow
def test_that_the_check_passes_on_what_is_planted_and_fails_on_anything_else(monkeypatch: pytest.MonkeyPatch) -> None:
    kept: list[Mapping[str, Finding]] = []
    lines = StereoSetCheck.lines

    def keeping(check: StereoSetCheck, findings: Mapping[str, Finding]) -> Sequence[CheckLine]:
        kept.append(findings)
        return lines(check, findings)

    monkeypatch.setattr(StereoSetCheck, "lines", keeping)
    told: list[tuple[int, int]] = []
    report = PlannedCheck(CHECK, quick=True, seed=CHECK.seed, tell=lambda done, of: told.append((done, of))).run()
    assert report.passed
    assert report.seed == CHECK.seed
    assert told[-1] == (8 * 24 * 75 * 4, 8 * 24 * 75 * 4)
    assert "24 items" in report.sentences()[0]
    assert any("„ “, “ ”, ’ and …" in line.must_show for line in report.lines)
    findings = kept[0]
    assert failed(findings) == []
    raised = moved(findings["stereoset_contrasts"], "difference", lambda found: found + 0.3)
    assert failed({**findings, "stereoset_contrasts": raised}) == [0, 1, 2, 3]
    letters = moved(findings["stereoset_letters"], "share", lambda found: found - 0.1)
    assert failed({**findings, "stereoset_letters": letters}) == [5]
    refusals = moved(findings["stereoset_coverage"], "refused", lambda found: found / 2)
    assert failed({**findings, "stereoset_coverage": refusals}) == [6]
    rambling = moved(findings["stereoset_coverage"], "unparsed", lambda found: found / 2)
    assert failed({**findings, "stereoset_coverage": rambling}) == [7]
    quiet = {**findings, "stereoset_coverage": replace(findings["stereoset_coverage"], notes=())}
    assert failed(quiet) == [6]


@pytest.mark.slow
def test_that_each_planted_contrast_fails_when_it_is_turned_round(tmp_path: Path) -> None:
    """Of the whole extent: a quick check's bound of .075 leaves +.05 turned round a chance."""
    with Headless(quiet=True) as headless:
        whole = read_plan(CHECK.plan(tmp_path, quick=False, seed=CHECK.seed), where="check")
        plan = replace(whole, models=whole.models[:1])
        audit = headless.engine.create(tmp_path / "a.gpf", title="check")
        run_plan(headless, audit, plan, beside=tmp_path)
        contrasts = audit.results.findings(ResultsFilter())["stereoset_contrasts"]
    assert [line.passed for line in contrast_lines(contrasts)] == [True] * 4
    turned = moved(contrasts, "difference", neg)
    assert [line.passed for line in contrast_lines(turned)] == [False, False, True, False]
