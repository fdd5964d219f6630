"""Kills `gpf-desktop run` again and again over the shape of every provider's API, and counts what that cost.

    python -m tests.benchmarks.bench_kills                 200 kills, every fourth of them of a round by batch jobs
    python -m tests.benchmarks.bench_kills --kills 20      fewer
    python -m tests.benchmarks.bench_kills --only jobs     of batch jobs alone

A round is killed (SIGKILL) once its server has got a drawn number of further requests, and started again until it ends;
then the next provider's begins. After each kill the file is read as the dead process left it: an answer that was
there before and is not any more, or a fault that SQLite finds, counts. Calls beyond the round's cells are those that
were in flight at a kill.
"""

import argparse
import os
import random
import signal
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic
from typing import Any

from gpf_desktop.engine.collect.source_service import SAMPLE
from tests.support.batch_servers import BatchServer
from tests.support.http_server import LoopbackServer, Reply
from tests.support.provider_servers import DIALECTS, KEY, MODEL, serve

BATCHES = ("anthropic", "gemini", "openai")
LIVE_EVERY = 3
"""Rounds call by call for one by batch jobs."""
SECONDS = 60
"""Without a further request for so long a round is taken to hang."""
QUIET = 5
"""Seconds after its last request after which a round that waits for a provider's job is killed."""
LIVES = 60
"""A round by batch jobs that has not ended after so many is taken to hang."""
PLAN = """
articles_per_source = 1
controls = "none"
spend_cap = 500.0

[[sources]]
file = "{source}"

[[models]]
provider = "{provider}"
model = "{model}"
base_url = "{url}"
key_env = "GPF_TEST_KEY"
price = {{prompt = 1.0, completion = 2.0}}
batch_jobs = {batch_jobs}
"""


@dataclass(slots=True, kw_only=True)
class Tally:
    """Of all rounds of one shape."""

    rounds: int = 0
    kills: int = 0
    answers_lost: int = 0
    damaged: int = 0
    calls: int = 0
    cells: int = 0
    hung: int = 0
    unheld: int = 0
    """Calls of unknown end that are not held against the cap."""

    def words(self, shape: str) -> str:
        return (
            f"{shape:28} {self.rounds:3} rounds {self.kills:4} kills {self.answers_lost:3} answers lost "
            f"{self.damaged:3} files damaged {self.hung:3} hung {self.unheld:3} calls unheld {self.calls:6} calls for "
            f"{self.cells:6} cells"
        )


@contextmanager
def live(provider: str) -> Iterator[LoopbackServer]:
    with LoopbackServer() as server:
        dialect = DIALECTS[provider]
        answer = Reply.of_json(dialect.answer("A plain answer about the bus lanes."))
        serve(server, dialect, replace(answer, delay=0.02))
        # Set-up may ask which models there are.
        server.route(dialect.models_path, Reply.of_json(dialect.models([MODEL, "another-model"])[0]))
        yield server


def command(folder: Path, provider: str, url: str, *, batch_jobs: bool) -> list[str]:
    plan = folder / "plan.toml"
    words = {"source": SAMPLE, "provider": provider, "model": MODEL, "url": url, "batch_jobs": str(batch_jobs).lower()}
    plan.write_text(PLAN.format(**words), encoding="utf-8")
    return [sys.executable, "-m", "gpf_desktop", "run", str(plan), "--audit", str(folder / "a.gpf"), "--json"]


def life(asked: list[str], server: LoopbackServer, requests: int, *, waits: bool) -> int | None:
    """Run until *requests* more have arrived, then kill. None: killed; else the exit code that came first.

    *waits*: it may wait for a job in silence, and is killed then. Raises `TimeoutError` where nothing is asked.
    """
    before = server.received
    with subprocess.Popen(
        asked, env={**os.environ, "GPF_TEST_KEY": KEY}, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as process:
        over = threading.Event()

        def end() -> None:
            process.wait()
            over.set()

        threading.Thread(target=end, daemon=True).start()
        seen, last, hangs = before, monotonic(), False
        while server.received - before < requests and not hangs:
            if over.wait(0.01):
                return process.returncode
            if server.received > seen:
                seen, last = server.received, monotonic()
            if waits and seen > before and monotonic() - last > QUIET:
                break
            hangs = monotonic() - last > SECONDS
        process.send_signal(signal.SIGKILL)
        process.wait()
        if hangs:
            raise TimeoutError
        return None


def answers(audit: Path) -> tuple[dict[int, str], bool]:
    """By cell what is stored, and whether the file is whole."""
    if not audit.exists() or audit.stat().st_size == 0:
        return {}, True
    with closing(sqlite3.connect(audit)) as connection:
        whole = connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        if not connection.execute("SELECT 1 FROM sqlite_schema WHERE name = 'response'").fetchone():
            return {}, whole
        found = connection.execute("SELECT cell_id, text FROM response")
        return dict(found.fetchall()), whole


def unheld(audit: Path) -> int:
    """Calls that nobody saw the end of, and that count for nothing."""
    with closing(sqlite3.connect(audit)) as connection:
        found = connection.execute("SELECT count(*) FROM call WHERE outcome = 'outcome unknown' AND at_most = 0")
        return int(found.fetchone()[0])


def one_round(folder: Path, server: Any, asked: list[str], draw: random.Random, tally: Tally, *, most: int) -> None:
    http = getattr(server, "http", server)
    before: dict[int, str] = {}
    by_jobs = isinstance(server, BatchServer)
    tally.rounds += 1
    for _ in range(LIVES):
        try:
            ended = life(asked, http, draw.randint(1, most), waits=by_jobs)
        except TimeoutError:
            break
        if by_jobs:
            server.advance(300.0)
        now, whole = answers(folder / "a.gpf")
        tally.answers_lost += sum(now.get(cell) != text for cell, text in before.items())
        tally.damaged += not whole
        before = now
        if ended is not None:
            tally.cells += len(now)
            tally.unheld += unheld(folder / "a.gpf")
            return
        tally.kills += 1
    tally.hung += 1


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--seed", type=int, default=20261122)
    parser.add_argument("--only", choices=("live", "jobs"), help="rounds call by call, or by batch jobs")
    given = parser.parse_args()
    draw = random.Random(given.seed)
    tallies: dict[str, Tally] = {}
    number = 0
    while sum(tally.kills for tally in tallies.values()) < given.kills:
        by_jobs = given.only == "jobs" if given.only else number % (LIVE_EVERY + 1) == LIVE_EVERY
        names = [*BATCHES] if by_jobs else [*DIALECTS]
        provider = names[(number // (LIVE_EVERY + 1) if by_jobs and not given.only else number) % len(names)]
        number += 1
        shape = f"{provider}, batch jobs" if by_jobs else provider
        tally = tallies.setdefault(shape, Tally())
        with TemporaryDirectory() as name, BatchServer(provider) if by_jobs else live(provider) as server:
            http = server.http if isinstance(server, BatchServer) else server
            url = http.url(DIALECTS[provider].base_path)
            asked = command(Path(name), provider, url, batch_jobs=by_jobs)
            # A job takes a handful of requests, a round call by call one for each of its cells.
            one_round(Path(name), server, asked, draw, tally, most=4 if by_jobs else 60)
            if not by_jobs:
                tally.calls += http.received
    for shape, tally in tallies.items():
        print(tally.words(shape))
    print(f"{sum(tally.kills for tally in tallies.values())} kills")


if __name__ == "__main__":
    main()
