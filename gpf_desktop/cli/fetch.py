"""`gpf-desktop fetch`: what a source yields."""

import argparse
from pathlib import Path
from typing import Any, Final

from gpf_desktop.cli.command import Command, Parser, at_least
from gpf_desktop.cli.exits import DONE, GAPS
from gpf_desktop.cli.printing import show
from gpf_desktop.documents.addresses import web_address
from gpf_desktop.documents.targets import there
from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.text import tr

_FILES: Final = frozenset(
    {".xml", ".rss", ".atom", ".csv", ".tsv", ".txt", ".json", ".jsonl", ".html", ".htm", ".opml", ".xlsx", ".ods"}
)
"""Endings that are of files, not of sites."""


def command() -> Command:
    return Command(
        name="fetch",
        gist=tr("what a source yields, and what was dropped and why"),
        does=tr(
            "Reads a feed, a site, a sitemap or a file, and lists its items. + is what a round would take from "
            "it, - what it would drop, with the reason. Stores nothing."
        ),
        codes={DONE: tr("at least one item was kept"), GAPS: tr("nothing was kept")},
        json=tr("print a list of items as JSON, for programs"),
        options=_options,
        run=_run,
    )


def _options(parser: Parser) -> None:
    parser.add_argument("source", metavar="SOURCE", help=tr("a feed, a site, a sitemap or a file"))
    parser.add_argument("--limit", type=at_least(1), default=100, metavar="N", help=tr("items shown at most (100)"))


def _run(arguments: argparse.Namespace) -> int:
    from gpf_desktop.engine.collect.fetch_report import fetch_listing

    _check_source(arguments.source)
    rows = fetch_listing(arguments.source, arguments.limit)
    show(rows, [_item_line(row) for row in rows], as_json=arguments.json)
    return DONE if any(row["kept"] for row in rows) else GAPS


def _check_source(source: str) -> None:
    """Raises `UserError` for what leads nowhere, and for the name of a file that does not exist, which would be
    looked for on the network."""
    if not source.strip():
        raise UserError(tr("The source is empty."), tr("Name a feed, a site, a sitemap or a file."))
    place = Path(source)
    if "://" in source or "\n" in source:
        return
    if there(place):
        if place.is_dir():
            raise UserError(tr("{path} is a folder.", path=source), tr("Give the name of a file in it."))
        return
    # “news.example/feed.xml” may be an address as well; without a slash, or begun as paths are, it is a file.
    is_file = "/" not in source or source.startswith((".", "/")) or place.is_absolute() or there(Path(place.parts[0]))
    if place.suffix.lower() in _FILES and is_file:
        raise UserError(tr("There is no file {name}.", name=source), tr("Write https:// in front if you mean a site."))
    # Words with blanks between them are a text.
    if " " not in source and web_address(source) is None:
        raise UserError(
            tr("There is no file {name}, and it is no web address.", name=source),
            tr("Give an address such as https://news.example/rss.xml, or the path of a file."),
        )


def _item_line(row: dict[str, Any]) -> str:
    mark = "+" if row["kept"] else "-"
    when = (row["published"] or "")[:16].replace("T", " ")
    return f"{mark} {when:16}  {row['headline']}" + (f"  ({row['reason']})" if row["reason"] else "")
