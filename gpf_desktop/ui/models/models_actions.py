"""Actions on models."""

from functools import partial

from gpf_desktop.domain.text import tr
from gpf_desktop.ui.actions import ActionSpec, Fact, Menu

_OPEN = frozenset({Fact.AUDIT_OPEN})


def models_actions() -> tuple[ActionSpec, ...]:
    command = partial(ActionSpec, menu=Menu.RUN, group=4, needs=_OPEN, home="models")
    return (
        command(
            id="models.calibration",
            text=tr("Add built-in test &models"),
            icon="calibration",
            at_home=True,
            words=tr("calibration synthetic practice"),
        ),
        command(id="models.testAll", text=tr("&Test all models"), icon="check-circle", words=tr("check key reach")),
        command(
            id="models.prices",
            text=tr("&Load a price list …"),
            icon="import",
            words=tr("prices cost money update newer"),
        ),
    )
