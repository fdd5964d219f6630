"""Times the store at the size that the program is meant for, and scoring streamed from it.

    python -m tests.benchmarks.bench_store                       100,000 bundles: queries on their scores
    python -m tests.benchmarks.bench_store --stream              and scoring all their answers again, with peak memory
    python -m tests.benchmarks.bench_store --bundles 20000 --keep DIR    another size, the audit kept in DIR

Queries are given as the median of several, each beside the same query as one would write it first.
"""

import argparse
import resource
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path
from statistics import median

from gpf_desktop.domain.review_queue import QueueFilter, QueueOrder
from gpf_desktop.domain.scores import SEMANTIC_DISPERSION, UnitKind
from gpf_desktop.engine.engine import Engine
from gpf_desktop.engine.open_audit import OpenAudit
from gpf_desktop.engine.reporting.results_filter import ResultsFilter
from gpf_desktop.methods.gpf_livenews.scorers.gpf import GpfOptions
from gpf_desktop.storage import queue, scores
from gpf_desktop.storage.writer import Connection
from tests.benchmarks.big_store import fill, sizes
from tests.benchmarks.processes import bare_workers, peaks, processor_seconds

TOP = 200


def timed(work: Callable[[], object], times: int = 7) -> float:
    """Median milliseconds."""
    each = []
    for _ in range(times):
        begun = time.perf_counter()
        work()
        each.append(1000 * (time.perf_counter() - begun))
    return median(each)


def megabytes(who: int) -> float:
    """Peak resident memory; ru_maxrss is in KB, on macOS in bytes."""
    return resource.getrusage(who).ru_maxrss / (1 << 20 if sys.platform == "darwin" else 1 << 10)


def _unindexed(connection: Connection, setting_id: int) -> list[tuple[object, ...]]:
    """The same bundles without the index: a scan of every score."""
    return connection.execute(
        "SELECT unit_id, value FROM score NOT INDEXED WHERE +setting_id = ? AND +unit_kind = ? AND +name = ?"
        " AND value IS NOT NULL ORDER BY value DESC, unit_id LIMIT ?",
        (setting_id, UnitKind.BUNDLE, SEMANTIC_DISPERSION, TOP),
    ).fetchall()


def queries(open_audit: OpenAudit) -> None:
    read = open_audit.context.audit.read
    setting_id = read(scores.primary)
    plain = timed(lambda: read(lambda c: _unindexed(c, setting_id)), 3)
    top = timed(lambda: read(lambda c: scores.highest(c, setting_id, SEMANTIC_DISPERSION, TOP)))
    print(f"  top {TOP} bundles by score              {top:8.1f} ms   by a scan {plain:8.1f} ms")
    page = timed(lambda: read(lambda c: _page(c, setting_id)))
    print(f"  with everything their queue rows show  {page:8.1f} ms")
    order = QueueOrder(score=SEMANTIC_DISPERSION)
    whole = timed(lambda: read(lambda c: queue.queue(c, setting_id, None, QueueFilter(), order)), 3)
    print(f"  the whole review queue in order        {whole:8.1f} ms")
    _tables(open_audit)


def _tables(open_audit: OpenAudit) -> None:
    """A table from frames in memory; after scores changed; and from rows that were never read into a table before."""

    def cold(name: str) -> None:
        open_audit.results.forget()
        open_audit.results.findings(ResultsFilter(), (name,))

    def rows_only(name: str) -> None:
        open_audit.context.audit.write(lambda c: c.execute("DELETE FROM run_table")).result()
        cold(name)

    import pandas  # noqa: F401 - its import is start-up

    for name in ("model_table", "vendor_summary", "interaction"):
        rows = timed(partial(rows_only, name), 3)
        open_audit.context.audit.write(lambda _c: None).result()
        first = timed(partial(cold, name))
        again = timed(lambda name=name: open_audit.results.findings(ResultsFilter(), (name,)))  # type: ignore[misc]
        print(f"  {name:38s} {again:8.1f} ms   read from the file {first:8.1f} ms   the very first time {rows:8.1f} ms")


def _page(connection: Connection, setting_id: int) -> list[object]:
    ids = [bundle for bundle, _ in scores.highest(connection, setting_id, SEMANTIC_DISPERSION, TOP)]
    return list(queue.rows(connection, setting_id, None, SEMANTIC_DISPERSION, ids))


def stream(open_audit: OpenAudit, run_ids: list[int]) -> None:
    """Scores growing heads of the audit again; each under a setting of its own, so that nothing is overwritten."""
    warm = GpfOptions(rarefy=2)
    for head, bundles in sizes(run_ids, open_audit.context.audit):  # type: ignore[arg-type]
        if warm.rarefy == 2:
            open_audit.rescoring.start("gpf", warm, head[:1], method="gpf-livenews").result()
        begun, used = time.perf_counter(), processor_seconds()
        open_audit.rescoring.start("gpf", GpfOptions(rarefy=3 + len(head) % 2), head, method="gpf-livenews").result()
        seconds, used = time.perf_counter() - begun, processor_seconds() - used
        memory = f"{' + '.join(f'{each:.0f}' for each in peaks())} = {sum(peaks()):.0f} MB"
        print(
            f"  {bundles:7,d} bundles scored from the store in {seconds:6.1f} s, {1000 * seconds / bundles:6.3f} ms a"
            f" bundle, {1000 * used / bundles:6.3f} ms of processor; peak memory {memory}",
            flush=True,
        )


@contextmanager
def _folder(kept: Path | None) -> Iterator[Path]:
    if kept is not None:
        kept.mkdir(parents=True, exist_ok=True)
        yield kept
        return
    with tempfile.TemporaryDirectory(prefix="gpf-bench-") as made:
        yield Path(made)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bundles", type=int, default=100_000)
    parser.add_argument("--stream", action="store_true", help="store answers too, and score them again")
    parser.add_argument("--keep", type=Path, help="keep the audit in this folder and use it again the next time")
    asked = parser.parse_args()
    bare_workers()
    with _folder(asked.keep) as folder, closing(Engine(lambda _event: None)) as engine:
        path = folder / f"big-{asked.bundles}-{'answers' if asked.stream else 'scores'}.gpf"
        begun = time.perf_counter()
        if path.exists():
            open_audit = engine.open(path)
            run_ids = sorted(int(run.id) for run in open_audit.rounds.runs())
        else:
            open_audit = engine.create(path, title="Big audit")
            run_ids = [
                int(run_id) for run_id in fill(open_audit.context.audit, asked.bundles, with_answers=asked.stream)
            ]
        print(
            f"{asked.bundles:,} bundles, {path.stat().st_size >> 20:,} MB, ready in {time.perf_counter() - begun:.0f} s"
        )
        queries(open_audit)
        if asked.stream:
            stream(open_audit, run_ids)
    if asked.stream:
        print(f"  peak memory of the largest process of all {megabytes(resource.RUSAGE_CHILDREN):.0f} MB")


if __name__ == "__main__":
    main()
