"""`gpf-desktop check`: whether the instrument shows what is planted."""

import argparse

from gpf_desktop.cli.command import Command, Parser, at_least
from gpf_desktop.cli.exits import DONE, GAPS
from gpf_desktop.cli.methods import add_method
from gpf_desktop.cli.printing import show
from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.ladders import ladder_picture
from gpf_desktop.domain.text import tr


def command() -> Command:
    return Command(
        name="check",
        gist=tr("check the test on built-in test models with planted framing"),
        does=tr(
            "Asks built-in models whose framing is planted and known, scores their answers, and compares what the"
            " scores show with what was planted. No key, no network, nothing is stored."
        ),
        codes={DONE: tr("every line passed"), GAPS: tr("a line failed: do not rely on scores of this installation")},
        json=tr("print the table as JSON, for programs"),
        options=_options,
        computes=True,
        run=_run,
    )


def _options(parser: Parser) -> None:
    add_method(parser)
    parser.add_argument("--quick", action="store_true", help=tr("fewer models and a part of the protocol"))
    seed = tr("of what is planted and drawn, from 0 (left out: the method's own)")
    parser.add_argument("--seed", type=at_least(0), metavar="N", help=seed)
    parser.writes_file("--picture", metavar="FILE.svg", help=tr("draw how small an effect is found"))


def _run(arguments: argparse.Namespace) -> int:
    from gpf_desktop.engine.commands.method_check import check_of
    from gpf_desktop.engine.commands.progress_line import ProgressLine
    from gpf_desktop.engine.core import catalogue
    from gpf_desktop.storage.files import written_whole

    with ProgressLine() as line:

        def tell(done: int, of: int) -> None:
            line.show(tr("{n:,} of {of:,} questions", n=done, of=of))

        check = check_of(arguments.method, quick=arguments.quick, tell=tell, seed=arguments.seed)
        if arguments.picture is not None:
            _refuse_picture(drawn=arguments.method not in catalogue.checks())
        report = check.run()
    if arguments.picture is not None:
        with written_whole(arguments.picture) as beside:
            beside.write_text(ladder_picture(report.ladders), encoding="utf-8")
    said = report.sentences()
    if arguments.seed is not None and not report.passed:
        said.append(
            tr(
                "With a seed of one's own a sound test fails a line now and then. What fails with several seeds, "
                "or without --seed, speaks against it."
            )
        )
    show(report.as_dict(), said, as_json=arguments.json)
    return DONE if report.passed else GAPS


def _refuse_picture(*, drawn: bool) -> None:
    """Refuse a picture that cannot be drawn before minutes of asking, not after them. Raises `UserError`."""
    if not drawn:
        raise UserError(
            tr("The check of this method has no ladder of power to draw."), tr("Leave out --picture or --method.")
        )
