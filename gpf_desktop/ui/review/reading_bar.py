"""How to read: layout, what to compare with, which marks, and the panels that explain."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from PySide6.QtCore import QEvent, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QIcon, QPainter, QPen, QPixmap, QResizeEvent
from PySide6.QtWidgets import QMenu, QPushButton, QSizePolicy

from gpf_desktop.domain.text import tr
from gpf_desktop.ui.review.layout_menu import LayoutMenu, layout_and_order_words
from gpf_desktop.ui.review.reading_content import CONSENSUS, Layout, Reading, ReadingOptions
from gpf_desktop.ui.theme import Theme
from gpf_desktop.ui.theme.tokens import SPACE_2
from gpf_desktop.ui.widgets.boxes import PlainWidget, by_width
from gpf_desktop.ui.widgets.buttons import button
from gpf_desktop.ui.widgets.layouts import EndsFlow
from gpf_desktop.ui.widgets.plain import plain_entry, plain_tip

_SWATCH = 16
_PANELS = 2
"""Buttons that open a panel, at the right end of their line."""


class ReadingBar(PlainWidget):
    """Says what was chosen by signals; decides nothing. Words give way before a second line is taken."""

    options_chosen = Signal(object)
    baseline_chosen = Signal(str)
    control_asked = Signal()
    panel_asked = Signal(str)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setSizePolicy(by_width(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum))
        self._theme = theme
        self._options = ReadingOptions()
        self._against, self._control = tr("consensus"), tr("Control")
        self._fitted: tuple[object, ...] = ()
        self._layout_button = _menu_button("review.layout")
        self._against_button = _menu_button("review.against")
        self.only_here = self._toggle(tr("only here"), "only_here", Qt.PenStyle.SolidLine, "review.only_here")
        self.missing_here = self._toggle(
            tr("missing here"), "missing_here", Qt.PenStyle.DashLine, "review.missing_here"
        )
        self.tone = self._toggle(tr("tone"), "tone_positive", Qt.PenStyle.DotLine, "review.tone")
        self.only_here.setToolTip(tr("Words that no other answer has, or not the one compared with (H: on or off)"))
        self.missing_here.setToolTip(
            tr("Words that the other answers, or the one compared with, have and this one lacks")
        )
        self.tone.setToolTip(tr("Words that VADER hears as positive (dotted) or negative (waved)"))
        self.control = _checkable(tr("Control"), "review.control")
        self.why = _checkable(tr("Why this score"), "review.why")
        self.prompt = _checkable(tr("Prompt as sent"), "review.prompt")
        self.layouts = LayoutMenu(self)
        self._against_menu = QMenu(self)
        self._lay_out()
        self._connect()
        self.show_layout(Layout.COLUMNS)
        self.show_options(self._options, None)
        theme.on_change(self, self._fit_again)

    def _lay_out(self) -> None:
        EndsFlow(self, *self._buttons(), ends=_PANELS)
        self._layout_button.setMenu(self.layouts)
        self._against_button.setMenu(self._against_menu)

    def _connect(self) -> None:
        self.only_here.clicked.connect(lambda on: self._choose(replace(self._options, only_here=on)))
        self.missing_here.clicked.connect(lambda on: self._choose(replace(self._options, missing_here=on)))
        self.tone.clicked.connect(lambda on: self._choose(replace(self._options, tone=on)))
        self.layouts.order_chosen.connect(lambda order: self._choose(replace(self._options, order=order)))
        self.control.clicked.connect(lambda _on: self.control_asked.emit())
        for name, shown in (("why", self.why), ("prompt", self.prompt)):
            shown.clicked.connect(_calling(self.panel_asked.emit, name))

    def event(self, event: QEvent) -> bool:
        done = super().event(event)
        layout = self.layout()
        if event.type() in (QEvent.Type.LayoutRequest, QEvent.Type.Resize) and layout is not None:
            # Beside others in a row it would keep the lines that its longer words took.
            height = layout.heightForWidth(self.width())
            if height != self.minimumHeight():
                self.setFixedHeight(height)
        return done

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def show_layout(self, layout: Layout, *, alone: bool = False) -> None:
        """*alone*: each answer scrolls by itself."""
        self.layouts.show_choices(layout, self._options.order, alone=alone, shuffled=self._options.blind)
        words = layout_and_order_words(layout, self._options.order)
        self._layout_button.setText(words)
        self._layout_button.setAccessibleName(tr("Layout: {name}", name=words))
        marked = layout is not Layout.GRID
        for chip in (self.only_here, self.missing_here, self.tone, self._against_button):
            chip.setEnabled(marked)
        self._fit()

    def show_options(self, options: ReadingOptions, reading: Reading | None) -> None:
        """Show the options chosen now, and the answers that may be a baseline."""
        self._options = options
        self.only_here.setChecked(options.only_here)
        self.missing_here.setChecked(options.missing_here)
        self.tone.setChecked(options.tone)
        self._show_control(options, reading)
        self._against_menu.clear()
        choices = [(CONSENSUS, tr("consensus")), *(() if reading is None else reading.baselines)]
        now = CONSENSUS if reading is None else reading.baseline
        for key, words in choices:
            action = self._against_menu.addAction(plain_entry(words))
            action.setCheckable(True)
            action.setChecked(key == now)
            action.triggered.connect(_calling(self.baseline_chosen.emit, key))
        words = dict(choices).get(now, tr("consensus"))
        self._against = words.split(" · ")[0]
        self._against_button.setAccessibleName(tr("Compare with: {name}", name=words))
        self._against_button.setToolTip(plain_tip(tr("Compare with: {name}", name=words)))
        self._fit()

    def _show_control(self, options: ReadingOptions, reading: Reading | None) -> None:
        why = tr("No set of answers is open.") if reading is None else reading.control_why
        words = None if reading is None else reading.control_words
        self.control.setVisible(reading is None or words is not None)
        if words is not None and self._control != words.control_title:
            self._control = words.control_title
            self.control.setAccessibleName(self._control)
            self._fit()
        self.control.setEnabled(not why)
        self.control.setChecked(options.control and not why)
        self.control.setToolTip(
            plain_tip(why or ("" if words is None else tr("{what}, beside the answers", what=words.control_about)))
        )
        self.control.setAccessibleDescription(self.control.toolTip())

    def show_panel(self, name: str) -> None:
        """Check the button of the open panel; empty *name*: none is open."""
        for each, shown in (("why", self.why), ("prompt", self.prompt)):
            shown.setChecked(each == name)

    def _buttons(self) -> tuple[QPushButton, ...]:
        marks = (self.only_here, self.missing_here, self.tone)
        return (self._layout_button, self._against_button, *marks, self.control, self.why, self.prompt)

    def _fit_again(self) -> None:
        self._fitted = ()
        self._fit()

    def _fit(self) -> None:
        """One line where it can be one: names of panels give way first, then what is compared, marks, the control."""
        state = (self.width(), self._against, self._layout_button.text(), self._control, self.control.isHidden())
        if state == self._fitted:
            return
        self._fitted = state
        for given_way in range(5):
            self._name(given_way)
            if (
                sum(each.sizeHint().width() + SPACE_2 for each in self._buttons() if not each.isHidden()) - SPACE_2
                <= self.width()
            ):
                return
        self._name(1)
        if max(each.sizeHint().width() for each in self._buttons()) > self.width():
            self._name(4)

    def _name(self, given_way: int) -> None:
        self.why.setText(tr("Why") if given_way > 0 else tr("Why this score"))
        self.prompt.setText(tr("Prompt") if given_way > 0 else tr("Prompt as sent"))
        self._against_button.setText(self._against if given_way > 1 else tr("Against: {name}", name=self._against))
        self.only_here.setText(f" {tr('only')}" if given_way > 2 else f" {tr('only here')}")
        self.control.setText(tr("Control") if given_way > 3 else self._control)
        self.missing_here.setText(f" {tr('missing')}" if given_way > 2 else f" {tr('missing here')}")

    def _choose(self, options: ReadingOptions) -> None:
        self.options_chosen.emit(options)

    def _toggle(self, words: str, token: str, line: Qt.PenStyle, name: str) -> QPushButton:
        made = button(f" {words}", compact=True, name=name)
        made.setAccessibleName(words)
        made.setCheckable(True)

        def paint() -> None:
            made.setIcon(_swatch(self._theme, token, line))
            made.setIconSize(QSize(self._theme.px(_SWATCH), self._theme.px(_SWATCH)))

        self._theme.follow(made, paint)
        return made


def _swatch(theme: Theme, token: str, line: Qt.PenStyle) -> QIcon:
    """The mark as it looks in an answer: its colour and its underline."""
    side = theme.px(_SWATCH)
    picture = QPixmap(side, side)
    picture.fill(Qt.GlobalColor.transparent)
    painter = QPainter(picture)
    only = line is Qt.PenStyle.SolidLine
    painter.fillRect(QRectF(0, side * 0.15, side, side * 0.7), theme.color("surface" if only else token))
    painter.setPen(QPen(theme.color("warning" if only else "text"), max(1.0, side / 8 if only else side / 12), line))
    painter.drawLine(0, round(side * 0.88), side, round(side * 0.88))
    painter.end()
    return QIcon(picture)


def _menu_button(name: str) -> QPushButton:
    made = button("", compact=True, name=name)
    made.setProperty("menu", True)
    return made


def _checkable(words: str, name: str) -> QPushButton:
    made = button(words, compact=True, name=name)
    made.setAccessibleName(words)
    made.setToolTip(plain_tip(words))
    made.setCheckable(True)
    return made


def _calling(do: Callable[[Any], object], value: object) -> Callable[..., None]:
    def call(*_: object) -> None:
        do(value)

    return call
