"""What can be done with scores."""

from functools import partial

from gpf_desktop.domain.text import tr
from gpf_desktop.ui.actions import ActionSpec, Fact, Menu

_OPEN = frozenset({Fact.AUDIT_OPEN})


def results_actions() -> tuple[ActionSpec, ...]:
    command = partial(ActionSpec, menu=Menu.RUN, needs=_OPEN, home="results")
    return (
        command(
            id="scores.rescore",
            text=tr("Re&score with another setting …"),
            group=3,
            words=tr("robustness variant encoder mask tf-idf"),
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
            keys=("Shift+F1",),
            words=tr("S N CFS R* glossary definition column"),
        ),
    )
