"""`gpf-desktop run`: one round of a plan."""

import argparse
from pathlib import Path

from gpf_desktop.cli.command import Command, Parser
from gpf_desktop.cli.exits import COULD_NOT_RUN, DONE, GAPS, say
from gpf_desktop.cli.printing import show
from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.round_parts import RoundPart
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
    one = tr("ask this part of the round alone; other machines ask the others, and merge brings them together")
    parser.add_argument("--part", type=_part, metavar="K/N", help=one)
    parser.add_argument(
        "--only-plan", action="store_true", help=tr("take the articles and freeze the round, but ask nothing yet")
    )


def _part(text: str) -> RoundPart:
    try:
        return RoundPart.read(text)
    except UserError as error:
        raise argparse.ArgumentTypeError(error.what.removesuffix(".")) from error


def _run(arguments: argparse.Namespace) -> int:
    from gpf_desktop.engine.commands.headless import Headless
    from gpf_desktop.engine.commands.run_command import check_plan, mark_told, only_planned, retry_failed, run_plan
    from gpf_desktop.engine.rounds.plans import load_plan

    if sum((arguments.retry_failed, arguments.part is not None, arguments.only_plan)) > 1:
        raise UserError(tr("One of --retry-failed, --part and --only-plan at a time."))
    plan, beside = load_plan(arguments.plan), arguments.plan.absolute().parent
    with Headless(quiet=arguments.json) as headless:
        # Before the engine makes the file: a plan that cannot be asked leaves no empty audit behind.
        if not (arguments.retry_failed or arguments.audit.exists()):
            check_plan(plan, beside=beside)
        open_audit = headless.enter(arguments.audit, must_exist=arguments.retry_failed)
        if arguments.only_plan:
            said = only_planned(open_audit, plan, beside=beside)
            show({"audit": str(arguments.audit), "planned": said}, [said], as_json=arguments.json)
            return DONE
        if arguments.retry_failed:
            summary = retry_failed(headless, open_audit, plan)
        else:
            summary = run_plan(headless, open_audit, plan, beside=beside, part=arguments.part)
        show(summary.as_dict(), summary.sentences(), as_json=arguments.json)
        # After the summary has left this process: one that could not be written is told by the next command.
        if summary.done:
            mark_told(open_audit, plan)
    if not summary.done:
        say(summary.why)
        return COULD_NOT_RUN
    return GAPS if summary.gaps else DONE
