"""`gpf-desktop compare`: two models, rounds, protocol versions or score settings on what both have."""

import argparse
from pathlib import Path

from gpf_desktop.cli.command import Command, Parser
from gpf_desktop.cli.exits import DONE
from gpf_desktop.cli.printing import show
from gpf_desktop.domain.text import tr


def command() -> Command:
    return Command(
        name="compare",
        gist=tr("two models, rounds, protocols or settings on the questions that both have"),
        does=tr(
            "Tells of each score whether two sides differ, are alike but for what is too small to matter, or "
            "whether neither is shown. Prints the paired difference over the questions that both have, its range "
            "over articles, and its p with all comparisons counted. Results → Rounds, protocols and settings "
            "compared shows every two. Never a ranking."
        ),
        options=_options,
        computes=True,
        run=_run,
    )


def _options(parser: Parser) -> None:
    parser.add_argument("audit", type=Path, metavar="AUDIT.gpf")
    sides = parser.add_mutually_exclusive_group(required=True)
    sides.add_argument("--models", nargs=2, metavar=("FIRST", "SECOND"), help=tr("as tables name them"))
    sides.add_argument("--rounds", nargs=2, metavar=("FIRST", "SECOND"), help=tr("by name"))
    sides.add_argument("--protocols", nargs=2, metavar=("FIRST", "SECOND"), help=tr("by name and version"))
    sides.add_argument("--settings", nargs=2, metavar=("FIRST", "SECOND"), help=tr("score settings, as Results lists"))
    margin = tr(
        "in place of what Results states as too small to matter, by the name of its score (tone_framing=0.05, "
        "say); may be given several times"
    )
    parser.add_argument("--margin", action="append", default=[], metavar="SCORE=SIZE", help=margin)


def _run(arguments: argparse.Namespace) -> int:
    from gpf_desktop.engine.commands.compare_command import compare
    from gpf_desktop.engine.commands.headless import Headless
    from gpf_desktop.engine.reporting.compared_sides import SideKind

    kind = next(each for each in SideKind if getattr(arguments, each))
    with Headless(quiet=True) as headless:
        open_audit = headless.enter_scored(arguments.audit)
        found = compare(open_audit, kind, tuple(getattr(arguments, kind)), arguments.margin)
    show(found.as_dict(), found.sentences(), as_json=arguments.json)
    return DONE
