"""The 54 numbers of the published case studies, printed by their authors, come out of an import and its tables.

The authors' answers are not ours to ship. Synthetic studies stand for them: files of the authors' shape whose levels
and vectors have the counts, means and variances of theirs, which is all that the numbers follow from. Where
`GPF_RELBIAS` names a copy of github.com/Alireza-Zwolf/RelBias, the authors' own files are imported as well.
"""

import csv
import json
import os
from collections.abc import Mapping, Sequence
from itertools import groupby
from pathlib import Path
from shutil import copy

import numpy as np
import pytest

from gpf_desktop import cli
from gpf_desktop.arrays import Floats
from tests.methods.relative_bias.tables import CONFORMANCE

ENCODER = "instructor"
CASES = {
    case: {test["score"]: test for test in tests}
    for case, tests in groupby(
        sorted(
            json.loads((CONFORMANCE / "relbias_printed.json").read_text(encoding="utf-8"))["tests"],
            key=lambda test: str(test["case"]),
        ),
        key=lambda test: str(test["case"]),
    )
}
CHINA_BY_VECTORS = ("China", ENCODER)
"""Printed in the paper alone, rounded."""
FOLDER = os.environ.get("GPF_RELBIAS", "")
THEIR_FOLDERS = {"China": "CaseStudy1_China", "US": "CaseStudy2_US", "Meta": "CaseStudy3_Meta"}
THEIR_TARGETS = {"China": "DeepSeek", "US": "DeepSeek", "Meta": "Meta"}


def run(*arguments: object) -> int:
    def show(_audit: Path | None) -> int:
        raise AssertionError("a window was shown")

    return cli.main([str(argument) for argument in arguments], show_window=show, show_demo=show)


def levels(n: int, total: int, squares: int) -> list[int]:
    """*n* levels from 1 to 10 of that sum and that sum of squares."""
    found = [total // n + (place < total % n) for place in range(n)]
    while lacking := squares - sum(level * level for level in found):
        present = sorted(set(found))
        # Moving two levels apart by one each keeps their sum and adds twice their distance and 2 to their squares.
        low, high = max(
            (
                (low, high)
                for low in present
                for high in present
                if low <= high and low > 1 and high < 10 and 2 * (high - low) + 2 <= lacking
                if low < high or found.count(low) > 1
            ),
            key=lambda pair: pair[1] - pair[0],
        )
        found[found.index(low)] -= 1
        found[len(found) - 1 - found[::-1].index(high)] += 1
    return found


def spread(n: int, mean: float, deviation: float) -> Floats:
    """*n* numbers of that mean and standard deviation, half of them below it."""
    around = np.sign(np.arange(n) - n / 2 + 0.25)
    made: Floats = mean + deviation * (around - around.mean()) / around.std(ddof=1)
    return made


def vectors(distances: Floats) -> Floats:
    """A unit vector (row) for each answer, whose mean distance to the others is the one in *distances* (k,).

    The distance of two answers is the sum of a share of each; a share follows from the means of all.
    """
    k, whole = len(distances), distances.sum() / 2
    share = ((k - 1) * distances - whole) / (k - 2)
    return np.linalg.cholesky(1 - np.add.outer(share, share) + np.diag(2 * share))


def write_study(folder: Path, tests: Mapping[str, Mapping[str, object]]) -> Path:
    """A folder of one file a model, as the authors' folders are, for the judges and the encoder among *tests*."""
    told: dict[str, dict[str, Sequence[float]]] = {
        score: {
            model: spread(*numbers).tolist() if score == ENCODER else levels(*numbers)
            for model, numbers in test["models"].items()  # type: ignore[attr-defined]
        }
        for score, test in tests.items()
    }
    judges = [score for score in tests if score != ENCODER]
    models = list(told[ENCODER])
    questions = max(map(len, told[ENCODER].values()))
    cells: dict[tuple[str, int], str] = {}
    for question in range(questions):
        there = [model for model in models if question < len(told[ENCODER][model])]
        made = vectors(np.array([told[ENCODER][model][question] for model in there], float))
        # An encoder's vectors are all of one length.
        made = np.pad(made, ((0, 0), (0, len(models) - len(there))))
        cells |= {(model, question): json.dumps(row.tolist()) for model, row in zip(there, made, strict=True)}
    folder.mkdir()
    marks = [name for judge in judges for name in (f"Bias Score (Judged by {judge})", "Explanation")]
    for model in models:
        with (folder / f"{model}_bias_evaluated.csv").open("w", encoding="utf-8", newline="") as file:
            out = csv.writer(file)
            out.writerow(["Theme", "Description", "Question", f"{model}_Response", *marks, f"embedding ({ENCODER})"])
            for question in range(questions):
                theme = f"Theme {question // 10 + 1}"
                given = [cell for judge in judges for cell in (told[judge][model][question], "So it reads.")]
                answer = f"{model} on question {question + 1}."
                row = [theme, "", f"{theme}, question {question + 1}?", answer, *given]
                out.writerow([*row, cells.get((model, question), "")])
    return folder


def welch_rows(audit: Path, folder: Path) -> dict[str, dict[str, str]]:
    """The rows of Welch's test in the tables of *audit*, by score."""
    assert run("tables", audit, "-o", folder, "--format", "csv") == 0
    with (folder / "relative_bias_tests.csv").open(encoding="utf-8", newline="") as file:
        return {row["score"]: row for row in csv.DictReader(file) if row["test"] == "Welch"}


def compared(case: str, score: str, found: Mapping[str, Mapping[str, str]]) -> int:
    """How many numbers of the printed test are those of the row of *found* about *score*; fails where one is not."""
    (row,) = [row for name, row in found.items() if score in name]
    printed = CASES[case][score]["printed"]
    for column, number in printed.items():
        if (case, score) == CHINA_BY_VECTORS:
            tolerance = {"df": 5e-3, "t_lower": 5e-3, "t_upper": 5e-3}.get(column, 5e-5)
            assert float(row[column]) == pytest.approx(number, abs=tolerance), (case, score, column)
        else:
            # Vectors are kept in single precision; levels are whole.
            rel = 1e-6 if score == ENCODER else 1e-12
            assert float(row[column]) == pytest.approx(number, rel=rel), (case, score, column)
    return len(printed)


def test_that_54_numbers_are_held() -> None:
    assert sum(len(test["printed"]) for tests in CASES.values() for test in tests.values()) == 54


@pytest.mark.parametrize("case", CASES)
def test_that_an_import_has_every_number_that_a_published_case_study_prints(case: str, tmp_path: Path) -> None:
    study = write_study(tmp_path / case, CASES[case])
    target = CASES[case][ENCODER]["target"]
    audit = tmp_path / "study.gpf"
    assert run("import", study, "--method", "relative-bias", "--target", target, "-o", audit, "--no-scores") == 0
    found = welch_rows(audit, tmp_path / "tables")
    assert sum(compared(case, score, found) for score in CASES[case]) == 18


@pytest.mark.skipif(not FOLDER, reason="GPF_RELBIAS names no copy of the authors' repository")
@pytest.mark.parametrize("case", CASES)
def test_that_the_authors_own_files_have_every_number_that_they_print(case: str, tmp_path: Path) -> None:
    counted = 0
    for part, scores in {
        "csv_files/judged_responses": [score for score in CASES[case] if score != ENCODER],
        "json_embeddings": [ENCODER],
    }.items():
        theirs, mine = Path(FOLDER, part, THEIR_FOLDERS[case]), tmp_path / Path(part).name
        mine.mkdir()
        for each in theirs.iterdir():
            if each.suffix in {".csv", ".json"} and not each.name.startswith("llama3"):
                copy(each, mine)
        audit = tmp_path / f"{mine.name}.gpf"
        options = ("--method", "relative-bias", "--target", THEIR_TARGETS[case], "--encoder", ENCODER)
        assert run("import", mine, *options, "-o", audit, "--no-scores") in {0, 1}
        found = welch_rows(audit, tmp_path / f"{mine.name}_tables")
        counted += sum(compared(case, score, found) for score in scores)
    assert counted == 18
