"""`gpf-desktop prices`: the list of prices in use, or a newer one in its place."""

import argparse
from pathlib import Path

from gpf_desktop.cli.command import Command, Parser
from gpf_desktop.cli.exits import DONE
from gpf_desktop.cli.printing import show
from gpf_desktop.domain.text import tr


def command() -> Command:
    return Command(
        name="prices",
        gist=tr("the list of prices in use, or a newer one in its place"),
        does=tr(
            "Prints the prices that costs are counted with, or uses those in FILE from now on. A price that you entered"
            " for a model is used before the list's. Nothing is ever fetched."
        ),
        codes={DONE: tr("printed, or taken")},
        json=tr("print the list as JSON, for programs"),
        options=_options,
        run=_run,
    )


def _options(parser: Parser) -> None:
    parser.add_argument("file", metavar="FILE", nargs="?", help=tr("a price list (YAML) to use from now on"))


def _run(arguments: argparse.Namespace) -> int:
    from gpf_desktop.engine.models.price_list import load, price_list

    prices = price_list() if arguments.file is None else load(Path(arguments.file))
    lines = [tr("{n} prices as of {day}, by {source}.", n=prices.prices, day=prices.as_of, source=prices.source)]
    if arguments.file is None or arguments.json:
        lines += [
            tr(
                "{model} at {host}: ${prompt:g} in, ${completion:g} out",
                model=model,
                host=vendor.reached_at,
                prompt=price.prompt,
                completion=price.completion,
            )
            + ("" if price.cached is None else tr(", ${cached:g} in from the cache", cached=price.cached))
            + (
                ""
                if price.batch_in is None or price.batch_out is None
                else tr(
                    "; batch jobs ${prompt:g} in, ${completion:g} out",
                    prompt=price.batch_in,
                    completion=price.batch_out,
                )
            )
            for vendor in prices.vendors
            for model, price in vendor.models.items()
        ]
    show(prices.model_dump(mode="json", by_alias=True), lines, as_json=arguments.json)
    return DONE
