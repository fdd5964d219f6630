"""A round of 313,000 calls of Contextual StereoSet: planning it, its tables, its queue.

    python -m tests.benchmarks.bench_contexts_at_scale [--items 4229] [--score]

The plan is made from a dev.json; answers (letters) are stored as they would be had they come from a model, and their
choices beside them; with --score the workers make these. Printed: seconds by the clock and
of the processor (all threads), and the peak of memory of the process in MB.
"""

import argparse
import json
import random
import resource
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from gpf_desktop.domain.review_queue import QueueFilter, QueueOrder
from gpf_desktop.engine.commands.headless import Headless
from gpf_desktop.engine.open_audit import OpenAudit
from gpf_desktop.engine.reporting.results_filter import ResultsFilter
from gpf_desktop.engine.rounds.plans import read_plan
from gpf_desktop.engine.schedules.plan_rounds import plan_round
from gpf_desktop.methods.contextual_stereoset.method import METHOD
from gpf_desktop.methods.contextual_stereoset.scorers.choices import SCORER
from gpf_desktop.storage import scores
from gpf_desktop.storage.times import now
from gpf_desktop.storage.writer import Connection
from tests.benchmarks.bench_contextual_stereoset import ITEMS, dev_json

PLAN = """
method = "contextual-stereoset"
protocol = "protocol.yaml"
[[models]]
provider = "stereoset-calibration"
model = "typical"
"""


@contextmanager
def timed(what: str) -> Iterator[None]:
    begun, worked = time.perf_counter(), time.process_time()
    yield
    worked = time.process_time() - worked
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    clock = time.perf_counter() - begun
    print(f"{what:<46} {clock:7.2f} s   processor {worked:7.2f} s   peak {peak:6.0f} MB", flush=True)


def answer(connection: Connection) -> None:
    """A letter for every cell, at random."""
    draw = random.Random(1)
    cells = [row[0] for row in connection.execute("SELECT id FROM cell")]
    connection.executemany(
        "INSERT INTO response (cell_id, text, reasoning, missing, detail, status, finish, truncated, request_id, sent,"
        " seconds, received_at) VALUES (?, ?, '', NULL, '', NULL, 'stop', 0, '', ?, 1.0, ?)",
        ((cell, draw.choice("ABC"), json.dumps({"temperature": 0}), now()) for cell in cells),
    )
    connection.execute("UPDATE cell SET state = 'answered'")
    connection.execute("UPDATE run SET state = 'finished'")
    scores.setting(connection, SCORER.name, SCORER.version, {}, method=METHOD.name, measures=SCORER.measures)


def choose(connection: Connection) -> None:
    """A choice for every answer, and how much each item's moves, at random."""
    setting = scores.primary(connection, METHOD.name)
    connection.execute(
        "INSERT INTO score (setting_id, unit_kind, unit_id, name, category, provisional)"
        " SELECT ?, 'answer', id, 'choice', substr('SSSAAU', 1 + abs(random()) % 6, 1), 0 FROM cell",
        (setting,),
    )
    for name in ("choice_moves", "valid"):
        connection.execute(
            "INSERT INTO score (setting_id, unit_kind, unit_id, name, value, provisional)"
            " SELECT ?, 'bundle', id, ?, abs(random()) % 1000 / 1000.0, 0 FROM bundle",
            (setting, name),
        )
    connection.execute(
        "INSERT INTO score_basis (setting_id, fit_group_id, answers, of_run, provisional)"
        " SELECT ?, id, answers, 0, 0 FROM fit_group",
        (setting,),
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--items", type=int, default=ITEMS)
    parser.add_argument("--score", action="store_true", help="by the workers")
    wanted = parser.parse_args()
    items = wanted.items
    with tempfile.TemporaryDirectory() as place, Headless(quiet=True) as headless:
        folder = Path(place)
        dev_json(folder, items)
        text = METHOD.protocol_files()[METHOD.default_protocol].read_text(encoding="utf-8")
        (folder / "protocol.yaml").write_text(text.replace("items: starter", "items: dev.json"), encoding="utf-8")
        audit = headless.engine.create(folder / "audit.gpf", title="At scale")
        with timed(f"plan of {items * 75:,} calls"):
            plan_round(audit, read_plan(PLAN, where="plan"), beside=folder)
        audit.context.audit.write(answer).result()
        if wanted.score:
            with timed("decode and score all answers"):
                audit.auto_rescoring.look()
                audit.auto_rescoring.settle().result()
        else:
            audit.context.audit.write(choose).result()
        measure(audit)


def measure(audit: OpenAudit) -> None:
    with timed("all tables"):
        found = audit.results.findings(ResultsFilter())
    print("rows:", {name: len(each.rows) for name, each in found.items()})
    with timed("queue"):
        queue = audit.reviews.queue(QueueFilter(), QueueOrder())
    with timed("one item, to read"):
        audit.reviews.bundle(queue.order[len(queue.order) // 2])


if __name__ == "__main__":
    main()
