"""The page Reports: its frame."""

from gpf_desktop.domain.text import tr
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.page import Page


class ReportsPage(Page):
    """A titled frame."""

    def __init__(self, context: Context) -> None:
        super().__init__(context, "reports", tr("Reports"))
        self.body.addStretch(1)
