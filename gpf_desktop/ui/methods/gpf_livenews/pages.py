"""The page that GPF-LiveNews brings: its protocols."""

from gpf_desktop.domain.text import tr
from gpf_desktop.ui.actions import ActionSpec, Fact, Menu
from gpf_desktop.ui.shell.pages import PageSpec

_OPEN = frozenset({Fact.AUDIT_OPEN})


def pages() -> tuple[PageSpec, ...]:
    page = PageSpec(
        id="protocol",
        title=tr("Protocol"),
        icon="protocol",
        actions=protocol_actions,
        method="gpf-livenews",
        within=__package__,
    )
    return (page,)


def protocol_actions() -> tuple[ActionSpec, ...]:
    return (
        ActionSpec(
            id="protocol.import",
            text=tr("Im&port a protocol …"),
            menu=Menu.FILE,
            group=1,
            icon="import",
            needs=_OPEN,
            home="protocol",
        ),
        ActionSpec(
            id="protocol.export",
            text=tr("Export the pro&tocol …"),
            menu=Menu.FILE,
            group=1,
            icon="export",
            needs=_OPEN,
            home="protocol",
        ),
        ActionSpec(
            id="protocol.form",
            text=tr("&Edit the protocol"),
            menu=Menu.EDIT,
            group=2,
            icon="edit",
            needs=_OPEN,
            home="protocol",
            words=tr("form dimensions identities families version draft"),
        ),
        ActionSpec(
            id="protocol.edit",
            text=tr("Edit the protocol as &text"),
            menu=Menu.EDIT,
            group=2,
            needs=_OPEN,
            home="protocol",
            words=tr("dimensions identities families version file yaml"),
        ),
        ActionSpec(
            id="protocol.reset",
            text=tr("Reset the protoco&l"),
            menu=Menu.EDIT,
            group=2,
            icon="reset",
            needs=_OPEN,
            home="protocol",
            words=tr("default shipped GPF-LiveNews"),
        ),
    )
