"""The foot of the page, always in sight: who has read the answers, what comes next, and what numbers do not show."""

from PySide6.QtCore import Qt, Signal

from gpf_desktop.domain.text import tr, trn, unbroken
from gpf_desktop.ui.results.page_read import ToRead
from gpf_desktop.ui.review.sample_panel import TEST_SETS
from gpf_desktop.ui.theme.tokens import SPACE_1, SPACE_2
from gpf_desktop.ui.widgets.boxes import PlainWidget, hbox, row_of, vbox
from gpf_desktop.ui.widgets.buttons import low_link
from gpf_desktop.ui.widgets.labels import ElidedLabel, caption, label, show_words


class ResultsFoot(PlainWidget):
    """Who has read the answers, with the way to them; the first thing to do next; and what a number shows."""

    read = Signal(object)
    """The id of the bundle to begin reading with."""
    test = Signal()
    """Sets are to be drawn by which people test what is concluded."""
    all_steps = Signal()
    """Everything that can be done next is to be shown."""
    agreement = Signal()
    """How far those who read agree is to be shown."""

    def __init__(self) -> None:
        super().__init__(name="results.foot")
        self._first: object = None
        self.status = label("", wrap=True, name="read.status")
        self.start = low_link("", lambda: self.read.emit(self._first), name="read.start")
        self.draw = low_link(
            tr("Draw {n} to test this: about two hours", n=TEST_SETS), self.test.emit, name="read.draw"
        )
        self.agree = low_link(tr("How far they agree"), self.agreement.emit, name="read.agree")
        self.step = ElidedLabel()
        self.step.setObjectName("read.step")
        self.every_step = low_link("", self.all_steps.emit, name="read.steps")
        self.next = row_of((self.step, 1), self.every_step, spacing=SPACE_2)
        self.footnote = label("", wrap=True, name="footnote")
        self.how = low_link(tr("How this was measured"), name="how")
        self._measured = caption("", name="measured")
        self._measured.hide()
        self.how.clicked.connect(lambda _checked=False: self._measured.setVisible(self._measured.isHidden()))
        top = Qt.AlignmentFlag.AlignTop
        note = hbox((self.footnote, 1), (self.how, 0, top), spacing=SPACE_2)
        ways = ((each, 0, top) for each in (self.agree, self.start, self.draw))
        status = hbox((self.status, 1), *ways, spacing=SPACE_2)
        self._lines = vbox(status, self.next, note, self._measured, parent=self, spacing=SPACE_1)

    def keep_free(self, pixels: int) -> None:
        """At its right, so that it ends where the cards above it do."""
        self._lines.setContentsMargins(0, 0, pixels, 0)

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
        first, *others = to_read.steps or ("",)
        self.step.setText(tr("What to do next: {step}", step=first))
        self.every_step.setText(tr("All {n} steps", n=len(to_read.steps)))
        self.every_step.setVisible(bool(others))
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
