"""`gpf-desktop open`: an audit file made of an artifact."""

import argparse
from pathlib import Path

from gpf_desktop.cli.command import Command, Parser
from gpf_desktop.cli.exits import DONE
from gpf_desktop.cli.printing import show
from gpf_desktop.documents.targets import check_audit
from gpf_desktop.domain.text import tr


def command() -> Command:
    return Command(
        name="open",
        gist=tr("make an audit of a shared file or an export, to review, measure again or report it"),
        does=tr(
            "Makes an audit file with the news, answers, scores and reviews of a shared file, or of a folder "
            "that export wrote. It is checked while it is read; of one that was changed nothing is kept."
        ),
        codes={DONE: tr("the audit is there")},
        options=_options,
        computes=True,
        run=_run,
    )


def _options(parser: Parser) -> None:
    parser.add_argument("artifact", type=Path, metavar="ARTIFACT.zip|FOLDER")
    parser.makes_audit("-o", "--output", metavar="AUDIT.gpf", help=tr("(beside the shared file)"))


def _run(arguments: argparse.Namespace) -> int:
    from gpf_desktop.engine.commands.artifact_commands import open_artifact
    from gpf_desktop.engine.commands.progress_line import ProgressLine

    target: Path = arguments.output or arguments.artifact.with_suffix(".gpf")
    # Where none is typed.
    check_audit(target)
    with ProgressLine() as line:
        made = open_artifact(arguments.artifact, target, line.told)
    show({"audit": str(made)}, [tr("Made {path}.", path=str(made))], as_json=arguments.json)
    return DONE
