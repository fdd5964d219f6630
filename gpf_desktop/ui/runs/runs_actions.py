"""Actions on rounds."""

from functools import partial

from gpf_desktop.domain.text import tr
from gpf_desktop.ui.actions import ActionSpec, Fact, Menu

_OPEN = frozenset({Fact.AUDIT_OPEN})
_ACTIVE = frozenset({Fact.RUN_ACTIVE})
_CHOSEN = frozenset({Fact.RUN_CHOSEN})

OF_A_ROUND = ("run.calls", "run.rate", "run.duplicate", "run.rename", "run.archive", "run.texts", "run.delete")
"""What the menus of a round offer, beside opening it."""


def runs_actions() -> tuple[ActionSpec, ...]:
    command = partial(ActionSpec, menu=Menu.RUN, home="runs")
    of_one = partial(command, group=5, submenu=tr("&Of the round chosen"), needs=_CHOSEN, at_home=True)
    return (
        command(
            id="run.new",
            text=tr("&New round"),
            keys=("Ctrl+R",),
            icon="add",
            needs=_OPEN,
            words=tr("set up start plan"),
        ),
        command(
            id="run.study",
            text=tr("New s&tudy …"),
            icon="models",
            needs=_OPEN,
            words=tr("method relative bias stereoset saged judge baseline question"),
        ),
        command(
            id="run.schedules",
            text=tr("S&chedules …"),
            icon="history",
            needs=_OPEN,
            words=tr("repeat every hours times next last"),
        ),
        command(id="run.pause", text=tr("&Pause"), group=1, icon="pause", needs=_ACTIVE),
        command(
            id="run.resume",
            text=tr("&Resume"),
            group=1,
            icon="play",
            needs=frozenset({Fact.RUN_RESUMABLE}),
            words=tr("continue"),
        ),
        command(id="run.stop", text=tr("&Stop now"), group=1, icon="stop", needs=_ACTIVE),
        command(
            id="run.retry",
            text=tr("Retry &failed only"),
            group=2,
            icon="refresh",
            needs=frozenset({Fact.RUN_HAS_GAPS}),
            words=tr("gaps missing"),
        ),
        of_one(id="run.calls", text=tr("&Calls of the round"), icon="table", words=tr("requests attempts curl log")),
        of_one(
            id="run.rate",
            text=tr("&Have answers rated …"),
            icon="models",
            needs=frozenset({Fact.RUN_RATABLE}),
            words=tr("judge encoder embed vectors marks later"),
        ),
        of_one(id="run.duplicate", text=tr("&Duplicate the round"), icon="copy"),
        of_one(id="run.rename", text=tr("Re&name the round …"), icon="edit"),
        of_one(id="run.archive", text=tr("&Archive the round"), icon="import", words=tr("put away hide")),
        of_one(
            id="run.texts",
            text=tr("&Texts of the round beside the audit, or back"),
            icon="import",
            words=tr("smaller file parquet old rounds move"),
        ),
        of_one(id="run.delete", text=tr("De&lete the round and its answers …"), icon="trash"),
    )
