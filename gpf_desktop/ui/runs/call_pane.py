"""One call in full: its attempts, and what went over the wire."""

from PySide6.QtGui import QFontDatabase
from PySide6.QtWidgets import QPlainTextEdit

from gpf_desktop.domain.text import tr
from gpf_desktop.domain.wire import Exchange
from gpf_desktop.engine.core.factor_words import cell_words
from gpf_desktop.storage.ledger import CallAttempt, CallRow
from gpf_desktop.ui.runs.calls_view_model import CallsViewModel
from gpf_desktop.ui.theme import Theme
from gpf_desktop.ui.theme.tokens import SPACE_1, SPACE_2, SPACE_3
from gpf_desktop.ui.widgets.boxes import PlainWidget, hbox, vbox
from gpf_desktop.ui.widgets.buttons import button
from gpf_desktop.ui.widgets.choice_box import ChoiceBox
from gpf_desktop.ui.widgets.fields import offer
from gpf_desktop.ui.widgets.hidden_names import ask_of_names
from gpf_desktop.ui.widgets.labels import caption, label, show_words
from gpf_desktop.ui.widgets.layouts import flowing
from gpf_desktop.ui.widgets.names import named
from gpf_desktop.ui.wording import clock, money

_LETTERS = 13
_LEAST = 80
"""Pixels at 100 %."""


class CallPane(PlainWidget):
    """Details of the table's current row."""

    def __init__(self, theme: Theme, model: CallsViewModel) -> None:
        super().__init__()
        self._model = model
        self._shown: object = None
        self._title = label("", "heading", wrap=True)
        self._about = caption()
        self._attempt = named(ChoiceBox(36), "calls.attempt", tr("Attempt"))
        self._attempt.currentIndexChanged.connect(lambda _: self._show_exchange())
        self._said = label("", wrap=True, name="calls.said")
        self._request, self._reply = _text(tr("Request"), "calls.request"), _text(tr("Answer"), "calls.reply")
        self.retry = button(tr("Ask again"), model.retry, compact=True, name="calls.retry")
        self.copy = button(tr("Copy as curl"), self._copy, compact=True, name="calls.curl")
        self.read = button(tr("Read its set of answers"), model.read_bundle, compact=True, name="calls.read")
        column = vbox(
            self._title,
            self._about,
            flowing(self._attempt, self.retry, self.copy, self.read),
            self._said,
            parent=self,
            spacing=SPACE_2,
        )
        beside = hbox(spacing=SPACE_3)
        for title, text in ((tr("Request"), self._request), (tr("Answer"), self._reply)):
            beside.addLayout(vbox(caption(title), (text, 1), spacing=SPACE_1), 1)
        column.addLayout(beside, 1)
        theme.follow(self, lambda: self._set_font(theme))
        model.changed.connect(self.show_model)
        self.show_model()

    def _set_font(self, theme: Theme) -> None:
        font = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
        font.setPixelSize(theme.px(_LETTERS))
        for text in (self._request, self._reply):
            text.setFont(font)

    def show_model(self) -> None:
        """Paint the view-model's state."""
        model, details = self._model, self._model.details
        self.retry.setText(model.retry_words)
        if self.retry.hasFocus() and not model.retriable:
            # To its proxy, the table; Qt would give the keyboard to whatever comes next, a message's button as well.
            self.setFocus()
        self.retry.setEnabled(model.retriable)
        self.read.setEnabled(details is not None)
        self.copy.setText(model.curl_words)
        self._allow_copy()
        self.setVisible(details is not None)
        # Another repaint: filled again, the list would go back to the last attempt under the auditor's eyes.
        if details is self._shown:
            return
        self._shown = details
        if details is not None:
            row = details.row
            self._title.setText(row.headline)
            self._about.setText(f"{row.model} · {levels(row)}")
        attempts = details.attempts[::-1] if details is not None else ()
        offer(self._attempt, [(_attempt_words(each), each) for each in attempts], next(iter(attempts), None))
        self._show_exchange()

    def _show_exchange(self) -> None:
        details, each = self._model.details, self._attempt.currentData()
        exchange = details.exchanges.get(each.attempt) if details is not None and each is not None else None
        show_words(self._said, each.detail if each is not None else "")
        self._allow_copy()
        if exchange is not None:
            self._request.setPlainText(request_text(exchange))
            self._reply.setPlainText(reply_text(exchange))
        elif details is not None:
            self._request.setPlainText(tr("Nothing was kept of what went over the wire: {why}.", why=_why(each)))
            self._reply.setPlainText(details.answer if each is not None and each.outcome == "answered" else "")
        else:
            self._request.setPlainText("")
            self._reply.setPlainText("")

    def _allow_copy(self) -> None:
        details, each = self._model.details, self._attempt.currentData()
        kept = details is not None and each is not None and each.attempt in details.exchanges
        self.copy.setEnabled(kept or len(self._model.selected) > 1)

    def _copy(self) -> None:
        each = self._attempt.currentData()
        attempt = 0 if each is None else each.attempt
        ask_of_names(self, lambda: self._model.copy_curl(attempt))


def request_text(exchange: Exchange) -> str:
    """As it went out, with a mark in place of the key."""
    lines = [f"{exchange.method} {exchange.url}", *(f"{name}: {value}" for name, value in exchange.headers.items())]
    return "\n".join([*lines, "", exchange.body])


def reply_text(exchange: Exchange) -> str:
    """As it came back."""
    if exchange.status is None:
        return tr("No answer came back.")
    lines = [str(exchange.status), *(f"{name}: {value}" for name, value in exchange.reply_headers.items())]
    return "\n".join([*lines, "", exchange.reply])


def _why(attempt: CallAttempt | None) -> str:
    if attempt is None:
        return tr("the call was not made yet")
    if not attempt.outcome or attempt.outcome == "outcome unknown":
        return tr("the program did not see how the call ended")
    return tr("a built-in model, a batch job, or a round of an earlier version")


def _attempt_words(each: CallAttempt) -> str:
    outcome = tr(each.outcome) if each.outcome else tr("on its way")
    status = f" · {each.status}" if each.status is not None else ""
    cost = f" · {money(each.dollars)}" if each.dollars else ""
    return tr("Attempt {n}", n=each.attempt) + f" · {clock(each.started)} · {outcome}{status}{cost}"


def _text(says: str, name: str) -> QPlainTextEdit:
    made = named(QPlainTextEdit(readOnly=True, tabChangesFocus=True), name, says)
    made.setMinimumHeight(_LEAST)
    return made


def levels(row: CallRow) -> str:
    """The place of a call's question in the design, in words."""
    repeat = [tr("asked again, {n}", n=row.repeat)] if row.repeat else []
    return " · ".join([*cell_words(row.method, row.coordinates), *repeat])
