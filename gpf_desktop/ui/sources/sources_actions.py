"""What can be done with sources."""

from gpf_desktop.domain.text import tr
from gpf_desktop.ui.actions import ActionSpec, Fact, Menu

_OPEN = frozenset({Fact.AUDIT_OPEN})


def sources_actions() -> tuple[ActionSpec, ...]:
    return (
        ActionSpec(
            id="sources.fetch",
            text=tr("Fetch &all sources"),
            menu=Menu.RUN,
            group=3,
            keys=("F5",),
            icon="refresh",
            needs=_OPEN,
            home="sources",
            words=tr("news refresh update"),
        ),
        ActionSpec(
            id="sources.add",
            text=tr("Add a &source"),
            menu=Menu.RUN,
            group=3,
            icon="add",
            needs=_OPEN,
            home="sources",
            words=tr("paste feed address file"),
        ),
        ActionSpec(
            id="sources.catalogue",
            text=tr("Source &catalogue"),
            menu=Menu.RUN,
            group=3,
            icon="sources",
            needs=_OPEN,
            home="sources",
            words=tr("BBC Reuters"),
        ),
    )
