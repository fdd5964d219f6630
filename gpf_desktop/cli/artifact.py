"""`gpf-desktop artifact`: an audit as one file that others can check, recompute and open."""

import argparse
from pathlib import Path

from gpf_desktop.cli.command import Command, Parser
from gpf_desktop.cli.data_folders import listed
from gpf_desktop.cli.exits import DONE
from gpf_desktop.cli.printing import show
from gpf_desktop.domain.text import tr


def command() -> Command:
    return Command(
        name="artifact",
        gist=tr("an audit as one zip that others can recompute"),
        does=tr(
            "Writes news, protocol, messages, answers, scores, tables, reviews, the report's draft and cards "
            "into one zip, the same bytes for the same audit. Prints its check code: keep that elsewhere. Where "
            "a provider's terms forbid passing answers on, --withhold puts their hashes in instead. "
            "--withhold-news does so with the texts of articles, which are their publishers'. Changes nothing in "
            "the audit."
        ),
        codes={DONE: tr("the shared file is written")},
        options=_options,
        computes=True,
        run=_run,
    )


def _options(parser: Parser) -> None:
    parser.add_argument("audit", type=Path, metavar="AUDIT.gpf")
    parser.writes_file("-o", "--output", required=True, metavar="ARTIFACT.zip")
    withheld = tr("providers whose answers become hashes")
    parser.add_argument("--withhold", type=listed, action="extend", metavar="PROVIDER[,PROVIDER]", help=withheld)
    news = tr("texts of articles become hashes, in messages too; headlines stay")
    parser.add_argument("--withhold-news", action="store_true", help=news)
    parser.add_argument("--pseudonyms", action="store_true", help=tr("call reviewers “Reviewer 1” and so on"))
    groups = tr("put in which groups reviewers say they belong to; else nothing says so")
    parser.add_argument("--groups", action="store_true", help=groups)
    parser.add_argument("--no-draft", action="store_true", help=tr("leave out what was written of the report"))
    parser.add_argument("--licence", metavar="TEXT", help=tr("of scores, tables and annotations (CC BY 4.0)"))
    parser.add_argument("--creator", metavar="TEXT", default="", help=tr("who made the audit"))
    for name, words in (
        ("--published-at", tr("for its audits.json: where this file or a report of it will be")),
        ("--operation", tr("for its audits.json: what was audited, as a service or a job advertisement")),
        ("--rule", tr("for its audits.json: a rule that asks for the audit")),
    ):
        parser.add_argument(name, action="append", default=[], metavar="URL", help=words)


def _run(arguments: argparse.Namespace) -> int:
    from gpf_desktop.engine.commands.headless import Headless
    from gpf_desktop.engine.exchange.artifact.contents import ArtifactChoices

    choices = ArtifactChoices(
        withheld=frozenset(arguments.withhold or ()),
        without_news=arguments.withhold_news,
        pseudonyms=arguments.pseudonyms,
        groups=arguments.groups,
        draft=not arguments.no_draft,
        creator=arguments.creator,
        addresses=tuple(arguments.published_at),
        operations=tuple(arguments.operation),
        rules=tuple(arguments.rule),
        **({"licence": arguments.licence} if arguments.licence else {}),
    )
    with Headless(quiet=False) as headless:
        open_audit = headless.enter_scored(arguments.audit)
        if not open_audit.artifacts.current():
            # Only read, scores would stay behind, and nobody could verify them.
            headless.engine.close_audit()
            open_audit = headless.enter(arguments.audit)
        made = open_audit.artifacts.start(arguments.output, choices).result()
    summary = {"artifact": str(made.path), "seal": made.seal, "files": made.files, "rows": made.rows}
    said = [tr("Wrote {path}.", path=str(made.path)), tr("Check code: {seal}", seal=made.seal)]
    if made.withheld:
        said.append(tr("{n:,} answers are in it as hashes.", n=made.withheld))
    show({**summary, "withheld": made.withheld}, said, as_json=arguments.json)
    return DONE
