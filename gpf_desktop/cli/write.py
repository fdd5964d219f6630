"""`gpf-desktop write`: what a study asks, written by a model."""

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from gpf_desktop.cli.command import Command, Parser, at_least, dollars
from gpf_desktop.cli.exits import DONE, GAPS
from gpf_desktop.cli.printing import show
from gpf_desktop.cli.score import given_in, method_typed
from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.text import tr

_DEFAULT: Final = "relative-bias"


def command() -> Command:
    return Command(
        name="write",
        gist=tr("what a study asks, written by a model"),
        does=tr(
            "Has a writer model write what a method asks, step by step, avoiding what is there already. It is kept as"
            " a protocol, with the model, the prompts, the time and the price of every call, or as a table (.csv). Read"
            " and mend it before a round asks it."
        ),
        codes={DONE: tr("all of it was written"), GAPS: tr("something is lacking; what came is written")},
        options=_options,
        run=_run,
        further=_further,
    )


def _options(parser: Parser) -> None:
    parser.add_argument("writer", metavar="PROVIDER/MODEL", help=tr("the model that writes"))
    parser.writes_file("-o", "--output", required=True, metavar="STUDY.yaml|TABLE.csv")
    parser.add_argument("--method", default=_DEFAULT, metavar="NAME", help=tr("whose study it is (relative-bias)"))
    parser.add_argument(
        "--begin-with", type=Path, metavar="FILE", help=tr("a protocol, or a table, that is there already")
    )
    parser.add_argument("--base-url", default="", metavar="URL", help=tr("where the model is, if not at its maker's"))
    parser.add_argument("--key-env", default="", metavar="NAME", help=tr("the variable that holds the key"))
    parser.add_argument(
        "--spend-cap", type=dollars, metavar="DOLLARS", help=tr("what all calls together may cost at most")
    )


def _further(parser: Parser, typed: Sequence[str]) -> None:
    from gpf_desktop.engine.commands.write_command import writing_set_up
    from gpf_desktop.engine.core import catalogue
    from gpf_desktop.engine.core.protocols import load_protocol

    method = method_typed(typed, _DEFAULT)
    set_up = writing_set_up(method)
    protocol = load_protocol(catalogue.method(method).default_protocol, method=method)
    for name, (title, _) in set_up.words(protocol).items():
        parser.add_argument(f"--{_dashed(name)}", dest=f"words_{name}", metavar="WORDS", help=title)
    for each in set_up.amounts:
        parser.add_argument(
            f"--{_dashed(each.name)}",
            dest=f"amounts_{each.name}",
            type=at_least(each.least),
            metavar="N",
            help=f"{each.title} ({each.default})",
        )


def _run(arguments: argparse.Namespace) -> int:
    from gpf_desktop.domain.models import Endpoint
    from gpf_desktop.engine.commands.write_command import WritingWish, write_items

    if arguments.output.suffix.lower() not in {".yaml", ".yml", ".csv"}:
        raise UserError(
            tr("What a study asks is written as .yaml or .csv, not as “{ending}”.", ending=arguments.output.suffix),
            tr("Choose another name."),
        )
    provider, slash, model = arguments.writer.partition("/")
    if not slash:
        raise UserError(
            tr("“{name}” names no provider.", name=arguments.writer), tr("Write it as openai/gpt-4o-mini, say.")
        )
    wish = WritingWish(
        method=arguments.method,
        writer=Endpoint(provider=provider, model=model, base_url=arguments.base_url, key_env=arguments.key_env),
        words=given_in(arguments, "words_"),
        amounts={name: int(number) for name, number in given_in(arguments, "amounts_").items()},
        begin_with=arguments.begin_with,
        spend_cap=arguments.spend_cap,
    )
    summary = write_items(wish, arguments.output)
    show(summary.as_dict(), summary.sentences(), as_json=arguments.json)
    return GAPS if summary.trouble else DONE


def _dashed(name: str) -> str:
    return name.replace("_", "-")
