"""What can be done with a round."""

from gpf_desktop.domain.text import tr
from gpf_desktop.ui.actions import ActionSpec, Fact, Menu

_OPEN = frozenset({Fact.AUDIT_OPEN})
_ACTIVE = frozenset({Fact.RUN_ACTIVE})
_CHOSEN = frozenset({Fact.RUN_CHOSEN})

OF_A_ROUND = ("run.calls", "run.duplicate", "run.rename", "run.archive", "run.delete")
"""What the menus of a round offer, beside opening it."""


def runs_actions() -> tuple[ActionSpec, ...]:
    return (
        ActionSpec(
            id="run.new",
            text=tr("&New round"),
            menu=Menu.RUN,
            keys=("Ctrl+R",),
            icon="add",
            needs=_OPEN,
            home="runs",
            words=tr("set up start plan"),
        ),
        ActionSpec(
            id="run.study",
            text=tr("New s&tudy …"),
            menu=Menu.RUN,
            icon="models",
            needs=_OPEN,
            home="runs",
            words=tr("method relative bias stereoset saged judge baseline question"),
        ),
        ActionSpec(
            id="run.schedules",
            text=tr("S&chedules …"),
            menu=Menu.RUN,
            icon="history",
            needs=_OPEN,
            home="runs",
            words=tr("repeat every hours times next last"),
        ),
        ActionSpec(id="run.pause", text=tr("&Pause"), menu=Menu.RUN, group=1, icon="pause", needs=_ACTIVE, home="runs"),
        ActionSpec(
            id="run.resume",
            text=tr("&Resume"),
            menu=Menu.RUN,
            group=1,
            icon="play",
            needs=frozenset({Fact.RUN_RESUMABLE}),
            home="runs",
            words=tr("continue"),
        ),
        ActionSpec(
            id="run.stop", text=tr("&Stop now"), menu=Menu.RUN, group=1, icon="stop", needs=_ACTIVE, home="runs"
        ),
        ActionSpec(
            id="run.retry",
            text=tr("Retry &failed only"),
            menu=Menu.RUN,
            group=2,
            icon="refresh",
            needs=frozenset({Fact.RUN_HAS_GAPS}),
            home="runs",
            words=tr("gaps missing"),
        ),
        ActionSpec(
            id="run.calls",
            text=tr("&Calls of the round"),
            menu=Menu.RUN,
            group=3,
            icon="table",
            needs=_CHOSEN,
            home="runs",
            words=tr("requests attempts curl log"),
        ),
        ActionSpec(
            id="run.duplicate", text=tr("&Duplicate"), menu=Menu.RUN, group=4, icon="copy", needs=_CHOSEN, home="runs"
        ),
        ActionSpec(
            id="run.rename", text=tr("Re&name …"), menu=Menu.RUN, group=4, icon="edit", needs=_CHOSEN, home="runs"
        ),
        ActionSpec(
            id="run.archive",
            text=tr("&Archive"),
            menu=Menu.RUN,
            group=4,
            icon="import",
            needs=_CHOSEN,
            home="runs",
            words=tr("put away hide"),
        ),
        ActionSpec(
            id="run.delete",
            text=tr("De&lete with its answers …"),
            menu=Menu.RUN,
            group=4,
            icon="trash",
            needs=_CHOSEN,
            home="runs",
        ),
    )
