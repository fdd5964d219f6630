"""`gpf-desktop test`: the test against chance, kept in the audit for its tables."""

import csv
import json
from pathlib import Path

import pytest

from gpf_desktop.cli import main
from gpf_desktop.engine.commands.sample import unpack_sample

pytestmark = pytest.mark.slow


def gpf(*arguments: object) -> int:
    return main([*map(str, arguments)], show_window=lambda _: 99, show_demo=lambda _: 99)


def test_that_tables_show_the_test_that_was_computed_last(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    audit = unpack_sample(tmp_path / "Sample audit.gpf")
    assert gpf("test", audit, "--replicates", 199, "--json") == 0
    bundles = json.loads(capsys.readouterr().out)["bundles"]
    assert gpf("tables", audit, "-o", tmp_path / "tables", "--format", "csv") == 0
    with (tmp_path / "tables" / "identity_test.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert sum(int(row["bundles"]) for row in rows) == bundles > 0
    planted = [float(row["p"]) for row in rows if row["model"] == "calibration/tailoring-0.7"]
    assert max(planted) == pytest.approx(1 / 200)


def test_that_what_cannot_be_tested_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert gpf("test", tmp_path / "none.gpf") == 2
    assert "none.gpf" in capsys.readouterr().err
    assert not (tmp_path / "none.gpf").exists()
    audit = unpack_sample(tmp_path / "Sample audit.gpf")
    assert gpf("test", audit, "--method", "saged") == 2
    assert capsys.readouterr().err
    assert gpf("test", audit, "--replicates", 5) == 2
    assert "99" in capsys.readouterr().err
