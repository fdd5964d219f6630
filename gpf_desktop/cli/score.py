"""`gpf-desktop score`: scores for answers that came from elsewhere."""

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from gpf_desktop.cli.command import Command, Parser, at_least
from gpf_desktop.cli.exits import DONE, GAPS
from gpf_desktop.cli.methods import add_method
from gpf_desktop.cli.printing import show
from gpf_desktop.cli.targets import said
from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.tables import TableOption
from gpf_desktop.domain.text import tr

_DEFAULT: Final = "gpf-livenews"


def command() -> Command:
    return Command(
        name="score",
        gist=tr("score answers that came from elsewhere"),
        does=tr(
            "Reads a table of answers and writes a table of scores, one row for each set of answers. Asks no model. "
            "What other methods read and write: gpf-desktop score --method NAME --help"
        ),
        codes={DONE: tr("everything got a score"), GAPS: tr("something got no score")},
        options=_options,
        computes=True,
        run=_run,
        further=_further,
    )


def _options(parser: Parser) -> None:
    parser.add_argument(
        "responses",
        type=Path,
        metavar="RESPONSES.csv|.jsonl|.xlsx|.ods",
        help=tr("a file without these columns is read as by gpf-desktop import; of a workbook, its first table"),
    )
    add_method(parser)


def _further(parser: Parser, typed: Sequence[str]) -> None:
    """The options of the method that was *typed*. Raises `UserError` where it scores no tables."""
    method = method_typed(typed, _DEFAULT)
    writes = parser.writes_file if method == _DEFAULT else parser.writes_folder
    words = tr("a CSV file; of other methods, a folder")
    writes("-o", "--output", required=True, metavar="SCORES", help=words)
    from gpf_desktop.engine.core import catalogue

    tables = catalogue.file_tables_of(method)
    add_given(parser, tables.takes)
    if method != _DEFAULT:
        parser.description = tables.does
        return
    parser.description = f"{parser.description} {tables.does}"
    size, fit = (
        tr("answers that the spread of tone at equal size (R*) looks at (5)"),
        tr("tf-idf is fitted on an article's main answers, all of its, one set's or the whole table's (main)"),
    )
    parser.add_argument("--rarefy", type=at_least(2), default=5, metavar="M", help=size)
    parser.add_argument("--scope", choices=("main", "article", "bundle", "run"), default="main", help=fit)
    more = tr(
        "further columns: share the reader adds, tone when asked again, tone the reader adds, mean words of an answer"
    )
    parser.add_argument("--framing", action="store_true", help=more)


def method_typed(typed: Sequence[str], default: str) -> str:
    """The method that was *typed*."""
    before = argparse.ArgumentParser(add_help=False, allow_abbrev=False, exit_on_error=False)
    # With no value it is let through: the parser that is made of what is found here says so, with its own help.
    before.add_argument("--method", nargs="?", default=default)
    return before.parse_known_args(list(typed))[0].method or default


def add_given(parser: Parser, options: Sequence[TableOption]) -> None:
    """Declares the *options* of a method; `given_in` reads them."""
    for option in options:
        parser.add_argument(
            f"--{option.name}",
            dest=f"given_{option.name}",
            type=said,
            required=option.required,
            metavar=option.value,
            help=option.help,
        )


def given_in(arguments: argparse.Namespace, group: str = "given_") -> dict[str, str]:
    """The options of a *group* that were given, by name."""
    return {
        name.removeprefix(group): text
        for name, text in vars(arguments).items()
        if name.startswith(group) and text is not None
    }


def _run(arguments: argparse.Namespace) -> int:
    from gpf_desktop.documents.packed_tables import unpacked

    with unpacked([arguments.responses]) as tables:
        if len(tables) > 1:
            raise UserError(
                tr("{path} holds {n:,} tables.", path=str(arguments.responses), n=len(tables)),
                tr("Give one of them, or import all of it as an audit."),
            )
        arguments.responses = tables[0]
        return _bundles(arguments) if arguments.method == _DEFAULT else _tables(arguments)


def _bundles(arguments: argparse.Namespace) -> int:
    from gpf_desktop.documents.targets import guard
    from gpf_desktop.engine.commands.score_command import score_file
    from gpf_desktop.engine.exchange.export_files import refuse_part
    from gpf_desktop.engine.scoring.method_tables import write_table

    if arguments.output.suffix.lower() not in {"", ".csv", ".txt"}:
        raise UserError(
            tr("Scores are written as CSV, not as {ending}.", ending=arguments.output.suffix),
            tr("Choose a name ending in .csv."),
        )
    refuse_part(arguments.responses)
    guard(arguments.output, [arguments.responses])
    given = {"scope": arguments.scope, "rarefy": str(arguments.rarefy), "framing": "yes" if arguments.framing else ""}
    scored = score_file(_DEFAULT, arguments.responses, given)
    write_table(next(iter(scored.tables.values())), arguments.output)
    nothing = _nothing_concluded(_DEFAULT)
    show({**scored.counted, "conclusions": nothing}, [*scored.said, str(nothing["why"])], as_json=arguments.json)
    return GAPS if scored.gaps else DONE


def _tables(arguments: argparse.Namespace) -> int:
    from gpf_desktop.engine.commands.progress_line import ProgressLine
    from gpf_desktop.engine.commands.score_command import score_into
    from gpf_desktop.engine.exchange.export_files import refuse_part

    refuse_part(arguments.responses)
    with ProgressLine() as line:

        def tell(done: int, of: int) -> None:
            line.show(tr("{n:,} of {of:,} texts read", n=done, of=of))

        scored = score_into(
            arguments.method,
            arguments.responses,
            given_in(arguments),
            arguments.output,
            tell,
            replaces=arguments.force,
        )
    written = {name: len(table.rows) for name, table in scored.tables.items()}
    listed = tr("Written: {tables}.", tables=", ".join(written))
    nothing = _nothing_concluded(arguments.method)
    show(
        {"tables": written, "said": list(scored.said), "conclusions": nothing},
        [*scored.said, listed, str(nothing["why"])],
        as_json=arguments.json,
    )
    return GAPS if scored.gaps else DONE


def _nothing_concluded(method: str) -> dict[str, object]:
    """The place of `conclusions` as other commands fill it: a table of scores has no plan, no controls and no page."""
    why = tr("Nothing is concluded from a table alone: gpf-desktop import makes an audit of it, which concludes.")
    return {"method": method, "headline": None, "why": why, "conclusions": []}
