"""How much of what a server allows is used, on the clock: the pace of rounds beside a plain loop and inspect_ai.

    python -m tests.benchmarks.bench_pace                          all parts, a quarter of an hour on two free cores
    python -m tests.benchmarks.bench_pace --only strangers --inspect PYTHON
                                                                   llmock alone, by inspect_ai too, which that Python
                                                                   has: under six minutes
    python -m tests.benchmarks.bench_pace --only strays --articles 1     a first look at one part

strays     200 a second and 50 ms, of which 0, 1, 4, 10 % are refused with 429 or 503 whatever the pace
limit      1,200 a minute
changes    1,200 a minute, halved after 15 s, and doubled again after 15 s more
burst      for 60 s nothing but 429
strangers  llmock at 3,000 a minute and 250 ms, 4 % of 429 and 3 % of 503
steady     50 ms and 50 in flight, with the window open on the round and without: a share of the ideal, 1,000 a second

The engine stores and scores everything, without its window but for `steady`. Nothing else may run beside it: what is
measured is a clock. The scenarios in virtual time, which no load disturbs, are tests/engine/rounds/test_pace.py.
"""

import argparse
import json
import subprocess
import threading
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from statistics import median
from typing import NamedTuple

import httpx

from tests.benchmarks.bench_rounds import against_ideal, alone, at_a_rate
from tests.benchmarks.rounds_rig import CELLS, Load, Measured, measure_ours, measure_plain, server, stats, stranger

A_SECOND = 200
BETWEEN_CHANGES = 15.0
BURST = 60.0
LONGER = 4
"""Times as many calls, in the longer round of `strays`."""
TICK = 0.5
PARTS = ("strays", "limit", "changes", "burst", "strangers", "steady")
REPEATS = 5
"""Of each way to ask llmock, whose refusals come at random."""
LONGEST = 330.0
"""Seconds that all of them may take."""
STRANGE = ("--rpm", "3000", "--error-rate", "429=0.04", "--error-rate", "503=0.03", "--latency-ms", "250")
Timetable = Sequence[tuple[float, float]]
"""(seconds after the first call, requests a minute from then on)."""


class Asked(NamedTuple):
    """What one way of asking came to."""

    answers: int
    seconds: float
    processor: float
    """Seconds of processor time of the asking process."""


def strays(articles: int) -> None:
    print(f"{A_SECOND} a second; answers a second as a share of what is not refused in any case")
    asked = {
        "ours": (measure_ours, articles),
        "plain": (measure_plain, articles),
        # The waits of the last calls weigh less: what the pace comes to while it lasts.
        "ours, a longer round": (measure_ours, LONGER * articles),
    }
    for status, share in ((429, 0.0), *((status, share) for status in (429, 503) for share in (0.01, 0.04, 0.1))):
        rates = {}
        for name, (measure, many) in asked.items():
            if name == "plain" and status != 429:
                continue
            refusing = ("--refuse", f"{status}={share}", "--requests-per-minute", str(60 * A_SECOND))
            with server("--latency", "0.05", *refusing) as base_url:
                load = Load(base_url=base_url, articles=many, window=False)
                rates[name] = load.calls / alone(measure, load).asked / (A_SECOND * (1 - share))
        shown = "; ".join(f"{name} {rate:.2f}" for name, rate in rates.items())
        print(f"    {share:4.0%} of {status}: {shown}", flush=True)


def followed(articles: int, per_minute: float, changes: Timetable, latency: float) -> list[tuple[float, int, int]]:
    """A round while the server allows more or less: (seconds after the first call, answered, refused), by ticks."""
    seen: list[tuple[float, int, int]] = []
    over = threading.Event()

    def watch(base_url: str) -> None:
        first, ahead = 0.0, list(changes)
        while not over.wait(TICK):
            now = stats(base_url)
            if not first and now["received"]:
                first = time.perf_counter()
            at = time.perf_counter() - first
            if not first:
                continue
            seen.append((at, now["answered"], now["refused"].get("429", 0)))
            while ahead and at >= ahead[0][0]:
                allowed = ahead.pop(0)[1]
                httpx.get(f"{base_url.removesuffix('/v1')}/allow/{allowed:g}", trust_env=False)

    with server("--latency", str(latency), "--requests-per-minute", str(per_minute)) as base_url:
        watching = threading.Thread(target=watch, args=(base_url,), name="allowance")
        watching.start()
        try:
            alone(measure_ours, Load(base_url=base_url, articles=articles, window=False))
        finally:
            over.set()
            watching.join()
    return seen


def used_again(seen: Sequence[tuple[float, int, int]], since: float, until: float, a_second: float) -> str:
    """Seconds after *since* at whose end two went by with nine tenths of *a_second* answered and under 15 % refused."""
    width = round(2 / TICK)
    for (early, answered, refused), (late, more, again) in zip(seen, seen[width:], strict=False):
        won, lost = more - answered, again - refused
        if early >= since and late <= until and won >= 0.9 * a_second * (late - early) and lost < 0.15 * (won + lost):
            return f"{late - since:.0f} s"
    return "not within the part"


def changes(articles: int) -> None:
    halved, doubled = BETWEEN_CHANGES, 2 * BETWEEN_CHANGES
    seen = followed(articles, 1200, ((halved, 600.0), (doubled, 1200.0)), 0.2)
    print("1,200 a minute, halved and doubled again: nine tenths of it used")
    print(f"    halved   after {used_again(seen, halved, doubled, 10)}")
    print(f"    doubled  after {used_again(seen, doubled, seen[-1][0], 20)}", flush=True)


def burst(articles: int) -> None:
    end = 5 + BURST
    seen = followed(articles, 3000, ((5.0, 0.0), (end, 3000.0)), 0.1)
    print(f"{BURST:.0f} s of nothing but 429, of 3,000 a minute: nine tenths of it used")
    print(f"    after {used_again(seen, end, seen[-1][0], 50)}; {seen[-1][2]} refusals in all", flush=True)


def strangers(articles: int, inspect: Path | None) -> None:
    """llmock, which nobody here wrote: in turn, until `REPEATS` are done or another turn would not end in time."""
    ways: dict[str, Callable[[str], Asked]] = {
        "ours": partial(_asked, measure_ours, articles),
        "plain": partial(_asked, measure_plain, articles),
    }
    if inspect is not None:
        ways["inspect"] = partial(_asked_by_inspect, inspect, articles)
    found: dict[str, list[Asked]] = {name: [] for name in ways}
    started = time.perf_counter()
    for turn in range(1, REPEATS + 1):
        for name, ask in ways.items():
            with stranger(18640, *STRANGE) as base_url:
                found[name].append(ask(base_url))
        if (time.perf_counter() - started) * (turn + 1) / turn > LONGEST:
            break
    print(f"llmock at 3,000 a minute and 250 ms, 4 % of 429 and 3 % of 503; {turn} turns, answers a second")
    print("    way      answers    least  median    most    processor, median")
    for name, runs in found.items():
        rates = sorted(run.answers / run.seconds for run in runs)
        processor = median(1000 * run.processor / max(1, run.answers) for run in runs)
        print(
            f"    {name:8} {min(run.answers for run in runs):7,}"
            f" {rates[0]:8.1f}{median(rates):8.1f}{rates[-1]:8.1f} {processor:9.2f} ms an answer",
            flush=True,
        )


def _asked(measure: Callable[[Load], Measured], articles: int, base_url: str) -> Asked:
    load = Load(base_url=base_url, articles=articles, window=False)
    done = alone(measure, load)
    return Asked(load.calls, done.asked, done.processor)


def _asked_by_inspect(python: Path, articles: int, base_url: str) -> Asked:
    script = str(Path(__file__).with_name("inspect_way.py"))
    # Isolated: a PYTHONPATH of this tree is not its own.
    command = [str(python), "-I", script, base_url, str(articles * CELLS)]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=LONGEST)
    found = json.loads(done.stdout.splitlines()[-1])
    return Asked(found["answered"], found["seconds"], found["processor"])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", choices=PARTS, action="append")
    parser.add_argument("--articles", type=int, help=f"of {CELLS} calls each")
    parser.add_argument("--inspect", type=Path, help="a Python with inspect_ai and openai")
    options = parser.parse_args()
    for part in options.only or PARTS:
        match part:
            case "strays":
                strays(options.articles or 3)
            case "limit":
                at_a_rate(1200.0, options.articles or 3)
            case "changes":
                changes(options.articles or 3)
            case "burst":
                burst(options.articles or 3)
            case "strangers":
                strangers(options.articles or 2, options.inspect)
            case "steady":
                for window in (True, False):
                    print("with the window" if window else "without the window")
                    against_ideal(0.05, options.articles or 17, window=window)


if __name__ == "__main__":
    main()
