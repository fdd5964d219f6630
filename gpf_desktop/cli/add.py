"""`gpf-desktop add`: libraries that not every installation has."""

import argparse
import sys
from pathlib import Path

from gpf_desktop.cli.command import Command, Parser
from gpf_desktop.cli.exits import DONE
from gpf_desktop.cli.printing import show
from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.extras import Extra, extras
from gpf_desktop.domain.text import tr


def command() -> Command:
    return Command(
        name="add",
        gist=tr("further libraries: which are here, and adding one"),
        does=tr(
            "Without NAME lists the libraries that not every installation has, what they are for and whether they are"
            " here. With NAME has Python's pip add them, from its index or from a folder."
        ),
        codes={DONE: tr("listed, or added")},
        json=tr("print the list as JSON, for programs"),
        options=_options,
        run=_run,
    )


def _options(parser: Parser) -> None:
    parser.add_argument("name", metavar="NAME", nargs="?", help=tr("one of: {names}", names=", ".join(extras())))
    parser.add_argument("--from", dest="folder", type=Path, metavar="FOLDER", help=tr("where their files lie"))


def _run(arguments: argparse.Namespace) -> int:
    known = extras()
    if arguments.name is not None:
        if arguments.name not in known:
            raise UserError(
                tr("Nothing is known as “{name}”.", name=arguments.name),
                tr("One of: {names}", names=", ".join(known)),
            )
        _add(known[arguments.name], arguments.folder)
    listed = [each for each in known.values() if arguments.name in (None, each.name)]
    show([_as_data(each) for each in listed], [_line(each) for each in listed], as_json=arguments.json)
    return DONE


def _add(extra: Extra, folder: Path | None) -> None:
    from gpf_desktop.engine.core.adding_extras import AddingExtra

    if folder is not None and not folder.is_dir():
        raise UserError(tr("“{name}” is no folder.", name=folder), tr("Name the folder with the files."))
    if extra.missing:
        print(tr("Adding {names} …", names=extra.names()), file=sys.stderr)
        AddingExtra(extra, folder).run()


def _line(extra: Extra) -> str:
    size = tr("not here; about {n} MB", n=extra.megabytes)
    return f"{extra.name}: {size if extra.missing else tr('here')}. {extra.purpose}"


def _as_data(extra: Extra) -> dict[str, object]:
    return {
        "name": extra.name,
        "title": extra.title,
        "purpose": extra.purpose,
        "requirements": list(extra.requirements),
        "missing": list(extra.missing),
        "megabytes": extra.megabytes,
    }
