"""What grows as an audit is gone on with for years: rounds of five calibration models over news of their own week.

    python -m tests.benchmarks.bench_years                      200 rounds of a part of the design, then tables
    python -m tests.benchmarks.bench_years --rounds 60 --whole  60 rounds of the whole design without controls
    python -m tests.benchmarks.bench_years --at AUDIT.gpf       go on in an audit that it made, or only measure it

Times are of the processor, all processes: other programs hardly disturb them.
"""

import argparse
import resource
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

from gpf_desktop.engine.commands.headless import Headless
from gpf_desktop.engine.commands.run_command import mark_told, run_plan
from gpf_desktop.engine.open_audit import OpenAudit
from gpf_desktop.engine.reporting.conclusions_file import conclusions_document
from gpf_desktop.engine.reporting.results_filter import ResultsFilter
from gpf_desktop.engine.rounds.plans import load_plan

MODELS = ("neutral", "tailoring-0.3", "tailoring-0.7", "tone-0.5", "leaky")
PART = """
[leave_out]
dimension = ["Religion", "Gender / Sexuality", "Geography", "Socioeconomic", "Political"]
"""
_FIRST = datetime(2023, 1, 2, 8, tzinfo=UTC)


def write_plan(folder: Path, rounds: int, *, whole: bool) -> Path:
    """A plan of one article a round, and a feed that has enough of them."""
    items = []
    for week in range(rounds):
        at = (_FIRST + timedelta(weeks=week)).strftime("%a, %d %b %Y %H:%M:%S GMT")
        title = f"Council number {week} weighs a plan for buses, rents and {week * 7919 % 997} new homes"
        text = f"The vote of week {week} moves jobs, schools and {week * 104_729 % 9973} households of the district."
        items.append(f"<item><title>{title}</title><description>{text}</description><pubDate>{at}</pubDate></item>")
    feed = folder / "weeks.xml"
    feed.write_text(f'<rss version="2.0"><channel><title>Weeks</title>{"".join(items)}</channel></rss>', "utf-8")
    models = "".join(f'[[models]]\nprovider = "calibration"\nmodel = "{model}"\n' for model in MODELS)
    plan = folder / "plan.toml"
    text = f'articles_per_source = 1\ncontrols = "none"\n[[sources]]\nfile = "{feed.name}"\n{models}'
    plan.write_text(text + ("" if whole else PART), "utf-8")
    return plan


def used() -> float:
    """Seconds of the processor, of this process and of those that ended."""
    both = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(each.ru_utime + each.ru_stime for each in both)


def go_on(headless: Headless, audit: OpenAudit, path: Path, rounds: int, every: int) -> None:
    plan = load_plan(path)
    there = len(audit.rounds.runs())
    began, began_clock = used(), time.perf_counter()
    for number in range(there + 1, rounds + 1):
        run_plan(headless, audit, plan, beside=path.parent)
        mark_told(audit, plan)
        if number % every == 0:
            seconds, clock = (used() - began) / every, (time.perf_counter() - began_clock) / every
            size = audit.path.stat().st_size / 1e6
            print(
                f"  rounds to {number:4d}: {seconds:6.2f} s each ({clock:.2f} by the clock), {size:.0f} MB", flush=True
            )
            began, began_clock = used(), time.perf_counter()


def measure(audit: OpenAudit) -> None:
    """What a command and the window's pages read, each once from what is kept."""
    wanted = ResultsFilter(method="gpf-livenews")
    names = audit.results.names("gpf-livenews")
    steps = {
        "list of rounds": audit.rounds.runs,
        "progress of the newest": lambda: audit.rounds.progress(audit.rounds.runs()[0].id),
        "first table": lambda: audit.results.results(wanted, names[:1]),
        "conclusions": lambda: conclusions_document(audit.results, wanted),
        **{f"table {name}": lambda name=name: audit.results.results(wanted, [name]) for name in names},
    }
    for what, step in steps.items():
        began = used()
        step()
        if (seconds := used() - began) >= 0.1:
            print(f"  {what:<32}{seconds:7.2f} s")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=200)
    parser.add_argument("--whole", action="store_true")
    parser.add_argument("--at", type=Path)
    asked = parser.parse_args()
    with TemporaryDirectory() as made:
        path = asked.at or Path(made) / "years.gpf"
        plan = write_plan(path.parent, asked.rounds, whole=asked.whole)
        with Headless(quiet=True) as headless:
            audit = headless.enter(path)
            go_on(headless, audit, plan, asked.rounds, max(asked.rounds // 10, 1))
            print(f"{len(audit.rounds.runs())} rounds, {path.stat().st_size / 1e6:.0f} MB:")
            measure(audit)


if __name__ == "__main__":
    main()
