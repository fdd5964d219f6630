"""`gpf-desktop doctor`: whether an audit is whole and its scores come out of its answers; without one, this machine."""

import argparse
from pathlib import Path

from gpf_desktop.cli.command import Command, Parser
from gpf_desktop.cli.exits import DONE, GAPS
from gpf_desktop.cli.printing import show
from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.text import tr


def command() -> Command:
    return Command(
        name="doctor",
        gist=tr("look for faults in an audit, or on this machine"),
        does=tr(
            "Looks at every page and reference of an audit, checks the reviewers' histories and computes its "
            "scores anew from the answers. Says what can be done. Without an audit it looks at this machine: "
            "versions, folders, disk, key store, display. Changes nothing, asks no model, opens no network "
            "unless --reach is given. With -o it copies what can be read of an audit whose -wal file is "
            "damaged or missing."
        ),
        codes={DONE: tr("nothing is wrong"), GAPS: tr("a fault was found")},
        options=_options,
        computes=True,
        run=_run,
    )


def _options(parser: Parser) -> None:
    parser.add_argument("audit", type=Path, nargs="?", metavar="AUDIT.gpf", help=tr("left out: this machine"))
    kept = tr("copy what can be read of an audit that is incomplete")
    parser.makes_audit("-o", "--output", metavar="COPY.gpf", help=kept)
    parser.add_argument("--reach", default="", metavar="URL", help=tr("of this machine: whether an address answers"))


def _run(arguments: argparse.Namespace) -> int:
    from gpf_desktop.engine.commands.doctor_command import examine
    from gpf_desktop.engine.commands.doctor_machine import examine_machine
    from gpf_desktop.engine.commands.progress_line import ProgressLine

    if arguments.audit is None and arguments.output is not None:
        raise UserError(tr("-o needs an audit to copy."), tr("Help: {command}", command="gpf-desktop doctor --help"))
    if arguments.audit is None:
        found = examine_machine(arguments.reach)
    else:
        with ProgressLine() as line:
            found = examine(arguments.audit, line.told, readable=arguments.output)
    show(found.as_dict(), found.sentences(), as_json=arguments.json)
    return DONE if found.passed else GAPS
