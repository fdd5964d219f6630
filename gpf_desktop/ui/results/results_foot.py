"""The foot of the page, always in sight: who has read the answers, what comes next, and what numbers do not show."""

from PySide6.QtCore import Qt, Signal

from gpf_desktop.domain.text import tr, trn, unbroken
from gpf_desktop.ui.results.page_read import ToRead
from gpf_desktop.ui.review.sample_panel import TEST_SETS
from gpf_desktop.ui.theme.tokens import SPACE_1, SPACE_2
from gpf_desktop.ui.widgets.boxes import PlainWidget, hbox, vbox
from gpf_desktop.ui.widgets.buttons import link
from gpf_desktop.ui.widgets.labels import caption, label, show_words


class ResultsFoot(PlainWidget):
    """Who has read the answers, with the way to them; what to do next; and what a number shows."""

    read = Signal(object)
    """The id of the bundle to begin reading with."""
    test = Signal()
    """Sets are to be drawn by which people test what is concluded."""
    agreement = Signal()
    """How far those who read agree is to be shown."""

    def __init__(self) -> None:
        super().__init__(name="results.foot")
        self._first: object = None
        self.status = label("", wrap=True, name="read.status")
        self.start = link("", lambda: self.read.emit(self._first), name="read.start")
        self.draw = link(tr("Draw {n} to test this: about two hours", n=TEST_SETS), self.test.emit, name="read.draw")
        self.agree = link(tr("How far they agree"), self.agreement.emit, name="read.agree")
        self.steps = label("", wrap=True, name="read.steps")
        self.footnote = caption("", name="footnote")
        self.how = link(tr("How this was measured"), name="how")
        self._measured = caption("", name="measured")
        self._measured.hide()
        self.how.clicked.connect(lambda _checked=False: self._measured.setVisible(self._measured.isHidden()))
        top = Qt.AlignmentFlag.AlignTop
        self.note = PlainWidget(name="results.note")
        note = hbox((self.footnote, 1), (self.how, 0, top), spacing=SPACE_2)
        vbox(self.steps, note, self._measured, parent=self.note, spacing=SPACE_1)
        ways = ((each, 0, top) for each in (self.agree, self.start, self.draw))
        status = hbox((self.status, 1), *ways, spacing=SPACE_2)
        self._lines = vbox(status, self.note, parent=self, spacing=SPACE_1)

    def keep_free(self, pixels: int) -> None:
        """At its right, so that it ends where the cards above it do."""
        self._lines.setContentsMargins(0, 0, pixels, 0)

    def take_note(self) -> None:
        """Take the note on what a number shows, under who has read the answers."""
        self._lines.addWidget(self.note)

    def show_measured(self, footnote: str, measured: str) -> None:
        """*measured*: how, in more words; empty: nothing more is known."""
        self.footnote.setText(unbroken(footnote))
        self._measured.setText(unbroken(measured))
        self.how.setVisible(bool(measured))
        if not measured:
            self._measured.hide()

    def show_read(self, to_read: ToRead, read: int) -> None:
        """*read*: how many sets of this window people have read."""
        said = (
            trn(
                "People have read {n} set of what is counted here.",
                "People have read {n} sets of what is counted here.",
                read,
            )
            if read
            else tr("Nobody has read these answers yet. Whether they harm anyone, only a person can say.")
        )
        show_words(self.status, unbroken(" ".join(filter(None, (said, to_read.judged)))))
        steps = tr("What to do next: {steps}", steps=" ".join(to_read.steps)) if to_read.steps else ""
        show_words(self.steps, unbroken(steps))
        self.agree.setVisible(bool(read))
        rows = to_read.rows
        self._first = rows[0].bundle_id if rows else None
        # One way on: what is quoted comes first, and a sample that tests it once people have read that.
        tests = to_read.carries and not to_read.judged and read >= len(rows)
        self.draw.setVisible(tests)
        self.start.setVisible(bool(rows) and not tests)
        first = tr("Start reading: the first {n} of {of} sets", n=len(rows), of=to_read.of)
        every = trn("Start reading: {n} set", "Start reading: {n} sets", len(rows))
        self.start.setText(first if to_read.of > len(rows) else every)
