"""The collapsible place at the right where a page explains what is selected."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDockWidget, QStackedWidget, QWidget

from gpf_desktop.domain.text import tr


class Inspector(QDockWidget):
    """Shows what the current page hands it; hidden where there is nothing or the auditor closed it."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(tr("Inspector"), parent)
        self.setObjectName("inspectorDock")
        self.setFeatures(QDockWidget.DockWidgetFeature.DockWidgetClosable)
        self.setAllowedAreas(Qt.DockWidgetArea.RightDockWidgetArea)
        self.setTitleBarWidget(QWidget())
        self._stack = QStackedWidget()
        self._stack.setObjectName("inspector")
        self._stack.setMinimumWidth(240)
        self.setWidget(self._stack)
        self.wanted = True
        """What the auditor chose; kept over pages that have nothing to show."""
        self.hide()

    @property
    def has_content(self) -> bool:
        return self._stack.currentWidget() is not None and self._stack.property("filled") is True

    def show_content(self, content: QWidget | None) -> None:
        """Show *content*, or nothing."""
        self._stack.setProperty("filled", content is not None)
        if content is not None:
            if self._stack.indexOf(content) < 0:
                self._stack.addWidget(content)
            self._stack.setCurrentWidget(content)
        self.setVisible(self.wanted and content is not None)

    def set_wanted(self, wanted: bool) -> None:
        self.wanted = wanted
        self.setVisible(wanted and self.has_content)
