"""What `score` makes of a file without the columns that it asks for: the tables that they would give."""

import csv
import json
from collections.abc import Sequence
from itertools import product
from pathlib import Path

import pytest

from gpf_desktop.cli import main
from tests.engine.scoring.test_score_table import ROWS, write_csv
from tests.methods.relative_bias.tables import HEADER, published, write
from tests.methods.saged.test_file_tables import answers
from tests.support.answer_tables import write_answers

_BLOCKED = '{"choices": [{"message": {"content": ""}, "finish_reason": "content_filter"}]}'


def score(table: Path, out: Path, *given: str) -> int:
    return main(("score", str(table), "-o", str(out), *given), show_window=lambda _: 99, show_demo=lambda _: 99)


def as_one_document(table: Path) -> Path:
    """*table* as other programs save one: a list of objects over several lines."""
    with table.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    document = table.with_suffix(".json")
    document.write_text(json.dumps({"run": {"id": 1, "answers": rows}}, indent=1), "utf-8")
    return document


def levels(folder: Path) -> tuple[Path, tuple[str, ...]]:
    """The published marks of two judges, with a repeat and a mark that could not be read."""
    rows: list[Sequence[str]] = [list(row) for row in published("US")]
    rows[3] = (*rows[3][:5], "")
    return write(folder / "levels.csv", rows, HEADER), ("--method", "relative-bias", "--target", "deepseekR1")


def texts(folder: Path) -> tuple[Path, tuple[str, ...]]:
    rows = [
        (
            model,
            f"theme {number % 3}",
            f"question {number}",
            f"{model} says {number} of rain and snow" * (number % 4),
            "j",
            3,
        )
        for number, model in product(range(9), "abcd")
    ]
    return write(folder / "texts.csv", rows, HEADER), ("--method", "relative-bias", "--target", "a,b")


def choices(folder: Path) -> tuple[Path, tuple[str, ...]]:
    table = write_answers(folder, "contextual-stereoset")
    rows = table.read_text("utf-8").splitlines()[:-1]
    rows[2] = rows[2].rpartition(",")[0] + ',"' + _BLOCKED.replace('"', '""') + '"'
    table.write_text("\n".join(rows), "utf-8")
    return table, ("--method", "contextual-stereoset")


def concepts(folder: Path) -> tuple[Path, tuple[str, ...]]:
    return write_csv(folder / "concepts.csv", answers()), ("--method", "saged", "--clusters", "2", "--normalise", "yes")


def news(folder: Path) -> tuple[Path, tuple[str, ...]]:
    return write_csv(folder / "news.csv", ROWS), ("--framing",)


@pytest.mark.parametrize("made", [levels, texts, choices, concepts, news], ids=lambda made: made.__name__)
def test_that_an_import_gives_the_tables_that_its_columns_give(
    made, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table, given = made(tmp_path)
    outs = [tmp_path / "by columns", tmp_path / "imported"]
    codes = [score(each, out, *given) for each, out in zip((table, as_one_document(table)), outs, strict=True)]
    assert codes[0] == codes[1] < 2
    assert "Read " in capsys.readouterr().out
    files = [sorted(out.iterdir()) if out.is_dir() else [out] for out in outs]
    assert [each.name for each in files[0]] == [each.name for each in files[1]] or len(files[0]) == 1
    for one, other in zip(*files, strict=True):
        # Rows of one (model, article) may stand anywhere.
        assert sorted(one.read_text("utf-8").splitlines()) == sorted(other.read_text("utf-8").splitlines()), one.name
