"""`gpf-desktop verify`: whether an artifact is whole, and whether its numbers come out of its answers."""

import argparse
from pathlib import Path

from gpf_desktop.cli.command import Command, Parser
from gpf_desktop.cli.exits import DONE, GAPS
from gpf_desktop.cli.printing import show
from gpf_desktop.domain.text import tr


def command() -> Command:
    return Command(
        name="verify",
        gist=tr("recompute everything in a shared file"),
        does=tr(
            "Looks at every byte of a shared file, computes messages, scores and tables anew from its answers, "
            "checks the reviewers' histories, and says what agrees. Asks no model, opens no network."
        ),
        codes={DONE: tr("everything agrees"), GAPS: tr("something differs")},
        options=_options,
        computes=True,
        run=_run,
    )


def _options(parser: Parser) -> None:
    parser.add_argument("artifact", type=Path, metavar="ARTIFACT.zip")
    seal = tr("what was told when the shared file was made: finds one that somebody else made anew")
    parser.add_argument("--seal", metavar="HEX", help=seal)


def _run(arguments: argparse.Namespace) -> int:
    from gpf_desktop.engine.commands.artifact_commands import verify_artifact
    from gpf_desktop.engine.commands.progress_line import ProgressLine

    with ProgressLine() as line:
        found = verify_artifact(arguments.artifact, seal=arguments.seal or "", tell=line.told)
    show(found.as_dict(), found.sentences(), as_json=arguments.json)
    return DONE if found.passed else GAPS
