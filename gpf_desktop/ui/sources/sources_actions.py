"""Actions on sources."""

from functools import partial

from gpf_desktop.domain.text import tr
from gpf_desktop.ui.actions import ActionSpec, Fact, Menu

_OPEN = frozenset({Fact.AUDIT_OPEN})


def sources_actions() -> tuple[ActionSpec, ...]:
    command = partial(ActionSpec, menu=Menu.RUN, group=3, needs=_OPEN, home="sources")
    seen_there = partial(command, at_home=True)
    return (
        command(
            id="sources.fetch",
            text=tr("Fetch &all sources"),
            keys=("F5",),
            icon="refresh",
            words=tr("news refresh update"),
        ),
        seen_there(id="sources.add", text=tr("Add a &source"), icon="add", words=tr("paste feed address file")),
        seen_there(id="sources.catalogue", text=tr("Source &catalogue"), icon="sources", words=tr("BBC Reuters")),
    )
