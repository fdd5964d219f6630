"""`gpf-desktop merge`: one audit of the parts of a round."""

import argparse
from pathlib import Path

from gpf_desktop.cli.command import Command, Parser
from gpf_desktop.cli.exits import DONE, GAPS
from gpf_desktop.cli.printing import show
from gpf_desktop.domain.text import tr


def command() -> Command:
    return Command(
        name="merge",
        gist=tr("one audit of the parts of a round that several machines asked"),
        does=tr(
            "Brings audits together that run --part made of the same plan, and scores what is there. Answers keep "
            "when and by whom they were given, calls what they cost. The parts stay as they are. A question that "
            "two parts answered differently is named, and nothing is made."
        ),
        codes={DONE: tr("the round is whole"), GAPS: tr("merged, and something of the round is not asked yet")},
        options=_options,
        computes=True,
        run=_run,
    )


def _options(parser: Parser) -> None:
    parser.add_argument("parts", type=Path, nargs="+", metavar="PART.gpf")
    parser.makes_audit("-o", "--output", required=True, metavar="WHOLE.gpf")


def _run(arguments: argparse.Namespace) -> int:
    from gpf_desktop.engine.commands.merge_command import merge_parts

    merged = merge_parts(arguments.parts, arguments.output, quiet=arguments.json)
    show(merged.as_dict(), merged.sentences(), as_json=arguments.json)
    return DONE if merged.whole else GAPS
