"""`gpf-desktop sentences`: what a benchmark is made of, from files and from Wikipedia."""

import argparse
from collections.abc import Sequence
from typing import Final

from gpf_desktop.cli.command import Command, Parser
from gpf_desktop.cli.exits import DONE, GAPS
from gpf_desktop.cli.printing import show
from gpf_desktop.cli.score import add_given, given_in, method_typed
from gpf_desktop.domain.text import tr

_DEFAULT: Final = "saged"


def command() -> Command:
    return Command(
        name="sentences",
        gist=tr("gather sentences about something, for a benchmark"),
        does=tr(
            "Reads files (TXT, Markdown, HTML, PDF, DOCX), folders of them, and pages of Wikipedia. Writes the "
            "sentences that hold a keyword, with page, revision, licence and place, as gpf-desktop benchmark "
            "reads them."
        ),
        codes={DONE: tr("at least one sentence was found"), GAPS: tr("no sentence was found")},
        options=_options,
        run=_run,
        further=_further,
    )


def _options(parser: Parser) -> None:
    parser.add_argument(
        "places", nargs="+", metavar="PLACE", help=tr("a file, a folder, wikipedia:TITLE or wikipedia:de:TITLE")
    )
    parser.writes_file("-o", "--output", required=True, metavar="SENTENCES.csv")
    parser.add_argument("--method", default=_DEFAULT, metavar="NAME", help=tr("whose sentences they are (saged)"))
    parser.add_argument(
        "--contact", default="", metavar="MAIL", help=tr("said to Wikipedia, which asks for one; never kept")
    )


def _further(parser: Parser, typed: Sequence[str]) -> None:
    from gpf_desktop.engine.core import catalogue

    maker = catalogue.benchmark_maker(method_typed(typed, _DEFAULT))
    parser.read_in_folders = maker.reads
    add_given(parser, maker.gathers)


def _run(arguments: argparse.Namespace) -> int:
    from gpf_desktop.engine.commands.sentences_command import gather_into
    from gpf_desktop.engine.core import catalogue

    maker = catalogue.benchmark_maker(arguments.method)
    made = gather_into(maker, arguments.places, given_in(arguments), arguments.output, arguments.contact)
    show({"sentences": len(made.table.rows), "said": list(made.said)}, made.said, as_json=arguments.json)
    return DONE if made.table.rows else GAPS
