"""The commands of the page Protocol."""

from gpf_desktop.domain.text import tr
from gpf_desktop.ui.actions import ActionSpec, Fact, Menu

_OPEN = frozenset({Fact.AUDIT_OPEN})


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
            at_home=True,
            words=tr("form fields version draft"),
        ),
        ActionSpec(
            id="protocol.edit",
            text=tr("Edit the protocol as &text"),
            menu=Menu.EDIT,
            group=2,
            needs=_OPEN,
            home="protocol",
            at_home=True,
            words=tr("version file yaml"),
        ),
        ActionSpec(
            id="protocol.reset",
            text=tr("Reset the protoco&l"),
            menu=Menu.EDIT,
            group=2,
            icon="reset",
            needs=_OPEN,
            home="protocol",
            at_home=True,
            words=tr("default shipped"),
        ),
    )
