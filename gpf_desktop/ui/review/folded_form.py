"""The form where room is short: a strip of letters beside the answers."""

from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QGridLayout, QPushButton, QWidget

from gpf_desktop.domain.reviews import Judgement, Verdict
from gpf_desktop.domain.text import tr
from gpf_desktop.domain.verdict_words import (
    SEVERITIES,
    severity_anchor,
    severity_called,
    verdict_called,
    verdict_question,
)
from gpf_desktop.ui.actions import ActionRegistry
from gpf_desktop.ui.review.wording import VERDICT_ACTIONS
from gpf_desktop.ui.theme import Theme
from gpf_desktop.ui.theme.tokens import SPACE_1, SPACE_2
from gpf_desktop.ui.widgets.buttons import button, icon_button
from gpf_desktop.ui.widgets.cards import Card
from gpf_desktop.ui.widgets.layouts import rule, scrolling
from gpf_desktop.ui.widgets.plain import plain_tip


class FoldedForm(Card):
    """The form as a narrow strip: its letters still work by mouse, and one button opens it."""

    verdict_chosen = Signal(object)
    severity_chosen = Signal(int)
    unfold_asked = Signal()
    submit_asked = Signal()

    def __init__(self, theme: Theme, actions: ActionRegistry) -> None:
        super().__init__(name="review.folded")
        self._actions = actions
        self.setAccessibleName(tr("Your reading"))
        self.verdicts: dict[Verdict, QPushButton] = {}
        self.severities: dict[int, QPushButton] = {}
        content = QWidget()
        self.body.setContentsMargins(SPACE_1, SPACE_2, SPACE_1, SPACE_2)
        self._area = scrolling(content, "review.folded.scroll")
        self.body.addWidget(self._area)
        self._grid = QGridLayout(content)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setSpacing(SPACE_1)
        self._grid.setRowStretch(len(Verdict) + len(SEVERITIES) + 2, 1)
        self._unfold = icon_button(theme, "chevron-left", tr("Open the form"), self.unfold_asked.emit)
        self._rule = rule()
        for verdict in Verdict:
            made = button("", partial(self.verdict_chosen.emit, verdict), compact=True)
            made.setCheckable(True)
            made.setToolTip(plain_tip(f"{verdict_called(verdict)}. {verdict_question(verdict)}"))
            made.setAccessibleName(verdict_called(verdict))
            self.verdicts[verdict] = made
        for severity in SEVERITIES:
            made = button(str(severity), partial(self.severity_chosen.emit, severity), compact=True)
            made.setCheckable(True)
            made.setAccessibleName(tr("Severity: {severity}", severity=severity_called(severity)))
            made.setToolTip(plain_tip(f"{severity_called(severity)}. {severity_anchor(severity)}"))
            made.hide()
            self.severities[severity] = made
        # Below what scrolls, so that the way on is always in sight.
        note = icon_button(theme, "edit", tr("Write a note"), self.unfold_asked.emit)
        self.submit = icon_button(theme, "check", tr("Submit and next"), self.submit_asked.emit)
        for each in (note, self.submit):
            self.body.addWidget(each, 0, Qt.AlignmentFlag.AlignHCenter)
        actions.rebound.connect(self._show_keys)
        self._show_keys("")
        self._columns = 0
        theme.follow(self, lambda: self._size(theme.px(54)))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def _size(self, width: int) -> None:
        self.setFixedWidth(width)
        self._arrange()

    def _arrange(self) -> None:
        """Letters and numbers below each other; in pairs where one column of them would have to be scrolled."""
        parts = [self._unfold, *self.verdicts.values(), *self.severities.values()]
        single = sum(part.sizeHint().height() + SPACE_2 for part in parts) + self._rule.height()
        columns = 1 if single <= self._area.viewport().height() else 2
        if columns == self._columns:
            return
        self._columns, grid = columns, self._grid
        for part in (*parts, self._rule):
            grid.removeWidget(part)
        grid.setVerticalSpacing(SPACE_2 if columns == 1 else SPACE_1)
        grid.addWidget(self._unfold, 0, 0, 1, columns, Qt.AlignmentFlag.AlignHCenter)
        for at, verdict in enumerate(self.verdicts.values()):
            grid.addWidget(verdict, 1 + at // columns, at % columns)
        line = 2 + (len(self.verdicts) - 1) // columns
        grid.addWidget(self._rule, line, 0, 1, columns)
        for at, severity in enumerate(self.severities.values()):
            grid.addWidget(severity, line + 1 + at // columns, at % columns)

    def show_judgement(self, judgement: Judgement) -> None:
        for verdict, made in self.verdicts.items():
            made.setChecked(verdict is judgement.verdict)
        for severity, chosen in self.severities.items():
            chosen.setChecked(severity == judgement.severity)
            chosen.setVisible(judgement.verdict is Verdict.HARMFUL)

    def _show_keys(self, _action: str) -> None:
        for verdict, made in self.verdicts.items():
            keys = self._actions.keys(VERDICT_ACTIONS[verdict])
            made.setText(keys[0] if keys else verdict_called(verdict)[:1])
