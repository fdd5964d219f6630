"""Tables of answers for tests, and what is made of them."""

import csv
from collections.abc import Iterable, Sequence
from pathlib import Path

from gpf_desktop.domain.tables import ScoredAnswers
from gpf_desktop.engine.commands.score_command import score_file

CONFORMANCE = Path(__file__).parents[2] / "conformance"
HEADER = ("model", "theme", "question", "response", "judge", "level")


def published(case: str) -> list[Sequence[str]]:
    """The levels of the published study, one case."""
    with (CONFORMANCE / "relbias_scores.csv").open(encoding="utf-8", newline="") as file:
        return [
            (row["model"], row["theme"], row["question"], "", row["judge"], row["score"])
            for row in csv.DictReader(file)
            if row["case"] == case
        ]


def write(path: Path, rows: Iterable[Sequence[object]], header: Sequence[str] = HEADER) -> Path:
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([header, *rows])
    return path


def scored(path: Path, rows: Iterable[Sequence[object]], header: Sequence[str] = HEADER, **given: str) -> ScoredAnswers:
    return score_file("relative-bias", write(path / "answers.csv", rows, header), given)


def records(made: ScoredAnswers, name: str) -> list[dict[str, object]]:
    table = made.tables[name]
    return [dict(zip(table.columns, row, strict=True)) for row in table.rows]
