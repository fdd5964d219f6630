"""`gpf-desktop write`, with the calibration writers of Relative Bias."""

import json
from pathlib import Path

import pytest

from gpf_desktop import cli
from gpf_desktop.engine.core.protocols import load_protocol

WRITER = "relative-bias-calibration/writer-careless"
WORDS = ("--name", "Ferries", "--domain", "Ferries", "--counts-as-bias", "Praise of their owners.")


def write(*arguments: object) -> int:
    return cli.main(["write", *map(str, arguments)], show_window=lambda _: 1, show_demo=lambda _: 1)


def test_that_a_study_is_written_without_a_window_and_carries_who_wrote_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first, second = tmp_path / "few.yaml", tmp_path / "more.yaml"
    assert write(WRITER, *WORDS, "--themes", 2, "--questions", 1, "-o", first) == 0
    assert "2 questions of 2 themes about Ferries.\n" in capsys.readouterr().out
    assert write(WRITER, "--begin-with", first, "--themes", 2, "--questions", 3, "-o", second, "--json") == 0
    told = json.loads(capsys.readouterr().out)
    assert [each["calls"] for each in told["calls"]] == [2, 2], "careless at first, asked once more"
    study = load_protocol(str(second), method="relative-bias")
    assert [len(theme.questions) for theme in study.themes] == [3, 3]
    assert [each.model for each in study.written] == [WRITER] * 5
    assert study.version == 2


def test_that_what_cannot_be_written_is_said_in_one_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    target = tmp_path / "x.yaml"
    assert write(WRITER, "-o", target) == 2
    assert "“Name of the set” is not given. Add --name." in capsys.readouterr().err
    assert write("x/y", "--method", "saged", "-o", target) == 2
    assert "No model writes what saged asks. Use one of: " in capsys.readouterr().err
    assert write("relative-bias-calibration/plain-a", *WORDS, "-o", target) == 3
    assert "it is not valid JSON. Nothing was written" in capsys.readouterr().err
    assert not target.exists()
