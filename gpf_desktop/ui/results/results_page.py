"""The page Results: its layout and connections."""

from collections.abc import Mapping
from functools import partial

from PySide6.QtWidgets import QScrollArea, QWidget

from gpf_desktop.domain.text import tr
from gpf_desktop.engine.reporting.results_filter import ResultsFilter
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.page import Page
from gpf_desktop.ui.results.behind_notice import BehindNotice
from gpf_desktop.ui.results.filter_chips import FilterChips
from gpf_desktop.ui.results.found_card import FoundCard
from gpf_desktop.ui.results.level_test_dialog import LevelTestDialog
from gpf_desktop.ui.results.margins_dialog import MarginsDialog
from gpf_desktop.ui.results.rescore_dialog import RescoreDialog
from gpf_desktop.ui.results.results_actions import ResultsPart, part_action
from gpf_desktop.ui.results.results_view_model import ResultsView, ResultsViewModel
from gpf_desktop.ui.results.sections import FindingSections
from gpf_desktop.ui.results.signs_dialog import SignsDialog
from gpf_desktop.ui.shell.pages import without_use
from gpf_desktop.ui.theme.tokens import SPACE_3
from gpf_desktop.ui.widgets.badge import Badge, Tone, synthetic_badge
from gpf_desktop.ui.widgets.boxes import column_of, fill, stacked
from gpf_desktop.ui.widgets.buttons import action_button, button, menu_button
from gpf_desktop.ui.widgets.cards import EmptyState, WaitingCard
from gpf_desktop.ui.widgets.layouts import scrolling


class ResultsPage(Page):
    """Read from top to bottom: what was found and what to read first, comparisons, tables."""

    def __init__(self, context: Context) -> None:
        super().__init__(context, "results", tr("Results"))
        self.model = ResultsViewModel(context, self)
        self.synthetic = synthetic_badge(context.theme)
        self.provisional = Badge(context.theme, "", Tone.NEUTRAL, "provisional")
        self.fresh = button(tr("New scores: refresh"), self.model.refresh, name="refresh")
        self.header.add_mark(self.synthetic)
        self.header.add_mark(self.provisional)
        self.header.add_button(self.fresh)
        self.rescore = action_button(context.actions.action("scores.rescore"), tr("Rescore …"))
        self.header.add_button(self.rescore)
        context.actions.on("scores.rescore", self._rescore)
        context.actions.on("scores.signs", lambda: SignsDialog(context.theme, self.model.signs, self).show())
        for part in ResultsPart:
            context.actions.on(part_action(part), partial(self._come_to, part))
        context.actions.on("scores.test", lambda: LevelTestDialog(context, self, self.model.method_to_score()).open())
        self.contents = menu_button(tr("Go to"), name="contents")
        self.header.add_button(self.contents)
        self.report = button(tr("Export a report"), self.model.report, name="report")
        self.header.add_button(self.report)
        self.chips = FilterChips()
        self.chips.wanted.connect(self.model.set_filter)
        self.chips.clear_asked.connect(self.model.clear_filter)
        self.chips.margins_asked.connect(self._state_margins)
        self.behind = BehindNotice(context)
        self.empty = EmptyState(context.theme, "results")
        self.waiting = WaitingCard(tr("Computing …"), name="waiting")
        self.found = FoundCard(context.theme)
        self.found.wanted.connect(self.model.read_first)
        self.sections = FindingSections(context.theme, self.model)
        self.area: QScrollArea = scrolling(
            column_of(self.found, self.sections, 1, spacing=SPACE_3, margins=(0, 0, SPACE_3, 0)), "results.scroll"
        )
        self.sections.watch(self.area)
        self.stack = stacked(self.area, self.empty, self.waiting)
        fill(self.body, self.chips, self.behind, (self.stack, 1))
        self.model.changed.connect(self._show)
        self._shown: object = None
        self._next: ResultsPart | None = None
        self._show()

    def arrive(self, state: Mapping[str, object]) -> None:
        wanted, section, scrolled = state.get("filter"), state.get("section"), state.get("scroll")
        if isinstance(wanted, ResultsFilter):
            self.model.set_filter(wanted)
        if isinstance(section, str) and isinstance(scrolled, int):
            self.sections.go_to(section if scrolled else "")
            self.area.verticalScrollBar().setValue(scrolled)
        self.model.follow()

    def state(self) -> Mapping[str, object]:
        return {
            "filter": self.model.wanted,
            "section": self.sections.at_top(),
            "scroll": self.area.verticalScrollBar().value(),
        }

    def first_focus(self) -> QWidget | None:
        return self.empty.button if self.stack.currentWidget() is self.empty else self.chips.window_chip

    def _state_margins(self) -> None:
        model = self.model
        if model.choices is not None:
            MarginsDialog(self, model.choices.numbers, model.wanted.options or (), model.choose).open()

    def _rescore(self) -> None:
        RescoreDialog(self.context, self, self.model.method_to_score()).open()

    def _show(self) -> None:
        model = self.model
        view = model.view
        self.header.subtitle.setText(model.subtitle)
        self.synthetic.setVisible(view is ResultsView.RESULTS and model.all_synthetic)
        self.provisional.setVisible(view is ResultsView.RESULTS and model.provisional > 0)
        self.provisional.show_state(tr("{n} provisional", n=model.provisional), Tone.NEUTRAL, "provisional")
        self.fresh.setVisible(model.stale and view is ResultsView.RESULTS)
        self.report.setVisible(view is ResultsView.RESULTS)
        self.rescore.setVisible(view is ResultsView.RESULTS)
        self.contents.setVisible(view is ResultsView.RESULTS)
        self.chips.setVisible(view in (ResultsView.RESULTS, ResultsView.NOTHING_MATCHES))
        if model.choices is not None:
            self.chips.show_filter(model.wanted, model.choices)
        match view:
            case ResultsView.RESULTS:
                self.stack.setCurrentWidget(self.area)
                if self._shown is not model.results:
                    self._shown = model.results
                    self._fill()
            case ResultsView.LOADING:
                self.stack.setCurrentWidget(self.waiting)
            case ResultsView.FAILED | ResultsView.NO_AUDIT | ResultsView.NOTHING_YET | ResultsView.NOTHING_MATCHES:
                model.building.drop("page")
                self._explain(view)
                self.stack.setCurrentWidget(self.empty)

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
                tr("Nothing has been scored yet. Scores arrive here while a round is asked."),
                tr("Set up a round"),
                lambda: go("runs"),
                "" if "protocol" in unused else tr("What is measured?"),
                lambda: go("protocol"),
            )
        else:
            self.empty.explain(
                tr("There are scores in this audit, but none matches these filters."),
                tr("Clear the filters"),
                self.model.clear_filter,
            )

    def _fill(self) -> None:
        model = self.model
        self.found.show_found(model.concluded or model.told, model.statement, model.to_read, marked=model.all_synthetic)
        self.sections.refill()
        menu = self.contents.menu()
        menu.clear()
        menu.addActions([self.context.actions.action(part_action(part)) for part in ResultsPart])
        menu.addSeparator()
        for name, title in self.sections.places():
            menu.addAction(title).triggered.connect(lambda _=False, name=name: self.sections.go_to(name))
        if self._next is not None:
            self._go_to(self._next)

    def _come_to(self, part: ResultsPart) -> None:
        if not self.isVisible():
            self.context.navigator.go("results")
        self._go_to(part)

    def _go_to(self, part: ResultsPart) -> None:
        """Bring *part* to the top: once it is there, where the results are still computed."""
        computed = self.stack.currentWidget() is self.area
        self._next = None if computed else part
        if not computed:
            return
        if part is ResultsPart.FOUND:
            self.area.verticalScrollBar().setValue(0)
        else:
            self.sections.go_to(part)
