"""The page Results: its layout and connections."""

from collections.abc import Mapping
from functools import partial
from pathlib import Path

from PySide6.QtCore import QSize, Qt, QTimer
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QApplication, QScrollArea, QTabBar, QWidget

from gpf_desktop.domain.conclusions.rendering import alone_words
from gpf_desktop.domain.text import tr
from gpf_desktop.engine.reporting.results_filter import ResultsFilter
from gpf_desktop.figures.chips import chips_figure
from gpf_desktop.figures.files import FigureFile, write_figure
from gpf_desktop.figures.lead import lead_figure
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.page import Page
from gpf_desktop.ui.results.filter_chips import FilterChips
from gpf_desktop.ui.results.found_card import FoundCard
from gpf_desktop.ui.results.level_test_dialog import LevelTestDialog
from gpf_desktop.ui.results.margins_dialog import MarginsDialog
from gpf_desktop.ui.results.not_and_next import NotAndNextCard
from gpf_desktop.ui.results.read_first import ReadFirstCard
from gpf_desktop.ui.results.rescore_dialog import RescoreDialog
from gpf_desktop.ui.results.results_actions import ResultsPart, part_action, part_titles
from gpf_desktop.ui.results.results_foot import ResultsFoot
from gpf_desktop.ui.results.results_view_model import ResultsView, ResultsViewModel
from gpf_desktop.ui.results.scope_line import ScopeLine
from gpf_desktop.ui.results.sections import TABS, FindingSections
from gpf_desktop.ui.results.signs_dialog import SignsDialog
from gpf_desktop.ui.results.stale_scores_notice import StaleScoresNotice
from gpf_desktop.ui.shell.pages import without_use
from gpf_desktop.ui.theme.tokens import SPACE_1, SPACE_2, SPACE_3, SPACE_4
from gpf_desktop.ui.widgets.badge import Badge, Tone, synthetic_badge
from gpf_desktop.ui.widgets.boxes import PlainWidget, by_width, fill, row_of, stacked, vbox
from gpf_desktop.ui.widgets.buttons import action_button, button, menu_button
from gpf_desktop.ui.widgets.cards import Card, EmptyState, WaitingCard
from gpf_desktop.ui.widgets.chart_card import ask_and_save
from gpf_desktop.ui.widgets.figure_view import FigureView
from gpf_desktop.ui.widgets.hidden_names import ask_of_names
from gpf_desktop.ui.widgets.layouts import SpreadLayout, bring_into_view, height_at
from gpf_desktop.ui.widgets.plain import plain_tip

_LOW = 600
"""Height of the page at 100 % under which nothing of it stands still while the rest scrolls."""
_TALL = 700
"""Height of the page at 100 % from which the quoted answers are whole where they would lie below the edge."""
_OUTCOMES = QSize(720, 500)
"""Pixels of the page at 100 % from which an empty one says what can stand there."""
_SHARE = 0.3
"""Of the room of what was found, the most that quoted answers take for themselves."""


class ResultsPage(Page):
    """Three tabs: what was found and what to read first, comparisons, all tables."""

    def __init__(self, context: Context) -> None:
        super().__init__(context, "results", tr("Results"))
        self.model = ResultsViewModel(context, self)
        self._make_header()
        self._answer_commands()
        self.chips = FilterChips()
        self.chips.wanted.connect(self.model.set_filter)
        self.chips.clear_asked.connect(self.model.clear_filter)
        self.chips.margins_asked.connect(self._state_margins)
        self.rescore = action_button(context.actions.action("scores.rescore"), tr("Measure again …"))
        self.panel = row_of((self.chips, 1), (self.rescore, 0, Qt.AlignmentFlag.AlignTop), spacing=SPACE_2)
        self.scope = ScopeLine(context.theme, self.panel)
        self.tabs = self._made_tabs()
        self.behind = StaleScoresNotice(context)
        self.empty = EmptyState(context.theme, "results")
        # On the same ground as what will stand there: a page that is empty but for its middle looks broken.
        self.framed = Card(name="results.empty")
        self.framed.body.setContentsMargins(0, 0, 0, 0)
        self.framed.body.addWidget(self.empty)
        self.outcomes = self._made_outcomes()
        self.waiting = WaitingCard(tr("Computing …"), name="waiting")
        self._make_found()
        self.read_first = ReadFirstCard(context.theme)
        self.read_first.wanted.connect(self.model.answers.first)
        self.read_first.next_asked.connect(self.model.answers.next)
        self.lists = NotAndNextCard(context.theme)
        self._beneath, self._in_sight = PlainWidget(), PlainWidget()
        self._quotes = vbox(self.read_first, parent=self._beneath), vbox(parent=self._in_sight)
        self.sections = FindingSections(context.theme, self.model, self.found, self._beneath)
        self.sections.end_with(self.lists)
        self._soon = QTimer(self, singleShot=True, interval=0)
        self._soon.timeout.connect(self._place_rest)
        for each in (self.found, self.sections):
            each.resized.connect(self._soon.start)
        self.found.tables.connect(self.sections.go_to)
        self.sections.turned.connect(self._turned)
        self.tabs.currentChanged.connect(lambda at: self.sections.show_part(TABS[at]))
        self.stack = stacked(self.sections, self.framed, self.waiting)
        self.line = PlainWidget()
        self.line.setSizePolicy(by_width())
        SpreadLayout(self.line, self.tabs, self.scope)
        fill(self.body, self.line, self.panel, self.behind, (self.stack, 1), self._in_sight, self.foot_words)
        self.model.changed.connect(self._show)
        self._shown: object = None
        self._next: ResultsPart | None = None
        self._kept: dict[Path, ResultsPart] = {}
        """By audit, the tab that was looked at last."""
        self._audit: Path | None = None
        self._show()

    def _make_header(self) -> None:
        context = self.context
        self.synthetic = synthetic_badge(context.theme, in_full=True)
        self.provisional = Badge(context.theme, "", Tone.NEUTRAL, "provisional")
        self.fresh = button(tr("New scores: refresh"), self.model.refresh, name="refresh")
        self.save = menu_button(tr("Save the picture"), name="save", says=tr("Save the picture of what was found"))
        self.report = button(tr("Make the brief"), self.model.report, primary=True, name="report")
        why = tr("The declarations are not filled in, under Reports: a brief of this is a draft, and says so.")
        self.draft = Badge(context.theme, tr("draft"), Tone.WARNING, help=why)
        self.header.add_mark(self.synthetic)
        self.header.add_mark(self.draft)
        self.header.add_mark(self.provisional)
        for each in (self.fresh, self.save, self.report):
            self.header.add_button(each)
        for kind, words in figure_kinds().items():
            self.save.menu().addAction(words, partial(self._save, kind))

    def _make_found(self) -> None:
        context = self.context
        self.found = FoundCard(context.theme)
        self.found.read.connect(self.model.answers.conclusion)
        self.found.lacking.connect(self.model.answers.lacking)
        self.found.unknown.connect(self.model.answers.declined)
        self.foot_words = ResultsFoot()
        self.foot_words.read.connect(self.model.answers.first)
        self.foot_words.test.connect(context.actions.action("review.test_sample").trigger)
        self.foot_words.all_steps.connect(lambda: bring_into_view(self.lists))
        self.foot_words.agreement.connect(context.actions.action("review.team").trigger)

    def _answer_commands(self) -> None:
        context = self.context
        context.actions.on("scores.rescore", self._rescore)
        context.actions.on("scores.signs", lambda: SignsDialog(context.theme, self.model.signs, self).show())
        for part in ResultsPart:
            context.actions.on(part_action(part), partial(self._come_to, part))
        context.actions.on("scores.test", lambda: LevelTestDialog(context, self, self.model.method_to_score()).open())

    def _made_outcomes(self) -> FigureView:
        """What stands on the page where nothing is concluded yet: what could be."""
        view = FigureView(self.context.theme, name="results.outcomes")
        view.hide()
        self.empty.below.addWidget(view)
        self.context.theme.on_change(self, self._place_outcomes)
        return view

    def _place_outcomes(self) -> None:
        """Where there is room for them: a low window stays as low as it is."""
        px = self.context.theme.px
        fits = self.height() >= px(_OUTCOMES.height()) and self.width() >= px(_OUTCOMES.width())
        coming = self.model.view in (ResultsView.NO_AUDIT, ResultsView.NOTHING_YET)
        if coming and fits:
            made = chips_figure()
            self.outcomes.show_shapes(made.shapes, made.height, made.description, width=made.width)
        self.outcomes.setVisible(coming and fits)

    def _made_tabs(self) -> QTabBar:
        tabs = QTabBar()
        tabs.setObjectName("results.tabs")
        tabs.setAccessibleName(tr("Parts of the results"))
        tabs.setExpanding(False)
        tabs.setDrawBase(False)
        # Three of them: rather the scope stands below than that they scroll.
        tabs.setUsesScrollButtons(False)
        tabs.setElideMode(Qt.TextElideMode.ElideNone)
        for part, title in part_titles().items():
            at = tabs.addTab(title)
            key = next(iter(self.context.actions.keys(part_action(part))), "")
            tabs.setTabToolTip(at, plain_tip(key))
        return tabs

    @property
    def area(self) -> QScrollArea:
        """The scroll area of the tab that is shown."""
        return self.sections.area

    def arrive(self, state: Mapping[str, object]) -> None:
        wanted, section, scrolled = state.get("filter"), state.get("section"), state.get("scroll")
        if isinstance(wanted, ResultsFilter):
            self.model.set_filter(wanted)
        if isinstance(part := state.get("part"), str):
            self.sections.go_to(part)
        if isinstance(section, str) and isinstance(scrolled, int):
            if section:
                self.sections.go_to(section)
            self.area.verticalScrollBar().setValue(scrolled)
        self.model.follow()
        # Names may have been hidden, or shown again, on Review.
        self._show_first()

    def state(self) -> Mapping[str, object]:
        return {
            "filter": self.model.wanted,
            "part": str(self.sections.part),
            "section": self.sections.at_top(),
            "scroll": self.area.verticalScrollBar().value(),
        }

    def first_focus(self) -> QWidget | None:
        return self.empty.button if self.stack.currentWidget() is self.framed else self.tabs

    def _state_margins(self) -> None:
        model = self.model
        if model.choices is not None:
            MarginsDialog(self, model.choices.numbers, model.wanted.options or (), model.choose).open()

    def _rescore(self) -> None:
        RescoreDialog(self.context, self, self.model.method_to_score()).open()

    def _turned(self, part: ResultsPart) -> None:
        self.tabs.setCurrentIndex(TABS.index(part))
        self._place()
        if self._audit is not None:
            self._kept[self._audit] = part

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place()

    def _place(self) -> None:
        self._place_outcomes()
        self._place_rest()
        # Once more: what stands elsewhere now may be of another height.
        self._soon.start()

    def _place_rest(self) -> None:
        """The foot, and the quotes above it."""
        self._fit_rows()
        self._place_foot()
        self._place_quotes()
        foot = ((each, 0, each.height()) for each in (self.foot_words.status, self.foot_words.footnote))
        cards = (self.found, self.read_first, self.lists)
        self.sections.cut_none((*(line for each in cards for line in each.whole_lines()), *foot))

    def _fit_rows(self) -> None:
        """Rows are as low as it takes to have all of them in sight, with the quotes and the foot below them; where they
        are even so, the first says why from the start."""
        if self.model.concluded is None or self.stack.currentWidget() is not self.sections:
            return
        width, top = self.found.width(), self.stack.mapTo(self, self.stack.rect().topLeft()).y()
        below = [self._foot_height(width, ends=False)]
        if self.model.answers.to_read.rows:
            below.append(height_at(self.read_first, width))
        room = self.height() - top - sum(below) - SPACE_3 * len(below) - SPACE_4
        self.found.fit(room)
        self.found.tell_first(room)

    def _place_foot(self) -> None:
        """At the end of what was found where all of it has room, or where a low page needs the room for that; else in
        sight below what scrolls, with the first thing to do next."""
        px = self.context.theme.px
        ends = self.height() < px(_LOW) or self._all_in_sight()
        if ends is not self.sections.holds(self.foot_words):
            if ends:
                self.sections.end_with(self.foot_words)
            else:
                self.body.addWidget(self.foot_words)
        self.foot_words.keep_free(0 if ends else self.sections.beside)
        self._quotes[1].setContentsMargins(0, 0, self.sections.beside, 0)
        self.foot_words.next.setVisible(not ends and bool(self.model.answers.to_read.steps))
        shown = self.stack.currentWidget() is self.sections
        self.foot_words.setVisible(shown and (ends or self.sections.part is ResultsPart.FOUND))

    def _foot_height(self, width: int, *, ends: bool) -> int:
        """Wherever it stands: the first thing to do next is told where the list of them lies below the edge."""
        foot, step = self.foot_words, self.foot_words.next
        of_step = height_at(step, width) + SPACE_1
        there = height_at(foot, width) - (0 if step.isHidden() else of_step)
        return there + (0 if ends or not self.model.answers.to_read.steps else of_step)

    def _all_in_sight(self) -> bool:
        """Whether what was found, its quotes, both lists and the foot have room under each other."""
        if self.model.concluded is None:
            return False
        width = self.found.width()
        heights = [self.found.height(), height_at(self.lists, width), self._foot_height(width, ends=True)]
        if self.model.answers.to_read.rows:
            heights.append(height_at(self.read_first, width))
        top = self.stack.mapTo(self, self.stack.rect().topLeft()).y()
        # One more: what stands among them without a method's conclusions is empty then, and has its space.
        return top + sum(heights) + SPACE_3 * (len(heights) + 1) + SPACE_4 <= self.height()

    def _place_quotes(self) -> None:
        """Below what was found; where that has no end in sight, below what scrolls: in a low page a line of each."""
        card, (beneath, in_sight) = self.read_first, self._quotes
        stands = in_sight.indexOf(card) >= 0
        here = self.stack.currentWidget() is self.sections and self.sections.part is ResultsPart.FOUND
        if here:
            # As wide as what scrolls, wherever it stands: what is measured must not hang on what it decides.
            width, px = self.found.width(), self.context.theme.px
            card.shorten(on=px(_LOW) <= self.height() < px(_TALL))
            quotes = height_at(card, width) + SPACE_3
            room = self.stack.height() + (quotes if stands and self._in_sight.isVisible() else 0)
            still = self.height() >= px(_LOW) and self.model.concluded is not None
            # The rows come first, but where they have no room even alone.
            rows = self.found.rows_end
            rows = 0 if self.height() >= px(_TALL) and rows > room else rows
            wanted = still and max(quotes / _SHARE, rows + quotes) <= room < self.found.height() + quotes
            if wanted is not stands:
                focus = QApplication.focusWidget()
                stands = wanted
                (in_sight if stands else beneath).addWidget(card)
                card.setVisible(bool(self.model.answers.to_read.rows))
                if focus is not None and card.isAncestorOf(focus):
                    focus.setFocus()
        shown = bool(self.model.answers.to_read.rows)
        self._beneath.setVisible(shown and not stands)
        self._in_sight.setVisible(shown and stands and here)

    def _save(self, kind: FigureFile) -> None:
        told = self.model.concluded
        if told is None:
            return
        figure = lead_figure(told)
        ask = partial(
            ask_and_save,
            self,
            kind.suffix,
            lambda path: write_figure(figure, kind, path),
            self.model.not_saved,
            suggested=tr("What was found"),
        )
        ask_of_names(self, ask)

    def _show(self) -> None:
        model = self.model
        view = model.view
        results = view is ResultsView.RESULTS
        self.header.subtitle.setText(model.subtitle)
        self.synthetic.setVisible(results and model.all_synthetic)
        self.draft.setVisible(results and model.answers.to_read.draft)
        self.provisional.setVisible(results and model.provisional > 0)
        self.provisional.show_state(
            tr("{n} may change until all answers are in", n=model.provisional), Tone.NEUTRAL, "provisional"
        )
        self.fresh.setVisible(model.stale and results)
        self.report.setVisible(results)
        self.save.setVisible(results and model.concluded is not None)
        self.line.setVisible(results or view is ResultsView.NOTHING_MATCHES)
        self.tabs.setVisible(results)
        if not self.line.isVisibleTo(self):
            self.scope.unfold(on=False)
        if model.choices is not None:
            self.chips.show_filter(model.wanted, model.choices)
            if model.results is not None:
                self.scope.show_scope(model.wanted, model.choices, model.results.window)
        match view:
            case ResultsView.RESULTS:
                self.stack.setCurrentWidget(self.sections)
                if self._shown is not model.results:
                    self._shown = model.results
                    self._fill()
                self._show_first()
            case ResultsView.LOADING:
                self.stack.setCurrentWidget(self.waiting)
            case ResultsView.FAILED | ResultsView.NO_AUDIT | ResultsView.NOTHING_YET | ResultsView.NOTHING_MATCHES:
                model.building.drop("page")
                model.building.drop("refill")
                self._explain(view)
                self.stack.setCurrentWidget(self.framed)
        self._place()

    def _explain(self, view: ResultsView) -> None:
        go = self.context.navigator.go
        if view is ResultsView.FAILED:
            words = tr("The results could not be read. {why}", why=self.model.failure)
            self.empty.explain(words, tr("Try again"), self.model.refresh)
        elif view is ResultsView.NO_AUDIT:
            self.empty.explain(tr("No audit is open."), tr("Go to Home"), lambda: go("home"))
        elif view is ResultsView.NOTHING_YET and (active := self.model.active) is not None:
            imported = self.model.results is not None and self.model.results.imported
            self.empty.explain(
                tr("The imported answers are being scored; their scores arrive here by themselves.")
                if imported
                else tr("A round is being asked; scores arrive here by themselves as its answers do."),
                tr("Look at the round"),
                lambda: go("runs", run=active),
            )
        elif view is ResultsView.NOTHING_YET:
            unused = () if self.model.choices is None else without_use(self.model.choices.methods)
            self.empty.explain(
                tr("Nothing has been scored yet. While a round is asked, each model gets a line here."),
                tr("Set up a round"),
                lambda: go("runs"),
                "" if "protocol" in unused else tr("What is measured?"),
                lambda: go("protocol"),
            )
        elif self.model.wanted.narrowed:
            self.empty.explain(
                tr("There are scores in this audit, but none matches these filters."),
                tr("Clear the filters"),
                self.model.clear_filter,
            )
        elif self.model.lacks_models:
            self.empty.explain(
                tr(
                    "There are answers of one model, and none to hold them against. Needed are answers of other"
                    " models to the same questions, in one import or round."
                ),
                tr("Import answers …"),
                self.context.actions.action("file.import").trigger,
                tr("Set up a round"),
                lambda: go("runs"),
            )
        else:
            self.empty.explain(tr("There are scores, but too few answers for any table."))

    def _fill(self) -> None:
        model = self.model
        self._enter()
        if model.concluded is not None:
            self.found.show_told(model.concluded, model.replies, marked=model.all_synthetic)
            self.sections.tell_ranges(alone_words(model.concluded.page))
        else:
            self.found.show_lines(model.told, computing=model.later)
        self.found.show_lacking(model.lacking.words)
        self.found.show_declined("" if model.results is None else model.results.unknown_refusals.sentence)
        self.foot_words.show_measured(*_footnote(model))
        tables = tr("All tables ({n})", n=len(model.parts()))
        self.tabs.setTabText(TABS.index(ResultsPart.TABLES), tables)
        # In a turn of its own: what was found is on the page by then.
        model.building.do("refill", (self._refill,))

    def _refill(self) -> None:
        self.sections.refill()
        if self._next is not None:
            self._go_to(self._next)

    def _enter(self) -> None:
        """Another audit begins at its top, on the tab that it was left on."""
        path, compared = self.context.engine.open_audit.path, TABS.index(ResultsPart.COMPARISONS)
        if path == self._audit:
            self.tabs.setTabVisible(compared, self.model.comparable)
            return
        kept = self._kept.get(path, ResultsPart.FOUND)
        self._audit = None
        self.sections.start_over()
        self.scope.unfold(on=False)
        # Only now: a tab that is hidden while it is shown turns to its neighbour.
        self.tabs.setTabVisible(compared, self.model.comparable)
        self._audit = path
        if self.tabs.isTabVisible(TABS.index(kept)):
            self.sections.show_part(kept)

    def _show_first(self) -> None:
        model = self.model
        self.read_first.show_row(
            model.answers.to_read,
            model.answers.at,
            model.answers.quoted,
            names=model.names,
        )
        self.foot_words.show_read(model.answers.to_read, model.people_read)
        silent = () if model.concluded is None else model.concluded.not_shown
        self.lists.show_lists(silent, model.answers.to_read.steps)
        self._soon.start()

    def _come_to(self, part: ResultsPart) -> None:
        if not self.isVisible():
            self.context.navigator.go("results")
        self._go_to(part)

    def _go_to(self, part: ResultsPart) -> None:
        """Bring *part* to the top: once it is there, where the results are still computed."""
        computed = self.stack.currentWidget() is self.sections
        self._next = None if computed else part
        if computed and self.tabs.isTabVisible(TABS.index(part)):
            self.sections.go_to(part)


def _footnote(model: ResultsViewModel) -> tuple[str, str]:
    """The sentence on what a number shows and does not, and the lines on how it was measured, counted and planned."""
    made = (model.under, *model.shared) if model.under else ()
    if model.concluded is None:
        return model.statement, "\n".join(filter(None, made))
    page = model.concluded.page
    first = tuple(filter(None, (page.says, page.filtered)))
    rest = (each for each in model.concluded.footnote if each not in (*first, *made))
    return " ".join(first), "\n".join(filter(None, (" ".join(rest), *made)))


def figure_kinds() -> dict[FigureFile, str]:
    """The kinds of file that the picture can be saved as, in words."""
    return {
        FigureFile.PNG: tr("As a picture (&PNG) …"),
        FigureFile.SVG: tr("As a drawing (&SVG) …"),
        FigureFile.PDF: tr("As a page (P&DF) …"),
        FigureFile.SLIDE: tr("As a &slide (PDF, 16:9) …"),
    }
