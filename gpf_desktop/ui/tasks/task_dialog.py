"""A dialog that starts a task, shows how far it is, and stays out of the way."""

from typing import Any

from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QProgressBar, QSizePolicy, QWidget

from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.text import grouped, tr
from gpf_desktop.ui.tasks.task_view_model import MINUTE, TaskViewModel
from gpf_desktop.ui.theme.tokens import SPACE_3, SPACE_4
from gpf_desktop.ui.widgets.boxes import hbox, vbox
from gpf_desktop.ui.widgets.buttons import button
from gpf_desktop.ui.widgets.dialogs import TitledDialog
from gpf_desktop.ui.widgets.labels import label, problem_label, secondary
from gpf_desktop.ui.wording import duration

_WIDTH = 520
_STEPS = 1000


class TaskDialog(TitledDialog):
    """Layout and connections. Closing it cancels what runs; subclasses fill `content` and give `options`."""

    counts = True
    """Whether what is counted says something to people; else its share is told."""

    def __init__(self, parent: QWidget, model: TaskViewModel, *, title: str, about: str, begin: str, name: str) -> None:
        super().__init__(parent, title, name)
        self.model = model
        self._hand_back = False
        """What began the task had the keyboard then."""
        self.setMinimumWidth(model.context.theme.px(_WIDTH))
        self.content = vbox(spacing=SPACE_3)
        self.progress = QProgressBar(textVisible=False)
        self.progress.setAccessibleName(title)
        self.counted = secondary(name=f"{name}.counted")
        self.problem = problem_label(name=f"{name}.problem")
        self.leave = button(tr("Close"), self._leave, name=f"{name}.close")
        self.begin = button(begin, self._begin, primary=True, name=f"{name}.begin")
        self.begin.setDefault(True)
        heading = label(title, "title", wrap=True)
        heading.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        self._column = vbox(
            heading,
            label(about, wrap=True),
            (self.content, 1),
            self.progress,
            self.counted,
            self.problem,
            hbox(1, self.leave, self.begin),
            parent=self,
            spacing=SPACE_3,
            margins=SPACE_4,
        )
        model.setParent(self)
        model.changed.connect(self.show_state)
        self.finished.connect(lambda _: model.cancel())
        self.show_state()

    def options(self) -> Any:
        """The options that the task is started with. Raises `UserError`, whose words the form already shows."""
        raise NotImplementedError

    def showEvent(self, event: QShowEvent) -> None:
        self.grow()
        # What is asked comes before the buttons, for the keyboard too: made first, *Close* would have it first.
        last = self.previousInFocusChain() or self
        for each in (self.leave, self.begin):
            self.setTabOrder(last, each)
            last = each
        # What begins may wait for what there is to choose from: disabled, it would not take the keyboard.
        (self.begin if self.begin.isEnabled() else self.leave).setFocus()
        self.focusNextChild()
        super().showEvent(event)

    def show_state(self) -> None:
        model, keyboard = self.model, self.focusWidget()
        if model.running and keyboard is self.begin:
            # Switched off it would hand the keyboard to whatever comes next by Tab.
            self._hand_back = True
            self.leave.setFocus()
        self.begin.setEnabled(not model.running)
        if not model.running:
            if self._hand_back and keyboard is self.leave:
                self.begin.setFocus()
            self._hand_back = False
        self.leave.setText(tr("Stop") if model.running else tr("Close"))
        self.progress.setVisible(model.running)
        self.counted.setVisible(model.running)
        share = model.share
        # From 0 to 0 Qt shows that something goes on without saying how far it is.
        self.progress.setRange(0, 0 if share is None else _STEPS)
        self.progress.setValue(0 if share is None else round(_STEPS * share))
        self.counted.setText(" · ".join(filter(None, (model.doing, self._counted(), self._left()))))
        self.problem.setText(model.problem)
        if self.isVisible():
            self.grow()

    def grow(self) -> None:
        """Make room for what is shown, or it would be cut and overlap.

        A window leaves out the lines that words are wrapped to, and stays as it is when more is shown.
        """
        # What was just shown or filled counts for its layout only from the next turn on.
        QCoreApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest)
        self._column.activate()
        needed = self._column.minimumHeightForWidth(self.width())
        self.resize(self.width(), max(self.height(), min(needed, self.screen().availableGeometry().height())))

    def _counted(self) -> str:
        model = self.model
        if not model.of:
            return grouped(model.done) if model.doing and self.counts else ""
        if self.counts:
            return tr("{done:,} of {of:,}", done=model.done, of=model.of)
        return tr("{n}%", n=int(100 * (model.share or 0)))

    def _left(self) -> str:
        left = self.model.left
        if left is None:
            return ""
        return tr("{time} left", time=duration(left)) if left > MINUTE else tr("about a minute left")

    def _leave(self) -> None:
        """Once stopped the form stays, so that what was chosen need not be chosen again."""
        if self.model.running:
            self.model.cancel()
        else:
            self.close()

    def _begin(self) -> None:
        try:
            options = self.options()
        except UserError:
            return
        self.model.start(options)
