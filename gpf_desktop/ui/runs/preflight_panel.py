"""What was looked at before the start, a line each; a failing line has the button that mends it."""

from functools import partial

from PySide6.QtWidgets import QLabel, QWidget

from gpf_desktop.domain.model_tests import StepState
from gpf_desktop.domain.preflight import PreflightLine
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.models.wording import STEP_ICONS, step_word
from gpf_desktop.ui.runs.preflight_view_model import PreflightViewModel, mend_words
from gpf_desktop.ui.theme.tokens import SPACE_1, SPACE_2
from gpf_desktop.ui.widgets.boxes import PlainWidget, column_of, row_of, vbox
from gpf_desktop.ui.widgets.buttons import button
from gpf_desktop.ui.widgets.labels import caption, label
from gpf_desktop.ui.widgets.layouts import clear_layout


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
