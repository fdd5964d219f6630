"""The marked passages of the open bundle: where each is, its words, and a comment that is saved as it is typed."""

from collections.abc import Mapping, Sequence
from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QApplication, QLineEdit, QSizePolicy

from gpf_desktop.domain.codes import CodeBook
from gpf_desktop.domain.reviews import MarkedPassage
from gpf_desktop.domain.text import tr
from gpf_desktop.ui.review.elided_button import inline_button
from gpf_desktop.ui.review.passages import Place, place_of
from gpf_desktop.ui.review.reading_content import PassageLine
from gpf_desktop.ui.theme import Theme
from gpf_desktop.ui.theme.tokens import SPACE_1, SPACE_2
from gpf_desktop.ui.widgets.boxes import PlainWidget, spaced_grid, vbox
from gpf_desktop.ui.widgets.buttons import icon_button
from gpf_desktop.ui.widgets.labels import caption, label
from gpf_desktop.ui.widgets.names import named
from gpf_desktop.ui.widgets.plain import plain_tip

_SAID = 200
"""Characters of a passage that its tool tip shows."""


class PassagesList(PlainWidget):
    """One row per passage. Rows are kept while their passage is, so that typing in one is never disturbed."""

    asked = Signal(object)
    """The `PassageLine` to be shown among the answers."""
    comment_typed = Signal(object, str)
    """The passage's `Place`, and its comment."""
    emptied = Signal()
    """The last passage has gone, and the keyboard with it."""
    added = Signal(object)
    """The `Place` of a passage that is to be evidence of the report."""
    code_asked = Signal(object)
    """The `Place` of a passage whose codes are to be chosen."""
    removed = Signal(object)
    """The `Place` of a passage that is to be no longer marked."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(name="review.passages")
        self._theme = theme
        self.book = CodeBook()
        self._rows: dict[Place, _Row] = {}
        self._title = label("", "caption", name="review.passages.title")
        self._hint = caption(name="review.passages.hint")
        self._column = vbox(self._title, self._hint, parent=self, spacing=SPACE_1)
        self.show_passages((), ())
        self.show_key("")

    def show_key(self, key: str) -> None:
        """The key that marks what is selected; empty: none."""
        self._hint.setText(
            tr("Select words of an answer and press {key}.", key=key) if key else tr("Select words of an answer.")
        )

    def show_passages(self, passages: Sequence[MarkedPassage], lines: Sequence[PassageLine]) -> None:
        """*lines* say where each of *passages* stands; one that has just been marked gets its line a moment later."""
        known = {place_of(line.passage): line for line in lines}
        wanted = {place_of(passage): passage for passage in passages}
        for place in [place for place in self._rows if place not in wanted]:
            self._take_out(place)
        for at, (place, passage) in enumerate(wanted.items()):
            row = self._rows.get(place)
            if row is None:
                row = self._put_in(at, place)
            row.show_passage(passage, known.get(place))
            row.show_codes(passage, self.book)
        self._title.setText(tr("Marked passages ({n})", n=len(wanted)) if wanted else tr("Marked passages"))
        self._hint.setVisible(not wanted)

    def show_book(self, book: CodeBook) -> None:
        """Name the codes of passages as in *book* from now on."""
        self.book = book
        for row in self._rows.values():
            row.show_codes(row.passage, book)

    def rows(self) -> Mapping[Place, "_Row"]:
        """In the order shown."""
        return self._rows

    def comment_field(self) -> QLineEdit | None:
        """For the comment on the passage marked last; None where none is marked."""
        row = next(reversed(self._rows.values()), None)
        return None if row is None else row.comment

    def _put_in(self, at: int, place: Place) -> "_Row":
        row = _Row(self._theme)
        row.go.clicked.connect(lambda _checked=False: self._ask(place))
        row.comment.textEdited.connect(partial(self.comment_typed.emit, place))
        row.codes.clicked.connect(lambda _checked=False: self.code_asked.emit(place))
        row.add.clicked.connect(lambda _checked=False: self.added.emit(place))
        row.remove.clicked.connect(lambda _checked=False: self.removed.emit(place))
        self._rows[place] = row
        # Behind the title and the hint.
        self._column.insertWidget(2 + at, row)
        return row

    def _take_out(self, place: Place) -> None:
        row = self._rows.pop(place)
        focused = QApplication.focusWidget()
        if focused is not None and row.isAncestorOf(focused):
            following = next(iter(self._rows.values()), None)
            if following is not None:
                following.remove.setFocus()
            else:
                self.emptied.emit()
        self._column.removeWidget(row)
        row.hide()
        row.deleteLater()

    def _ask(self, place: Place) -> None:
        line = self._rows[place].line
        if line is not None and line.letter:
            self.asked.emit(line)


class _Row(PlainWidget):
    """A passage's answer and first words, the button that unmarks it, and its comment."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.line: PassageLine | None = None
        self.passage: MarkedPassage | None = None
        self.go = inline_button("review.passage.go", goes=True)
        self.go.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.remove = icon_button(theme, "close", tr("Unmark this passage"))
        self.add = icon_button(theme, "reports", tr("Add this passage to the report"))
        self.comment = named(QLineEdit(placeholderText=tr("Comment")), "review.passage.comment")
        self.codes = inline_button("review.passage.codes", goes=True)
        self.codes.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        grid = spaced_grid(parent=self, across=SPACE_2, down=0, margins=(0, 0, 0, SPACE_1))
        grid.addWidget(self.go, 0, 0)
        grid.addWidget(self.add, 0, 1)
        grid.addWidget(self.remove, 0, 2)
        grid.addWidget(self.codes, 1, 0, 1, 3)
        grid.addWidget(self.comment, 2, 0, 1, 3)
        grid.setColumnStretch(0, 1)

    def show_passage(self, passage: MarkedPassage, line: PassageLine | None) -> None:
        if line is not None:
            self.line = line
        # Not while it is typed: setting the same text would still move the cursor to its end.
        if self.comment.text() != passage.comment:
            self.comment.setText(passage.comment)
            self.comment.setCursorPosition(0)
        line = self.line
        if line is None:
            self._show("…")
        elif not line.letter:
            self._show(tr("In an answer that is not here"))
        else:
            words = line.words[:_SAID] + (" …" if len(line.words) > _SAID else "")
            self._show(f"{line.letter}  {words}", tr("Show in its answer: “{words}”", words=words))
        self.go.setEnabled(line is not None and bool(line.letter))
        about = self.go.words
        self.go.setAccessibleName(tr("Marked passage {words}", words=about))
        self.comment.setAccessibleName(tr("Comment on {words}", words=about))
        self.add.setAccessibleName(tr("Add {words} to the report", words=about))
        self.remove.setAccessibleName(tr("Unmark {words}", words=about))

    def show_codes(self, passage: MarkedPassage | None, book: CodeBook) -> None:
        """The names of the passage's codes, on the button by which they are chosen."""
        self.passage = passage
        names = [] if passage is None else [code.name for code in book.standing_of(passage.codes)]
        self.codes.show_words(", ".join(names) if names else tr("Code …"))
        choose = tr("Choose codes of the code book for this passage")
        self.codes.setToolTip(plain_tip(f"{', '.join(names)}\n{choose}".strip()))
        said = tr("Codes of {words}: {codes}", words=self.go.words, codes=", ".join(names) or tr("none"))
        self.codes.setAccessibleName(said)

    def _show(self, words: str, tip: str = "") -> None:
        self.go.show_words(words)
        self.go.setToolTip(plain_tip(tip))
