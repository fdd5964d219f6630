"""What a Dask cluster costs beside processes of this machine, in the same run: a scheduler and workers on loopback.

python -m tests.benchmarks.bench_cluster                    3,718 bundles by two workers, either way
python -m tests.benchmarks.bench_cluster --bundles 840 --workers 1
"""

import argparse
import time
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory

from gpf_desktop.domain.scores import ScoredChunk
from gpf_desktop.engine.core.cluster_pool import ClusterPool
from gpf_desktop.engine.core.scoring_pool import ScoringPool
from gpf_desktop.engine.core.worker_pool import WorkerPool
from gpf_desktop.methods.gpf_livenews.scorers.gpf import SCORER, GpfOptions
from tests.benchmarks.answers import articles
from tests.benchmarks.bench_scoring import COHORT
from tests.benchmarks.processes import bare_workers
from tests.support.dask_cluster import Cluster

_AT_ONCE = 5
"""Articles in a chunk: some 200 bundles."""


def _scored(pool: WorkerPool, bundles: int) -> tuple[float, list[ScoredChunk]]:
    groups = list(articles(bundles, repeated=0.0))
    begun = time.perf_counter()
    chunks = [groups[first : first + _AT_ONCE] for first in range(0, len(groups), _AT_ONCE)]
    found = [each.result() for each in [pool.submit(SCORER.name, chunk, GpfOptions()) for chunk in chunks]]
    return time.perf_counter() - begun, found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bundles", type=int, default=COHORT)
    parser.add_argument("--workers", type=int, default=2)
    asked = parser.parse_args()
    bare_workers()
    with TemporaryDirectory() as folder, ExitStack() as stack:
        own = stack.enter_context(ScoringPool(asked.workers))
        cluster = Cluster(Path(folder), stack, protocol="tcp")
        cluster.scheduler()
        for _ in range(asked.workers):
            cluster.worker()
        theirs = stack.enter_context(ClusterPool(cluster.address))
        print(f"{asked.bundles} bundles, {asked.workers} workers each way; best of three, in turns")
        for pool in (own, theirs):
            _scored(pool, 42 * _AT_ONCE * 2 * asked.workers)
        times: dict[str, float] = {}
        results = []
        for _ in range(3):
            for name, pool in (("own processes", own), ("a Dask cluster", theirs)):
                seconds, found = _scored(pool, asked.bundles)
                times[name] = min(seconds, times.get(name, seconds))
                results.append(found)
        for name, seconds in times.items():
            print(f"  {name:<16}{seconds:7.2f} s")
        here, there = times.values()
        print(
            f"  a cluster takes {there / here:.2f} times as long; same results: {all(r == results[0] for r in results)}"
        )


if __name__ == "__main__":
    main()
