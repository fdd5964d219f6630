"""Rounds of 882 calls in virtual time, which no load disturbs: least and median of many seeds.

    python -m tests.benchmarks.bench_pace_seeds                    both parts, a minute or two
    python -m tests.benchmarks.bench_pace_seeds --only limit --seeds 101 131

strays     200 a second and 50 ms, of which 0, 1, 4, 10 % are refused with 429 or 503 whatever the pace: answers as a
           share of what (1 - p) allows, with start and end
limit      1,200 a minute from the first call on: answers as a share of it, refused calls, by how long a call takes
short      100 calls at 50 and 200 ms of a server without limits, and one of 1,200 a minute: seconds

Refusals come within 4 ms; a call takes 1.2 ms of the one processor. The same on the clock: `bench_pace`.
"""

import argparse
import random
from collections.abc import Sequence
from math import inf
from statistics import median

from gpf_desktop.domain.retries import RateLimited, Transient
from tests.support.paced_round import Bucket, Round, Verdict

CALLS = 882
A_SECOND = 200.0
PROCESSOR = 0.0012
PARTS = ("strays", "limit", "short")
TARGETS = {0.0: 0.95, 0.01: 0.9, 0.04: 0.8, 0.1: 0.6}


def stray(seed: int, share: float, status: int) -> float:
    bucket, rng = Bucket(A_SECOND), random.Random(seed)
    refused = RateLimited(after=1.0) if status == 429 else Transient()

    def verdict(now: float) -> RateLimited | Transient | None:
        return refused if rng.random() < share else bucket(now)

    asked = Round(900, verdict, latency=0.05, seed=seed, at_once=True, calls=CALLS, processor=PROCESSOR)
    return CALLS / asked.took / (A_SECOND * (1 - share))


def strays(seeds: Sequence[int]) -> None:
    print(f"{len(seeds)} seeds of {CALLS} calls: of what (1 - p) allows, least, tenth, median; below target")
    for share, target in TARGETS.items():
        for status in (429, 503) if share else (429,):
            found = sorted(stray(seed, share, status) for seed in seeds)
            below = sum(one < target for one in found)
            shown = f"{found[0]:.2f} {found[len(found) // 10]:.2f} {median(found):.2f}"
            print(f"    {share:4.0%} of {status}: {shown}; {below} under {target}", flush=True)


def limit(seeds: Sequence[int]) -> None:
    print(f"1,200 a minute, {CALLS} calls: share of it (least, median), refused (median, most)")
    for latency in (0.05, 0.2, 0.8):
        rounds = [
            Round(900, Bucket(20.0), latency=latency, seed=seed, at_once=True, calls=CALLS, processor=PROCESSOR)
            for seed in seeds
        ]
        used = sorted(CALLS / asked.took / 20.0 for asked in rounds)
        refused = sorted(asked.share_refused(0, 900) for asked in rounds)
        print(
            f"    {latency:4.2f} s a call: {used[0]:.2f} {median(used):.2f}, {median(refused):.2%} {refused[-1]:.2%}",
            flush=True,
        )


def short(seeds: Sequence[int]) -> None:
    print("100 calls: median seconds")
    for latency in (0.05, 0.2, 2.0):
        for name, a_second in (("no limit", inf), ("1,200 a minute", 20.0)):
            found = sorted(_short(seed, latency, a_second) for seed in seeds)
            print(f"    {latency:4.2f} s a call, {name}: {median(found):.2f} s", flush=True)


def _short(seed: int, latency: float, a_second: float) -> float:
    verdict: Verdict = (lambda _: None) if a_second == inf else Bucket(a_second)
    return Round(900, verdict, latency=latency, seed=seed, at_once=True, calls=100, processor=PROCESSOR).took


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", choices=PARTS, action="append")
    parser.add_argument("--seeds", type=int, nargs=2, default=(1, 31), help="first, and the one after the last")
    options = parser.parse_args()
    for part in options.only or PARTS:
        {"strays": strays, "limit": limit, "short": short}[part](range(*options.seeds))


if __name__ == "__main__":
    main()
