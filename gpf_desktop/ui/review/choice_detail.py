"""Details behind one square: the prompt as sent, the answer, how it was decoded, and a person's correction."""

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import QLineEdit

from gpf_desktop.domain.text import in_quotes, tr
from gpf_desktop.engine.review.choice_grid import ChoiceGrid, Square
from gpf_desktop.ui.review.letter_box import LetterBox
from gpf_desktop.ui.review.wording import missing_words
from gpf_desktop.ui.theme import Theme
from gpf_desktop.ui.theme.tokens import SPACE_2
from gpf_desktop.ui.widgets.boxes import PlainWidget, hbox, vbox
from gpf_desktop.ui.widgets.buttons import button
from gpf_desktop.ui.widgets.labels import label, secondary
from gpf_desktop.ui.widgets.layouts import FlowLayout
from gpf_desktop.ui.widgets.names import named
from gpf_desktop.ui.widgets.plain import plain_tip
from gpf_desktop.ui.widgets.span_text import SpanTextView
from gpf_desktop.ui.wording import decimal

_LEAST_TEXT = 72


class ChoiceDetail(PlainWidget):
    """Fields to correct the choice stand under what is corrected."""

    corrected = Signal(str, str)
    """(category, reason)"""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._shown: tuple[int, str] | None = None
        self.where = label("", "heading", wrap=True, name="review.choice.where")
        self.how = secondary("", wrap=True, name="review.choice.how")
        self.prompt = SpanTextView(theme, says=tr("Prompt as sent"), framed=True, name="review.choice.prompt")
        self.answer = SpanTextView(theme, says=tr("Answer"), framed=True, name="review.choice.answer")
        self.category = named(LetterBox(), "review.choice.category", tr("What the answer comes to"))
        self.reason = named(
            QLineEdit(placeholderText=tr("Reason, kept with your name")),
            "review.choice.reason",
            tr("Reason for the correction"),
        )
        self.save = button(tr("Correct"), self._save, compact=True, name="review.choice.save")
        self._lay_out()
        self.category.currentIndexChanged.connect(lambda _at: self._allow())
        self.reason.textChanged.connect(lambda _text: self._allow())
        self.reason.returnPressed.connect(self._save)
        theme.follow(self, self._restyle)

    def _lay_out(self) -> None:
        correction = PlainWidget()
        FlowLayout(correction, self.category, self.reason, self.save)
        vbox(
            self.where,
            (hbox((self.prompt, 1), (self.answer, 1), spacing=SPACE_2), 1),
            self.how,
            correction,
            parent=self,
            spacing=SPACE_2,
        )

    def show_square(self, grid: ChoiceGrid, square: Square, prompt: str) -> None:
        """A reason that is being typed stays while the same answer is shown."""
        missing = bool(square.answer.missing)
        self.where.setText(" · ".join(level for _, level in square.place))
        self.prompt.show_text(prompt)
        self.answer.show_text(square.answer.detail if missing else square.answer.text)
        why = missing_words(square.answer.missing, refused_unknown=square.answer.refused_unknown)
        self.how.setText(why if missing else how_words(grid, square))
        self.category.setEnabled(not missing)
        self.reason.setEnabled(not missing)
        shown = (int(square.answer.cell_id), square.category)
        if shown != self._shown:
            self._shown = shown
            self._offer(grid, square)
        self._allow()

    def _offer(self, grid: ChoiceGrid, square: Square) -> None:
        with QSignalBlocker(self.category):
            self.category.clear()
            for option in grid.options:
                words = f"{option.category} · {option.title}" if option.text else option.title
                self.category.addItem(words, option.category)
            self.category.setCurrentIndex(self.category.findData(square.category))
        self.reason.clear()

    def _allow(self) -> None:
        other = self._shown is not None and self.category.currentData() != self._shown[1]
        self.save.setEnabled(other and bool(self.reason.text().strip()))
        why = "" if self.save.isEnabled() else tr("Choose what the answer comes to and give a reason")
        self.save.setToolTip(plain_tip(why))

    def _save(self) -> None:
        if self.save.isEnabled():
            self.corrected.emit(str(self.category.currentData()), self.reason.text())

    def _restyle(self) -> None:
        for text in (self.prompt, self.answer):
            text.setMinimumHeight(self._theme.px(_LEAST_TEXT))
        self.reason.setMinimumWidth(self._theme.px(200))


def how_words(grid: ChoiceGrid, square: Square) -> str:
    """How the answer came to what it counts as."""
    rules = grid.title_of(square.rules.category)
    read = tr("read as {choice} by {how}", choice=rules, how=square.rules.how) if square.rules.how else rules
    if square.corrected is None:
        return f"{tr('Decoded: {read}.', read=read)} {chances_words(square)}".strip()
    return tr(
        "Corrected to {choice} by {name}: {reason} The rules: {read}.",
        choice=grid.title_of(square.category),
        name=square.corrected.reviewer,
        reason=f"{in_quotes(square.corrected.reason)}.",
        read=read,
    )


def chances_words(square: Square) -> str:
    """How likely the model made each option, by its own log-probabilities; empty where none came."""
    chances = " · ".join(f"P({category}) {decimal(chance, 2)}" for category, chance in square.chances.items())
    return tr("Log-probabilities: {chances}.", chances=chances) if chances else ""
