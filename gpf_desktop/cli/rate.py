"""`gpf-desktop rate`: judges and encoders for answers that are there."""

import argparse
from pathlib import Path

from gpf_desktop.cli.command import Command, Parser, dollars
from gpf_desktop.cli.exits import COULD_NOT_RUN, DONE, GAPS, say
from gpf_desktop.cli.printing import show
from gpf_desktop.domain.text import tr


def command() -> Command:
    return Command(
        name="rate",
        gist=tr("judge models and encoders for answers that are there"),
        does=tr(
            "Has the answers of a round rated by further judge models, or turned into vectors by further encoders:"
            " answers that were asked here, or imported. No answer is asked for again, and no judge model sees what"
            " another said. The same command goes on where it was cut off."
        ),
        codes={
            DONE: tr("every answer was rated"),
            GAPS: tr("finished with gaps: some are missing, each with its reason"),
            COULD_NOT_RUN: tr("could not run, or paused by a fault: the same command goes on"),
        },
        options=_options,
        computes=True,
        run=_run,
    )


def _options(parser: Parser) -> None:
    parser.keeps_audit("audit", metavar="AUDIT.gpf")
    parser.add_argument(
        "--judge",
        action="append",
        default=[],
        metavar="PROVIDER/MODEL",
        help=tr("rates every answer; may be given several times"),
    )
    parser.add_argument(
        "--encoder",
        action="append",
        default=[],
        metavar="PROVIDER/MODEL",
        help=tr("turns every answer into a vector; may be given several times"),
    )
    parser.add_argument("--round", metavar="NAME", help=tr("the round, by its name (the newest that can be rated)"))
    parser.add_argument(
        "--protocol",
        metavar="NAME|FILE",
        help=tr("a protocol from which judge models take what they are told, where none has judged this round yet"),
    )
    parser.add_argument(
        "--base-url", default="", metavar="URL", help=tr("where the models are, if not at their maker's")
    )
    parser.add_argument("--key-env", default="", metavar="NAME", help=tr("the variable that holds the key"))
    parser.add_argument("--spend-cap", type=dollars, metavar="DOLLARS", help=tr("what all of it may cost at most"))
    parser.add_argument("--plan", action="store_true", help=tr("only say what it would take, and ask nothing"))


def _run(arguments: argparse.Namespace) -> int:
    from gpf_desktop.engine.commands.headless import Headless
    from gpf_desktop.engine.commands.rate_command import RatingWish, planned_rating, rate

    wish = RatingWish(
        judges=arguments.judge,
        encoders=arguments.encoder,
        round=arguments.round,
        protocol=arguments.protocol,
        base_url=arguments.base_url,
        key_env=arguments.key_env,
        spend_cap=arguments.spend_cap,
    )
    with Headless(quiet=arguments.json) as headless:
        open_audit = headless.enter(arguments.audit, must_exist=True)
        if arguments.plan:
            plan = planned_rating(open_audit, wish, beside=Path.cwd())
            show(plan.as_dict(), plan.sentences(), as_json=arguments.json)
            return DONE
        summary = rate(headless, open_audit, wish, beside=Path.cwd())
        show(summary.as_dict(), summary.sentences(), as_json=arguments.json)
    if not summary.done:
        say(summary.why)
        return COULD_NOT_RUN
    return GAPS if summary.gaps else DONE
