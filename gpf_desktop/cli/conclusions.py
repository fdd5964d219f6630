"""`gpf-desktop conclusions`: what an audit shows, model by model."""

import argparse
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from gpf_desktop.cli.chosen_rounds import add_rounds, chosen
from gpf_desktop.cli.command import Command, Parser
from gpf_desktop.cli.exits import DONE
from gpf_desktop.cli.printing import show
from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.text import tr

if TYPE_CHECKING:
    from gpf_desktop.domain.conclusions.rendering import ToldPage

_PICTURES: Final = {".png": "png", ".svg": "svg", ".pdf": "slide"}
"""The ends of a picture's name, and what kind of file each is."""


def command() -> Command:
    return Command(
        name="conclusions",
        gist=tr("what an audit shows of each model, in the sentences of the window"),
        does=tr(
            "Says of each model what is shown, what is not, and why nothing can be said, with what weighs on it. No"
            " exit code depends on a conclusion: an audit is no test suite. Changes nothing in the audit."
        ),
        codes={DONE: tr("the conclusions are told")},
        json=tr("print them with every number, range, control and caveat"),
        options=_options,
        computes=True,
        run=_run,
    )


def _options(parser: Parser) -> None:
    parser.add_argument("audit", type=Path, metavar="AUDIT.gpf")
    add_rounds(parser)
    parser.writes_file(
        "--picture",
        metavar="FILE.png|.svg|.pdf",
        help=tr("write the figure of what was found to this file as well; .pdf: as a slide, 16:9"),
    )


def _run(arguments: argparse.Namespace) -> int:
    from gpf_desktop.engine.commands.headless import Headless
    from gpf_desktop.engine.reporting.conclusions_file import conclusions_document

    if arguments.picture is not None and arguments.picture.suffix.lower() not in _PICTURES:
        raise UserError(
            tr("No picture can be written as {name}.", name=arguments.picture.name),
            tr("Let its name end in .png, .svg or .pdf."),
        )
    with Headless(quiet=False) as headless:
        open_audit = headless.enter_scored(arguments.audit)
        results, wanted = open_audit.results, chosen(open_audit, arguments)
        methods = (wanted.method,) if wanted.method else results.methods()
        pages = [results.concluding.page(replace(wanted, method=method)) for method in methods]
        lines = [line for told in pages if told is not None for line in told.lines]
        if not lines:
            raise UserError(
                tr("Nothing is concluded from {audit}: it holds no scores.", audit=open_audit.path.name),
                tr("Run a round first."),
            )
        if arguments.picture is not None:
            _draw([told for told in pages if told is not None], arguments.picture)
        show(conclusions_document(results, wanted), lines, as_json=arguments.json)
    return DONE


def _draw(pages: "Sequence[ToldPage]", path: Path) -> None:
    """The lead figure of the one page of *pages* at *path*. Raises `UserError` if there are several."""
    from gpf_desktop.figures.files import FigureFile, write_figure
    from gpf_desktop.figures.lead import lead_figure

    if len(pages) != 1:
        raise UserError(
            tr("The audit has a figure for each of its methods."),
            tr("Say which one with --method."),
        )
    write_figure(lead_figure(pages[0]), FigureFile(_PICTURES[path.suffix.lower()]), path)
