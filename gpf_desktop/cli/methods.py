"""`gpf-desktop methods`: what can be measured."""

import argparse

from gpf_desktop.cli.command import Command, Parser
from gpf_desktop.cli.exits import DONE
from gpf_desktop.cli.printing import show
from gpf_desktop.domain.text import tr


def command() -> Command:
    return Command(
        name="methods",
        gist=tr("what can be measured, and what its scores may be said to show"),
        does=tr("Lists the methods of this installation with the question that each answers."),
        run=_run,
    )


def _run(arguments: argparse.Namespace) -> int:
    from gpf_desktop.engine.core import catalogue

    methods = catalogue.methods().values()
    data = [
        {
            "name": method.name,
            "version": method.version,
            "title": method.title,
            "question": method.question,
            "statement": method.statement.short,
            "citation": method.citation,
            "item_kinds": list(method.item_kinds),
            "factors": [factor.name for factor in method.factors],
            "protocols": list(method.protocol_files()),
        }
        for method in methods
    ]
    sentences = [
        line
        for method in methods
        for line in (f"{method.name}  {method.question}", f"  {method.statement.short}", f"  {method.citation}")
    ]
    show(data, sentences, as_json=arguments.json)
    return DONE


def add_method(parser: Parser) -> None:
    """The option that names the method of a command."""
    parser.add_argument(
        "--method", default="gpf-livenews", metavar="NAME", help=tr("see gpf-desktop methods (gpf-livenews)")
    )
