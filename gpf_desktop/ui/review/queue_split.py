"""The edge between the queue and what is read."""

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QSplitter, QWidget

from gpf_desktop.ui.theme import Theme

_QUEUE = 240
LEAST_QUEUE = 180
"""Pixels at 100 %."""
_WIDEST_LEAST = 340


class QueueSplit(QSplitter):
    """The queue as wide as the reader dragged it; large text has it wider for as long as it is large."""

    def __init__(self, theme: Theme, queue: QWidget, read: QWidget) -> None:
        super().__init__(childrenCollapsible=False)
        self._theme, self._queue, self._read = theme, queue, read
        self._chosen = _QUEUE
        self.addWidget(queue)
        self.addWidget(read)
        self.setStretchFactor(1, 1)
        self.splitterMoved.connect(self._dragged)
        theme.follow(self, self.fit)

    def minimumSizeHint(self) -> QSize:
        # An open queue would keep the window from becoming so narrow that the queue folds.
        return QSize(self._read.minimumSizeHint().width(), super().minimumSizeHint().height())

    def _dragged(self, _at: int, _handle: int) -> None:
        self._chosen = self.sizes()[0]

    def fit(self) -> None:
        """Give the queue its width, as after it stood folded."""
        least = min(self._theme.px(LEAST_QUEUE), _WIDEST_LEAST)
        self._queue.setMinimumWidth(least)
        width = max(self._chosen, least)
        self.setSizes([width, max(self.width() - width, 1)])
