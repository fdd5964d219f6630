"""`gpf-desktop test`: whether what varies in bundles moved answers more than one generation differs from the next."""

import argparse
from pathlib import Path

from gpf_desktop.cli.command import Command, Parser, at_least
from gpf_desktop.cli.exits import DONE
from gpf_desktop.cli.methods import add_method
from gpf_desktop.cli.printing import show
from gpf_desktop.domain.text import tr, trn


def command() -> Command:
    return Command(
        name="test",
        gist=tr("test sets that were asked again against chance, as in the window"),
        does=tr(
            "Tests every complete set that was asked again against chance, one kind of news at a time. Keeps the "
            "test in the audit in place of the one before: Results, `tables` and reports then show it. Asks no "
            "model."
        ),
        codes={DONE: tr("the test is kept")},
        options=_options,
        computes=True,
        run=_run,
    )


def _options(parser: Parser) -> None:
    parser.add_argument("audit", type=Path, metavar="AUDIT.gpf")
    add_method(parser)
    parser.add_argument(
        "--replicates", type=at_least(99), default=2000, metavar="N", help=tr("random labellings drawn (2000)")
    )
    parser.add_argument("--seed", type=at_least(0), default=20261120, metavar="N", help=tr("seed of the labellings"))


def _run(arguments: argparse.Namespace) -> int:
    from gpf_desktop.engine.commands.headless import Headless
    from gpf_desktop.engine.scoring.level_testing import LevelTestOptions

    options = LevelTestOptions(replicates=arguments.replicates, seed=arguments.seed)
    with Headless(quiet=False) as headless:
        # What is not there is refused, and not made.
        open_audit = headless.enter(arguments.audit, to_read=not arguments.audit.exists())
        tested = open_audit.level_testing.start(options, arguments.method).result()
    said = trn("Tested {n:,} set of answers against chance.", "Tested {n:,} sets of answers against chance.", tested)
    show({"bundles": tested}, [said], as_json=arguments.json)
    return DONE
