"""What can be done with models."""

from gpf_desktop.domain.text import tr
from gpf_desktop.ui.actions import ActionSpec, Fact, Menu

_OPEN = frozenset({Fact.AUDIT_OPEN})


def models_actions() -> tuple[ActionSpec, ...]:
    return (
        ActionSpec(
            id="models.calibration",
            text=tr("Add calibration &models"),
            menu=Menu.RUN,
            group=4,
            icon="calibration",
            needs=_OPEN,
            home="models",
            words=tr("synthetic practice"),
        ),
        ActionSpec(
            id="models.testAll",
            text=tr("&Test all models"),
            menu=Menu.RUN,
            group=4,
            icon="check-circle",
            needs=_OPEN,
            home="models",
            words=tr("check key reach"),
        ),
        ActionSpec(
            id="models.prices",
            text=tr("&Load a price list …"),
            menu=Menu.RUN,
            group=4,
            icon="import",
            needs=_OPEN,
            home="models",
            words=tr("prices cost money update newer"),
        ),
    )
