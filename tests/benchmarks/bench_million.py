"""What a million answers in one audit take: the frames that Home and Results are made from, and the disk by part.

    python -m tests.benchmarks.bench_million AUDIT.gpf                    makes the audit where there is none, 2 GB
    python -m tests.benchmarks.bench_million AUDIT.gpf --bundles 10080    a smaller one

Seconds are of the processor, of this process and its workers; memory is this process's peak. Counts of rounds are made
and kept in the audit the first time, and read from there the second time.
"""

import argparse
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from gpf_desktop.domain.scores import UnitKind
from gpf_desktop.engine.engine import Engine
from gpf_desktop.engine.reporting.conclusions_file import conclusions_document
from gpf_desktop.engine.reporting.results_filter import ResultsFilter
from tests.benchmarks.big_store import fill
from tests.benchmarks.processes import bare_workers, peaks, processor_seconds

_METHOD = "gpf-livenews"
_SHOWN = 8


def make(path: Path, bundles: int) -> None:
    with closing(Engine(lambda _event: None)) as engine:
        fill(engine.create(path, title="A million answers").context.audit, bundles, with_answers=True)


def read(path: Path) -> None:
    """Print what each step takes, in a process that does nothing else."""
    import pandas  # noqa: F401 - its import is start-up

    with closing(Engine(lambda _event: None)) as engine:
        before = processor_seconds()

        def told(what: str, step: Callable[[], object]) -> None:
            nonlocal before
            step()
            used = processor_seconds() - before
            print(f"  {what:24} {used:7.2f} s   at most {peaks()[0]:5.0f} MB", flush=True)
            before = processor_seconds()

        opened = engine.open(path)
        told("open", lambda: None)
        results, wanted = opened.results, ResultsFilter(method=_METHOD)
        tables = results.tables(wanted)
        told(f"scores of each {UnitKind.BUNDLE}", lambda: tables.bundles)
        told("how cells ended", lambda: tables.cells)
        told("what was decided", lambda: tables.decided)
        told("what was said", lambda: tables.said)
        told("conclusions", lambda: conclusions_document(results, wanted))


def parts(path: Path) -> None:
    """Print the largest parts of the file."""
    with closing(sqlite3.connect(path)) as connection:
        (answers,) = connection.execute("SELECT count(*) FROM response").fetchone()
        rows = connection.execute("SELECT name, sum(pgsize) FROM dbstat GROUP BY name ORDER BY 2 DESC").fetchall()
    whole = sum(size for _, size in rows)
    print(f"{answers:,} answers, {whole / 1e6:,.0f} MB, {whole / max(answers, 1):,.0f} bytes an answer:")
    for name, size in rows[:_SHOWN]:
        print(f"  {name:24} {size / max(answers, 1):7.0f} bytes an answer   {size / whole:6.1%}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("audit", type=Path)
    parser.add_argument("--bundles", type=int, default=110_880)
    parser.add_argument("--only-read", action="store_true", help=argparse.SUPPRESS)
    asked = parser.parse_args()
    bare_workers()
    if asked.only_read:
        read(asked.audit)
        return
    if not asked.audit.exists():
        make(asked.audit, asked.bundles)
    parts(asked.audit)
    again = [sys.executable, "-m", "tests.benchmarks.bench_million", str(asked.audit), "--only-read"]
    for when in ("made", "from what is kept"):
        print(f"{when}:", flush=True)
        subprocess.run(again, check=True)


if __name__ == "__main__":
    main()
