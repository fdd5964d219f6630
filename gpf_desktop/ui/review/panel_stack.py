"""The place beside or under the answers where one panel at a time opens."""

from dataclasses import replace

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent

from gpf_desktop.domain.ids import BundleId
from gpf_desktop.domain.text import tr
from gpf_desktop.engine.review.review_reading import ReadBundle
from gpf_desktop.ui.review.answer_letters import as_read
from gpf_desktop.ui.review.explaining import Explained
from gpf_desktop.ui.review.guideline_panel import GuidelinePanel
from gpf_desktop.ui.review.panels import HistoryPanel, PromptPanel, RepeatsPanel, WhyPanel
from gpf_desktop.ui.review.reading_content import Reading
from gpf_desktop.ui.review.readings_panel import ReadingsPanel, standing_readings
from gpf_desktop.ui.theme import Theme
from gpf_desktop.ui.theme.tokens import SPACE_1, SPACE_2, SPACE_3
from gpf_desktop.ui.widgets.boxes import hbox, put_in_later, stacked
from gpf_desktop.ui.widgets.buttons import icon_button
from gpf_desktop.ui.widgets.cards import Card
from gpf_desktop.ui.widgets.labels import heading

_LEAST = 176


class PanelStack(Card):
    """Hidden until one is asked for; Escape closes it."""

    closed = Signal()
    changed = Signal(str)
    """Another panel is about to be shown; empty: none."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(name="review.panels")
        self.shown = ""
        """Which panel is open; empty: none."""
        self._bundle_id: BundleId | None = None
        self.why = WhyPanel(theme)
        self.prompt = PromptPanel(theme)
        self.history = HistoryPanel()
        self.repeats = RepeatsPanel(theme)
        self.readings = ReadingsPanel(theme)
        self.guideline = GuidelinePanel()
        self._pages = {
            "why": self.why, "prompt": self.prompt, "history": self.history, "repeats": self.repeats,
            "readings": self.readings, "guideline": self.guideline,
        }  # fmt: skip
        self._whole: dict[str, WhyPanel | ReadingsPanel] = {"why": self.why, "readings": self.readings}
        self._title = heading("")
        self._head = head = hbox(
            self._title,
            self.prompt.choice,
            (self.readings.unlike, 1),
            1,
            icon_button(theme, "close", tr("Close this panel"), self.closed.emit),
            spacing=SPACE_3,
        )
        self._stack = stacked()
        put_in_later(self, *self._pages.values())
        self._stack.setProperty("plain", True)
        self.body.setContentsMargins(SPACE_3, SPACE_1, SPACE_2, SPACE_2)
        self.body.setSpacing(SPACE_1)
        self.body.addLayout(head)
        self.body.addWidget(self._stack, 1)
        self._theme = theme
        self.hide()

    @property
    def stands_whole(self) -> bool:
        """Whether the open panel stands at its full height, so that nothing scrolls within what scrolls."""
        return self.shown in self._whole

    def needed(self, width: int) -> int:
        """Pixels of height at *width*: what `stands_whole` is as high as what it says."""
        page = self._whole.get(self.shown)
        if page is None:
            return self._theme.px(_LEAST)
        edges = self.body.contentsMargins()
        # Added up: what the whole asks for still knows the pages as they were before they were filled.
        frame = self.sizeHint().height() - self.body.sizeHint().height()
        around = frame + edges.top() + self._head.sizeHint().height() + self.body.spacing() + edges.bottom()
        return around + page.needed(width - edges.left() - edges.right())

    def toggle(self, name: str) -> None:
        """Open the panel called *name*, or close it where it is open."""
        self.shown = "" if name == self.shown or name not in self._pages else name
        if self.shown and self._stack.indexOf(self._pages[self.shown]) < 0:
            self._stack.addWidget(self._pages[self.shown])
        self.changed.emit(self.shown)
        self.setVisible(bool(self.shown))
        if self.shown:
            self._stack.setCurrentWidget(self._pages[self.shown])
            self._title.setText(panel_words(self.shown))
            self.prompt.choice.setVisible(self.shown == "prompt")
            self.readings.unlike.setVisible(self.shown == "readings")

    def show_bundle(self, bundle: ReadBundle, reading: Reading) -> None:
        self.prompt.show_bundle(bundle, reading)
        self.show_history(bundle, reading)
        if self.shown == "repeats" and bundle.id != self._bundle_id:
            self.toggle("repeats")
        self._bundle_id = bundle.id

    def forget_names(self) -> None:
        """Close the panels that tell whose answer they show; they are read again when asked for."""
        self.prompt.forget()
        self.repeats.forget()
        self.why.show_lines("", (), ())
        if self.shown == "repeats":
            self.toggle("repeats")

    def show_readings(self, bundle: ReadBundle | None, reading: Reading | None) -> None:
        """Open what each reviewer says, for settling; None: that panel is closed where it is open."""
        settles = bundle is not None and reading is not None
        if bundle is not None and reading is not None:
            self.readings.show_readings(standing_readings(bundle, reading))
        if settles != (self.shown == "readings"):
            self.toggle("readings")

    def show_history(self, bundle: ReadBundle, reading: Reading) -> None:
        """While one reads blind, what others said stays hidden."""
        self.history.show_entries(
            [
                replace(entry, judgement=as_read(entry.judgement, bundle, reading))
                for entry in bundle.history
                if not reading.blind or entry.reviewer_id == bundle.reviewer_id
            ]
        )

    def show_explanation(self, found: Explained | str) -> None:
        """Or why there is none, as for as long as it is being worked out."""
        if isinstance(found, str):
            self.why.show_lines(found, (), ())
        else:
            self.why.show_lines(found.summary, found.answers, found.terms)

    def hide_explanation(self) -> None:
        words = tr(
            "Scores are not shown while names are hidden: they sway a reading. “Show scores while names are "
            "hidden”, in the menu Review under “Hidden names”, shows them."
        )
        self.why.show_lines(words, (), ())

    def show_repeats(self, reading: Reading, level: str) -> None:
        self.repeats.show_repeats(reading, level)
        if self.shown != "repeats":
            self.toggle("repeats")

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.closed.emit()
        else:
            super().keyPressEvent(event)


def panel_words(name: str) -> str:
    return {
        "why": tr("Why this score"),
        "prompt": tr("Prompt as sent"),
        "history": tr("History of this set"),
        "repeats": tr("The same question asked again"),
        "readings": tr("What each reviewer says"),
        "guideline": tr("Guideline"),
    }[name]
