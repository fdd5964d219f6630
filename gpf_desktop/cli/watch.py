"""`gpf-desktop watch`: a mail or a webhook on a conclusion that changed."""

import argparse
from pathlib import Path

from gpf_desktop.cli.command import Command, Parser
from gpf_desktop.cli.exits import DONE
from gpf_desktop.cli.printing import show
from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.text import tr


def command() -> Command:
    return Command(
        name="watch",
        gist=tr("tell, once, that a conclusion changed: by mail, by a webhook"),
        does=tr(
            "Compares what an audit concludes with what was told last, and tells each change once, with how often "
            "the design says so by chance. For the system's scheduler, behind the command that runs the round. The "
            "first time it only remembers. Models' names and conclusions are sent, no news, no answer, no key. No exit "
            "code depends on a conclusion."
        ),
        codes={DONE: tr("compared, and told where something changed")},
        json=tr("print what changed as JSON, as a webhook gets it"),
        options=_options,
        computes=True,
        run=_run,
    )


def _options(parser: Parser) -> None:
    parser.add_argument("audit", type=Path, metavar="AUDIT.gpf")
    hook = tr("an https address that takes JSON, or the name of a variable that holds it")
    parser.add_argument("--webhook", metavar="URL|VARIABLE", help=hook)
    parser.add_argument("--mail", metavar="NAME@HOST", help=tr("whom to write to"))
    server = tr("the server that takes the mail; GPF_SMTP_USER and GPF_SMTP_PASSWORD hold who sends it")
    parser.add_argument("--smtp", metavar="HOST:PORT", help=server)


def _run(arguments: argparse.Namespace) -> int:
    from gpf_desktop.engine.commands.watch_command import mail, watch, webhook

    if (arguments.mail is None) != (arguments.smtp is None):
        raise UserError(tr("A mail needs --mail NAME@HOST and --smtp HOST:PORT."))
    tell = [webhook(arguments.webhook)] if arguments.webhook is not None else []
    tell += [mail(arguments.mail, arguments.smtp)] if arguments.mail is not None else []
    found = watch(arguments.audit, tell, quiet=arguments.json)
    nothing = tr("Watched from now on.") if found.first else tr("No conclusion changed.")
    show(found.as_dict(), found.lines() if found.changed else [nothing], as_json=arguments.json)
    return DONE
