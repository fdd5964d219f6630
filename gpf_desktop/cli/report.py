"""`gpf-desktop report`: the whole audit as one file."""

import argparse
from dataclasses import replace
from pathlib import Path
from typing import Final

from gpf_desktop.cli.chosen_rounds import add_rounds, chosen
from gpf_desktop.cli.command import Command, Parser
from gpf_desktop.cli.exits import DONE
from gpf_desktop.cli.printing import show
from gpf_desktop.domain.text import tr

_BOTH: Final = "both"


def command() -> Command:
    return Command(
        name="report",
        gist=tr("an audit report with the required reading in it"),
        does=tr(
            "Writes everything that was scored in the audit as one file, in the format that its name ends in. It "
            "tells what may be claimed and what may not. What its auditor wrote on the page Reports comes first. "
            "Changes no answer and no review."
        ),
        codes={DONE: tr("the report is written")},
        options=_options,
        computes=True,
        run=_run,
    )


def _options(parser: Parser) -> None:
    parser.add_argument("audit", type=Path, metavar="AUDIT.gpf")
    add_rounds(parser)
    parser.writes_file("-o", "--output", required=True, metavar="REPORT.html|.pdf|.docx|.xlsx")
    parser.add_argument(
        "--kind",
        choices=("brief", "annex", _BOTH, "answers"),
        default="annex",
        help=tr(
            "brief: two to four pages for a board. annex: everything, the brief first (as when nothing is said). "
            "both: the brief, and the annex in a file beside it. answers: the quoted answers alone, each with "
            "its check code, as one .html"
        ),
    )
    parser.add_argument(
        "--draft", type=Path, metavar="DRAFT.toml", help=tr("use this draft in place of the one kept in the audit")
    )
    parser.add_argument(
        "--template", type=Path, metavar="TEMPLATE.toml", help=tr("take logo, texts and sections of an organisation")
    )
    parser.writes_file(
        "--save-draft", metavar="DRAFT.toml", help=tr("write the draft that was used to this file as well")
    )
    parser.add_argument(
        "--skewed",
        action="store_true",
        help=tr("ranges by Hall's transformed t over articles, for scores that are skewed"),
    )


def _run(arguments: argparse.Namespace) -> int:
    from gpf_desktop.documents.targets import check_target
    from gpf_desktop.documents.whole_files import together
    from gpf_desktop.domain.reports import ReportKind
    from gpf_desktop.engine.commands.headless import Headless
    from gpf_desktop.engine.commands.report_command import (
        annex_beside,
        check_format,
        chosen_draft,
        drafted_report,
        written,
    )
    from gpf_desktop.engine.reporting.conclusions_file import conclusions_document
    from gpf_desktop.engine.reporting.drafts.draft_files import save_draft
    from gpf_desktop.storage.faults import translated

    check_format(arguments.output)
    both = arguments.kind == _BOTH
    if both:
        reads = [each for each in (arguments.audit, arguments.draft, arguments.template) if each is not None]
        check_target(annex_beside(arguments.output), reads=reads, replaces=arguments.force)
    with Headless(quiet=True) as headless:
        open_audit = headless.enter_scored(arguments.audit)
        draft = chosen_draft(open_audit, arguments.draft, arguments.template)
        kind = ReportKind.ANNEX if both else ReportKind(arguments.kind)
        wanted = replace(chosen(open_audit, arguments), skewed=arguments.skewed)
        report = drafted_report(open_audit, draft, wanted, kind=kind)
        with translated(arguments.output), together():
            files = written(open_audit, report, arguments.output, both=both)
            if arguments.save_draft is not None:
                save_draft(draft, arguments.save_draft)
        concluded = conclusions_document(open_audit.results, wanted)
    show(
        {
            "report": str(files[0]),
            "files": list(map(str, files)),
            "unresolved": list(report.unresolved),
            "conclusions": concluded,
        },
        [*(tr("Wrote {path}.", path=str(each)) for each in files), *report.unresolved],
        as_json=arguments.json,
    )
    return DONE
