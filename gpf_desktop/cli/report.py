"""`gpf-desktop report`: the whole audit as one file."""

import argparse
from pathlib import Path

from gpf_desktop.cli.command import Command, Parser
from gpf_desktop.cli.exits import DONE
from gpf_desktop.cli.printing import add_json, show
from gpf_desktop.cli.targets import check_folder
from gpf_desktop.domain.text import tr


def command() -> Command:
    return Command(
        name="report",
        gist=tr("an audit report with the required reading in it"),
        does=tr(
            "Writes everything that was scored in the audit as one file, in the format that its name ends in, with"
            " what may be claimed and what may not. Changes no answer and no review."
        ),
        codes={DONE: tr("the report is written")},
        options=_options,
        run=_run,
    )


def _options(parser: Parser) -> None:
    parser.add_argument("audit", type=Path, metavar="AUDIT.gpf")
    parser.add_argument("-o", "--output", type=Path, required=True, metavar="REPORT.html|.pdf|.docx|.xlsx")
    add_json(parser)


def _run(arguments: argparse.Namespace) -> int:
    from gpf_desktop.engine.commands.headless import Headless
    from gpf_desktop.engine.commands.report_command import check_format, write_report

    check_format(arguments.output)
    check_folder(arguments.output)
    with Headless(quiet=True) as headless:
        open_audit = headless.enter(arguments.audit, to_read=True)
        written = write_report(open_audit, arguments.output)
    show({"report": str(written)}, [tr("Wrote {path}.", path=str(written))], as_json=arguments.json)
    return DONE
