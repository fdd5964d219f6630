"""One answer: who it is for, how much of the score it carries, and its words with their marks."""

from PySide6.QtCore import QEvent, QObject, QRectF, Qt, Signal
from PySide6.QtGui import QFocusEvent, QFont, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QFrame, QLabel, QSizePolicy, QWidget

from gpf_desktop.domain.text import in_quotes, tr, trn
from gpf_desktop.ui.review.code_gutter import CodeGutter
from gpf_desktop.ui.review.reading_content import CardContent, Generation, generation_words
from gpf_desktop.ui.review.wording import flag_words, missing_words
from gpf_desktop.ui.theme import Theme
from gpf_desktop.ui.theme.tokens import RADIUS, SPACE_2, SPACE_3
from gpf_desktop.ui.widgets.badge import Badge, Tone
from gpf_desktop.ui.widgets.boxes import PlainWidget, hbox, spaced_grid, vbox
from gpf_desktop.ui.widgets.buttons import button, icon_button, link
from gpf_desktop.ui.widgets.labels import ElidedLabel, caption, label
from gpf_desktop.ui.widgets.layouts import NO_BOUND, FlowLayout, clear_layout, restyle, rule, scrolling
from gpf_desktop.ui.widgets.plain import plain_tip
from gpf_desktop.ui.widgets.span_text import SET_IN, Mark, SpanTextView, measure

LEAST_WIDTH = 320
_LEAST_TEXT = 40
_SHOWS_WORDS = 370
"""Width of a card at 100 % from which its head has room for the answer's length."""
_LATER = 110
"""Characters of what a judge said: its level and the beginning of its reason."""
_BESIDE_TEXT = SPACE_2
"""Pixels between an answer's words and the scroll bar."""
_AROUND_TEXT = 2 * SPACE_3 + 2 * SPACE_2
"""Pixels of a card's width that its text does not have."""
_LINE_HEIGHT = 122
"""Per cent: lines of 22 pixels, so that columns side by side hold enough of an answer."""
_FRAME = 2
"""Pixels of the frame around the answer that has the keyboard."""
_FLAG_ICONS = {"leakage": "link", "refusal": "warning", "truncated": "chevron-down", "duplicate": "copy"}


class AnswerCard(QFrame):
    """Shows a `CardContent`; reused from bundle to bundle."""

    pin_asked = Signal(str)
    """The level to keep in view, or not any more."""
    repeats_asked = Signal(str)
    focused = Signal(object)
    """This card, when its text gets the keyboard."""
    affected_toggled = Signal(object)
    """Its levels: the answer is affected, or not any more."""
    generation_stepped = Signal(int)
    """Another of the control's answers is wanted: -1 or 1 from this one."""

    def __init__(self, theme: Theme, *, grow: bool = False) -> None:
        super().__init__()
        self._theme = theme
        self.content: CardContent | None = None
        self.setProperty("card", True)
        self.setSizePolicy(
            QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Expanding if not grow else QSizePolicy.Policy.Fixed
        )
        self._letter = label()
        # The end tells apart the same model at two hosts.
        self._name = ElidedLabel("", "heading", cut=Qt.TextElideMode.ElideMiddle)
        self._studied = caption(tr("the model under study"), name="review.studied")
        self._studied.hide()
        self._words = label("", "caption", name="review.words")
        self.affected = button("", self._toggle_affected, compact=True, name="review.card.affected")
        self.affected.setCheckable(True)
        self._generation: _GenerationSteps | None = None
        """Made for the first of the control's answers."""
        self._pin = icon_button(theme, "pin", tr("Keep in view"), self._ask_pin)
        self._chips = PlainWidget()
        self._chip_row = FlowLayout(self._chips, spacing=SPACE_2)
        self._chips_shown: tuple[object, ...] = ()
        self.text = SpanTextView(theme, says=tr("Answer"), grow=grow, line_height=_LINE_HEIGHT)
        self.text.setProperty("bare", True)
        self.text.installEventFilter(self)
        # Words begin below the letter.
        self.text.setViewportMargins(-SET_IN, 0, 0 if grow else _BESIDE_TEXT, 0)
        self.gutter = CodeGutter(theme, self.text, self)
        self._source = caption(name="review.source")
        self._source.setTextFormat(Qt.TextFormat.PlainText)
        self._source.setAlignment(Qt.AlignmentFlag.AlignTop)
        self._grow = grow
        self._refusal: _Refusal | None = None
        """Made for the first refusal: with all that most cards never show, nine of them were styled twice as long."""
        self._refused: QWidget | None = None
        self._later = caption(name="later")
        self._footer = _MissingWords()
        self._repeats = link("", self._ask_repeats)
        self._lay_out()
        theme.follow(self, self._restyle)

    def _lay_out(self) -> None:
        self._head = head = spaced_grid(across=SPACE_2, down=0)
        head.addLayout(hbox(self._letter, (self._name, 1), self._words, self.affected, spacing=SPACE_2), 0, 0)
        head.addWidget(self._pin, 0, 2)
        head.addWidget(self._studied, 1, 0, 1, 3)
        head.setColumnStretch(0, 1)
        self._column = vbox(
            head,
            rule(),
            self._source,
            (self.text, 1),
            self._later,
            self._chips,
            hbox((self._footer, 1), self._repeats, 0, spacing=SPACE_2),
            parent=self,
            spacing=SPACE_2,
            margins=(SPACE_3, SPACE_2, SPACE_3, SPACE_3),
        )

    def show_answer(self, content: CardContent, *, pinned: bool = False, pinnable: bool = True) -> None:
        """Show *content* from its beginning."""
        new = self.content is None or self.content.cell_id != content.cell_id
        self.content = content
        self.setObjectName(f"answer.{content.letters[0]}" if content.letters else "answer.control")
        self._show_head(content)
        self._pin.setVisible(pinnable)
        self._pin.setCheckable(True)
        self._pin.setChecked(pinned)
        self._show_chips(content)
        self.text.setVisible(not content.missing)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus if content.missing else Qt.FocusPolicy.NoFocus)
        self.setAccessibleName(self.text.accessibleName() if content.missing else "")
        self.setAccessibleDescription(_why_missing(content) if content.missing else "")
        self._show_refusal(content)
        if content.missing:
            self.text.show_text("")
            self.gutter.show_codes(())
        else:
            self.text.show_text(content.shown.text, content.spans)
            self.gutter.show_codes([span for span in content.spans if span.mark is Mark.CODED])
            if new:
                self.text.verticalScrollBar().setValue(0)
        texts: dict[str, list[str]] = {}
        for who, text in content.sources:
            texts.setdefault(who, []).append(text)
        said = "\n".join(tr("{who}: {text}", who=who, text="\n".join(its)) for who, its in texts.items())
        self._source.setText(said)
        self._source.setToolTip(
            tr("What the answer is held against. “Less what the source says” takes its own measure off.")
            if said
            else ""
        )
        self._source.setVisible(bool(said))
        self._later.setText("\n".join(_first_line(model, reply) for model, reply in content.later))
        self._later.setToolTip(plain_tip("\n\n".join(f"{model}\n{reply}" for model, reply in content.later)))
        self._later.setVisible(bool(content.later))
        self._footer.show_words(content.footer, content.footer_tip)
        self._footer.setVisible(bool(content.footer))
        self._repeats.setVisible(bool(content.repeats))
        self._repeats.setText(trn("Asked {n} more time", "Asked {n} more times", len(content.repeats)))

    def _show_refusal(self, content: CardContent) -> None:
        if content.missing and self._refusal is None:
            self._refusal = _Refusal(self._theme)
            self._refused = self._refusal if self._grow else scrolling(self._refusal)
            self._column.insertWidget(self._column.indexOf(self.text) + 1, self._refused, 1)
        if self._refusal is not None and self._refused is not None:
            self._refused.setVisible(bool(content.missing))
            if content.missing:
                self._refusal.explain(content)

    @property
    def reader(self) -> QWidget:
        """The widget that has the keyboard while this answer is read: the card itself where a refusal has no text."""
        return self if self.content is not None and self.content.missing else self.text

    def _show_head(self, content: CardContent) -> None:
        free = content.generation
        shown = " = ".join(content.names)
        said = tr("{name}, under study", name=shown) if content.studied else shown
        # In a line of its own: beside the name it was cut.
        self._studied.setVisible(content.studied)
        self._letter.setText(content.letter if free is None else free.title)
        aside = (
            "" if free is None else tr("{what}: beside this set of answers, not part of its score.", what=free.about)
        )
        self._letter.setToolTip(plain_tip(aside))
        self._name.setText(shown)
        self._words.setText("" if content.missing else trn("{n} word", "{n} words", content.words))
        self.affected.setVisible(free is None)
        self._show_generation(free)
        if free is None:
            self._pin.setAccessibleName(tr("Keep answer {letter} in view", letter=content.letter))
            self.affected.setAccessibleName(tr("Answer {letter} is affected", letter=content.letter))
            self.text.setAccessibleName(tr("Answer {who}", who=f"{content.letter} {said}".strip()))
        else:
            self._pin.setAccessibleName(tr("Keep the answer “{title}” in view", title=free.title))
            self.text.setAccessibleName(tr("{title}, {which}", title=free.title, which=generation_words(free)))
        if self.property("aside") is not (free is not None):
            self.setProperty("aside", free is not None)
            restyle(self)
            self.text.ground = "surface" if free is None else "window"

    def _show_generation(self, shown: Generation | None) -> None:
        if shown is not None and self._generation is None:
            self._generation = _GenerationSteps(self._theme)
            self._generation.stepped.connect(self.generation_stepped)
            self._head.addWidget(self._generation, 0, 1)
        if self._generation is not None:
            self._generation.setVisible(shown is not None)
            if shown is not None:
                self._generation.show_generation(shown)

    def show_share(self, words: str, help: str) -> None:  # noqa: A002
        """How much of the distance comes from this answer, in the tip of its length; empty while it is not known."""
        self._words.setToolTip(plain_tip(f"{words}\n{help}".strip()))

    def show_affected(self, *, affected: bool) -> None:
        """Whether the reviewer says so."""
        self.affected.setChecked(affected)
        self.affected.setText(f"✓ {tr('affected')}" if affected else tr("affected?"))

    def _toggle_affected(self) -> None:
        if self.content is not None:
            self.affected_toggled.emit(self.content.levels)

    def hasHeightForWidth(self) -> bool:
        """Not in a column, whose text scrolls: by its labels of several lines it would ask for more than its room."""
        return self._grow and super().hasHeightForWidth()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        # The strip's tip has the length as well; here the name needs the room more.
        self._words.setMaximumWidth(NO_BOUND if self.width() >= self._theme.px(_SHOWS_WORDS) else 0)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.focused.emit(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self.text and event.type() in (QEvent.Type.FocusIn, QEvent.Type.FocusOut):
            self.update()
            if event.type() == QEvent.Type.FocusIn:
                self.focused.emit(self)
        return super().eventFilter(watched, event)

    def paintEvent(self, event: QPaintEvent) -> None:
        """The frame of the keyboard stands around the card: around the words it would touch their letters."""
        super().paintEvent(event)
        if self.text.hasFocus():
            painter = QPainter(self)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(self._theme.color("focus"), _FRAME))
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), RADIUS, RADIUS)

    def _show_chips(self, content: CardContent) -> None:
        said = [tr("{codes}: “{words}”", codes=", ".join(each.codes), words=each.words) for each in content.coded]
        self.text.setAccessibleDescription(tr("Coded. {passages}", passages="; ".join(said)) if said else "")
        wanted = (content.baseline, content.flags, content.coded)
        if wanted == self._chips_shown:
            return
        self._chips_shown = wanted
        clear_layout(self._chip_row)
        chips: list[QLabel | Badge] = []
        if content.baseline:
            chips.append(Badge(self._theme, tr("compared with"), Tone.INFO, "check"))
        for flag, found in content.flags:
            icon = _FLAG_ICONS.get(flag, "flag")
            chips.append(Badge(self._theme, flag_words(flag), Tone.WARNING, icon, help=found))
        for code in sorted({code for each in content.coded for code in each.codes}, key=str.casefold):
            passages = [in_quotes(each.words) for each in content.coded if code in each.codes]
            about = tr("Code of {passages}", passages="; ".join(passages))
            chips.append(Badge(self._theme, code, Tone.INFO, "tag", help=about))
        for chip in chips:
            self._chip_row.addWidget(chip)
        self._chips.setVisible(bool(chips))

    def lead(self, width: int) -> int:
        """How high what the answer is held against is above it, in a card of *width*."""
        return self._source.heightForWidth(width - 2 * SPACE_3) if self._source.text() else 0

    def set_lead(self, high: int) -> None:
        """As high as in the other columns, so that all answers begin on one line."""
        self._source.setFixedHeight(high)
        self._source.setVisible(bool(high))

    def _ask_pin(self) -> None:
        if self.content is not None:
            self.pin_asked.emit(self.content.key)

    def _ask_repeats(self) -> None:
        if self.content is not None:
            self.repeats_asked.emit(self.content.key)

    def _restyle(self) -> None:
        self._letter.setFont(self._theme.font(1.25, weight=QFont.Weight.DemiBold))
        self.text.setMinimumHeight(self._theme.px(_LEAST_TEXT))


def widest(theme: Theme) -> int:
    """Pixels of a card whose lines have 75 characters; wider ones tire the eye."""
    return measure(theme) + _AROUND_TEXT


def comfortable(theme: Theme, characters: int = 45) -> int:
    """Pixels of a card whose lines have so many *characters*."""
    return measure(theme) * characters // 75 + _AROUND_TEXT


class _GenerationSteps(PlainWidget):
    """The number of the control's answer that is shown, between the buttons to the one before and the one after."""

    stepped = Signal(int)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._which = label("", "caption", name="review.generation")
        back = icon_button(theme, "chevron-left", tr("Previous time it was asked"), lambda: self.stepped.emit(-1))
        on = icon_button(theme, "chevron-right", tr("Next time it was asked"), lambda: self.stepped.emit(1))
        hbox(back, self._which, on, parent=self, spacing=0)
        self.hide()

    def show_generation(self, generation: Generation) -> None:
        self._which.setText(generation_words(generation))


class _MissingWords(ElidedLabel):
    """One line of the words that others say and this answer does not; all of them, with counts, in the tool tip."""

    def __init__(self) -> None:
        super().__init__("", "caption")
        self.setObjectName("review.missing")
        self._all = ""

    def show_words(self, words: str, all_of_them: str) -> None:
        self._all = all_of_them
        self.setText(words)

    def _tell(self) -> None:
        self.setToolTip(plain_tip(self._all))


class _Refusal(PlainWidget):
    """Stands where an answer would: a refusal is a result, shown in its place."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._icon_name = "warning"
        self._icon = QLabel()
        self._why = label("", "heading", wrap=True)
        self._detail = label("", "secondary", wrap=True)
        self._paid = SpanTextView(theme, says=tr("What came back"), grow=True)
        self._paid.setViewportMargins(-SET_IN, 0, 0, 0)
        vbox(
            self._icon, self._why, self._detail, self._paid, 1, parent=self, spacing=SPACE_2, margins=(0, SPACE_3, 0, 0)
        )
        theme.follow(self, self._paint)

    def explain(self, content: CardContent) -> None:
        self._why.setText(_why_missing(content))
        self._detail.setText(tr("In the provider's words: {words}", words=content.detail) if content.detail else "")
        self._detail.setVisible(bool(content.detail))
        self._paid.show_text(content.shown.text)
        self._paid.setVisible(bool(content.shown.text))

    def _paint(self) -> None:
        self._icon.setPixmap(self._theme.pixmap(self._icon_name, "warning", 24))


def _why_missing(content: CardContent) -> str:
    return missing_words(content.missing, refused_unknown=content.refused_unknown)


def _first_line(model: str, reply: str) -> str:
    """The name of who said it and the beginning of *reply*; the tool tip has all."""
    # A label behind which nothing stands says nothing: imported levels have no reason.
    said = " · ".join(line for each in reply.splitlines() if (line := each.strip()) and not line.endswith(":"))
    return f"{model.rpartition('/')[2]}: {said if len(said) <= _LATER else said[:_LATER] + '…'}"
