"""`gpf-desktop compare` on the sample audit."""

import json
from pathlib import Path

import pytest

from gpf_desktop.cli import main
from gpf_desktop.engine.commands.sample import unpack_sample
from tests.support.answer_tables import write_answers

pytestmark = pytest.mark.slow


def gpf(*arguments: object) -> int:
    return main([*map(str, arguments)], show_window=lambda _: 99, show_demo=lambda _: 99)


def test_that_planted_differences_are_found_and_names_are_checked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    audit = unpack_sample(tmp_path / "Sample audit.gpf")
    capsys.readouterr()
    assert gpf("compare", audit, "--models", "tailoring-0.7", "neutral", "--json") == 0
    rows = {row["score"]: row for row in json.loads(capsys.readouterr().out)["rows"]}
    assert rows["what the reader adds"]["outcome"] == rows["share the reader adds"]["outcome"] == "differs"
    assert rows["what the reader adds"]["interval"][0] > 0.1
    two = ("compare", audit, "--models", "calibration/neutral", "calibration/leaky")
    assert gpf(*two, "--margin", "tone_framing=.3") == 0
    assert "too small to matter: 0.3 either way" in capsys.readouterr().out
    assert gpf("compare", audit, "--models", "calibration/neutral", "nobody") == 2
    assert "“nobody”" in capsys.readouterr().err
    assert gpf("compare", audit, "--models", "calibration/neutral", "neutral") == 2
    assert "cannot be compared with itself" in capsys.readouterr().err
    assert gpf(*two, "--margin", "x=1") == 2
    assert "states no margin" in capsys.readouterr().err
    assert gpf("compare", audit, "--rounds", "Sample round 1", "Sample round 2") == 0
    assert "no question was asked of one model on both sides" in capsys.readouterr().out
    assert gpf("compare", audit, "--protocols", "GPF-LiveNews-v1 · version 9", "x") == 2
    assert "among its protocol versions" in capsys.readouterr().err
    bare, table = tmp_path / "bare.gpf", write_answers(tmp_path, "saged")
    gpf("import", table, "--method", "saged", "-o", bare, "--no-scores")
    assert gpf("compare", bare, "--models", "a/x", "b/y") == 2
    assert "bare.gpf holds no scores, so there is nothing to compare." in capsys.readouterr().err
