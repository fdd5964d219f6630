"""The card on what a round takes and what keeps it from starting, with the buttons that start it; for every method."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from gpf_desktop.domain.model_tests import StepState
from gpf_desktop.domain.preflight import PreflightLine
from gpf_desktop.domain.text import tr
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.models.wording import STEP_ICONS, step_word
from gpf_desktop.ui.runs.preflight_view_model import PreflightViewModel, mend_words
from gpf_desktop.ui.theme.tokens import SPACE_1, SPACE_2
from gpf_desktop.ui.widgets.boxes import PlainWidget, column_of, fill, row_of, spaced_grid, vbox
from gpf_desktop.ui.widgets.buttons import button
from gpf_desktop.ui.widgets.cards import Card
from gpf_desktop.ui.widgets.labels import caption, label, problem_label, show_words
from gpf_desktop.ui.widgets.layouts import clear_layout, flowing
from gpf_desktop.ui.widgets.plain import plain_tip

SUMMARY_WIDTH: Final = 300
"""Pixels at 100 %."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Starting:
    """The callbacks behind a card's buttons."""

    preflight: PreflightViewModel
    begin: Callable[[], object]
    """Look at what the round needs, then start it where nothing is wrong."""
    anyway: Callable[[], object]
    """Start it whatever was found."""


class SummaryCard(Card):
    """The start stands first: in a low window, or with large text, what is read would push it below the edge.

    Further widgets go into *inside*, above the remarks, or into `body`, below all.
    """

    looked = Signal()
    """What was looked at before the start is not all ready."""

    def __init__(self, context: Context, starting: Starting) -> None:
        super().__init__(tr("What this takes"), name="setup.summary")
        theme = context.theme
        theme.follow(self, lambda: self.setFixedWidth(theme.px(SUMMARY_WIDTH)))
        self._preflight = starting.preflight
        self._blocked, self._counting = True, False
        self._formula = caption(name="setup.formula")
        self._lines = spaced_grid(down=SPACE_2 // 2, wide=0)
        self._remarks = caption(name="setup.remarks")
        self.inside = QVBoxLayout()
        self.blocked = problem_label(name="setup.blocked")
        self._nothing = label("", "warning", wrap=True, name="setup.nothing")
        self.preflight = PreflightPanel(context, starting.preflight)
        self.start = button(tr("Start"), starting.begin, primary=True, name="setup.start")
        self.anyway = button(tr("Start anyway"), starting.anyway, name="setup.anyway")
        fill(self.body, self.start, self.anyway, self.blocked, self._nothing, self.preflight)
        fill(self.body, self._formula, self._lines, self.inside, self._remarks)
        self._waiting: tuple[QWidget, ...] = (self.anyway,)
        starting.preflight.changed.connect(self._show_start)

    def offer(self, *buttons: QWidget, small: Sequence[QWidget], always: QWidget) -> None:
        """Further *buttons* below, and *small* ones in a row, which need what the start needs; *always* needs
        nothing."""
        for each in (*buttons, flowing(*small, always)):
            self.body.addWidget(each)
        self._waiting += (*buttons, *small)

    def show_takes(self, lines: Sequence[tuple[str, str]], remarks: str, formula: str = "") -> None:
        """Show what a round takes: *lines* of what and how much, *remarks* needed to read them, and the *formula* of
        its calls.
        """
        show_words(self._formula, formula)
        clear_layout(self._lines)
        for at, (what, much) in enumerate(lines):
            name = label(what, "secondary", wrap=True)
            # Breaks at any word, so that there is room for how much, which does not.
            name.setMinimumWidth(0)
            self._lines.addWidget(name, at, 0)
            self._lines.addWidget(label(much), at, 1, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignTop)
        show_words(self._remarks, remarks)

    def show_nothing(self, words: str) -> None:
        """*words*: why it could be started and nothing concluded of it; empty: something can."""
        show_words(self._nothing, words)

    def show_blocked(self, words: str, *, busy: bool = False, counting: bool = False) -> None:
        """*words*: what keeps the round from starting, empty where nothing does; *busy*: it is starting already;
        *counting*: what it takes is being counted, which the button says: a line that comes for a moment would push
        the buttons from under the mouse."""
        self.blocked.setText(words)
        self._blocked, self._counting = bool(words) or counting, counting
        for each in self._waiting:
            each.setEnabled(not self._blocked and not busy)
            each.setToolTip(plain_tip(words))
        self.start.setToolTip(plain_tip(words))
        self._show_start()

    def _show_start(self) -> None:
        looking = self._preflight
        # Not disabled while it does what it was pressed for, which pressing again changes nothing of: it would give the
        # keyboard away.
        self.start.setEnabled(not self._blocked)
        words = tr("Look again and start") if looking.failing else tr("Start")
        waiting = tr("Looking …") if looking.running else tr("Counting …") if self._counting else ""
        self.start.setText(waiting or words)
        found = bool(looking.failing) and not looking.running
        if found and self.anyway.isHidden():
            self.anyway.show()
            self.looked.emit()
        self.anyway.setVisible(found)


class PreflightPanel(PlainWidget):
    """Takes no room before the first look."""

    def __init__(self, context: Context, model: PreflightViewModel) -> None:
        super().__init__()
        self._context, self._model = context, model
        self._shown: tuple[PreflightLine, ...] = ()
        self._words = label("", wrap=True, name="preflight.words")
        self._lines = vbox(spacing=SPACE_1)
        vbox(self._words, self._lines, parent=self, spacing=SPACE_2)
        model.changed.connect(self.show_model)
        context.theme.on_change(self, self._repaint)
        self.show_model()

    def show_model(self) -> None:
        """Paint the view-model's state."""
        model = self._model
        self.setVisible(model.shown or model.running)
        self._words.setText(model.words)
        if model.lines != self._shown:
            self._shown = model.lines
            clear_layout(self._lines)
            for line in model.lines:
                self._lines.addWidget(self._line(line))

    def _repaint(self) -> None:
        # The signs are pictures in the colours of before, so the lines are made anew.
        self._shown = ()
        self.show_model()

    def _line(self, line: PreflightLine) -> QWidget:
        icon, tone = STEP_ICONS[line.state]
        sign = QLabel()
        sign.setPixmap(self._context.theme.pixmap(icon, tone.token, 16))
        top = row_of(sign, (label(line.title, wrap=True), 1), spacing=SPACE_2)
        parts: list[QWidget] = [top]
        if line.words and line.state is not StepState.PASSED:
            parts.append(caption(line.words))
        if line.state is StepState.FAILED:
            mend = button(mend_words(line), partial(self._model.mend, line), compact=True, name="preflight.mend")
            parts.append(mend)
        made = column_of(*parts, spacing=SPACE_1)
        made.setAccessibleName(f"{line.title}: {step_word(line.state, running=True)}. {line.words}")
        return made
