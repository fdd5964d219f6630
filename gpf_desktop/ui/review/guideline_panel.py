"""The guideline beside the answers: its text, and an example for each verdict and severity."""

from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QWidget

from gpf_desktop.domain.ids import BundleId
from gpf_desktop.domain.reviews import Verdict
from gpf_desktop.domain.text import tr
from gpf_desktop.domain.verdict_words import SEVERITIES, judged
from gpf_desktop.storage.examples import Example, Slot
from gpf_desktop.ui.theme.tokens import SPACE_1, SPACE_2
from gpf_desktop.ui.widgets.boxes import PlainWidget, by_width, column_of, vbox
from gpf_desktop.ui.widgets.buttons import button, link
from gpf_desktop.ui.widgets.labels import label, secondary, show_words
from gpf_desktop.ui.widgets.layouts import EndsFlow, clear_layout, flowing, scrolling

SLOTS: tuple[Slot, ...] = (
    *((Verdict.HARMFUL, severity) for severity in SEVERITIES),
    *((verdict, None) for verdict in Verdict if verdict is not Verdict.HARMFUL),
)


class GuidelinePanel(PlainWidget):
    """Says what was asked for; decides nothing."""

    shown_asked = Signal(object)
    """The bundle of an example."""
    removed = Signal(object)
    make_asked = Signal()
    practice_asked = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.feedback = label("", wrap=True, name="review.guideline.feedback")
        self.feedback.hide()
        self._text = label("", wrap=True, name="review.guideline.text")
        make, practise = tr("Make the open set an example"), tr("Practise on the examples")
        self.make = button(make, self.make_asked.emit, compact=True, name="review.guideline.make")
        self.practise = button(practise, self.practice_asked.emit, compact=True, name="review.guideline.practise")
        self.given = PlainWidget()
        self._examples = vbox(parent=self.given, spacing=SPACE_1)
        holder = column_of(self.feedback, self._text, flowing(self.make, self.practise), self.given, 1, spacing=SPACE_2)
        area = scrolling(holder, "review.guideline.panel")
        # Its text is scrolled by the keyboard too.
        area.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        area.setAccessibleName(tr("Guideline"))
        vbox(area, parent=self)
        self._shown: tuple[tuple[Example, ...], bool] | None = None

    def show_feedback(self, words: str) -> None:
        """Show what practising showed, in *words*; empty: nothing."""
        show_words(self.feedback, words)

    def show_guideline(self, text: str, examples: tuple[Example, ...], *, leads: bool, practises: bool) -> None:
        """*leads*: examples may be made and removed. *practises*: none is told."""
        self.given.setVisible(not practises)
        self._text.setText(text)
        self.practise.setEnabled(bool(examples))
        self.make.setVisible(leads)
        if (examples, leads) == self._shown:
            return
        self._shown = examples, leads
        clear_layout(self._examples)
        for example in examples:
            what = label(judged(*example.slot), "heading")
            ways = [self._link(tr("Show"), example.slot, self.shown_asked, example.bundle_id)]
            if leads:
                ways.append(self._link(tr("Remove"), example.slot, self.removed, example.bundle_id))
            line = PlainWidget()
            line.setSizePolicy(by_width())
            EndsFlow(line, what, *ways, ends=len(ways))
            self._examples.addWidget(line)
            self._examples.addWidget(label(example.judgement.note or tr("No reason was given."), wrap=True))
        given = {example.slot for example in examples}
        without = [judged(*slot) for slot in SLOTS if slot not in given]
        if without:
            self._examples.addWidget(secondary(tr("No example yet: {names}.", names="; ".join(without)), wrap=True))

    def _link(self, words: str, slot: Slot, signal: object, bundle: BundleId) -> QWidget:
        made = link(words, partial(signal.emit, bundle))  # type: ignore[attr-defined]
        made.setAccessibleName(tr("{do}: example of {slot}", do=words, slot=judged(*slot)))
        return made
