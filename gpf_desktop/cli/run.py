"""`gpf-desktop run`: one round of a plan."""

import argparse
from pathlib import Path

from gpf_desktop.cli.command import Command, Parser
from gpf_desktop.cli.exits import COULD_NOT_RUN, DONE, GAPS, say
from gpf_desktop.cli.printing import show
from gpf_desktop.domain.text import tr


def command() -> Command:
    return Command(
        name="run",
        gist=tr("one round: collect, ask, score, save; resumes if it was cut off"),
        does=tr(
            "Takes fresh articles from the plan's sources, asks the plan's models, scores the answers and saves all of"
            " it in the audit. A round that was cut off goes on with the same command; no stored answer is paid for"
            " again."
        ),
        codes={
            DONE: tr("the round is finished, or there were no new articles"),
            GAPS: tr("finished with gaps: some answers are missing, each with its reason"),
            COULD_NOT_RUN: tr("could not run, or paused by a fault: the same command goes on"),
        },
        options=_options,
        computes=True,
        run=_run,
    )


def _options(parser: Parser) -> None:
    parser.add_argument("plan", type=Path, metavar="PLAN.toml", help=tr("sources, protocol and models of the round"))
    parser.keeps_audit("--audit", required=True, metavar="AUDIT.gpf", help=tr("made if it does not exist"))
    parser.add_argument(
        "--retry-failed",
        action="store_true",
        help=tr("ask the failed questions of this plan's newest round again, and take no new articles"),
    )


def _run(arguments: argparse.Namespace) -> int:
    from gpf_desktop.engine.commands.headless import Headless
    from gpf_desktop.engine.commands.run_command import check_plan, mark_told, retry_failed, run_plan
    from gpf_desktop.engine.rounds.plans import load_plan

    plan, beside = load_plan(arguments.plan), arguments.plan.absolute().parent
    with Headless(quiet=arguments.json) as headless:
        # Before the engine makes the file: a plan that cannot be asked leaves no empty audit behind.
        if not (arguments.retry_failed or arguments.audit.exists()):
            check_plan(plan, beside=beside)
        open_audit = headless.enter(arguments.audit, must_exist=arguments.retry_failed)
        if arguments.retry_failed:
            summary = retry_failed(headless, open_audit, plan)
        else:
            summary = run_plan(headless, open_audit, plan, beside=beside)
        show(summary.as_dict(), summary.sentences(), as_json=arguments.json)
        # After the summary has left this process: one that could not be written is told by the next command.
        if summary.done:
            mark_told(open_audit, plan)
    if not summary.done:
        say(summary.why)
        return COULD_NOT_RUN
    return GAPS if summary.gaps else DONE
