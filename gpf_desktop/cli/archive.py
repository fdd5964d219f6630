"""`gpf-desktop archive`: a small audit of many rounds."""

import argparse
from datetime import datetime
from pathlib import Path

from gpf_desktop.cli.command import Command, Parser
from gpf_desktop.cli.exits import DONE
from gpf_desktop.cli.printing import show
from gpf_desktop.domain.text import tr


def command() -> Command:
    return Command(
        name="archive",
        gist=tr("move texts of old rounds into Parquet beside the audit, and back"),
        does=tr(
            "Moves the texts of answers of rounds that ended before a day into a folder beside the audit, which gets "
            "smaller. Scores, tables, conclusions and drift stay. While the folder lies beside the audit, everything "
            "reads as before; else what needs these texts says where they lie."
        ),
        codes={DONE: tr("moved, or brought back; or there was nothing to move")},
        options=_options,
        computes=True,
        run=_run,
    )


def _options(parser: Parser) -> None:
    parser.add_argument("audit", type=Path, metavar="AUDIT.gpf")
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--before", type=_day, metavar="YYYY-MM-DD", help=tr("of rounds that ended before this day"))
    what.add_argument("--restore", action="store_true", help=tr("bring all texts back into the audit"))


def _day(text: str) -> datetime:
    from gpf_desktop.engine.commands.archive_command import moment

    try:
        return moment(text)
    except ValueError:
        raise argparse.ArgumentTypeError(tr("“{text}” is no day like 2026-01-31", text=text[:40])) from None


def _run(arguments: argparse.Namespace) -> int:
    from gpf_desktop.engine.commands.archive_command import bring_texts_back, move_texts

    if arguments.restore:
        done = bring_texts_back(arguments.audit, quiet=arguments.json)
    else:
        done = move_texts(arguments.audit, arguments.before, quiet=arguments.json)
    show(done.as_dict(), done.sentences(), as_json=arguments.json)
    return DONE
