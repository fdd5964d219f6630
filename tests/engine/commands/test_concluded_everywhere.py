"""Every command that prints JSON of an audit carries the same conclusions, and people see them first."""

import json
from pathlib import Path

import pytest

from gpf_desktop.cli import main
from gpf_desktop.engine.commands.sample import unpack_sample

pytestmark = pytest.mark.slow

ANSWERS = Path(__file__).parents[2] / "conformance" / "bundles.json"


def gpf(*arguments: object) -> int:
    return main([*map(str, arguments)], show_window=lambda _: 99, show_demo=lambda _: 99)


@pytest.fixture(scope="module")
def audit(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return unpack_sample(tmp_path_factory.mktemp("sample") / "Sample audit.gpf")


def told(capsys: pytest.CaptureFixture[str], *arguments: object) -> dict[str, object]:
    assert gpf(*arguments, "--json") == 0
    found: dict[str, object] = json.loads(capsys.readouterr().out)
    return found


def test_that_every_command_carries_the_same_conclusions(
    audit: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    concluded = told(capsys, "conclusions", audit)
    assert concluded["headline"]
    assert concluded["conclusions"]
    for arguments in (
        ("demo", audit),
        ("compare", audit, "--models", "calibration/neutral", "calibration/leaky"),
        ("report", audit, "-o", tmp_path / "report.html"),
    ):
        assert told(capsys, *arguments)["conclusions"] == concluded


def test_that_the_demo_tells_its_conclusions_before_everything_else(
    audit: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert gpf("conclusions", audit) == 0
    concluded = capsys.readouterr().out.strip()
    assert gpf("demo", audit, "--no-window") == 0
    assert capsys.readouterr().out.startswith(concluded)


def test_that_a_table_of_scores_says_that_nothing_is_concluded_from_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = json.loads(ANSWERS.read_text(encoding="utf-8"))["rows"]
    (tmp_path / "answers.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    assert gpf("score", tmp_path / "answers.jsonl", "-o", tmp_path / "scores.csv", "--json") == 0
    found = json.loads(capsys.readouterr().out)["conclusions"]
    assert found["headline"] is None
    assert found["conclusions"] == []
    assert "import" in found["why"]
