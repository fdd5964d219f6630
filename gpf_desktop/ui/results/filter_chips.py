"""The page's filters as chips: each says what it lets through, and opens a menu to change it."""

from collections.abc import Callable, Iterable
from dataclasses import fields, replace
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any, TypeVar

from PySide6.QtCore import Signal
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QMenu, QPushButton

from gpf_desktop.domain.coordinates import MAIN
from gpf_desktop.domain.ports.analysis import Analysis
from gpf_desktop.domain.text import plain_number, tr, trn, within
from gpf_desktop.engine.core import catalogue
from gpf_desktop.engine.core.factor_words import stratum_title
from gpf_desktop.engine.reporting.results_filter import FilterOptions, ResultsFilter
from gpf_desktop.ui.widgets.boxes import PlainWidget
from gpf_desktop.ui.widgets.buttons import button, link, menu_button
from gpf_desktop.ui.widgets.layouts import FlowLayout
from gpf_desktop.ui.widgets.plain import plain_entry, plain_tip

T = TypeVar("T")

_NAMES_SHOWN = 2
_DAYS = (7, 30)
_HEADLINE = 48
"""Characters of a headline that stand in a chip or its menu."""


class FilterChips(PlainWidget):
    """Shows a `ResultsFilter` and what else there is; asks for another by `wanted`."""

    wanted = Signal(object)
    """The `ResultsFilter` that the auditor chose."""
    clear_asked = Signal()
    margins_asked = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._filter = ResultsFilter()
        self._choices: FilterOptions | None = None
        self.method_chip = self._chip("method")
        self.window_chip = self._chip("window")
        self.models_chip = self._chip("models")
        self.batches_chip = self._chip("batches")
        self.articles_chip = self._chip("articles")
        self.items_chip = self._chip("items")
        self.arm_chip = self._chip("arm")
        self.settings_chip = self._chip("settings")
        self.option_chips: dict[str, QPushButton] = {}
        """By option, of the method that is shown."""
        self.complete_chip = button(tr("complete sets only"), compact=True, name="chip.complete")
        self.complete_chip.setCheckable(True)
        self.complete_chip.clicked.connect(lambda on: self._ask(complete_only=bool(on)))
        self.skewed_chip = button(tr("ranges for skewed scores"), compact=True, name="chip.skewed")
        self.skewed_chip.setCheckable(True)
        self.skewed_chip.setToolTip(
            tr("Hall's transformed t over articles in place of Student's t, from five articles on.")
        )
        self.skewed_chip.clicked.connect(lambda on: self._ask(skewed=bool(on)))
        self.margins_chip = button(
            tr("too small to matter: usual …"), self.margins_asked.emit, compact=True, name="chip.margins"
        )
        self.clear = link(tr("Clear"), self.clear_asked.emit, name="chip.clear")
        self.clear.setAccessibleName(tr("Clear the filters"))
        self._row = FlowLayout(
            self,
            self.method_chip,
            self.window_chip,
            self.models_chip,
            self.batches_chip,
            self.articles_chip,
            self.items_chip,
            self.arm_chip,
            self.settings_chip,
            self.complete_chip,
            self.skewed_chip,
            self.margins_chip,
            self.clear,
        )

    def show_filter(self, wanted: ResultsFilter, choices: FilterOptions) -> None:
        """Say what *wanted* lets through; menus offer *choices*."""
        self._filter, self._choices = wanted, choices
        self._show_methods(wanted, choices)
        self._show_window(wanted, choices)
        self._show_set(
            self.models_chip, tr("models"), wanted.models, [(name, name) for name in choices.models], "models"
        )
        self._show_set(self.batches_chip, tr("batches of news"), wanted.batches, choices.batches, "batches")
        self.batches_chip.setVisible(len(choices.batches) > 1)
        headlines = [(number, _cut(headline)) for number, headline in choices.articles]
        self._show_set(self.articles_chip, tr("article"), wanted.articles, headlines, "articles")
        self.articles_chip.setVisible(len(choices.articles) > 1)
        strata: list[tuple[object, str]] = [
            (None, tr("all")),
            *((each, stratum_title(each)) for each in choices.strata),
        ]
        its = catalogue.method(wanted.method or choices.methods[0])
        self._show_one(self.items_chip, its.items_called, wanted.stratum, strata, "stratum")
        self.items_chip.setVisible(len(choices.strata) > 1)
        arms = [(each, within(its.arms.get(each, each))) for each in choices.arms or (MAIN,)]
        self._show_one(self.arm_chip, tr("how it was asked"), wanted.arm, arms, "arm")
        self.arm_chip.setVisible(len(choices.arms) > 1)
        first = choices.settings[0][0] if choices.settings else None
        self._show_one(self.settings_chip, tr("scores"), wanted.setting_id or first, choices.settings, "setting_id")
        self.settings_chip.setVisible(len(choices.settings) > 1)
        self._show_options(wanted, choices)
        self.complete_chip.setChecked(wanted.complete_only)
        self.skewed_chip.setVisible(any(map(_has_skewed, catalogue.analyses_of(its.name).values())))
        self.skewed_chip.setChecked(wanted.skewed)
        self._show_margins(wanted, choices)
        self.clear.setVisible(wanted.narrowed > 0)

    def _show_methods(self, wanted: ResultsFilter, choices: FilterOptions) -> None:
        """Tables are of one method; what was picked among another's runs says nothing about this one's."""
        chip, chosen = self.method_chip, wanted.method or choices.methods[0]
        chip.setVisible(len(choices.methods) > 1)
        self._say(chip, tr("method"), catalogue.method(chosen).title)
        menu = self._emptied(chip)
        for name in choices.methods:
            another = partial(self.wanted.emit, ResultsFilter(method=name))
            self._add(menu, catalogue.method(name).title, name == chosen, another)

    def _show_options(self, wanted: ResultsFilter, choices: FilterOptions) -> None:
        """How tables are made, each choice a chip of its own."""
        offered = {each.name: each for each in choices.options}
        for name in [name for name in self.option_chips if name not in offered]:
            gone = self.option_chips.pop(name)
            self._row.removeWidget(gone)
            gone.deleteLater()
        chosen = dict(wanted.options or ())
        before: QPushButton = self.settings_chip
        for name, each in offered.items():
            if name not in self.option_chips:
                self.option_chips[name] = chip = self._chip(name)
                self._row.insert_widget(self._row.indexOf(before) + 1, chip)
                self.setTabOrder(before, chip)
            before = self.option_chips[name]
            now = chosen.get(name, each.values[0][0])
            pairs = [(tuple({**chosen, name: value}.items()), words) for value, words in each.values]
            self._show_one(self.option_chips[name], each.title, tuple({**chosen, name: now}.items()), pairs, "options")

    def _show_margins(self, wanted: ResultsFilter, choices: FilterOptions) -> None:
        """Says whether they are the auditor's own."""
        chosen = dict(wanted.options or ())
        own = any(each.name in chosen for each in choices.numbers)
        self.margins_chip.setVisible(bool(choices.numbers))
        self.margins_chip.setText(tr("too small to matter: own …") if own else tr("too small to matter: usual …"))
        now = [f"{each.title} {plain_number(float(chosen.get(each.name, each.usual)))}" for each in choices.numbers]
        self.margins_chip.setToolTip(plain_tip(tr("Differences held too small to matter: {now}.", now=", ".join(now))))

    def _chip(self, name: str) -> QPushButton:
        return menu_button("", compact=True, name=f"chip.{name}", says=tr("Filter"))

    def _say(self, chip: QPushButton, what: str, value: str) -> None:
        chip.setText(tr("{what}: {value}", what=what, value=value))
        chip.setAccessibleName(tr("Filter, {what}: {value}", what=what, value=value))

    def _show_window(self, wanted: ResultsFilter, choices: FilterOptions) -> None:
        chip, names = self.window_chip, dict(choices.runs)
        if wanted.since is not None:
            days = (datetime.now(UTC) - wanted.since).days
            shown = trn("last {n} day", "last {n} days", max(1, days))
        elif wanted.runs is None:
            shown = tr("all rounds")
        else:
            shown = _named([names[run] for run in wanted.runs if run in names])
        self._say(chip, tr("what is counted"), shown)
        menu = self._emptied(chip)
        self._add(menu, tr("All rounds"), wanted.runs is None and wanted.since is None, self._window)
        for days in _DAYS:
            self._add(
                menu,
                trn("Last {n} day", "Last {n} days", days),
                False,
                partial(self._since, days),
            )
        menu.addSeparator()
        for run, name in choices.runs:
            chosen = wanted.runs is not None and run in wanted.runs
            self._add(menu, name, chosen, partial(self._window, runs=_toggled(wanted.runs, run)))

    def _window(self, *, runs: frozenset[int] | None = None, since: datetime | None = None) -> None:
        self._ask(runs=runs, since=since, until=None)

    def _since(self, days: int) -> None:
        # A minute more, so that the whole days are said again in whole days.
        self._window(since=datetime.now(UTC) - timedelta(days=days, minutes=1))

    def _show_set(
        self,
        chip: QPushButton,
        what: str,
        chosen: frozenset[Any] | None,
        every: Iterable[tuple[object, str]],
        field: str,
    ) -> None:
        every = tuple(every)
        shown = tr("all") if chosen is None else _named([name for value, name in every if value in chosen])
        self._say(chip, what, shown)
        menu = self._emptied(chip)
        self._add(menu, tr("All"), chosen is None, lambda: self._ask(**{field: None}))
        menu.addSeparator()
        for value, name in every:
            self._add(
                menu,
                name,
                chosen is not None and value in chosen,
                partial(self._ask, **{field: _toggled(chosen, value)}),
            )

    def _show_one(
        self, chip: QPushButton, what: str, chosen: object, every: Iterable[tuple[object, str]], field: str
    ) -> None:
        every = tuple(every)
        self._say(chip, what, next((name for value, name in every if value == chosen), tr("all")))
        menu = self._emptied(chip)
        # One for each menu: `clear` takes the actions away, and leaves the groups that they were in.
        group = menu.findChild(QActionGroup) or QActionGroup(menu)
        for value, name in every:
            action = self._add(menu, name, value == chosen, partial(self._ask, **{field: value}))
            group.addAction(action)

    def _emptied(self, chip: QPushButton) -> QMenu:
        menu = chip.menu()
        menu.clear()
        return menu

    def _add(self, menu: QMenu, text: str, chosen: bool, do: Callable[[], object]) -> QAction:
        # An ampersand in a model's or a run's name is no mnemonic.
        action = menu.addAction(plain_entry(text))
        action.setCheckable(True)
        action.setChecked(chosen)
        action.triggered.connect(lambda _checked: do())
        return action

    def _ask(self, **changes: object) -> None:
        self.wanted.emit(replace(self._filter, **changes))  # type: ignore[arg-type]


def _toggled(chosen: frozenset[T] | None, value: T) -> frozenset[T] | None:
    """*chosen* with or without *value*; None, for all, when nothing would be left."""
    changed = (chosen or frozenset()) ^ {value}
    return changed or None


def _named(names: list[str]) -> str:
    if len(names) <= _NAMES_SHOWN:
        return ", ".join(names)
    return tr("{names} and {n} more", names=", ".join(names[:_NAMES_SHOWN]), n=len(names) - _NAMES_SHOWN)


def _cut(headline: str) -> str:
    return headline if len(headline) <= _HEADLINE else f"{headline[: _HEADLINE - 1].rstrip()}…"


def _has_skewed(analysis: Analysis) -> bool:
    return any(each.name == "skewed" for each in fields(analysis.options))
