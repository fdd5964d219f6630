"""Actions on scores, and the parts of the page."""

from enum import StrEnum
from functools import partial

from gpf_desktop.domain.text import tr
from gpf_desktop.ui.actions import ActionSpec, Fact, Menu

_OPEN = frozenset({Fact.AUDIT_OPEN})


class ResultsPart(StrEnum):
    """A part of the page, from top to bottom."""

    FOUND = "found"
    COMPARISONS = "comparisons"
    TABLES = "tables"


def part_titles() -> dict[ResultsPart, str]:
    return {
        ResultsPart.FOUND: tr("Found"),
        ResultsPart.COMPARISONS: tr("Compared"),
        ResultsPart.TABLES: tr("All tables"),
    }


def part_action(part: ResultsPart) -> str:
    """The command that goes to *part*."""
    return f"results.{part}"


def results_actions() -> tuple[ActionSpec, ...]:
    command = partial(ActionSpec, menu=Menu.RUN, needs=_OPEN, home="results")
    return (
        command(
            id="scores.rescore",
            text=tr("Measure a&gain, another way …"),
            group=3,
            words=tr("rescore robustness variant encoder mask tf-idf"),
        ),
        command(
            id="scores.test",
            text=tr("&Test answers against chance …"),
            group=3,
            words=tr("permutation p significance repeats"),
        ),
        command(
            id="scores.signs",
            text=tr("What the &signs of scores mean"),
            menu=Menu.HELP,
            group=1,
            keys=("Shift+F1",),
            words=tr("S N CFS R* glossary definition column"),
        ),
        *(
            # Ctrl with a number goes to a page of the window, Alt with one to an answer in Review.
            command(
                id=part_action(part),
                text=title,
                menu=Menu.HIDDEN,
                submenu=tr("Results"),
                keys=(f"Ctrl+Shift+{number}",),
                words=_words(part),
            )
            for number, (part, title) in enumerate(part_titles().items(), start=1)
        ),
    )


def _words(part: ResultsPart) -> str:
    return tr("compare models rounds settings difference equivalent") if part is ResultsPart.COMPARISONS else ""
