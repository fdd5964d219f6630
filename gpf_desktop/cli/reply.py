"""`gpf-desktop reply`: the right of reply of who is audited."""

import argparse
from dataclasses import replace
from pathlib import Path

from gpf_desktop.cli.command import Command, Parser
from gpf_desktop.cli.exits import DONE
from gpf_desktop.cli.printing import show
from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.text import tr, trn


def command() -> Command:
    return Command(
        name="reply",
        gist=tr("give the audited party its findings to reply to, and print the reply beside each"),
        does=tr(
            "With -o it writes a package for the audited party: findings, quoted answers, how to verify, and a form."
            " With the form that they sent back it keeps their replies in the audit, word for word; every report prints"
            " them beside the findings. A party that replies again replaces what it said."
        ),
        codes={DONE: tr("written, or kept")},
        options=_options,
        run=_run,
    )


def _options(parser: Parser) -> None:
    parser.add_argument("audit", type=Path, metavar="AUDIT.gpf")
    parser.add_argument("form", type=Path, nargs="?", metavar="REPLY.toml", help=tr("the form, filled in"))
    parser.writes_file("-o", "--output", metavar="PACKAGE.zip", help=tr("write the package here"))


def _run(arguments: argparse.Namespace) -> int:
    from gpf_desktop.engine.commands.headless import Headless
    from gpf_desktop.engine.commands.report_command import drafted_report
    from gpf_desktop.engine.reporting.replies.package import write_package
    from gpf_desktop.engine.reporting.replies.reply_form import read_replies, with_replies

    if (arguments.form is None) == (arguments.output is None):
        raise UserError(
            tr("Say what to do: write the package, or take a reply."),
            tr("Give -o PACKAGE.zip, or the form that was sent back."),
        )
    with Headless(quiet=True) as headless:
        enter = headless.enter_scored if arguments.form is None else headless.enter
        open_audit = enter(arguments.audit)
        drafts, audit = open_audit.drafts, open_audit.facts().uuid
        if arguments.form is None:
            written = write_package(
                open_audit.reports, drafted_report(open_audit, drafts.current), audit, arguments.output
            )
            show({"package": str(written)}, [tr("Wrote {path}.", path=str(written))], as_json=arguments.json)
            return DONE
        replies = read_replies(arguments.form, audit)
        done = drafts.change(tr("a reply"), lambda draft: replace(draft, replies=with_replies(draft.replies, replies)))
        if done is not None:
            done.result()
    said = trn("Kept {n} reply.", "Kept {n} replies.", len(replies))
    show({"replies": len(replies)}, [said], as_json=arguments.json)
    return DONE
