"""The page Home: what can be found out, what the open audit holds, and audits that were open lately."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, cast

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QWidget
from shiboken6 import isValid

from gpf_desktop.domain.findings import READING_SHORT
from gpf_desktop.domain.text import tr
from gpf_desktop.engine.core import catalogue
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.home.dashboard import Dashboard
from gpf_desktop.ui.home.home_view_model import HomeViewModel, RecentAudit
from gpf_desktop.ui.home.start_card import StartCard, StepList
from gpf_desktop.ui.page import Page
from gpf_desktop.ui.studies.choosing import MethodCards
from gpf_desktop.ui.theme import Theme
from gpf_desktop.ui.theme.tokens import SPACE_1, SPACE_2, SPACE_3, SPACE_4
from gpf_desktop.ui.widgets.badge import synthetic_badge
from gpf_desktop.ui.widgets.boxes import PlainWidget, by_width, hbox, spaced_grid, vbox
from gpf_desktop.ui.widgets.buttons import link
from gpf_desktop.ui.widgets.cards import Card, StatCard, StatRow, WaitingCard
from gpf_desktop.ui.widgets.labels import ElidedLabel, caption, heading, label
from gpf_desktop.ui.widgets.layouts import EqualFlow, clear_layout, scrolling
from gpf_desktop.ui.widgets.plain import plain_tip

_SHOWN = 6

if TYPE_CHECKING:
    from gpf_desktop.ui.main_window import MainWindow

_FIGURES = 5
_WIDEST = 1240
"""Pixels at 100 % of the column: on a wider page its lines would be too long to read."""


class HomePage(Page):
    """Layout and connections; what is said is the view model's word."""

    def __init__(self, context: Context) -> None:
        super().__init__(context, "home", tr("Home"))
        self.model = HomeViewModel(context, self)
        self._synthetic = synthetic_badge(context.theme)
        self.header.add_mark(self._synthetic)
        self.lead = label(
            tr("What do you want to find out about a language model?"),
            "lead",
            wrap=True,
        )
        self.methods = MethodCards(context, self.model.start_study, self._rehearse)
        self._make_cards()
        self._figures = [StatCard() for _ in range(_FIGURES)]
        self.holds = self._holdings()
        self.dashboard = Dashboard(context.theme)
        self.recent = RecentCard(context.theme, self.model.open_recent)
        self.recent.top.addWidget(
            link(tr("Open an audit …"), context.actions.action("file.open").trigger, name="home.open")
        )
        content = PlainWidget()
        self._reading_row = self._reading()
        self.waiting = WaitingCard(tr("Reading the audit …"), name="home.waiting")
        parts = (
            self.waiting,
            self.dashboard,
            self.holds,
            self.lead,
            self.methods,
            self._cards,
            self.recent,
            self._reading_row,
        )
        self._column = vbox(*parts, 3, parent=content, spacing=SPACE_3)
        holder = PlainWidget()
        hbox(1, (content, 10_000), 1, parent=holder, spacing=0)
        self.body.addWidget(scrolling(holder), 1)
        context.theme.follow(self, lambda: content.setMaximumWidth(context.theme.px(_WIDEST)))
        self._lent: QWidget | None = None
        """What had the keyboard as the page was shown; the auditor may have moved it since."""
        self.model.changed.connect(self._show)
        self._show()

    def arrive(self, _state: Mapping[str, object]) -> None:
        window = cast("MainWindow", self.window())
        self.model.arrive(window.recent, window.files)

    def first_focus(self) -> QWidget | None:
        if self.model.under_way or self.model.sample_open or (self.model.summary is None and self.model.lines()):
            self._lent = self.dashboard.first_button()
        else:
            self._lent = self.start.button if self.model.own is not None else self.sample.button
        return self._lent

    def _rehearse(self, method: str) -> None:
        if not catalogue.is_about_news(method):
            cast("MainWindow", self.window()).sample.rehearse(method)
        else:
            self.context.actions.action("sample.practice").trigger()

    def _make_cards(self) -> None:
        theme, actions = self.context.theme, self.context.actions
        self.sample = StartCard(
            theme,
            "document",
            tr("Open the sample audit"),
            tr(
                "Invented news, answered by built-in models whose behaviour is known. It opens on a "
                "scored set of answers."
            ),
            tr("Under 30 seconds. No key, no network."),
            tr("Open the sample"),
            actions.action("sample.open").trigger,
            name="home.sample",
        )
        for point in (
            tr("Answers side by side, with what differs marked"),
            tr("Heat maps, model table and controls on Results"),
            tr("A report to export, marked as synthetic"),
        ):
            self.sample.add_point(point)
        self.start = StartCard(theme, "add", tr("Next steps"), "", "", "", self.model.start, name="home.own")
        self.steps = StepList(theme, self.model.go)
        self.start.middle.addWidget(self.steps)
        self._cards = PlainWidget()
        self._cards.setSizePolicy(by_width())
        EqualFlow(self._cards, self.start, self.sample, spacing=SPACE_3)

    def _holdings(self) -> QWidget:
        holds = PlainWidget(name="home.holds")
        vbox(heading(tr("What this audit holds")), StatRow(*self._figures), parent=holds, spacing=SPACE_2)
        return holds

    def _reading(self) -> QWidget:
        claims = link(tr("What may be claimed"), self.context.actions.action("help.reading").trigger)
        row = hbox((caption(tr(READING_SHORT)), 1), (claims, 0, Qt.AlignmentFlag.AlignTop), spacing=SPACE_3)
        reading = PlainWidget(name="home.reading")
        reading.setLayout(row)
        return reading

    def _show(self) -> None:
        focus = QApplication.focusWidget()
        if focus is not None and not self.isAncestorOf(focus):
            focus = None
        waited = self.waiting.isVisible()
        self._paint()
        # What the page is about comes after it; and the link that opened an audit is gone with the list it stood in.
        come = waited and not self.waiting.isVisible()
        if focus is not None and (come or focus is self._lent or not isValid(focus) or not focus.isVisible()):
            first = self.first_focus()
            if first is not None:
                first.setFocus()

    def _paint(self) -> None:
        model = self.model
        self.header.title.setText(model.title)
        self.header.subtitle.setText(model.about)
        self._synthetic.setVisible(model.synthetic)
        reads = model.being_read is not None
        self.waiting.setVisible(reads)
        begins = model.own is None and not reads
        self.lead.setVisible(begins)
        sentence, words = model.start_words()
        self.start.sentence.setText(sentence)
        self.start.button.setText(words)
        self.steps.show_steps(model.steps(), usable=model.own is not None)
        self.start.setVisible(model.own is not None)
        self.sample.set_primary(model.first_time)
        self.start.set_primary(not model.first_time)
        self.holds.setVisible(model.holds_something)
        lines = model.lines()
        self.dashboard.setVisible(bool(lines))
        self.dashboard.show_lines(lines)
        self.methods.setVisible(begins)
        # What is open already is not offered.
        self.sample.setVisible(not model.sample_open)
        self._cards.setVisible(not (model.under_way or model.sample_open or reads))
        for card, (figure, under) in zip(self._figures, model.figures(), strict=False):
            card.show_figure(figure, under)
        self.recent.show_recent(model.recent, None if model.summary is None else model.summary.path)
        # Who comes back looks for an audit of before, who begins for a way to begin.
        self._column.removeWidget(self.recent)
        back = model.summary is None and bool(model.recent) and not reads
        beside = self.methods if back else self._reading_row
        self._column.insertWidget(self._column.indexOf(beside), self.recent)


class RecentCard(Card):
    """One line each: a link that opens it, its folder, and when it was changed."""

    def __init__(self, theme: Theme, open_path: Callable[[RecentAudit], object]) -> None:
        super().__init__(tr("Recent audits"), name="home.recent")
        self._theme = theme
        self._open = open_path
        self._none = caption(tr("Audits that you open are listed here."))
        self._grid = spaced_grid(across=SPACE_4, down=SPACE_1, wide=1)
        self.body.addWidget(self._none)
        self.body.addLayout(self._grid)
        self._listed: tuple[tuple[RecentAudit, ...], Path | None] = ((), None)

    def show_recent(self, recent: Sequence[RecentAudit], current: Path | None) -> None:
        """List *recent*; the one at *current* is open now."""
        listed = (tuple(recent[:_SHOWN]), current)
        if listed == self._listed:
            return
        self._listed = listed
        clear_layout(self._grid)
        self._none.setVisible(not recent)
        for at, audit in enumerate(recent[:_SHOWN]):
            to = link(audit.path.stem, partial(self._open, audit), name=f"home.recent.{at}")
            to.setToolTip(plain_tip(str(audit.path)))
            folder = ElidedLabel(str(audit.path.parent), "secondary")
            words = tr("open now") if audit.path == current else audit.when
            when = label(words, "problem" if audit.missing else "secondary")
            to.setAccessibleDescription(words)
            self._grid.addWidget(to, at, 0, Qt.AlignmentFlag.AlignLeft)
            self._grid.addWidget(folder, at, 1)
            self._grid.addWidget(when, at, 2, Qt.AlignmentFlag.AlignRight)
