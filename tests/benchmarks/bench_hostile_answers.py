"""What hostile answers and headers cost: outcome, memory and time of each, played by a server on loopback.

    python -m tests.benchmarks.bench_hostile_answers
    python -m tests.benchmarks.bench_hostile_answers --only bomb

Each case is asked in a process of its own, whose memory is read from Linux's account of it; *held* is the processor
time between two beats of the event loop at most: as long as that, nothing else could have been done. Bounded: no case
waits longer than its time-out of four seconds (thirty where many are asked at once); all take two minutes on two cores.
"""

import argparse
import asyncio
import json
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from gpf_desktop.domain.cells import Prompt
from gpf_desktop.domain.models import Endpoint, Secret
from gpf_desktop.domain.protocol import Decoding
from gpf_desktop.domain.questions import Question
from gpf_desktop.domain.responses import Miss, Outcome, without_key
from gpf_desktop.domain.wire import WireRequest
from tests.benchmarks.hostile_answers import CASES, KEY, Case
from tests.support.http_server import LoopbackServer, Reply

_TIMEOUT = 4.0
_TIMEOUT_OF_MANY = 30.0
_WARM = "/warm"
"""Path of an honest answer: the first call of all loads what the others need too."""


def main() -> None:
    parser = argparse.ArgumentParser(description="What hostile answers cost")
    parser.add_argument("--only", default="", help="cases with this in their name")
    parser.add_argument("--ask", nargs=3, metavar=("PROVIDER", "ADDRESS", "AT_ONCE"), help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.ask:
        provider, address, at_once = chosen.ask
        sys.stdout.write(json.dumps(asyncio.run(asked(provider, address, int(at_once)))))
        return
    sys.stdout.write(f"{'answer':<42} {'outcome':<44} {'peak MB':>8} {'more MB':>8} {'held ms':>8} {'seconds':>8}\n")
    for line in lines([case for case in CASES if chosen.only in case.name]):
        sys.stdout.write(f"{line}\n")
        sys.stdout.flush()


def lines(cases: list[Case]) -> Iterator[str]:
    with LoopbackServer(record=False) as server:
        for case in cases:
            server.route("/*", case.reply())
            server.route(_WARM, Reply(body="{}"))
            found = _in_a_process(case, server.url())
            numbers = [found.get(name, float("nan")) for name in ("peak", "more", "held", "seconds")]
            shown = " ".join(f"{number:8.1f}" for number in numbers)
            yield f"{case.name:<42} {found['outcome'][:44]:<44} {shown}"


def _in_a_process(case: Case, base: str) -> dict[str, Any]:
    line = [sys.executable, "-m", __spec__.name, "--ask", case.provider, base, str(case.at_once)]
    ran = subprocess.run(line, capture_output=True, text=True, check=False, timeout=120)
    if ran.returncode:
        return {"outcome": f"CRASH {ran.stderr.strip().splitlines()[-1:]}"}
    found: dict[str, Any] = json.loads(ran.stdout)
    return found


async def asked(name: str, base: str, at_once: int) -> dict[str, object]:
    """What became of *at_once* calls of one provider, and what they took."""
    from gpf_desktop.engine.core.catalogue import providers
    from gpf_desktop.engine.models.sending import Sender

    provider = providers()[name]
    prompt = Prompt(system="", user="Why?")
    question = Question(
        prompt=prompt,
        endpoint=Endpoint(provider=name, model="m", base_url=base),
        decoding=Decoding(temperature=1.0),
        seed=None,
    )
    sender = Sender()
    await sender.send(WireRequest(method="GET", url=f"{base}{_WARM}"), _TIMEOUT)
    beat = asyncio.create_task(_beats(held := [0.0]))
    await asyncio.sleep(0.05)
    held[0] = 0.0
    before, begun = _kilobytes("VmRSS"), time.perf_counter()
    calls = [
        provider.ask(question, Secret(KEY), sender.sending(_TIMEOUT if at_once == 1 else _TIMEOUT_OF_MANY))
        for _ in range(at_once)
    ]
    outcomes = [without_key(outcome, Secret(KEY)) for outcome in await asyncio.gather(*calls)]
    seconds = time.perf_counter() - begun
    beat.cancel()
    await sender.aclose()
    peak = _kilobytes("VmHWM")
    return {
        "outcome": "; ".join(sorted({in_words(outcome) for outcome in outcomes})),
        "peak": peak / 1000,
        "more": (peak - before) / 1000,
        "held": held[0] * 1000,
        "seconds": seconds,
    }


async def _beats(held: list[float]) -> None:
    while True:
        before = time.process_time()
        await asyncio.sleep(0)
        held[0] = max(held[0], time.process_time() - before)


def in_words(outcome: Outcome) -> str:
    assert KEY not in repr(outcome)
    json.dumps([outcome.text, outcome.finish, outcome.request_id], ensure_ascii=False).encode()
    if isinstance(outcome, Miss):
        wait = getattr(outcome.retry, "after", None)
        kept = f", {len(outcome.text):,} kept" if outcome.text else ""
        asks = type(outcome.retry).__name__ + (f" {wait:g}" if wait is not None else "")
        return f"{outcome.reason} ({asks}{kept})"
    return f"answer of {len(outcome.text):,}{', cut' if outcome.truncated else ''}"


def _kilobytes(field: str) -> int:
    """Of this process; `getrusage` would count what its parent held when it was started."""
    status = Path("/proc/self/status").read_text()
    return int(status.partition(f"{field}:")[2].split()[0])


if __name__ == "__main__":
    main()
