"""`gpf-desktop declare`: who audits, who paid, what is kept, what should be done."""

import argparse
from pathlib import Path

from gpf_desktop.cli.command import Command, Parser
from gpf_desktop.cli.exits import DONE
from gpf_desktop.cli.printing import show
from gpf_desktop.domain.text import tr


def command() -> Command:
    return Command(
        name="declare",
        gist=tr("keep the declarations of an audit: auditor, client, money, access, retention, recommendations"),
        does=tr(
            "Takes declarations from a file and keeps them in the audit, where every report prints them. Without "
            "them a report is a draft and says so. Without a file it prints them as a form to fill in. What the "
            "file does not mention stays."
        ),
        codes={DONE: tr("kept, or printed")},
        options=_options,
        run=_run,
    )


def _options(parser: Parser) -> None:
    parser.add_argument("audit", type=Path, metavar="AUDIT.gpf")
    parser.add_argument("file", type=Path, nargs="?", metavar="DECLARATIONS.toml")


def _run(arguments: argparse.Namespace) -> int:
    from gpf_desktop.engine.commands.headless import Headless
    from gpf_desktop.engine.reporting.drafts.declared import declared_in, form, with_declared

    declared = None if arguments.file is None else declared_in(arguments.file)
    with Headless(quiet=True) as headless:
        open_audit = headless.enter(arguments.audit, to_read=declared is None, must_exist=True)
        drafts = open_audit.drafts
        if declared is not None:
            done = drafts.change(tr("declarations"), lambda draft: with_declared(draft, declared))
            if done is not None:
                done.result()
        draft = drafts.current
        why = draft.declaration.draft
        lines = [form(draft)] if declared is None else [tr("Kept in {audit}.", audit=open_audit.path.name)]
        if declared is not None:
            lines.append(why or tr("Reports of this audit are final."))
    show(
        {"draft": bool(why), "why": why, "open": list(draft.declaration.open_fields)},
        lines,
        as_json=arguments.json,
    )
    return DONE
