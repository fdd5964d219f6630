"""`gpf-desktop score`: scores for answers that came from elsewhere."""

import argparse
from pathlib import Path

from gpf_desktop.cli.command import Command, Parser, at_least
from gpf_desktop.cli.exits import DONE, GAPS
from gpf_desktop.cli.methods import add_method
from gpf_desktop.cli.printing import add_json, show
from gpf_desktop.cli.targets import check_folder
from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.text import tr


def command() -> Command:
    return Command(
        name="score",
        gist=tr("score answers that came from elsewhere"),
        does=tr(
            "Reads a table of answers and writes a table of scores, one row for each bundle. Columns: model, article,"
            " dimension, identity, family, response; and, where they are needed, condition (left out: identity),"
            " paraphrase and repeat (left out: 0). Asks no model."
        ),
        codes={DONE: tr("every bundle got a score"), GAPS: tr("some bundle got no score")},
        options=_options,
        run=_run,
    )


def _options(parser: Parser) -> None:
    parser.add_argument(
        "responses", type=Path, metavar="RESPONSES.csv|.jsonl|.xlsx", help=tr("of a workbook, the first sheet")
    )
    parser.add_argument("-o", "--output", type=Path, required=True, metavar="SCORES.csv")
    size, fit = tr("size m of the rarefied range (5)"), tr("what tf-idf is fitted on (article)")
    parser.add_argument("--rarefy", type=at_least(2), default=5, metavar="M", help=size)
    parser.add_argument("--scope", choices=("article", "bundle", "run"), default="article", help=fit)
    add_method(parser)
    add_json(parser)


def _run(arguments: argparse.Namespace) -> int:
    from gpf_desktop.domain.protocol import FitScope
    from gpf_desktop.engine.core import catalogue
    from gpf_desktop.engine.scoring.score_table import score_file

    catalogue.method_with("score", arguments.method)

    if arguments.output.suffix.lower() not in {"", ".csv", ".txt"}:
        raise UserError(
            tr("Scores are written as CSV, not as {ending}.", ending=arguments.output.suffix),
            tr("Choose a name ending in .csv."),
        )
    check_folder(arguments.output)
    summary = score_file(
        arguments.responses, arguments.output, scope=FitScope(arguments.scope), rarefy=arguments.rarefy
    )
    show(summary.as_dict(), summary.sentences(), as_json=arguments.json)
    return GAPS if summary.unscored or not summary.bundles else DONE
