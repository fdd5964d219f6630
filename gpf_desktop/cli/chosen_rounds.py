"""The options by which a command is about some rounds of an audit, and not about all."""

import argparse
from typing import TYPE_CHECKING

from gpf_desktop.cli.command import Parser
from gpf_desktop.domain.text import tr

if TYPE_CHECKING:
    from gpf_desktop.engine.open_audit import OpenAudit
    from gpf_desktop.engine.reporting.results_filter import ResultsFilter


def add_rounds(parser: Parser) -> None:
    parser.add_argument(
        "--round",
        action="append",
        default=[],
        metavar="NAME",
        help=tr("only this round, by its name; may be given several times (all rounds)"),
    )
    parser.add_argument("--method", metavar="NAME", help=tr("only rounds of this method"))


def chosen(open_audit: "OpenAudit", arguments: argparse.Namespace) -> "ResultsFilter":
    """The filter chosen with the options of `add_rounds`. Raises `UserError` for what the audit does not have."""
    from gpf_desktop.engine.commands.chosen_rounds import chosen_rounds

    return chosen_rounds(open_audit, arguments.round, arguments.method)
