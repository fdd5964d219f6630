"""The news item that was asked about: a line of it, or all."""

from collections.abc import Callable

from PySide6.QtCore import QRect, QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent

from gpf_desktop.domain.items import ARTICLE
from gpf_desktop.domain.text import tr
from gpf_desktop.engine.core.factor_words import stratum_title
from gpf_desktop.engine.review.review_reading import ReadBundle
from gpf_desktop.ui.theme import Theme
from gpf_desktop.ui.widgets.boxes import PlainWidget, vbox
from gpf_desktop.ui.widgets.labels import label
from gpf_desktop.ui.widgets.span_text import SpanTextView

LINES = 1
_ENDLESS = 100_000
_WHOLE = 200
"""Pixels at 100 % that the whole item takes at most; a longer one scrolls."""


class NewsLine(PlainWidget):
    """Headline, description and stratum, cut short at a word; `toggle` shows all of it."""

    cut_changed = Signal()
    """Whether there is more than is shown."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._said, self._stratum = "", ""
        self.is_cut = False
        self.is_whole = False
        self.short = label("", "secondary", wrap=True, name="review.news")
        self.whole = SpanTextView(theme, says=tr("Item"), name="review.news.whole")
        self.whole.hide()
        vbox(self.short, self.whole, parent=self, spacing=0)
        theme.on_change(self, self._fit)

    def show_bundle(self, bundle: ReadBundle) -> None:
        words = news_words(bundle)
        if words != (self._said, self._stratum):
            self.is_whole = False
        self._said, self._stratum = words
        self.whole.show_text(f"{bundle.anchor.headline}\n\n{bundle.anchor.description}".strip())
        self._fit()

    def toggle(self) -> None:
        """Show the whole item, or a line of it."""
        self.is_whole = self.is_cut and not self.is_whole
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        # Not for the height alone, which `_fit` sets: it would come back here.
        if event.size().width() != event.oldSize().width():
            self._fit()

    def minimumSizeHint(self) -> QSize:
        return QSize(0, super().minimumSizeHint().height())

    def _fit(self) -> None:
        width = max(1, self.width())
        was = self.is_cut
        text = _within(self._said, self._stratum, lambda words: self._lines(words, width) <= LINES)
        self.is_cut = text != f"{self._said}{self._stratum}"
        self.is_whole = self.is_whole and self.is_cut
        if text != self.short.text():
            self.short.setText(text)
        # A label is never less high than its least height, which is what it was fixed to last.
        self.short.setMinimumHeight(0)
        self.short.setFixedHeight(max(self.short.heightForWidth(width), 1))
        self.short.setVisible(not self.is_whole)
        self.whole.setVisible(self.is_whole)
        if self.is_whole:
            needed = round(self.whole.document().size().height()) + 4
            self.whole.setFixedHeight(min(needed, self._theme.px(_WHOLE)))
        if was != self.is_cut:
            self.cut_changed.emit()

    def _lines(self, words: str, width: int) -> int:
        metrics = self.short.fontMetrics()
        box = metrics.boundingRect(QRect(0, 0, width, _ENDLESS), Qt.TextFlag.TextWordWrap.value, words)
        return round(box.height() / metrics.lineSpacing())


def _within(said: str, stratum: str, fits: Callable[[str], bool]) -> str:
    """As much of *said* as fits together with *stratum*, cut at a word; without it where that leaves less than half."""
    if fits(f"{said}{stratum}"):
        return f"{said}{stratum}"
    if stratum and not fits(f"{said[: len(said) // 2]} …{stratum}"):
        return _within(said, "", fits)
    low, high = 0, len(said)
    while high - low > 1:
        middle = (low + high) // 2
        if fits(f"{said[:middle]} …{stratum}"):
            low = middle
        else:
            high = middle
    return f"{said[:low].rsplit(' ', 1)[0]} …{stratum}"


def news_words(bundle: ReadBundle) -> tuple[str, str]:
    """Headline and description, and in brackets what kind of item it counts as, and by which words."""
    facts = bundle.facts
    is_news = facts.article_id is not None and facts.items[facts.article_id].kind == ARTICLE
    alone = tr("Headline only: this item has no description.") if is_news else ""
    text = bundle.anchor.description or alone
    why = ": ".join(filter(None, (stratum_title(facts.stratum), ", ".join(facts.matched))))
    headline = bundle.anchor.headline
    stop = "" if headline.endswith((".", "?", "!", "…", "。")) else "."
    return f"{headline}{stop} {text}".rstrip(), f"  ({why})" if why else ""
