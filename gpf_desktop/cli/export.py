"""`gpf-desktop export`: all data of an audit, for spreadsheets, data frames and databases."""

import argparse
from pathlib import Path

from gpf_desktop.cli.command import Command, Parser
from gpf_desktop.cli.data_folders import add_formats, listed, write
from gpf_desktop.cli.exits import DONE
from gpf_desktop.domain.text import tr


def command() -> Command:
    return Command(
        name="export",
        gist=tr("all data of an audit as CSV, JSON lines and Parquet"),
        does=tr(
            "Writes tables, news, prompts, models, rounds, sets of answers, answers, scores and annotations into a"
            " folder. The code book, its quotes and preference pairs of what was judged (DPO) go along. Each has a file"
            " of its own in each format; dictionary.csv says what every column tells. In CSV a value that a spreadsheet"
            " would take for a formula has an apostrophe in front. Changes nothing in the audit."
        ),
        codes={DONE: tr("the data is written")},
        options=_options,
        computes=True,
        run=_run,
    )


def _options(parser: Parser) -> None:
    parser.add_argument("audit", type=Path, metavar="AUDIT.gpf")
    parser.writes_folder("-o", "--output", required=True, metavar="DIR")
    what = tr(
        "of tables, protocols, news, runs, models, bundles, prompts, answers, settings, scores, annotations,"
        " study_notes, code_book, quotes, preference_pairs (all)"
    )
    parser.add_argument("--what", type=listed, action="extend", metavar="NAME[,NAME]", help=what)
    add_formats(parser)
    parted = tr("Parquet of sets, answers and scores as folders of files by round and model, for DuckDB and its like")
    parser.add_argument("--parted", action="store_true", help=parted)


def _run(arguments: argparse.Namespace) -> int:
    return write(arguments, what=arguments.what, tables_within=True)
