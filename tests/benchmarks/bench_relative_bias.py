"""Times the findings of a large study of Relative Bias: made, read as they were kept, and the plain way.

    python -m tests.benchmarks.bench_relative_bias                       8 models, 1,000 questions, 2 judges
    python -m tests.benchmarks.bench_relative_bias --questions 2000      to see that nothing grows with their square

Times are of the processor's, in this thread, which a loaded machine lengthens less; every figure is the least of three,
after one that counts for none, since modules are read in it. The plain way: scikit-learn's tf-idf, a distance for each
pair of answers, and scipy's tests of each target with and without each baseline.
"""

import argparse
import random
import tempfile
import time
from collections.abc import Callable
from itertools import combinations
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy import stats
from sklearn.feature_extraction.text import TfidfVectorizer

from gpf_desktop.documents.csv_cells import CsvWriter
from gpf_desktop.engine.commands.headless import Headless
from gpf_desktop.engine.commands.import_command import import_tables
from gpf_desktop.engine.reporting.results_filter import ResultsFilter
from gpf_desktop.methods.relative_bias.analyses import _stored

Floats = NDArray[np.float64]

MODELS, JUDGES, THEMES, WORDS = 8, 2, 20, 150


def write_answers(path: Path, questions: int) -> tuple[list[list[str]], NDArray[np.int64]]:
    """Writes a table with a row for each answer and judge; texts by question and model, levels by judge too."""
    draw = random.Random(1)
    common = [f"word{n}" for n in range(6000)]
    levels = np.random.default_rng(1).integers(1, 11, (JUDGES, questions, MODELS))
    texts: list[list[str]] = []
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = CsvWriter(file)
        writer.row(("model", "theme", "question", "response", "judge", "level"))
        for question in range(questions):
            own = draw.sample(common, 40)
            texts.append(
                [" ".join(draw.choice(draw.choice((own, common))) for _ in range(WORDS)) for _ in range(MODELS)]
            )
            for model, text in enumerate(texts[-1]):
                for judge in range(JUDGES):
                    level = str(levels[judge, question, model])
                    theme, asked = f"theme {question % THEMES}", f"question {question}?"
                    writer.row((f"model-{model}", theme, asked, text, f"judge-{judge}", level))
    return texts, levels


def plain(texts: list[list[str]], levels: NDArray[np.int64]) -> None:
    """Distances of all pairs, and each model against the others, with and without each of them."""
    rows = TfidfVectorizer().fit_transform([text for of_question in texts for text in of_question])
    distances = np.zeros((len(texts), MODELS, MODELS))
    for question in range(len(texts)):
        for one, other in combinations(range(MODELS), 2):
            first, second = rows[question * MODELS + one], rows[question * MODELS + other]
            distances[question, one, other] = distances[question, other, one] = 1 - (first @ second.T).sum()
    for target in range(MODELS):
        for left_out in (None, *(model for model in range(MODELS) if model != target)):
            among = [model for model in range(MODELS) if model not in (target, left_out)]
            apart = np.stack(
                [
                    distances[:, each][:, [m for m in (target, *among) if m != each]].mean(axis=1)
                    for each in (target, *among)
                ],
                axis=1,
            )
            for values in (apart, *(level[:, [target, *among]].astype(float) for level in levels)):
                margin = 2.81 * values[:, 1:].mean(axis=0).std(ddof=1)
                for shift, side in ((margin, "greater"), (-margin, "less")):
                    stats.ttest_ind(values[:, 0] + shift, values[:, 1:].ravel(), equal_var=False, alternative=side)


def least(do: Callable[[], object]) -> float:
    times = []
    for _ in range(4):
        start = time.thread_time()
        do()
        times.append(time.thread_time() - start)
    return min(times[1:])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--questions", type=int, default=1000)
    questions = parser.parse_args().questions
    with tempfile.TemporaryDirectory() as folder, Headless(quiet=True) as headless:
        table, audit = Path(folder) / "answers.csv", Path(folder) / "study.gpf"
        texts, levels = write_answers(table, questions)
        import_tables(headless, [table], "relative-bias", {}, audit)
        results = headless.engine.open_audit.results
        # Those that are made when a reader asks for them stand on the page without their numbers.
        names = [name for name in results.names() if name not in ("relative_bias_map", "relative_bias_every_target")]

        def kept() -> None:
            results.forget()
            results.results(ResultsFilter(), names)

        def made() -> None:
            _stored._KEPT.clear()
            headless.engine.open_audit.context.audit.write(
                lambda connection: connection.execute("UPDATE fit_group SET changes = changes + 1")
            ).result()
            kept()

        taken = {"made": least(made), "kept": least(kept), "plain": least(lambda: plain(texts, levels))}
    print(f"{MODELS} models, {questions:,} questions, {JUDGES} judges: {MODELS * questions:,} answers")
    for name, seconds in taken.items():
        print(f"  {name:6s} {1000 * seconds:6.0f} ms   {taken['plain'] / seconds:5.1f} × as fast as the plain way")


if __name__ == "__main__":
    main()
