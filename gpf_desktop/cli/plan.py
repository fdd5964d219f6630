"""`gpf-desktop plan`: what a round will find and cost, before it is paid for."""

import argparse
from collections.abc import Callable
from pathlib import Path

from gpf_desktop.cli.command import Command, Parser, at_least
from gpf_desktop.cli.exits import DONE
from gpf_desktop.cli.printing import show
from gpf_desktop.domain.text import as_typed, plain_number, tr


def command() -> Command:
    return Command(
        name="plan",
        gist=tr("what a round will find and cost, before anything is asked"),
        does=tr(
            "Tells the smallest effects that a plan's round will find with 80% power, where its method can "
            "reckon them, and its cost. Tells what to ask to find an effect of a given size. Asks no model and "
            "fetches nothing. With --register it writes the page of what is planned beforehand into the audit, "
            "with time and check code, as long as nothing was asked."
        ),
        options=_options,
        run=_run,
    )


def _options(parser: Parser) -> None:
    parser.add_argument("plan", type=Path, metavar="PLAN.toml")
    audit = tr("measure on its rounds how much scores vary; left out: assumed")
    parser.add_argument("--audit", type=Path, metavar="AUDIT.gpf", help=audit)
    register = tr("write the page of what is planned beforehand into AUDIT.gpf, which is made if it does not exist")
    parser.add_argument("--register", action="store_true", help=register)
    readers = tr("with --register: who reads how many answers, in your own words")
    parser.add_argument("--readers", default="", metavar="TEXT", help=readers)
    page = tr("with --register: the page, to print and to deposit")
    parser.writes_file("-o", "--output", metavar="PAGE.md|.html|.pdf", help=page)
    number = tr("articles of the round; left out: what the plan takes")
    parser.add_argument("--articles", type=at_least(1), metavar="N", help=number)
    power = tr("per cent of rounds that find the effect (80)")
    parser.add_argument("--power", type=_between(50, 99.9), default=80.0, metavar="P", help=power)
    for name, help_ in (
        ("--cfs", tr("gpf-livenews: what would find that the reader adds this much, in words (mean CFS)")),
        ("--tone", tr("gpf-livenews: what would find that the reader adds this much, in tone (mean)")),
        ("--refusal", tr("gpf-livenews: what would find one group declined more often by this share")),
    ):
        parser.add_argument(name, type=_between(0.001, 1), metavar="SIZE", help=help_)


def _run(arguments: argparse.Namespace) -> int:
    from gpf_desktop.domain.scores import COUNTERFACTUAL_FRAMING, TONE_FRAMING
    from gpf_desktop.engine.commands.plan_command import plan_outlook
    from gpf_desktop.engine.commands.register_command import check_wishes, register
    from gpf_desktop.engine.rounds.plans import load_plan

    check_wishes(register=arguments.register, audit=arguments.audit, output=arguments.output, readers=arguments.readers)
    plan, beside = load_plan(arguments.plan), arguments.plan.absolute().parent
    known = arguments.audit if arguments.audit is not None and arguments.audit.exists() else None
    if arguments.audit is not None and known is None and not arguments.register:
        known = arguments.audit
    wanted = {COUNTERFACTUAL_FRAMING: arguments.cfs, TONE_FRAMING: arguments.tone, "refusal": arguments.refusal}
    outlook = plan_outlook(
        plan,
        beside=beside,
        audit=known,
        articles=arguments.articles,
        power=arguments.power / 100,
        effects={name: size for name, size in wanted.items() if size is not None},
    )
    if not arguments.register:
        show(outlook.as_dict(), outlook.sentences(), as_json=arguments.json)
        return DONE
    made = register(
        plan,
        outlook.asked,
        arguments.audit,
        beside=beside,
        readers=arguments.readers,
        output=arguments.output,
    )
    show({**outlook.as_dict(), "registered": made.as_dict()}, made.sentences(), as_json=arguments.json)
    return DONE


def _between(low: float, high: float) -> Callable[[str], float]:
    def read(text: str) -> float:
        try:
            number = float(as_typed(text))
        except ValueError:
            number = float("nan")
        # So put that NaN, for which no comparison holds, is refused too.
        if not low <= number <= high:
            raise argparse.ArgumentTypeError(
                tr(
                    "“{text}” is not a number from {low} to {high}",
                    text=text[:40],
                    low=plain_number(low),
                    high=plain_number(high),
                )
            )
        return number

    return read
