"""The collapsible place at the right where a page explains what is selected."""

from PySide6.QtWidgets import QStackedWidget, QWidget

from gpf_desktop.ui.widgets.inspector_content import InspectorContent


class Inspector(QStackedWidget):
    """Shows what the current page hands it; hidden where there is nothing to say, and where the auditor closed it."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("inspector")
        self.setMinimumWidth(220)
        self._filled = False
        self.wanted = True
        """What the auditor chose; kept over pages that have nothing to show."""
        self.hide()

    @property
    def has_content(self) -> bool:
        return self._filled

    def show_content(self, content: QWidget | None) -> None:
        """Show *content*, or nothing."""
        self._filled = content is not None
        if content is not None:
            if self.indexOf(content) < 0:
                self.addWidget(content)
                if isinstance(content, InspectorContent):
                    content.turned.connect(self._follow)
            self.setCurrentWidget(content)
        self._follow()

    def set_wanted(self, wanted: bool) -> None:
        self.wanted = wanted
        self._follow()

    def _follow(self) -> None:
        content = self.currentWidget()
        silent = isinstance(content, InspectorContent) and not content.explains
        self.setVisible(self.wanted and self._filled and not silent)
