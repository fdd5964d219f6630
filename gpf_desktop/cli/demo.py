"""`gpf-desktop demo`: the sample audit."""

import argparse
from collections.abc import Callable
from functools import partial
from pathlib import Path

from gpf_desktop.cli.command import Command, Parser
from gpf_desktop.cli.exits import DONE
from gpf_desktop.cli.printing import show
from gpf_desktop.domain.text import tr


def command(show_window: Callable[[Path | None], int]) -> Command:
    return Command(
        name="demo",
        gist=tr("the sample audit: built-in test models on sample news, no key, no network"),
        does=tr(
            "Opens a copy of the sample audit that comes with the program: invented news, answered by built-in models"
            " whose behaviour is known. Reviews that were written into that copy are kept."
        ),
        codes={DONE: tr("shown, or printed")},
        json=tr("print the results as JSON instead, for programs"),
        options=_options,
        computes=True,
        run=partial(_run, show_window=show_window),
    )


def _options(parser: Parser) -> None:
    parser.keeps_audit("audit", nargs="?", metavar="AUDIT.gpf", help=tr("where to keep the copy"))
    parser.add_argument("--no-window", action="store_true", help=tr("print the results instead"))


def _run(arguments: argparse.Namespace, *, show_window: Callable[[Path | None], int]) -> int:
    if not (arguments.no_window or arguments.json):
        return show_window(arguments.audit)
    from gpf_desktop.engine.commands.headless import Headless
    from gpf_desktop.engine.commands.sample import default_place, enter_sample
    from gpf_desktop.engine.commands.sample_summary import sample_summary

    with Headless(quiet=True) as headless:
        summary = sample_summary(enter_sample(headless.engine, arguments.audit or default_place()))
    show(summary.as_dict(), summary.sentences(), as_json=arguments.json)
    return DONE
