"""`gpf-desktop diff`: what two protocols of one method say differently."""

import argparse
from dataclasses import asdict

from gpf_desktop.cli.command import Command, Parser
from gpf_desktop.cli.exits import DONE, GAPS
from gpf_desktop.cli.methods import add_method
from gpf_desktop.cli.printing import show
from gpf_desktop.domain.protocol_differences import ProtocolDifference, differences
from gpf_desktop.domain.text import tr


def command() -> Command:
    return Command(
        name="diff",
        gist=tr("what two protocols of a method say differently"),
        does=tr(
            "Lists each field that two protocols fill differently, with what both say. A protocol is named as it ships"
            " (gpf-desktop methods --json lists them) or by its file, YAML or TOML."
        ),
        codes={DONE: tr("both say the same"), GAPS: tr("they differ")},
        options=_options,
        run=_run,
    )


def _options(parser: Parser) -> None:
    parser.add_argument("before", metavar="PROTOCOL", help=tr("a name or a file"))
    parser.add_argument("after", metavar="OTHER", help=tr("a name or a file"))
    add_method(parser)


def _run(arguments: argparse.Namespace) -> int:
    from gpf_desktop.engine.core import catalogue
    from gpf_desktop.engine.core.protocols import load_protocol

    method = catalogue.method(arguments.method)
    before, after = (
        method.protocol_data(load_protocol(each, method=method.name)) for each in (arguments.before, arguments.after)
    )
    found = differences(before, after)
    sentences = [line for each in found for line in _lines(each)] or [tr("Both say the same.")]
    show([asdict(each) for each in found], sentences, as_json=arguments.json)
    return GAPS if found else DONE


def _lines(difference: ProtocolDifference) -> list[str]:
    said = (("-", difference.before), ("+", difference.after))
    return [difference.field, *(f"  {sign} {text}" for sign, text in said if text)]
