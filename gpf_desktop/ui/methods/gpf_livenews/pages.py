"""The page that GPF-LiveNews brings: its protocols."""

from gpf_desktop.domain.text import tr
from gpf_desktop.ui.methods.gpf_livenews.protocol.protocol_actions import protocol_actions
from gpf_desktop.ui.shell.pages import PageSpec


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
