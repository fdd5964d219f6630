"""The command line: the same engine without a window.

Exit codes: 0 done, 1 done with gaps, 2 bad input, 3 could not run. Results go to standard output, one sentence of
trouble to standard error. Each command imports what it needs when it runs, so that `--help` is instant.
"""

import argparse
import difflib
import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

from gpf_desktop import __version__
from gpf_desktop.domain.errors import GpfError, SourceError, StorageError, StorageFault, UserError
from gpf_desktop.domain.text import tr

DONE: Final = 0
GAPS: Final = 1
BAD_INPUT: Final = 2
COULD_NOT_RUN: Final = 3

_FILES: Final = frozenset(
    {".xml", ".rss", ".atom", ".csv", ".tsv", ".txt", ".json", ".jsonl", ".html", ".htm", ".opml", ".xlsx"}
)
"""Endings that are of files, not of sites."""

COMMANDS: Final = ("demo", "run", "score", "report", "fetch", "check")


def main(argv: Sequence[str]) -> int:
    """Run one command; the exit code is returned, never raised."""
    arguments = _parser().parse_args(argv)
    command: Callable[[argparse.Namespace], int] = arguments.command
    try:
        return command(arguments)
    except UserError as error:
        return _complain(error, BAD_INPUT)
    except GpfError as error:
        missing = isinstance(error, StorageError) and error.fault is StorageFault.MISSING
        return _complain(_for_the_command_line(error), BAD_INPUT if missing else COULD_NOT_RUN)
    except KeyboardInterrupt:
        print(tr("gpf-desktop: stopped; what was stored is kept."), file=sys.stderr)
        return COULD_NOT_RUN
    except BrokenPipeError:
        # Whoever read our output has gone (`gpf-desktop fetch … | head`): not our fault, nothing to say.
        sys.stdout = None
        return DONE


def _for_the_command_line(error: GpfError) -> GpfError:
    """*error* without advice that speaks of the window."""
    match error:
        case StorageError(fault=StorageFault.MISSING):
            remedy = tr("Check its name.")
        case StorageError(fault=StorageFault.INCOMPLETE):
            remedy = tr("Copy it again when no program has it open, or together with its -wal file.")
        case SourceError() if error.remedy == tr("It is tried again at the next fetch."):
            remedy = tr("Run the same command again later.")
        case _:
            return error
    return GpfError(error.what, remedy)


def refusal_of(arguments: Sequence[str]) -> str:
    """Why *arguments* can be neither a command nor an audit to open; empty where they can."""
    named = next((each for each in arguments if not each.startswith("-")), "")
    if not named or Path(named).exists():
        return ""
    if Path(named).suffix:
        return tr("gpf-desktop: There is no file {name}. Check its name.", name=named)
    near = difflib.get_close_matches(named, COMMANDS, n=1)
    remedy = tr("Did you mean {name}?", name=near[0]) if near else tr("Commands: {names}.", names=", ".join(COMMANDS))
    return tr("gpf-desktop: There is no command or file “{name}”. {remedy}", name=named, remedy=remedy)


def _complain(error: GpfError, code: int) -> int:
    print(f"gpf-desktop: {error}", file=sys.stderr)
    return code


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="gpf-desktop",
        description=tr("See whether a language model tells the same fresh news differently to different people."),
        epilog=tr("Without a command the window opens, on AUDIT.gpf where one is named."),
    )
    parser.add_argument("--version", action="version", version=f"gpf-desktop {__version__}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    _add_demo(commands)
    _add_run(commands)
    _add_score(commands)
    _add_report(commands)
    _add_fetch(commands)
    _add_check(commands)
    return parser


def _add_demo(commands: Any) -> None:
    demo = commands.add_parser(
        "demo", help=tr("the sample audit: calibration models on sample news, no key, no network")
    )
    demo.add_argument("audit", nargs="?", type=Path, metavar="AUDIT.gpf", help=tr("where to keep it"))
    demo.add_argument("--no-window", action="store_true", help=tr("run it here and print the summary"))
    demo.add_argument("--json", action="store_true", help=tr("print the summary as JSON"))
    demo.set_defaults(command=_demo)


def _add_run(commands: Any) -> None:
    run = commands.add_parser("run", help=tr("one round: collect, ask, score, save; resumes if it was cut off"))
    run.add_argument("plan", type=Path, metavar="PLAN.toml")
    run.add_argument("--audit", type=Path, required=True, metavar="AUDIT.gpf", help=tr("made if it does not exist"))
    run.add_argument("--json", action="store_true", help=tr("print the summary as JSON"))
    run.set_defaults(command=_run)


def _add_score(commands: Any) -> None:
    score = commands.add_parser(
        "score",
        help=tr("score answers that came from elsewhere"),
        epilog=tr(
            "Columns: model, article, dimension, identity, family, response; and, where they are needed, condition"
            " (identity), paraphrase (0) and repeat (0). Exit code 1: some bundle got no score."
        ),
    )
    score.add_argument("responses", type=Path, metavar="RESPONSES.csv|.jsonl")
    score.add_argument("-o", "--output", type=Path, required=True, metavar="SCORES.csv")
    score.add_argument("--rarefy", type=int, default=5, metavar="M", help=tr("size m of the rarefied range (5)"))
    score.add_argument("--scope", choices=("article", "bundle", "run"), default="article", help=tr("the encoder's fit"))
    score.add_argument("--json", action="store_true", help=tr("print the summary as JSON"))
    score.set_defaults(command=_score)


def _add_report(commands: Any) -> None:
    report = commands.add_parser("report", help=tr("an audit report with the required reading in it"))
    report.add_argument("audit", type=Path, metavar="AUDIT.gpf")
    report.add_argument("-o", "--output", type=Path, required=True, metavar="REPORT.html|.docx|.xlsx")
    report.add_argument("--json", action="store_true", help=tr("print the summary as JSON"))
    report.set_defaults(command=_report)


def _add_fetch(commands: Any) -> None:
    fetch = commands.add_parser("fetch", help=tr("what a source yields, and what was dropped and why"))
    fetch.add_argument("source", metavar="SOURCE", help=tr("a feed, a site, a sitemap or a file"))
    fetch.add_argument("--limit", type=_at_least_one, default=100, metavar="N", help=tr("items shown at most (100)"))
    fetch.add_argument("--json", action="store_true", help=tr("print a list of items as JSON"))
    fetch.set_defaults(command=_fetch)


def _add_check(commands: Any) -> None:
    check = commands.add_parser("check", help=tr("check the instrument on calibration models with planted framing"))
    check.add_argument("--quick", action="store_true", help=tr("fewer models and dimensions"))
    check.add_argument("--json", action="store_true", help=tr("print the table as JSON"))
    check.set_defaults(command=_check)


def _at_least_one(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(tr("“{text}” is not a whole number from 1", text=text))
    return int(text)


def _demo(arguments: argparse.Namespace) -> int:
    from gpf_desktop.engine.headless import Headless
    from gpf_desktop.engine.sample import default_place, make_sample

    path = arguments.audit or default_place()
    with Headless(quiet=arguments.json) as headless:
        summary = make_sample(headless, path)
    _print(summary.as_dict(), summary.sentences(), as_json=arguments.json)
    return DONE if summary.done else COULD_NOT_RUN


def _run(arguments: argparse.Namespace) -> int:
    from gpf_desktop.engine.headless import Headless
    from gpf_desktop.engine.rounds.plans import load_plan
    from gpf_desktop.engine.run_command import check_plan, run_plan

    plan, beside = load_plan(arguments.plan), arguments.plan.absolute().parent
    with Headless(quiet=arguments.json) as headless:
        if not arguments.audit.exists():
            check_plan(plan, beside=beside)
        session = headless.enter(arguments.audit)
        summary = run_plan(headless, session, plan, beside=beside)
    _print(summary.as_dict(), summary.sentences(), as_json=arguments.json)
    if not summary.done:
        print(f"gpf-desktop: {summary.why}", file=sys.stderr)
        return COULD_NOT_RUN
    return GAPS if summary.gaps else DONE


def _score(arguments: argparse.Namespace) -> int:
    from gpf_desktop.domain.protocol import FitScope
    from gpf_desktop.engine.scoring.score_table import score_file

    _check_target(arguments.output)
    summary = score_file(
        arguments.responses, arguments.output, scope=FitScope(arguments.scope), rarefy=arguments.rarefy
    )
    _print(summary.as_dict(), summary.sentences(), as_json=arguments.json)
    return GAPS if summary.unscored or not summary.bundles else DONE


def _check_target(target: Path) -> None:
    """Raises `UserError` where a table of scores cannot be written to *target*."""
    if target.suffix.lower() not in {"", ".csv", ".txt"}:
        raise UserError(
            tr("Scores are written as CSV, not as {ending}.", ending=target.suffix), tr("Choose a name ending in .csv.")
        )
    if not target.absolute().parent.is_dir():
        raise UserError(tr("There is no folder {path}.", path=str(target.parent)), tr("Make it first."))


def _report(arguments: argparse.Namespace) -> int:
    from gpf_desktop.engine.headless import Headless
    from gpf_desktop.engine.reporting.report_command import write_report

    with Headless(quiet=True) as headless:
        session = headless.enter(arguments.audit, must_exist=True)
        written = write_report(session, arguments.output)
    _print({"report": str(written)}, [tr("Wrote {path}.", path=str(written))], as_json=arguments.json)
    return DONE


def _fetch(arguments: argparse.Namespace) -> int:
    from gpf_desktop.engine.collect.fetch_report import fetch_listing

    _check_source(arguments.source)
    rows = fetch_listing(arguments.source, arguments.limit)
    _print(rows, [_item_line(row) for row in rows], as_json=arguments.json)
    return DONE if any(row["kept"] for row in rows) else GAPS


def _check_source(source: str) -> None:
    """Raises `UserError` for the name of a file that does not exist, which would be looked for on the network."""
    place = Path(source)
    if "://" in source or "\n" in source or place.suffix.lower() not in _FILES or place.exists():
        return
    if "/" not in source or source.startswith((".", "/")) or place.is_absolute():
        raise UserError(tr("There is no file {name}.", name=source), tr("Write https:// in front if you mean a site."))


def _check(arguments: argparse.Namespace) -> int:
    from gpf_desktop.engine.scoring.instrument import FULL, QUICK, InstrumentCheck

    def tell(done: int, of: int) -> None:
        if sys.stderr.isatty():
            print(f"\r{tr('{n:,} of {of:,} cells', n=done, of=of)}\r", end="", file=sys.stderr, flush=True)

    report = InstrumentCheck(QUICK if arguments.quick else FULL, tell).run()
    _print(report.as_dict(), report.sentences(), as_json=arguments.json)
    return DONE if report.passed else GAPS


def _item_line(row: dict[str, Any]) -> str:
    mark = "+" if row["kept"] else "-"
    when = (row["published"] or "")[:16].replace("T", " ")
    return f"{mark} {when:16}  {row['headline']}" + (f"  ({row['reason']})" if row["reason"] else "")


def _print(data: object, sentences: Sequence[str], *, as_json: bool) -> None:
    if as_json:
        json.dump(data, sys.stdout, ensure_ascii=False, indent=1)
        print()
    else:
        print("\n".join(sentences))
