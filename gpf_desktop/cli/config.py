"""`gpf-desktop config`: the preferences of the window, listed, read and changed without it."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gpf_desktop.cli.command import Command, Parser
from gpf_desktop.cli.exits import DONE
from gpf_desktop.cli.printing import show
from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.text import tr

if TYPE_CHECKING:
    from gpf_desktop.settings.option import Preference


def command() -> Command:
    return Command(
        name="config",
        gist=tr("the preferences of the window: listed, read, changed"),
        does=tr(
            "Without NAME lists every preference with its value; with NAME prints it, with VALUE sets it. A window that"
            " is open takes it up at its next start. No key of a provider is among them."
        ),
        codes={DONE: tr("printed, or changed")},
        json=tr("print preferences with types, defaults and help as JSON, for programs"),
        options=_options,
        run=_run,
    )


def _options(parser: Parser) -> None:
    parser.add_argument("name", metavar="NAME", nargs="?", help=tr("such as network.proxy"))
    parser.add_argument("value", metavar="VALUE", nargs="?", help=tr("what it is to be; “none” where it may be unset"))
    parser.add_argument("--reset", action="store_true", help=tr("back to the default: NAME, or all without a name"))
    parser.add_argument("--import", dest="source", type=Path, metavar="FILE", help=tr("take over an exported file"))
    parser.writes_file("--export", dest="target", metavar="FILE", help=tr("write what was chosen as one file"))


def _run(arguments: argparse.Namespace) -> int:
    from gpf_desktop.settings.preferences import HERE, declared, option

    name, value = arguments.name, arguments.value
    given = [arguments.source is not None, arguments.target is not None, arguments.reset, value is not None]
    if sum(given) > 1 or (name is not None and (given[0] or given[1])):
        raise UserError(
            tr("One thing at a time: a NAME with or without a VALUE, --reset, --import or --export."),
            tr("Help: {prog} --help", prog="gpf-desktop config"),
        )
    if name is not None:
        option(name)
    if arguments.source is not None:
        HERE.read_from(arguments.source)
    elif arguments.target is not None:
        HERE.write_to(arguments.target)
    elif arguments.reset:
        HERE.reset(*([name] if name else declared()))
    elif value is not None:
        HERE.set(name, option(name).read(value))
    listed = [option(name)] if name else list(declared().values())
    alone = name is not None and value is None and not arguments.reset
    lines = [one.written(HERE.get(one.name)) if alone else _line(one) for one in listed]
    show([_as_data(one) for one in listed] if name is None else _as_data(listed[0]), lines, as_json=arguments.json)
    return DONE


def _line(one: "Preference") -> str:
    from gpf_desktop.settings.preferences import HERE

    value = one.written(HERE.get(one.name))
    chosen = "" if HERE.is_set(one.name) else tr(" (default)")
    return f"{one.name} = {value}{chosen}"


def _as_data(one: "Preference") -> dict[str, Any]:
    from gpf_desktop.settings.preferences import HERE

    return {
        "name": one.name,
        "value": HERE.get(one.name),
        "default": one.default,
        "chosen": HERE.is_set(one.name),
        "takes": one.takes,
        "label": tr(one.shown.label),
        "help": tr(one.shown.help),
    }
