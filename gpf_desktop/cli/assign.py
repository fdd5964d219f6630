"""`gpf-desktop assign`: who reads which bundles, and a small audit for each reader."""

import argparse
from pathlib import Path
from typing import Final

from gpf_desktop.cli.command import Command, Parser, at_least
from gpf_desktop.cli.exits import DONE
from gpf_desktop.cli.printing import show
from gpf_desktop.domain.text import tr

_SEED: Final = 42


def command() -> Command:
    return Command(
        name="assign",
        gist=tr("share sets of answers out among reviewers, and bring their readings home"),
        does=tr(
            "Draws a reading plan: each set of answers by so many of the reviewers, a share by all. Writes an "
            "assignment for each reviewer: a small audit with their sets and news, without models' names, scores "
            "or what others said. It opens on any machine and is read with names hidden. Its file holds which "
            "answer is which: the window covers that, and the words that tell answers apart, but an export shows "
            "them. The audit's title and file name go along, unless --title gives another. Without --to it says "
            "how far the reviewers of the plan are. --home takes the review packs that they send back."
        ),
        codes={DONE: tr("done")},
        options=_options,
        run=_run,
    )


def _options(parser: Parser) -> None:
    parser.add_argument("audit", type=Path, metavar="AUDIT.gpf")
    parser.add_argument(
        "--to", action="append", default=[], metavar="NAME", help=tr("a reviewer; give it once for each")
    )
    parser.add_argument("--each", type=at_least(1), default=2, metavar="N", help=tr("reviewers of a set (2)"))
    share = tr("per cent of the sets that everybody reads (10)")
    parser.add_argument("--by-all", type=at_least(0), default=10, metavar="PERCENT", help=share)
    parser.add_argument("--seed", type=int, default=_SEED, metavar="N", help=tr("of the draw (42)"))
    top = tr("share out the N sets of answers at the top of the queue (all)")
    parser.add_argument("--top", type=at_least(1), metavar="N", help=top)
    parser.makes_audits_in("-o", "--output", metavar="DIR", help=tr("a folder for the assignments"))
    title = tr("in place of the audit's title and file name, which may tell what is audited")
    parser.add_argument("--title", default="", metavar="WORDS", help=title)
    home = tr("a review pack that a reviewer sent back; may be given again")
    parser.add_argument("--home", action="append", default=[], type=Path, metavar="PACK", help=home)


def _run(arguments: argparse.Namespace) -> int:
    from gpf_desktop.engine.commands.assign_command import WantedAssignment, assign

    done = assign(
        arguments.audit,
        WantedAssignment(
            names=tuple(arguments.to),
            each=arguments.each,
            by_all=arguments.by_all,
            seed=arguments.seed,
            top=arguments.top,
            folder=arguments.output,
            title=arguments.title,
            packs=tuple(arguments.home),
        ),
    )
    show(done.as_dict(), done.sentences(), as_json=arguments.json)
    return DONE
