"""Rate answers as a judge does, without seeing who gave them or what the judge said."""

from functools import partial

from PySide6.QtCore import QSignalBlocker
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QButtonGroup,
    QDialogButtonBox,
    QPlainTextEdit,
    QRadioButton,
    QWidget,
)

from gpf_desktop.domain.text import tr
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.review.rating_view_model import RatingViewModel
from gpf_desktop.ui.theme.tokens import SPACE_2
from gpf_desktop.ui.widgets.boxes import PlainWidget, fill, vbox
from gpf_desktop.ui.widgets.buttons import button, ending_buttons
from gpf_desktop.ui.widgets.dialogs import TitledDialog
from gpf_desktop.ui.widgets.labels import caption, label, secondary
from gpf_desktop.ui.widgets.layouts import scrolling
from gpf_desktop.ui.widgets.names import named
from gpf_desktop.ui.widgets.plain import plain_tip

_WIDTH, _HEIGHT, _LEVELS, _ANSWER = 800, 690, 310, 150
_TEN = 10


class RatingDialog(TitledDialog):
    """Layout and connections: the question and its answer above, the levels in words below, a key for each."""

    def __init__(self, context: Context, parent: QWidget) -> None:
        super().__init__(parent, tr("Mark answers, names hidden"), "rating")
        self.model = RatingViewModel(context, self)
        self._asked = secondary("", wrap=True)
        self._progress = caption(name="rating.progress")
        self._question = label("", "heading", wrap=True)
        self.answer = named(
            QPlainTextEdit(readOnly=True, tabChangesFocus=True), "rating.answer", tr("The answer to mark")
        )
        levels = PlainWidget()
        self._levels = vbox(parent=levels, spacing=0)
        self._group = QButtonGroup(self)
        self.levels: list[QRadioButton] = []
        area = scrolling(levels, "rating.levels")
        area.setMinimumHeight(context.theme.px(_LEVELS))
        self.answer.setMinimumHeight(context.theme.px(_ANSWER))
        self._done = caption(name="rating.done")
        self.back = button(tr("Back"), partial(self.model.go, -1), name="rating.back")
        self.later = button(tr("Next"), partial(self.model.go, 1), name="rating.next")
        buttons = ending_buttons(self, QDialogButtonBox.StandardButton.Close)
        for each in (self.back, self.later):
            buttons.addButton(each, QDialogButtonBox.ButtonRole.ActionRole)
        fill(
            vbox(parent=self, spacing=SPACE_2, margins=None),
            self._progress,
            self._asked,
            self._question,
            (self.answer, 1),
            area,
            self._done,
            buttons,
        )
        self.resize(context.theme.px(_WIDTH), context.theme.px(_HEIGHT))
        for level in range(1, _TEN + 1):
            # Digits are typed nowhere in this dialog; 0 is the tenth.
            shortcut = QShortcut(QKeySequence(str(level % _TEN)), self)
            shortcut.activated.connect(partial(self.model.rate, level))
        self.model.changed.connect(self._show)
        self.model.failed.connect(self.reject)
        self._show()

    def _show(self) -> None:
        model = self.model
        sheet, answer = model.sheet, model.answer
        self.answer.setEnabled(answer is not None)
        if sheet is None or answer is None:
            self._progress.setText(tr("Drawing the sample …"))
            return
        self._progress.setText(model.progress)
        self._asked.setText(tr("What to look for: {asked}", asked=sheet.asked))
        self._question.setText(answer.question)
        if self.answer.toPlainText() != answer.text:
            self.answer.setPlainText(answer.text)
        if [each.property("words") for each in self.levels] != list(sheet.levels):
            self._list(sheet.levels)
        # An exclusive group keeps one of its own ticked: an answer that is not rated would show the last one's level.
        self._group.setExclusive(False)
        for level, choice in enumerate(self.levels, start=1):
            with QSignalBlocker(choice):
                choice.setChecked(level == model.level)
        self._group.setExclusive(True)
        self._done.setText(
            tr(
                "All are marked. “Can the judge models be relied on?” in Results says how far each judge model agrees"
                " with you."
            )
            if model.finished
            else tr("A digit marks the answer (0 is 10) and goes on. What the judge models said stays hidden.")
        )

    def _list(self, levels: tuple[str, ...]) -> None:
        for each in self.levels:
            self._group.removeButton(each)
            each.deleteLater()
        self.levels = []
        for level, words in enumerate(levels, start=1):
            choice = QRadioButton(f"{level}   {words}")
            choice.setProperty("words", words)
            choice.setObjectName(f"rating.level.{level}")
            choice.setToolTip(plain_tip(words))
            choice.clicked.connect(partial(self._clicked, level))
            self._group.addButton(choice)
            self._levels.addWidget(choice)
            self.levels.append(choice)

    def _clicked(self, level: int, _checked: bool) -> None:
        self.model.rate(level)
