"""Times the tables of Results over a large audit, beside the plain way of the same table, in the same run.

    python -m tests.benchmarks.bench_tables                    100,000 bundles
    python -m tests.benchmarks.bench_tables --bundles 20000
    python -m tests.benchmarks.bench_tables --only model_table coverage

Every table is made once before it is measured, so that frames which several tables share are counted for none of them;
what that first time takes is told by itself. Times are of the processor, which a loaded machine does not lengthen.

The plain way of a model table: pandas groups, and for each mean 2,000 resamples of articles drawn one by one.
"""

import argparse
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from gpf_desktop.domain.scores import SEMANTIC_DISPERSION
from gpf_desktop.engine.engine import Engine
from gpf_desktop.engine.reporting.results_filter import ResultsFilter
from gpf_desktop.engine.reporting.results_service import ResultsService
from gpf_desktop.stats.resampling import REPLICATES
from tests.benchmarks import big_store


def plain_means(frame: Any, by: str, score: str, replicates: int) -> dict[str, tuple[float, float, float]]:
    """Mean and bootstrap bounds by group, as one would write them first."""
    draw = np.random.default_rng(1)
    found = {}
    for name, group in frame.groupby(by, observed=True):
        of_article = {article: rows[score].to_numpy() for article, rows in group.groupby("article_id")}
        articles = list(of_article)
        means = []
        for _ in range(replicates):
            chosen = draw.integers(0, len(articles), len(articles))
            means.append(np.concatenate([of_article[articles[place]] for place in chosen]).mean())
        low, high = np.quantile(means, (0.025, 0.975))
        found[str(name)] = (float(group[score].mean()), float(low), float(high))
    return found


def main(argv: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.bench_tables", description=__doc__)
    parser.add_argument("--bundles", type=int, default=100_000)
    parser.add_argument("--only", nargs="+", default=None, metavar="TABLE")
    wanted = parser.parse_args(argv)
    with tempfile.TemporaryDirectory() as folder:
        engine = Engine(lambda _event: None)
        try:
            open_audit = engine.create(Path(folder) / "big.gpf", title="Tables")
            big_store.fill(open_audit.context.audit, wanted.bundles, with_answers=False)
            _measure(open_audit.results, wanted.only)
        finally:
            engine.close()
    return 0


def _taken(service: ResultsService, name: str) -> float:
    begin = time.process_time()
    service.findings(ResultsFilter(), (name,))
    return time.process_time() - begin


def _measure(service: ResultsService, only: Sequence[str] | None) -> None:
    begin = time.process_time()
    results = service.results(ResultsFilter(), ("model_table",))
    print(f"{results.window.bundles} bundles, {results.window.articles} articles, {results.window.models} models")
    print(f"model table with reading the store   {time.process_time() - begin:8.3f} s")
    names = only or [name for name in service.names() if name not in ("identity_profile", "identity_test")]
    begin = time.process_time()
    found = service.findings(ResultsFilter(), names)
    print(f"every table for the first time       {time.process_time() - begin:8.3f} s")
    total = 0.0
    for name in names:
        least = min(_taken(service, name) for _ in range(3))
        total += least
        print(f"{name:22} from kept frames {least:8.3f} s, {len(found[name].rows)} rows")
    print(f"these {len(names):2} tables       from kept frames {total:8.3f} s")
    table = _taken(service, "model_table")
    ours = service.findings(ResultsFilter(), ("model_table",))["model_table"]
    frame = service.frame(ResultsFilter())
    some = 40
    begin = time.process_time()
    plain = plain_means(frame, "model", SEMANTIC_DISPERSION, some)
    plainly = (time.process_time() - begin) * REPLICATES / some
    scores = sum(column.key in ("s", "r", "r_star", "cfs") for column in ours.columns)
    print(f"plain way, one score of {len(plain)} models, by {some} of {REPLICATES} resamples: {plainly:.1f} s")
    print(f"ratio for {scores} scores: {scores * plainly / table:.0f} times as fast")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
