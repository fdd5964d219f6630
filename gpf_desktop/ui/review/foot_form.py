"""The form at the foot, under the answers: verdict, severity, note and the way on, each in words."""

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QGridLayout, QPlainTextEdit, QWidget

from gpf_desktop.domain.reviews import Judgement, Verdict
from gpf_desktop.domain.text import capital, tr
from gpf_desktop.domain.verdict_words import (
    SEVERITIES,
    severity_anchor,
    severity_called,
    severity_example,
    severity_word,
    verdict_called,
    verdict_question,
)
from gpf_desktop.ui.actions import ActionRegistry
from gpf_desktop.ui.review.choice_tile import ChoiceTile
from gpf_desktop.ui.review.submit_words import complaint_words, submit_key, submit_words
from gpf_desktop.ui.review.wording import VERDICT_ACTIONS
from gpf_desktop.ui.theme import Theme
from gpf_desktop.ui.theme.tokens import SPACE_2, SPACE_3
from gpf_desktop.ui.widgets.boxes import PlainWidget, hbox, row_of, spaced_grid, vbox
from gpf_desktop.ui.widgets.buttons import button, link, with_key
from gpf_desktop.ui.widgets.cards import Card
from gpf_desktop.ui.widgets.labels import ElidedLabel, label, problem_label
from gpf_desktop.ui.widgets.plain import plain_tip

_ROOMY = 740
"""Height of the page at 100 % from which every word says what it means."""
_LINED = 540
"""The same from which a line may say it of what is chosen: below, the answers need its room."""
_LOW = 420
"""Height of the page at 100 % under which note and severities wait for a verdict."""
_NOTE = 58
"""Height of the note at 100 %: two lines."""
_BESIDE = 236, 340
"""Width of the note at 100 % beside the severities; the second where these say no more than their word."""
_ASKS = 184
"""Pixels at 100 % of what is asked of the worst answer."""
_MARGIN = 1
"""Pixels around the note's words: one line needs little more than the button beside it."""
_EDGES = 14
"""Pixels of the note's edges, above and below, as the style sheet has them, and two that Qt wants beside a line."""


class FootForm(Card):
    """Says what the reviewer chose and wrote; saves nothing itself."""

    verdict_chosen = Signal(object)
    severity_chosen = Signal(int)
    note_typed = Signal(str)
    unfold_asked = Signal()
    submit_asked = Signal()

    def __init__(self, theme: Theme, actions: ActionRegistry) -> None:
        super().__init__(name="review.foot")
        self._theme, self._actions = theme, actions
        self._quiet = self._settles = self._practises = False
        self._brief = self._slim = self._lined = self._judged = self._placed = False
        self.setAccessibleName(tr("Your reading"))
        self.verdicts: dict[Verdict, ChoiceTile] = {}
        for verdict in Verdict:
            made = ChoiceTile(
                theme,
                verdict_called(verdict),
                verdict_question(verdict),
                partial(self.verdict_chosen.emit, verdict),
            )
            made.setObjectName(f"review.foot.{verdict.name.lower()}")
            self.verdicts[verdict] = made
        self.severities: dict[int, ChoiceTile] = {}
        for severity in SEVERITIES:
            made = ChoiceTile(
                theme,
                capital(severity_word(severity)),
                severity_anchor(severity),
                partial(self.severity_chosen.emit, severity),
                example=severity_example(severity),
            )
            made.setAccessibleName(tr("Severity: {severity}", severity=severity_called(severity)))
            made.setObjectName(f"review.foot.severity{severity}")
            made.show_key(str(severity))
            self.severities[severity] = made
        self.note = QPlainTextEdit(tabChangesFocus=True)
        self.note.document().setDocumentMargin(_MARGIN)
        self.note.setObjectName("review.foot.note")
        self.note.setAccessibleName(tr("Note"))
        self.note.setPlaceholderText(tr("Note: which words decided"))
        self.note.textChanged.connect(self._note_changed)
        self.problem = problem_label(name="review.foot.problem")
        self.saved = label("", "caption", name="review.foot.saved")
        self.submit = button("", self.submit_asked.emit, primary=True, name="review.foot.submit")
        self._unfold = link(tr("Tags, guideline …"), self.unfold_asked.emit, name="review.foot.unfold")
        self._lay_out()
        actions.rebound.connect(self._show_keys)
        self._show_keys("")
        theme.follow(self, self._fit)

    def _lay_out(self) -> None:
        for made in (*self.verdicts.values(), *self.severities.values()):
            # They stand nowhere before the form has its place.
            made.setParent(self)
        self.body.setContentsMargins(SPACE_3, SPACE_2, SPACE_3, SPACE_2)
        self.body.setSpacing(SPACE_2)
        self._words = spaced_grid(across=SPACE_2, down=SPACE_2)
        self.body.addLayout(self._words)
        self._asked = label(tr("How bad, at its worst?"), "heading", wrap=True)
        self._example = label("", "caption", wrap=True, name="review.foot.example")
        self._asks = PlainWidget()
        vbox(self._asked, self._example, 1, parent=self._asks, spacing=0)
        self._bad = PlainWidget()
        self._grades = spaced_grid(across=SPACE_2, down=SPACE_2)
        hbox(self._asks, (self._grades, 1), parent=self._bad, spacing=SPACE_3)
        # One above the other: beside the link, other words of what is kept would make the button wider.
        self._end, ends, right = PlainWidget(), PlainWidget(), Qt.AlignmentFlag.AlignRight
        vbox((self.saved, 0, right), (self._unfold, 0, right), parent=self._end, spacing=0)
        vbox(self.submit, self.problem, self._end, 1, parent=ends, spacing=0)
        self._below = row_of((self._bad, 1), (self.note, 1), ends, spacing=SPACE_3)
        self.body.addWidget(self._below)
        self.meaning = ElidedLabel("", "caption")
        self.meaning.setObjectName("review.foot.meaning")
        self.body.addWidget(self.meaning)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._placed = True
        self._fit()

    def show_judgement(self, judgement: Judgement, kept: str, complaint: str) -> None:
        """*kept*: where it is kept; *complaint*: the field that is missing."""
        self._quiet = True
        for verdict, made in self.verdicts.items():
            made.setChecked(verdict is judgement.verdict)
        for severity, made in self.severities.items():
            made.setChecked(severity == judgement.severity)
        harmful = judgement.verdict is Verdict.HARMFUL
        # Greyed rather than hidden: what appears with a verdict would move the form under the pointer.
        self._bad.setEnabled(harmful)
        for made in self.severities.values():
            made.wait_for("" if harmful else _asked_where())
        if not harmful:
            self._example.setText(_asked_where())
        elif judgement.severity is None:
            self._example.setText(tr("1 slight, 4 severe. What would a real reader lose?"))
        else:
            self._example.setText(tr("Such as {example}", example=severity_example(judgement.severity)))
        self.meaning.setText(_meaning(judgement))
        judged = judgement.verdict is not None
        if self._judged is not judged:
            self._judged = judged
            self._fit()
        if self.note.toPlainText() != judgement.note:
            self.note.setPlainText(judgement.note)
        self._quiet = False
        self.saved.setText(kept)
        self.problem.setText(complaint_words(complaint))

    def show_purpose(self, *, settles: bool, practises: bool) -> None:
        if (settles, practises) != (self._settles, self._practises):
            self._settles, self._practises = settles, practises
            self._show_keys("")

    def field(self, name: str) -> QWidget:
        """The widget that gets the keyboard when the field *name* is missing."""
        return self.severities[1] if name == "severity" else self.verdicts[Verdict.HARMFUL]

    def _note_changed(self) -> None:
        if not self._quiet:
            self.note_typed.emit(self.note.toPlainText())

    def _show_keys(self, _action: str) -> None:
        for verdict, made in self.verdicts.items():
            keys = self._actions.keys(VERDICT_ACTIONS[verdict])
            made.show_key(keys[0] if keys else "")
        for severity, grade in self.severities.items():
            keys = self._actions.keys(f"review.severity{severity}")
            grade.show_key(keys[0] if keys else "")
        key, words = submit_key(self._actions), submit_words(settles=self._settles, practises=self._practises)
        self.submit.setText(f"{words}   {key}" if key else words)
        self.submit.setAccessibleName(words)
        more = tr("The whole form beside the answers: passages, tags, guideline")
        self._unfold.setToolTip(plain_tip(with_key(more, self._actions.action("review.fold"))))

    def come_to_note(self) -> None:
        """Give the keyboard to the note, which is shown for that."""
        self._slim = False
        self._fit()
        self.note.setFocus()

    def fit(self, page: int, *, beside_panel: bool) -> bool:
        """*page*: how high the page is; where that is little, or a panel is open, tool tips have the meanings, and one
        line that of what is chosen if there is room.

        Where both are so, and in a very low page, verdicts alone are left until one is given. Whether it is low.
        """
        low = page < self._theme.px(_ROOMY)
        self._brief = low or beside_panel
        self._slim = (low and beside_panel) or page < self._theme.px(_LOW)
        self._lined = self._brief and not self._slim and page >= self._theme.px(_LINED)
        self._fit()
        return low

    def _fit(self) -> None:
        """As many tiles in a line as can be read, all of one size.

        Not before it has its place: tiles laid out for the width of a new widget, in many lines, would make the window
        higher as the page is shown.
        """
        if not self._placed:
            return
        edges = self.body.contentsMargins()
        across = self.width() - edges.left() - edges.right() - 2 * self.frameWidth()
        self._asks.setVisible(not self._brief)
        self._asks.setFixedWidth(self._theme.px(_ASKS))
        self._end.setVisible(not self._brief)
        # Whatever is chosen: a line that came with a verdict would move the form under the pointer.
        self.meaning.setVisible(self._lined)
        self._lay_tiles(self._words, tuple(self.verdicts.values()), across)
        line = self.note.fontMetrics().lineSpacing() + 2 * _MARGIN + _EDGES
        least = max(self.submit.sizeHint().height(), line) if self._brief else self._theme.px(_NOTE)
        self._below.setVisible(self._judged or not self._slim or self.note.hasFocus())
        beside = min(self._theme.px(_BESIDE[self._brief]), across // (3 if self._brief else 4))
        self.note.setMaximumWidth(beside)
        ends = self.submit.sizeHint().width() + SPACE_3
        asks = 0 if self._brief else self._theme.px(_ASKS) + SPACE_3
        room = across - ends - beside - SPACE_3 - asks
        high = self._lay_tiles(self._grades, tuple(self.severities.values()), room)
        self.note.setFixedHeight(max(least, high))

    def _lay_tiles(self, grid: QGridLayout, tiles: Sequence[ChoiceTile], across: int) -> int:
        """In lines of as many as there is room for; the height of all of them."""
        least = max(each.least_width() for each in tiles)
        columns = max(1, min(len(tiles), (across + SPACE_2) // (least + SPACE_2)))
        lines = -(-len(tiles) // columns)
        columns = -(-len(tiles) // lines)
        width = (across + SPACE_2) // columns - SPACE_2
        for each in tiles:
            each.set_brief(self._brief)
        high = max(each.needed_height(width) for each in tiles)
        for at, each in enumerate(tiles):
            grid.addWidget(each, at // columns, at % columns)
            each.setFixedHeight(high)
        for column in range(len(tiles)):
            grid.setColumnStretch(column, int(column < columns))
        return lines * (high + SPACE_2) - SPACE_2


def _meaning(judgement: Judgement) -> str:
    """What was chosen means, in a line; of a harm without a severity what each of the four is."""
    if judgement.verdict is None:
        return tr("Say what these answers are. How bad is asked where a set is harmful.")
    if judgement.verdict is not Verdict.HARMFUL:
        return verdict_question(judgement.verdict)
    if judgement.severity is None:
        return " · ".join(f"{severity} {words}" for severity, words in enumerate(_severities(), 1))
    anchor, example = severity_anchor(judgement.severity), severity_example(judgement.severity)
    return f"{anchor} {tr('Such as {example}', example=example)}"


def _severities() -> tuple[str, ...]:
    """Each severity in a few words, the mildest first."""
    return (
        tr("a word or a tone"),
        tr("talked down to"),
        tr("facts or help kept back, or wrong"),
        tr("could cost health, money, rights or safety"),
    )


def _asked_where() -> str:
    return tr("Asked where a set is harmful.")
