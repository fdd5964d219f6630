"""The parts that `export` and `tables` have in common: formats, the folder, and what is said at the end."""

import argparse
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from gpf_desktop.cli.chosen_rounds import chosen
from gpf_desktop.cli.command import Parser
from gpf_desktop.cli.exits import DONE
from gpf_desktop.cli.printing import show
from gpf_desktop.domain.text import tr, trn


def listed(text: str) -> list[str]:
    """The names in *text*, separated by commas."""
    return [name for each in text.split(",") if (name := each.strip())]


def add_formats(parser: Parser) -> None:
    words = tr(
        "of csv, jsonl, parquet, and for coded passages qdpx (all that can be written here); of other programs inspect"
        " and every-eval-ever"
    )
    parser.add_argument("--format", type=listed, action="extend", metavar="NAME[,NAME]", help=words)


def write(arguments: argparse.Namespace, *, what: Sequence[str] | None, tables_within: bool) -> int:
    from gpf_desktop.engine.commands.export_command import write_data
    from gpf_desktop.engine.commands.headless import Headless
    from gpf_desktop.engine.exchange.data_export import DataWishes

    folder: Path = arguments.output
    wishes = DataWishes(
        folder=folder,
        what=None if what is None else tuple(what),
        formats=None if arguments.format is None else tuple(arguments.format),
        tables_within=tables_within,
        parted=getattr(arguments, "parted", False),
        replaces=arguments.force,
    )
    with Headless(quiet=False) as headless:
        open_audit = headless.enter_scored(arguments.audit)
        if "round" in arguments:
            wishes = replace(wishes, wanted=chosen(open_audit, arguments))
        done = write_data(open_audit, wishes)
    rows = [trn("{name}: {n:,} row", "{name}: {n:,} rows", n, name=name) for name, n in done.rows]
    said = tr("Wrote {n} files into {path}.", n=len(done.files), path=str(folder))
    summary = {"folder": str(folder), "files": done.files, "rows": dict(done.rows), "left_out": done.left_out}
    show(summary, [*rows, said, *([done.left_out] if done.left_out else [])], as_json=arguments.json)
    return DONE
