"""All findings below each other, in parts; each is computed when the reader comes near it."""

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QPoint, QTimer
from PySide6.QtWidgets import QScrollArea, QWidget

from gpf_desktop.ui.results.finding_section import FindingSection
from gpf_desktop.ui.results.results_actions import ResultsPart, part_titles
from gpf_desktop.ui.results.results_view_model import ResultsViewModel
from gpf_desktop.ui.theme import Theme
from gpf_desktop.ui.theme.tokens import SPACE_3
from gpf_desktop.ui.widgets.boxes import PlainWidget, vbox
from gpf_desktop.ui.widgets.labels import label

_AHEAD = 1.0
"""Heights of the window below what is seen that are made ready."""


class FindingSections(PlainWidget):
    """One `FindingSection` per finding of `ResultsViewModel.parts`, under the title of its part."""

    def __init__(self, theme: Theme, model: ResultsViewModel) -> None:
        super().__init__()
        self._theme = theme
        self._model = model
        self._area: QScrollArea | None = None
        self._sections: dict[str, FindingSection] = {}
        self._held: tuple[QWidget, int] | None = None
        """What was gone to, and the scroll bar's value there, for as long as nobody scrolls."""
        self._titles = {part: label(words, "title", name=f"part.{part}") for part, words in part_titles().items()}
        self._column = vbox(*self._titles.values(), parent=self, spacing=SPACE_3)
        self._soon = QTimer(self, singleShot=True)
        # In the next turn of the event loop: until layouts have done their work, sections stand where they were.
        self._soon.setInterval(0)
        self._soon.timeout.connect(self._look)
        model.found.connect(self._show)

    def watch(self, area: QScrollArea) -> None:
        """Compute what *area* comes near to."""
        self._area = area
        area.verticalScrollBar().valueChanged.connect(lambda _: self._look_soon())
        # A section that has become lower brings others near without any scrolling.
        area.verticalScrollBar().rangeChanged.connect(lambda *_: self._look_soon())

    def places(self) -> Sequence[tuple[str, str]]:
        """(name, title) of every section, from top to bottom."""
        return [(name, self._sections[name].title) for _, name in self._model.parts() if name in self._sections]

    def filled(self) -> tuple[str, ...]:
        """Names of the sections that are computed, or about to be."""
        return tuple(name for name, section in self._sections.items() if section.asked and not section.isHidden())

    def at_top(self) -> str:
        """The section that stands at the top of what is seen; empty: none does."""
        area = self._area
        if area is None:
            return ""
        shown = [s for s in self._sections.values() if not s.isHidden() and self._top(s, area) + s.height() > 0]
        return min(shown, key=lambda section: self._top(section, area)).name if shown else ""

    def go_to(self, place: str) -> None:
        """Bring the part or section called *place* to the top, and keep it there while those above it are computed."""
        titles = {str(part): title for part, title in self._titles.items()}
        widget = titles.get(place) or self._sections.get(place)
        if widget is None or self._area is None:
            return
        self.ask((place,))
        self._hold(widget, self._area)

    def _hold(self, widget: QWidget, area: QScrollArea) -> None:
        bar = area.verticalScrollBar()
        bar.setValue(bar.value() + self._top(widget, area))
        self._held = (widget, bar.value())

    def ask(self, names: Sequence[str]) -> None:
        """Compute these sections now, seen or not."""
        self._make()
        for name in names:
            section = self._sections.get(name)
            if section is not None and not section.asked and not section.closed:
                section.asked = True
                self._model.ask_section(name)

    def refill(self) -> None:
        """Scores or filters have changed."""
        self._make()
        for section in self._sections.values():
            if section.asked:
                section.wait()
        self._look_soon()

    def _make(self) -> None:
        shown = self._model.parts()
        for part, title in self._titles.items():
            title.setVisible(part is not ResultsPart.FOUND and any(part is each for each, _ in shown))
        for _, name in shown:
            if name not in self._sections:
                self._sections[name] = FindingSection(self._theme, self._model, name, self._model.title(name))
                self._sections[name].opened.connect(partial(self.ask, (name,)))
        at = 0
        # A layout takes a widget out of its old place before it puts it in: an index stays within the column only while
        # no name stands twice among those shown.
        for part in ResultsPart:
            self._column.insertWidget(at, self._titles[part])
            names = [name for each, name in shown if each is part]
            for place, name in enumerate(names, start=at + 1):
                self._column.insertWidget(place, self._sections[name])
            at += 1 + len(names)
        names_shown = {name for _, name in shown}
        for name, section in self._sections.items():
            section.setVisible(name in names_shown)

    def _look_soon(self) -> None:
        self._model.looking = True
        self._soon.start()

    def _look(self) -> None:
        """Ask for the first section near enough that was not asked for; the next one follows when it stands there."""
        self._model.looking = False
        area = self._area
        if area is None or not area.isVisible():
            return
        if self._held is not None:
            widget, value = self._held
            if area.verticalScrollBar().value() == value:
                self._hold(widget, area)
            else:
                self._held = None
        if self._model.asking:
            return
        reach = area.viewport().height() * (1 + _AHEAD)
        for _, name in self._model.parts():
            section = self._sections.get(name)
            if section is None or section.asked or section.closed:
                continue
            top = self._top(section, area)
            if top < reach and top + section.height() > -area.viewport().height():
                self.ask((name,))
                return

    def _top(self, section: QWidget, area: QScrollArea) -> int:
        return section.mapTo(area.viewport(), QPoint()).y()

    def _show(self, name: str) -> None:
        section, finding = self._sections.get(name), self._model.sections.get(name)
        if section is not None and finding is not None:
            self._model.building.do(f"section {name}", (*section.steps(finding), self._look_soon))
