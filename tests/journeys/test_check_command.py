"""`gpf-desktop check` as a script would call it."""

from pathlib import Path
from xml.etree import ElementTree

import pytest

from gpf_desktop.__main__ import main
from gpf_desktop.domain.checks import CheckLine
from gpf_desktop.domain.ladders import Ladder, Rung
from gpf_desktop.engine.checking import InstrumentReport
from gpf_desktop.engine.methods.gpf_livenews.instrument import InstrumentCheck


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
    assert "now and then" not in said
    assert main(["check", "--seed", "1"]) == 1
    assert "fails a line now and then" in capsys.readouterr().out


def test_that_the_ladder_of_power_is_drawn_to_a_file_and_a_folder_that_is_not_there_refused_at_once(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    line = CheckLine(model="calibration/neutral", must_show="CFS near 0", found="CFS +0.0010", passed=True)
    ladder = Ladder(
        title="Found by <meaning>", rungs=(Rung(delta=0.02, found=16, of=41), Rung(delta=0.9, found=0, of=0))
    )
    report = InstrumentReport(lines=(line,), articles=1, cells=1, seed=1, ladders=(ladder,))
    monkeypatch.setattr(InstrumentCheck, "run", lambda _self: report)
    assert main(["check", "--picture", str(tmp_path / "ladder.svg")]) == 0
    drawing = ElementTree.fromstring((tmp_path / "ladder.svg").read_text(encoding="utf-8"))
    said = [each.text for each in drawing.iter("{http://www.w3.org/2000/svg}text")]
    assert {"Found by <meaning>", "16 of 41", "δ 0.02", "δ 0.9"} <= set(said)
    assert len(list(drawing.iter("{http://www.w3.org/2000/svg}circle"))) == 1, "a rung without strata has no dot"
    monkeypatch.setattr(InstrumentCheck, "run", lambda _self: pytest.fail("asked before the folder was looked at"))
    assert main(["check", "--picture", str(tmp_path / "no" / "ladder.svg")]) == 2
    assert "There is no folder" in capsys.readouterr().err
