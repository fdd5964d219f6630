"""Undo and redo of how tables are made, as the chips of Results choose it."""

from collections.abc import Callable

from PySide6.QtCore import QObject

from gpf_desktop.domain.text import tr
from gpf_desktop.engine.reporting.option_choices import ChosenOptions
from gpf_desktop.ui.actions import Meaning
from gpf_desktop.ui.context import Context


class ChoiceSteps(QObject):
    """Undo and redo of choices on the page; the window's commands mean these while there are some."""

    def __init__(
        self,
        context: Context,
        now: Callable[[], ChosenOptions],
        choose: Callable[[ChosenOptions], None],
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._context = context
        self._now, self._choose = now, choose
        self._past: list[ChosenOptions] = []
        self._undone: list[ChosenOptions] = []

    def add(self) -> None:
        """Something else than `now` is about to be chosen."""
        self._past.append(self._now())
        self._undone.clear()
        self._show()

    def clear(self) -> None:
        self._past.clear()
        self._undone.clear()
        self._show()

    def undo(self) -> None:
        self._go(self._past, self._undone)

    def redo(self) -> None:
        self._go(self._undone, self._past)

    def _go(self, steps: list[ChosenOptions], back: list[ChosenOptions]) -> None:
        if steps:
            back.append(self._now())
            self._choose(steps.pop())
            self._show()

    def _show(self) -> None:
        there = bool(self._past or self._undone)
        for action, text, steps, do in (
            ("edit.undo", tr("&Undo choice of tables"), self._past, self.undo),
            ("edit.redo", tr("&Redo choice of tables"), self._undone, self.redo),
        ):
            meaning = Meaning(text=text, do=do, enabled=bool(steps))
            self._context.actions.mean(action, "results", meaning if there else None)
