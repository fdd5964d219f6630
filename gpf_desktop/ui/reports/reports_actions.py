"""Actions on a report."""

from gpf_desktop.domain.text import tr
from gpf_desktop.ui.actions import ActionSpec, Fact, Menu


def reports_actions() -> tuple[ActionSpec, ...]:
    return (
        ActionSpec(
            id="report.export",
            text=tr("&Export a report …"),
            menu=Menu.REPORTS,
            keys=("Ctrl+E",),
            icon="export",
            needs=frozenset({Fact.AUDIT_OPEN}),
            home="reports",
            at_home=True,
            words=tr("html save write"),
        ),
    )
