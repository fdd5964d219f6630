"""`gpf-desktop import`: an audit of answers that were asked elsewhere."""

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from gpf_desktop.cli.command import Command, Parser
from gpf_desktop.cli.exits import DONE, GAPS
from gpf_desktop.cli.methods import add_method
from gpf_desktop.cli.printing import show
from gpf_desktop.cli.score import add_given, given_in, method_typed
from gpf_desktop.documents.table_reading import HEAD_ROW, SHEET
from gpf_desktop.domain.text import tr

_DEFAULT: Final = "gpf-livenews"


def command() -> Command:
    return Command(
        name="import",
        gist=tr("an audit of answers that were asked elsewhere"),
        does=tr(
            "Makes an audit of tables of answers, with one finished and scored round, to be read, reviewed and reported"
            " like any other. What a method reads: gpf-desktop import --method NAME --help"
        ),
        codes={DONE: tr("the audit is there"), GAPS: tr("the audit is there; some rows were left out")},
        options=_options,
        computes=True,
        run=_run,
        further=_further,
    )


def _options(parser: Parser) -> None:
    parser.add_argument(
        "tables",
        type=Path,
        nargs="+",
        metavar="TABLE",
        help=tr("a file of answers, or a folder of such files; of a batch job, the file of its requests too"),
    )
    parser.makes_audit("-o", "--output", required=True, metavar="AUDIT.gpf", help=tr("a new file"))
    add_method(parser)
    parser.add_argument(
        "--sheet",
        dest=f"given_{SHEET}",
        metavar="NAME",
        help=tr("sheet of the workbooks (the first that holds a table, and all with its columns)"),
    )
    parser.add_argument(
        "--head-row",
        dest=f"given_{HEAD_ROW}",
        metavar="N",
        help=tr("row of the columns' names, from 1 (titles above them are passed over)"),
    )
    parser.add_argument("--no-scores", action="store_true", help=tr("leave scoring to the first opening"))


def _further(parser: Parser, typed: Sequence[str]) -> None:
    """The options of the method that was *typed*. Raises `UserError` where it imports nothing."""
    if method := method_typed(typed, _DEFAULT):
        from gpf_desktop.documents.programs import files_read
        from gpf_desktop.engine.core import catalogue

        importer = catalogue.importer(method)
        parser.description = f"{files_read()} {importer.does}"
        add_given(parser, importer.takes)


def _run(arguments: argparse.Namespace) -> int:
    from gpf_desktop.engine.commands.headless import Headless
    from gpf_desktop.engine.commands.import_command import import_tables

    with Headless(quiet=False) as headless:
        summary = import_tables(
            headless,
            arguments.tables,
            arguments.method,
            given_in(arguments),
            arguments.output,
            scored=not arguments.no_scores,
        )
    show(summary.as_dict(), summary.sentences(), as_json=arguments.json)
    return GAPS if summary.problems else DONE
