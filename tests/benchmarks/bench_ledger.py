"""Times the table of a round's calls at 300,000 rows: sorting, filtering, a page; and the window while it shows them.

python -m tests.benchmarks.bench_ledger                  300,000 calls
python -m tests.benchmarks.bench_ledger --calls 30000
python -m tests.benchmarks.bench_ledger --window         the window's own table; its stalls, and its own work in them
"""

import argparse
import random
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from itertools import islice
from pathlib import Path
from statistics import median

from PySide6.QtCore import Qt

from gpf_desktop.domain.ids import ArticleId, CellId, ModelId, RunId
from gpf_desktop.domain.responses import Miss, Missing, Reply, Usage
from gpf_desktop.methods.gpf_livenews.cells import BY_IDENTITY, Condition, Factors
from gpf_desktop.storage import cells, ledger, new_cells, responses
from gpf_desktop.storage.audit_file import AuditFile
from gpf_desktop.storage.ledger import CallFilter, CallOrder, CallState
from gpf_desktop.storage.new_cells import PlannedCell
from gpf_desktop.storage.responses import CellResult
from gpf_desktop.storage.writer import Connection
from tests.storage import rows

IDENTITIES = 7
FAMILIES = 6
_DOWN = Qt.SortOrder.DescendingOrder
_TEXT = "The plan is weighed from where the reader stands. " * 24


def fill(audit: AuditFile, calls: int) -> RunId:
    """One run of so many cells, answered with texts of 1.2 KB, one in fifty missing."""

    def plan(connection: Connection) -> RunId:
        names = [rows.model(connection, f"model-{n}") for n in range(4)]
        articles = [
            rows.article(connection, f"Council decides, part {n}")
            for n in range(-(-calls // (len(names) * IDENTITIES * FAMILIES)))
        ]
        run_id = rows.run(connection, articles_in=articles, models_in=names)
        position = iter(range(calls))
        new_cells.plan(
            connection,
            run_id,
            BY_IDENTITY,
            (
                PlannedCell(
                    model_id=name,
                    article_id=article,
                    answer=Factors(
                        condition=Condition.IDENTITY,
                        dimension="Political",
                        identity=f"identity {identity}",
                        family=f"family {family}",
                    ).planned,
                    seed=1,
                    position=next(position),
                )
                for article, name, family, identity in islice(_grid(articles, names), calls)
            ),
        )
        return run_id

    run_id = audit.write(plan).result()
    ids = list(audit.read(lambda c: ledger.keys(c, run_id, CallFilter())))
    draw = random.Random(3)
    for begin in range(0, len(ids), 5000):
        some = [CellId(each) for each in ids[begin : begin + 5000]]
        landed = [_landed(each, draw) for each in some]

        def write(connection: Connection, landed: list[CellResult] = landed) -> None:
            cells.record_starts(connection, [(each.cell_id, 1) for each in landed])
            responses.save(connection, landed)

        audit.write(write).result()
    return run_id


def _grid(articles: Sequence[ArticleId], names: Sequence[ModelId]) -> Iterator[tuple[ArticleId, ModelId, int, int]]:
    for article in articles:
        for name in names:
            for family in range(FAMILIES):
                for identity in range(IDENTITIES):
                    yield article, name, family, identity


def _landed(cell_id: CellId, draw: random.Random) -> CellResult:
    usage = Usage(prompt=draw.randrange(200, 400), completion=draw.randrange(100, 900))
    outcome: Reply | Miss = Reply(text=_TEXT, usage=usage)
    if draw.random() < 0.02:
        outcome = Miss(reason=Missing.HTTP_ERROR, detail="The server is overloaded.", status=503)
    return CellResult(cell_id=cell_id, attempt=1, outcome=outcome, seconds=draw.expovariate(0.5), microdollars=700.0)


def timed(work: Callable[[], object], times: int = 3) -> float:
    """Median milliseconds."""
    each = []
    for _ in range(times):
        begun = time.perf_counter()
        work()
        each.append(1000 * (time.perf_counter() - begun))
    return median(each)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--calls", type=int, default=300_000)
    parser.add_argument("--window", action="store_true")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="gpf-bench-") as folder:
        path = Path(folder) / "ledger.gpf"
        with closing(AuditFile.create(path, title="Ledger")) as audit:
            begun = time.perf_counter()
            run_id = fill(audit, asked.calls)
            print(
                f"{asked.calls:,} calls, {path.stat().st_size >> 20:,} MB, {time.perf_counter() - begun:.0f} s to fill"
            )
            if not asked.window:
                measure(audit, run_id)
        if asked.window:
            measure_window(path, run_id)


def measure_window(path: Path, run_id: RunId) -> None:
    """Sort by each column, filter and search as a hand would, with a heart that beats on the window's thread."""
    from PySide6.QtCore import QSettings

    from gpf_desktop.app import Desktop, make_application
    from gpf_desktop.engine.engine import Engine
    from gpf_desktop.ui.runs.runs_page import RunsPage
    from tests.benchmarks.bench_window import Heart
    from tests.support.surroundings import use_throwaway_home

    use_throwaway_home()
    settings = QSettings(str(path.with_name("window.ini")), QSettings.Format.IniFormat)
    desktop = Desktop(make_application(), settings, Engine)
    heart, window, idle = Heart(), desktop.window, desktop.bridge

    def turned(name: str, begin: Callable[[], object]) -> None:
        began = time.perf_counter()
        stall = heart.turn(begin, lambda: idle.idle)
        worst = max(range(len(heart.late)), key=heart.late.__getitem__)
        print(
            f"  {name:22} longest stall {1000 * stall:6.1f} ms, of which {1000 * heart.own[worst]:6.1f} ms own work;"
            f" {sum(late > 0.05 for late in heart.late)} over 50 ms; settled after {time.perf_counter() - began:.1f} s"
        )

    window.resize(1440, 900)
    turned("window shown", window.show)
    turned("audit opened", lambda: window.files.open(path))
    turned("page Runs", lambda: window.context.navigator.go("runs"))
    page = window.findChild(RunsPage, "page.runs")
    assert page is not None
    turned("the round", lambda: page.model.show_run(run_id))
    turned("its calls", lambda: window.context.actions.action("run.calls").trigger())
    header = page.calls.table.horizontalHeader()
    for column in range(header.count()):
        turned(f"sorted by column {column}", lambda at=column: page.calls.table.sortByColumn(at, _DOWN))  # type: ignore[misc]
    for state in (CallState.GAPS, CallState.ANSWERED, CallState.AGAIN, None):
        turned(f"only {state or 'all'}", lambda only=state: page.calls.model.narrow(state=only))  # type: ignore[misc]
    for words in ("o", "overloaded", ""):
        turned(f"searched “{words}”", lambda sought=words: page.calls.model.narrow(words=sought))  # type: ignore[misc]
    turned("to the end", page.calls.table.scrollToBottom)
    turned("all selected", page.calls.table.selectAll)
    desktop.close()


def measure(audit: AuditFile, run_id: RunId) -> None:
    for order in CallOrder:
        work = timed(lambda o=order: audit.read(lambda c: ledger.keys(c, run_id, CallFilter(), o)))  # type: ignore[misc]
        print(f"  sorted by {order:12} {work:8.1f} ms")
    for name, wanted in (
        ("gaps", CallFilter(state=CallState.GAPS)),
        ("503", CallFilter(state=Missing.HTTP_ERROR)),
        ("unknown", CallFilter(state=CallState.UNKNOWN)),
        ("asked again", CallFilter(state=CallState.AGAIN)),
        ("words", CallFilter(words="overloaded")),
    ):
        work = timed(lambda w=wanted: audit.read(lambda c: ledger.keys(c, run_id, w)))  # type: ignore[misc]
        print(f"  only {name:17} {work:8.1f} ms")
    ids = audit.read(lambda c: ledger.keys(c, run_id, CallFilter(), CallOrder.SECONDS))
    page = ids[len(ids) // 2 :][:100]
    print(f"  a page of 100 rows     {timed(lambda: audit.read(lambda c: ledger.rows(c, page))):8.1f} ms")


if __name__ == "__main__":
    main()
