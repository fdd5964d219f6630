"""`gpf-desktop benchmark`: prompts of sentences, without a model."""

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from gpf_desktop.cli.command import Command, Parser
from gpf_desktop.cli.exits import DONE
from gpf_desktop.cli.printing import show
from gpf_desktop.cli.score import add_given, given_in, method_typed
from gpf_desktop.domain.text import tr

_DEFAULT: Final = "saged"


def command() -> Command:
    return Command(
        name="benchmark",
        gist=tr("make prompts of sentences"),
        does=tr("Reads a table of sentences and writes a table of prompts. Asks no model."),
        options=_options,
        run=_run,
        further=_further,
    )


def _options(parser: Parser) -> None:
    parser.add_argument("sentences", type=Path, metavar="SENTENCES.csv")
    parser.writes_file("-o", "--output", required=True, metavar="BENCHMARK.csv|STUDY.yaml")
    parser.add_argument("--method", default=_DEFAULT, metavar="NAME", help=tr("whose prompts they are (saged)"))


def _further(parser: Parser, typed: Sequence[str]) -> None:
    from gpf_desktop.engine.core import catalogue

    maker = catalogue.benchmark_maker(method_typed(typed, _DEFAULT))
    parser.description = maker.does
    add_given(parser, maker.takes)


def _run(arguments: argparse.Namespace) -> int:
    from gpf_desktop.engine.commands.sentences_command import write_study
    from gpf_desktop.engine.core import catalogue
    from gpf_desktop.engine.scoring.method_tables import write_table

    made = catalogue.benchmark_maker(arguments.method).make(arguments.sentences, given_in(arguments))
    if arguments.output.suffix.lower() in {".yaml", ".yml"}:
        write_study(made, arguments.method, arguments.output)
    else:
        write_table(made.table, arguments.output)
    show({"prompts": len(made.table.rows), "said": list(made.said)}, made.said, as_json=arguments.json)
    return DONE
