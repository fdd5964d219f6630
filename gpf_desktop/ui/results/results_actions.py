"""What can be done with scores."""

from gpf_desktop.domain.text import tr
from gpf_desktop.ui.actions import ActionSpec, Fact, Menu

_OPEN = frozenset({Fact.AUDIT_OPEN})


def results_actions() -> tuple[ActionSpec, ...]:
    return (
        ActionSpec(
            id="scores.rescore",
            text=tr("Re&score with another setting …"),
            menu=Menu.RUN,
            group=3,
            needs=_OPEN,
            home="results",
            words=tr("robustness variant encoder mask tf-idf"),
        ),
        ActionSpec(
            id="scores.test",
            text=tr("&Test answers against chance …"),
            menu=Menu.RUN,
            group=3,
            needs=_OPEN,
            home="results",
            words=tr("permutation p significance repeats"),
        ),
        ActionSpec(
            id="scores.signs",
            text=tr("What the &signs of scores mean"),
            menu=Menu.HELP,
            keys=("Shift+F1",),
            needs=_OPEN,
            home="results",
            words=tr("S N CFS R* glossary definition column"),
        ),
    )
