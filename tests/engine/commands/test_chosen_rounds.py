"""`--round` and `--method` of the commands that tell results."""

import csv
import json
from pathlib import Path

import pytest

from gpf_desktop.cli import main
from gpf_desktop.engine.commands.sample import unpack_sample

pytestmark = pytest.mark.slow


def gpf(*arguments: object) -> int:
    return main([*map(str, arguments)], show_window=lambda _: 99, show_demo=lambda _: 99)


def articles(folder: Path) -> int:
    with (folder / "model_table.csv").open(encoding="utf-8-sig", newline="") as file:
        return max(int(row["s_articles"]) for row in csv.DictReader(file))


def test_that_tables_conclusions_and_reports_are_about_the_rounds_that_are_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    audit = unpack_sample(tmp_path / "Sample audit.gpf")
    assert gpf("tables", audit, "-o", tmp_path / "one", "--format", "csv", "--round", "Sample round 1") == 0
    written = json.loads((tmp_path / "one" / "conclusions.json").read_text(encoding="utf-8"))
    capsys.readouterr()
    assert gpf("conclusions", audit, "--round", "Sample round 1", "--json") == 0
    told = json.loads(capsys.readouterr().out)
    assert told == written
    assert told["window"]["items"] == articles(tmp_path / "one")
    both = ("--round", "Sample round 1", "--round", "Sample round 2", "--method", "gpf-livenews")
    assert gpf("conclusions", audit, *both, "--json") == 0
    two = json.loads(capsys.readouterr().out)
    assert two["window"]["items"] > articles(tmp_path / "one")
    report = tmp_path / "one.html"
    assert gpf("report", audit, "-o", report, "--kind", "brief", "--round", "Sample round 1") == 0
    assert told["headline"] in report.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--round", "Sample round 9"), "no round “Sample round 9”. Its rounds are “"),
        (("--method", "saged"), "no round of “saged”. It has rounds of gpf-livenews."),
    ],
)
def test_that_a_round_or_a_method_that_is_not_there_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], options: tuple[str, ...], said: str
) -> None:
    audit = unpack_sample(tmp_path / "Sample audit.gpf")
    assert gpf("tables", audit, "-o", tmp_path / "none", *options) == 2
    assert said in capsys.readouterr().err
    assert not (tmp_path / "none").exists()
