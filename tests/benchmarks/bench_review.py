"""Opens and scrolls a review queue of many bundles, beside the plain way of doing the same, in the same run.

    python -m tests.benchmarks.bench_review                 100,000 bundles, without answers' texts in most
    python -m tests.benchmarks.bench_review --bundles 20000 --window

The plain way: one SELECT of every row with its scores and states, sorted, and pages by OFFSET; and of a decision about
many bundles: the same decision about one bundle after the other. With *--window* the real page is opened over the same
file: from the click on Review to the first bundle, from one bundle to the next, and with every bundle selected.
"""

import argparse
import statistics
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from gpf_desktop.domain.ids import BundleId
from gpf_desktop.domain.queue_samples import SampleKind, SampleWish
from gpf_desktop.domain.review_queue import QueueFilter, QueueOrder, QueueTab
from gpf_desktop.domain.scores import BUNDLE_SCORES, COUNTERFACTUAL_FRAMING, SEMANTIC_DISPERSION
from gpf_desktop.engine.engine import Engine
from gpf_desktop.engine.review.bulk_service import BulkJob
from gpf_desktop.engine.review.review_reading import read_bundle
from gpf_desktop.storage import bundles, queue
from gpf_desktop.storage.audit_file import AuditFile
from gpf_desktop.storage.writer import Connection
from tests.support.filled_audit import fill

PLAIN = """
SELECT b.id, s.value, x.text, m.model, n.verdict,
    (SELECT count(*) FROM cell c JOIN response p ON p.cell_id = c.id WHERE c.bundle_id = b.id AND p.missing = 'refused')
FROM bundle b JOIN coordinate_set x ON x.id = b.coordinates_id JOIN model m ON m.id = b.model_id
LEFT JOIN score s ON s.setting_id = 1 AND s.unit_id = b.id AND s.unit_kind = 'bundle' AND s.name = 'semantic_dispersion'
LEFT JOIN review_now n ON n.bundle_id = b.id
WHERE b.arm = 'main' ORDER BY s.value DESC
"""


def synthetic(path: Path, bundles: int) -> AuditFile:
    """An audit with real answers in its first 168 bundles, and copies of their rows up to *bundles*."""
    audit = AuditFile.create(path, title="Many bundles")
    fill(
        audit,
        models_asked=("tailoring-0.6", "faulty"),
        families=("Policy / Action", "Impact", "Significance", "Bias Check"),
        items=3,
        repeats=2,
        identity_free=False,
    )
    audit.write(lambda connection: _multiply(connection, bundles)).result()
    return audit


def _multiply(connection: Connection, wanted: int) -> None:
    # Copies differ in their grouping's name, so that they are bundles of their own; scores are moved a little apart.
    connection.execute("CREATE TEMP TABLE original AS SELECT * FROM bundle")
    (have,) = connection.execute("SELECT count(*) FROM original").fetchone()
    (cells,) = connection.execute("SELECT max(id) FROM cell").fetchone()
    for copy in range(1, -(-wanted // have)):
        connection.execute(
            "INSERT INTO bundle SELECT id + :n * :have, run_id, grouping || :n, model_id, item_id, coordinates_id, arm,"
            " planned, fit_group_id FROM original",
            {"n": copy, "have": have},
        )
        connection.execute(
            "INSERT INTO score SELECT setting_id, unit_kind, unit_id + :n * :have, name, value + :n * 1e-7, category,"
            " unavailable, provisional FROM score WHERE unit_id <= :have",
            {"n": copy, "have": have},
        )
        connection.execute(
            "INSERT INTO cell SELECT id + :n * :cells, run_id, bundle_id + :n * :have, model_id, item_id,"
            " coordinates_id, repeat, stage, parent_cell_id, seed, position, state"
            " FROM cell WHERE id <= :cells AND repeat = 0",
            {"n": copy, "have": have, "cells": cells},
        )
        connection.execute(
            "INSERT INTO response (cell_id, text, missing, received_at)"
            " SELECT cell_id + :n * :cells, 'a copy', missing, received_at FROM response"
            " JOIN cell c ON c.id = cell_id WHERE c.id <= :cells AND c.repeat = 0",
            {"n": copy, "cells": cells},
        )


def timed(what: Callable[[], object], times: int = 5) -> float:
    """Median seconds."""
    found = []
    for _ in range(times):
        begin = time.perf_counter()
        what()
        found.append(time.perf_counter() - begin)
    return statistics.median(found)


def compare(audit: AuditFile) -> None:
    setting = 1

    def ids(order: QueueOrder, wanted: QueueFilter | None = None) -> list[BundleId]:
        found = audit.read(lambda c: queue.queue(c, setting, None, wanted or QueueFilter(), order))
        return found.tabs[QueueTab.TO_DO]

    everything = ids(QueueOrder())
    plain = timed(lambda: audit.read(lambda c: c.execute(PLAIN).fetchall()), times=3)
    print(f"{len(everything)} bundles in the queue")
    for name, order in (
        ("by S, refusals first", QueueOrder()),
        ("by CFS, mostly unavailable", QueueOrder(score=COUNTERFACTUAL_FRAMING)),
        ("at random", QueueOrder(seed=7)),
    ):
        ours = timed(lambda order=order: ids(order))  # type: ignore[misc]
        print(f"  open {name:28s} {1000 * ours:7.0f} ms   plain {1000 * plain:7.0f} ms   {plain / ours:5.1f} ×")
    narrowed = QueueFilter(levels=(("dimension", "Religion"), ("family", "Impact")), stratum="identity-relevant")
    print(f"  open narrowed by three fields     {1000 * timed(lambda: ids(QueueOrder(), narrowed)):7.0f} ms")
    middle = len(everything) // 2
    page = everything[middle : middle + 60]
    ours = timed(lambda: audit.read(lambda c: queue.rows(c, setting, None, SEMANTIC_DISPERSION, page)))
    offset = timed(lambda: audit.read(lambda c: c.execute(f"{PLAIN} LIMIT 60 OFFSET {middle}").fetchall()), times=3)
    print(
        f"  a page in the middle              {1000 * ours:7.1f} ms   plain {1000 * offset:7.0f} ms"
        f"   {offset / ours:5.0f} ×"
    )


def read_one(audit: AuditFile) -> None:
    """A bundle as the page reads it ahead, and of that the ways to the same question elsewhere."""
    middle = BundleId(audit.read(lambda c: c.execute("SELECT max(id) / 2 FROM bundle").fetchone()[0]))
    whole = timed(lambda: audit.read(lambda c: read_bundle(c, middle, 1, None)))
    print(f"  read one bundle                   {1000 * whole:7.1f} ms")
    for name, find in (
        ("other models and runs", bundles.same_question),
        ("all news items", bundles.same_question_of_every_item),
        ("the identity-free control", partial(bundles.of_arm, arm="identity-free")),
    ):
        took = timed(lambda find=find: audit.read(lambda c: find(c, middle)))  # type: ignore[misc]
        print(f"    of it {name:28s} {1000 * took:5.1f} ms")


def decide(path: Path) -> None:
    """Samples and decisions about many bundles, through the desk that the window asks."""
    engine = Engine(lambda _event: None)
    service = engine.open(path).reviews
    try:
        for kind in SampleKind:
            wish = SampleWish(kind=kind, size=1000, strata=("dimension",))
            drawn = timed(lambda wish=wish: service.filters.draw(QueueFilter(), QueueOrder(), wish), times=3)  # type: ignore[misc]
            print(f"  draw 1,000, {kind.value:29s} {1000 * drawn:7.0f} ms")
        everything = service.queue(QueueFilter(), QueueOrder()).order
        thousand, hundred = everything[:1000], everything[-100:]
        begin = time.perf_counter()
        for bundle in hundred:
            service.set_flagged(bundle, True).result()
        plain = 10 * (time.perf_counter() - begin)
        for number, bundles in (("1,000", thousand), ("all", everything)):
            begin = time.perf_counter()
            service.bulk.flag(bundles, True, BulkJob(len(bundles))).result()
            ours = time.perf_counter() - begin
            begin = time.perf_counter()
            service.undo().result()
            back = time.perf_counter() - begin
            beside = f"   one by one {1000 * plain:7.0f} ms   {plain / ours:5.1f} ×" if bundles is thousand else ""
            print(f"  flag {number:36s} {1000 * ours:7.0f} ms, undo {1000 * back:.0f} ms{beside}")
    finally:
        engine.close()


def window(path: Path) -> None:
    """Over the real page, offscreen unless QT_QPA_PLATFORM says otherwise."""
    from PySide6.QtCore import QSettings
    from PySide6.QtTest import QTest

    from gpf_desktop.app import Desktop, make_application
    from gpf_desktop.ui.review.review_page import ReviewPage

    application = make_application()
    settings = QSettings(str(path.with_name("window.ini")), QSettings.Format.IniFormat)
    desktop = Desktop(application, settings, Engine)
    try:
        shown = desktop.window
        shown.resize(1920, 1080)
        shown.show()
        desktop.ahead.begin()
        shown.files.open(path)
        while not (shown.status.audit_open and desktop.ahead.done):
            QTest.qWait(5)
        begin = time.perf_counter()
        shown.context.navigator.go("review")
        page = shown.stack.current
        assert isinstance(page, ReviewPage)
        while page.model.reader.reading is None:
            QTest.qWait(1)
        shown.grab()
        print(f"  window: Review with its first bundle  {1000 * (time.perf_counter() - begin):7.0f} ms")
        prepared, stalls = [], []
        for _ in range(12):
            QTest.qWait(400)
            begin, work = time.perf_counter(), time.thread_time()
            page.model.go(1)
            shown.repaint()
            application.processEvents()
            prepared.append(time.perf_counter() - begin)
            stalls.append(time.thread_time() - work)
        print(
            f"  window: the next bundle               {1000 * statistics.median(prepared):7.0f} ms,"
            f" of which {1000 * statistics.median(stalls):.0f} ms are the window's own work"
        )
        begin, work = time.perf_counter(), time.thread_time()
        page.queue.selectAll()
        application.processEvents()
        whole, work = time.perf_counter() - begin, time.thread_time() - work
        print(f"  window: every bundle selected         {1000 * whole:7.0f} ms, of which own work {1000 * work:.0f} ms")
        page.queue.select_bundles(list(page.model.queue.ids(page.model.tab)[:1000]))
        page.model.bulk.flag(True)
        page.model.bulk.confirm()
        longest, begin = 0.0, time.perf_counter()
        while page.model.bulk.job is not None or not desktop.bridge.idle:
            work = time.thread_time()
            application.processEvents()
            longest = max(longest, time.thread_time() - work)
            time.sleep(0.001)
        whole = time.perf_counter() - begin
        print(
            f"  window: 1,000 of them flagged         {1000 * whole:7.0f} ms, longest own work {1000 * longest:.0f} ms"
        )
    finally:
        desktop.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bundles", type=int, default=100_000)
    parser.add_argument("--window", action="store_true")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "many.gpf"
        begin = time.perf_counter()
        audit = synthetic(path, asked.bundles)
        scores = len(BUNDLE_SCORES)
        print(f"made in {time.perf_counter() - begin:.0f} s, with {scores} scores each")
        compare(audit)
        read_one(audit)
        audit.close()
        decide(path)
        if asked.window:
            window(path)


if __name__ == "__main__":
    main()
