"""`gpf-desktop check` as a script would call it."""

import json
import subprocess
import sys

import pytest

from gpf_desktop.__main__ import main
from gpf_desktop.domain.checks import CheckLine
from gpf_desktop.engine.commands.instrument import InstrumentCheck, InstrumentReport


def test_that_a_quick_check_passes_and_prints_its_table_for_programs() -> None:
    ran = subprocess.run(
        [sys.executable, "-m", "gpf_desktop", "check", "--quick", "--json"],
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    table = json.loads(ran.stdout)
    assert table["passed"] is True
    assert {line["model"] for line in table["lines"]} >= {
        "calibration/neutral",
        "calibration/tailoring-δ",
        "calibration/tone-δ",
        "calibration/leaky",
        "calibration/faulty",
    }
    assert ran.stderr == ""


def test_that_a_failed_line_is_exit_code_one(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    line = CheckLine(model="calibration/neutral", must_show="CFS near 0", found="CFS +0.1000", passed=False)
    report = InstrumentReport(lines=(line,), articles=1, cells=1, seed=1)
    monkeypatch.setattr(InstrumentCheck, "run", lambda _self: report)
    assert main(["check"]) == 1
    said = capsys.readouterr().out
    assert "FAIL  calibration/neutral" in said
    assert "do not rely on scores" in said
