"""Asks whole rounds of a loopback server, beside a plain asyncio and httpx loop and beside the ideal.

    python -m tests.benchmarks.bench_rounds                     the three below, some minutes
    python -m tests.benchmarks.bench_rounds --only slow         500 ms an answer, 50 in flight
    python -m tests.benchmarks.bench_rounds --only fast         50 ms an answer, 50 in flight
    python -m tests.benchmarks.bench_rounds --only rate         a server that allows 1,200 requests a minute
    python -m tests.benchmarks.bench_rounds --only memory       100,000 calls

Ours stores and scores everything, with the window open on the Runs page; the plain loop only keeps the answers. The
ideal is calls × latency / in flight. Server, plain loop and program each run in a process of their own.
"""

import argparse
import multiprocessing
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from typing import TypeVar

from tests.benchmarks.rounds_rig import CELLS, Load, Measured, measure_ours, measure_plain, server, stats

T = TypeVar("T")

IN_FLIGHT = 50


def alone(measure: Callable[[Load], Measured], load: Load) -> Measured:
    """*measure* in a fresh process."""
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
        return pool.submit(measure, load).result()


def against_ideal(latency: float, articles: int, *, window: bool) -> None:
    ideal = articles * CELLS * latency / IN_FLIGHT
    with server("--latency", str(latency)) as base_url:
        load = Load(base_url=base_url, articles=articles, in_flight=IN_FLIGHT, window=window)
        ours = alone(measure_ours, load)
        plain = alone(measure_plain, load)
    print(f"{load.calls:,} calls at {latency * 1000:.0f} ms, {IN_FLIGHT} in flight: ideal {ideal:.2f} s")
    print(
        f"    ours   {ours.seconds:7.2f} s, {ideal / ours.seconds:.2f} of the ideal"
        f" (last answer stored after {ours.asked:.2f} s), everything stored and scored"
    )
    print(f"    plain  {plain.seconds:7.2f} s, {ideal / plain.seconds:.2f} of the ideal, nothing stored")
    print(
        f"    processor time per call: ours {1000 * ours.processor / load.calls:.2f} ms"
        f" + {1000 * ours.workers / load.calls:.2f} ms scoring, plain {1000 * plain.processor / load.calls:.2f} ms"
    )
    if window:
        print(f"    window: longest stall {1000 * ours.stall:.0f} ms; {ours.stalls} over 50 ms")


def at_a_rate(per_minute: float, articles: int) -> None:
    with server("--latency", "0.2", "--requests-per-minute", str(per_minute)) as base_url:
        load = Load(base_url=base_url, articles=articles)
        ours = alone(measure_ours, load)
        counted = stats(base_url)
    refused = counted["refused"].get("429", 0)
    answers = 60 * load.calls / ours.asked
    print(f"{load.calls:,} calls of a server that allows {per_minute:.0f} a minute, no limit set by hand")
    print(
        f"    {answers:.0f} answers a minute, {answers / per_minute:.3f} of what is allowed;"
        f" {refused} refusals, {refused / counted['received']:.2%} of calls"
    )


def memory(articles: int) -> None:
    with server() as base_url:
        load = Load(base_url=base_url, articles=articles, in_flight=IN_FLIGHT, watch_memory=articles * CELLS // 10)
        ours = alone(measure_ours, load)
    print(f"{load.calls:,} calls in {ours.seconds:.0f} s: {load.calls / ours.seconds:.0f} a second")
    print(
        f"    {ours.early_megabytes:.0f} MB after a tenth, {ours.late_megabytes:.0f} MB at the end;"
        f" longest stall {1000 * ours.stall:.0f} ms, {ours.stalls} over 50 ms"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", choices=("slow", "fast", "rate", "memory"))
    parser.add_argument("--articles", type=int, help=f"of {CELLS} calls each")
    parser.add_argument("--no-window", action="store_true")
    parser.add_argument("--rate", type=float, default=1200.0)
    options = parser.parse_args()
    window = not options.no_window
    if options.only in {None, "slow"}:
        against_ideal(0.5, options.articles or 12, window=window)
    if options.only in {None, "fast"}:
        against_ideal(0.05, options.articles or 34, window=window)
    if options.only in {None, "rate"}:
        at_a_rate(options.rate, options.articles or 7)
    if options.only == "memory":
        memory(options.articles or 341)


if __name__ == "__main__":
    main()
