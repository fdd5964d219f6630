"""`gpf-desktop tables`: every table of Results as a file."""

import argparse
from pathlib import Path

from gpf_desktop.cli.chosen_rounds import add_rounds
from gpf_desktop.cli.command import Command, Parser
from gpf_desktop.cli.data_folders import add_formats, write
from gpf_desktop.cli.exits import DONE
from gpf_desktop.domain.text import tr


def command() -> Command:
    return Command(
        name="tables",
        gist=tr("every table of Results as CSV, JSON lines and Parquet"),
        does=tr(
            "Writes each table of the audit into a folder, in full precision, with n, bounds and method beside every"
            " estimate. Changes nothing in the audit."
        ),
        codes={DONE: tr("the tables are written")},
        options=_options,
        computes=True,
        run=_run,
    )


def _options(parser: Parser) -> None:
    parser.add_argument("audit", type=Path, metavar="AUDIT.gpf")
    parser.writes_folder("-o", "--output", required=True, metavar="DIR")
    add_rounds(parser)
    add_formats(parser)


def _run(arguments: argparse.Namespace) -> int:
    return write(arguments, what=["tables"], tables_within=False)
