"""The three tabs of Results and where each finding stands in them; what nobody comes near is not computed."""

from collections.abc import Iterable, Sequence
from functools import partial

from PySide6.QtCore import QPoint, QTimer, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QScrollArea, QStackedWidget, QVBoxLayout, QWidget

from gpf_desktop.domain.text import tr
from gpf_desktop.ui.results.finding_section import FindingSection
from gpf_desktop.ui.results.results_actions import ResultsPart, part_titles
from gpf_desktop.ui.results.results_view_model import ResultsViewModel
from gpf_desktop.ui.results.table_browser import TableBrowser
from gpf_desktop.ui.theme import Theme
from gpf_desktop.ui.theme.tokens import SPACE_1, SPACE_3
from gpf_desktop.ui.widgets.boxes import PlainWidget, vbox
from gpf_desktop.ui.widgets.end_shade import EndShade
from gpf_desktop.ui.widgets.labels import secondary, show_words
from gpf_desktop.ui.widgets.layouts import scrolling

_AHEAD = 1.0
"""Heights of the window below what is seen that are made ready."""
_MOST_CUT = 0.25
"""Of the height of the first tab, that may stay free at its end rather than that a line is cut."""
TABS = tuple(ResultsPart)


class FindingSections(PlainWidget):
    """One `FindingSection` per finding of `ResultsViewModel.parts`.

    A finding has one section, which stands where it is looked at: among the comparisons, alone beside the list of all
    tables, or, of a method that concludes nothing, below what was found.
    """

    turned = Signal(object)
    """To this `ResultsPart`."""
    resized = Signal()

    def __init__(self, theme: Theme, model: ResultsViewModel, *found: QWidget) -> None:
        """*found*: what stands first on the first tab."""
        super().__init__(name="results.sections")
        self._theme = theme
        self._model = model
        self._sections: dict[str, FindingSection] = {}
        self._held: tuple[QWidget, int] | None = None
        """What was gone to, and the scroll bar's value there, for as long as nobody scrolls."""
        self._below, self._compared = PlainWidget(), PlainWidget()
        self._columns: dict[ResultsPart, QVBoxLayout] = {
            ResultsPart.FOUND: vbox(parent=self._below, spacing=SPACE_3),
            ResultsPart.COMPARISONS: vbox(parent=self._compared, spacing=SPACE_3),
        }
        self._columns[ResultsPart.COMPARISONS].addStretch(1)
        holder = PlainWidget()
        self._end = vbox(parent=(end := PlainWidget()), spacing=SPACE_3)
        vbox(*found, self._below, end, 1, parent=holder, spacing=SPACE_3, margins=(0, 0, SPACE_3, 0))
        self.seen = secondary(wrap=True, name="results.seen")
        beside = PlainWidget()
        vbox(self.seen, (self._compared, 1), parent=beside, spacing=SPACE_3, margins=(0, 0, SPACE_3, 0))
        self.browser = TableBrowser(theme)
        self.browser.chosen.connect(self._show_table)
        self._areas: dict[ResultsPart, QScrollArea] = {
            ResultsPart.FOUND: (first := scrolling(holder, "results.scroll", steady=True)),
            ResultsPart.COMPARISONS: scrolling(beside, "results.compared", steady=True),
            ResultsPart.TABLES: self.browser.area,
        }
        for part in (ResultsPart.FOUND, ResultsPart.COMPARISONS):
            EndShade(theme, self._areas[part])
        self._first, self._holder = first, holder
        self._stack = QStackedWidget()
        for page in (self._areas[ResultsPart.FOUND], self._areas[ResultsPart.COMPARISONS], self.browser):
            self._stack.addWidget(page)
        vbox((self._stack, 1), parent=self)
        # Sections out of every tab wait here.
        self._away = PlainWidget()
        self._away.setParent(self)
        self._away.hide()
        self._away_column = vbox(parent=self._away)
        self._soon = QTimer(self, singleShot=True)
        # In the next turn of the event loop: until layouts have done their work, sections stand where they were.
        self._soon.setInterval(0)
        self._soon.timeout.connect(self._look)
        for part in (ResultsPart.FOUND, ResultsPart.COMPARISONS):
            bar = self._areas[part].verticalScrollBar()
            bar.valueChanged.connect(lambda _: self._look_soon())
            # A section that has become lower brings others near without any scrolling.
            bar.rangeChanged.connect(lambda *_: self._look_soon())
        self.tell_ranges("")
        model.found.connect(self._show)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.resized.emit()

    def tell_ranges(self, words: str) -> None:
        """*words*: how ranges of tables are other ones than those under Found; empty: they are not."""
        seen = tr("Differences that were seen in the same answers. No conclusion under Found rests on them.")
        self.seen.setText(f"{seen} {words}".rstrip())
        show_words(self.browser.ranges, words)

    def end_with(self, words: QWidget) -> None:
        """Let *words* stand last on the first tab, behind those that do already."""
        self._end.addWidget(words)

    def holds(self, words: QWidget) -> bool:
        return self._end.indexOf(words) >= 0

    @property
    def beside(self) -> int:
        """Pixels at the right of the cards, for the scroll bar."""
        return SPACE_3 + self._first.verticalScrollBar().sizeHint().width()

    def cut_none(self, lines: Iterable[tuple[QWidget, int, int]]) -> None:
        """Let the first tab end below the last of *lines* that it shows whole before anybody scrolls. Lines: the
        widget that it is on, and where it begins and ends there."""
        end = self._first.height() - SPACE_1
        tops = [
            top
            for on, first, last in lines
            if self._holder.isAncestorOf(on)
            and on.isVisibleTo(self._holder)
            and (top := on.mapTo(self._holder, QPoint(0, first)).y()) < end < top + last - first
        ]
        cut = self._first.height() - min(tops) if tops else 0
        self._first.leave_below(cut if cut < _MOST_CUT * end else 0)

    @property
    def part(self) -> ResultsPart:
        return TABS[self._stack.currentIndex()]

    @property
    def area(self) -> QScrollArea:
        """The scroll area of the tab that is shown."""
        return self._areas[self.part]

    def show_part(self, part: ResultsPart) -> None:
        """Turn to the tab of *part*."""
        if part is self.part:
            return
        self._stack.setCurrentIndex(TABS.index(part))
        self._place()
        if part is ResultsPart.TABLES and not self.browser.current:
            self.browser.choose_first()
        self.turned.emit(part)
        self._look_soon()

    def places(self) -> Sequence[tuple[str, str]]:
        """(name, title) of every section, in the order of the list of all tables."""
        return [(name, self._sections[name].title) for _, name in self._model.parts() if name in self._sections]

    def filled(self) -> tuple[str, ...]:
        """Names of the sections that are computed, or about to be."""
        names = {name for _, name in self._model.parts()}
        return tuple(name for name, section in self._sections.items() if section.asked and name in names)

    def at_top(self) -> str:
        """The section that stands at the top of what is seen; empty: none does."""
        if self.part is ResultsPart.TABLES:
            return self.browser.current
        shown = [s for s in self._on(self.part) if not s.isHidden() and self._top(s) + s.height() > 0]
        return min(shown, key=self._top).name if shown and self.part is ResultsPart.COMPARISONS else ""

    def go_to(self, place: str) -> None:
        """Bring the part or the table called *place* before the reader."""
        self._make()
        if place in tuple(ResultsPart):
            part = ResultsPart(place)
            self.show_part(part)
            if part is not ResultsPart.TABLES:
                self.area.verticalScrollBar().setValue(0)
            return
        if self.part is ResultsPart.COMPARISONS and (section := self._sections.get(place)) in self._on(self.part):
            self.ask((place,))
            if section is not None:
                self._hold(section)
            return
        self.show_part(ResultsPart.TABLES)
        self.browser.choose(place)

    def ask(self, names: Sequence[str]) -> None:
        """Compute these sections now, seen or not."""
        if self._model.results is None:
            return
        self._make()
        for name in names:
            section = self._sections.get(name)
            if section is not None and not section.asked and not section.closed:
                section.asked = True
                self._model.ask_section(name)

    def refill(self) -> None:
        """Scores or filters have changed."""
        self._make()
        self.seen.setVisible(self._model.concluded is not None)
        for section in self._sections.values():
            if section.asked:
                section.wait()
        self._place()
        if self.part is ResultsPart.TABLES and self.browser.current:
            self.ask((self.browser.current,))
        self._look_soon()

    def start_over(self) -> None:
        """Another audit: begin at the top of the first tab."""
        self.show_part(ResultsPart.FOUND)
        for area in self._areas.values():
            area.verticalScrollBar().setValue(0)
        self.browser.search.clear()
        self.browser.show_list(())
        self._held = None

    def _make(self) -> None:
        for _, name in self._model.parts():
            if name not in self._sections:
                section = FindingSection(self._theme, self._model, name, self._model.title(name))
                section.opened.connect(partial(self.ask, (name,)))
                self._sections[name] = section
                self._away_column.addWidget(section)
        titles = {**part_titles(), ResultsPart.TABLES: tr("Further tables")}
        self.browser.show_list(
            [
                (
                    titles[part],
                    [(name, self._sections[name].title) for each, name in self._model.parts() if each is part],
                )
                for part in ResultsPart
            ]
        )

    def _place(self) -> None:
        """Each section where it is looked at now."""
        by_part: dict[ResultsPart, list[str]] = {part: [] for part in ResultsPart}
        for part, name in self._model.parts():
            by_part[part].append(name)
        below = [] if self._model.concluded is not None else by_part[ResultsPart.FOUND]
        compared = by_part[ResultsPart.COMPARISONS]
        alone = self.browser.current if self.part is ResultsPart.TABLES else ""
        for part, names in ((ResultsPart.FOUND, below), (ResultsPart.COMPARISONS, compared)):
            column = self._columns[part]
            standing = [name for name in names if name in self._sections and name != alone]
            for at, name in enumerate(standing):
                section = self._sections[name]
                # Only where it is not: what is put anew asks for its layout anew.
                if column.indexOf(section) != at:
                    column.insertWidget(at, section)
                section.setVisible(not self._silent(name))
        here = {*below, *compared, alone}
        for name, section in self._sections.items():
            if name not in here and section.parentWidget() is not self._away:
                self._away_column.addWidget(section)
        if alone in self._sections:
            section = self._sections[alone]
            if self.browser.column.indexOf(section) < 0:
                self._clear_browser()
                self.browser.show_widget(section)

    def _clear_browser(self) -> None:
        for section in self._sections.values():
            if section.parentWidget() is self.browser.holder:
                self._away_column.addWidget(section)

    def _silent(self, name: str) -> bool:
        """Among comparisons, one that has nothing to show; the list of all tables has it, and says why."""
        finding = self._model.sections.get(name)
        return finding is not None and not finding.rows

    def _show_table(self, name: str) -> None:
        if self.part is not ResultsPart.TABLES:
            return
        self._place()
        self.ask((name,))

    def _on(self, part: ResultsPart) -> list[FindingSection]:
        parent = {ResultsPart.FOUND: self._below, ResultsPart.COMPARISONS: self._compared}.get(part)
        return [each for each in self._sections.values() if each.parentWidget() is parent]

    def _look_soon(self) -> None:
        self._model.looking = True
        self._soon.start()

    def _look(self) -> None:
        """Ask for the first section near enough that was not asked for; the next one follows when it stands there."""
        self._model.looking = False
        area = self.area
        if not area.isVisible() or self.part is ResultsPart.TABLES:
            return
        if self._held is not None:
            widget, value = self._held
            if area.verticalScrollBar().value() == value:
                self._hold(widget)
            else:
                self._held = None
        if self._model.asking:
            return
        reach = area.viewport().height() * (1 + _AHEAD)
        there = self._on(self.part)
        for _, name in self._model.parts():
            section = self._sections.get(name)
            if section is None or section not in there:
                continue
            if section.asked or section.closed or section.isHidden():
                continue
            top = self._top(section)
            if top < reach and top + section.height() > -area.viewport().height():
                self.ask((name,))
                return

    def _hold(self, widget: QWidget) -> None:
        bar = self.area.verticalScrollBar()
        bar.setValue(bar.value() + self._top(widget))
        self._held = (widget, bar.value())

    def _top(self, section: QWidget) -> int:
        return section.mapTo(self.area.viewport(), QPoint()).y()

    def _show(self, name: str) -> None:
        section, finding = self._sections.get(name), self._model.sections.get(name)
        if section is not None and finding is not None:
            self._model.building.do(f"section {name}", (*section.steps(finding), self._place, self._look_soon))
