"""Rates answers one after the other: which is in sight, what was said of it, and how far one is."""

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QObject, Signal

from gpf_desktop.domain.ratings import AnswerToRate, RatingSheet
from gpf_desktop.domain.text import tr
from gpf_desktop.engine.review.blind_ratings import SheetToRate
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.page import ViewModel


class RatingViewModel(ViewModel):
    """Levels given in one dialog, saved at once; where the file cannot take a level, the answer counts as not rated."""

    failed = Signal()
    """There is nothing to rate; the reason stands in the message bar."""

    def __init__(self, context: Context, parent: QObject | None = None) -> None:
        super().__init__(context, parent)
        self._every: list[tuple[RatingSheet, AnswerToRate]] = []
        self.rated: dict[int, int] = {}
        self.place = 0
        context.bridge.run(
            context.engine.open_audit.ratings.sheets, then=self._loaded, failed=self._not_loaded, owner=self
        )

    @property
    def sheet(self) -> RatingSheet | None:
        return self._every[self.place][0] if self._every else None

    @property
    def answer(self) -> AnswerToRate | None:
        return self._every[self.place][1] if self._every else None

    @property
    def level(self) -> int:
        """The level given to the answer in sight; 0: none yet."""
        return 0 if self.answer is None else self.rated.get(self.answer.cell_id, 0)

    @property
    def progress(self) -> str:
        done = sum(answer.cell_id in self.rated for _, answer in self._every)
        return tr("{place} of {all} · {done} marked", place=self.place + 1, all=len(self._every), done=done)

    @property
    def finished(self) -> bool:
        return bool(self._every) and all(answer.cell_id in self.rated for _, answer in self._every)

    def go(self, steps: int) -> None:
        """To another answer, as far as there are any."""
        self.place = max(0, min(len(self._every) - 1, self.place + steps))
        self.touch_now()

    def rate(self, level: int) -> None:
        """Say *level* of the answer in sight, and go to the next that has none."""
        sheet, answer = self.sheet, self.answer
        if sheet is None or answer is None or not 1 <= level <= len(sheet.levels):
            return
        future = self.context.engine.open_audit.ratings.rate(answer, level)
        self.context.bridge.follow(future, failed=partial(self._not_kept, answer), owner=self)
        self.rated[answer.cell_id] = level
        later = [*range(self.place + 1, len(self._every)), *range(self.place)]
        self.place = next((at for at in later if self._every[at][1].cell_id not in self.rated), self.place)
        self.touch_now()

    def _loaded(self, found: Sequence[SheetToRate]) -> None:
        self._every = [(each.sheet, answer) for each in found for answer in each.sheet.answers]
        self.rated = {cell: level for each in found for cell, level in each.rated.items()}
        self.place = next((at for at, (_, one) in enumerate(self._every) if one.cell_id not in self.rated), 0)
        self.touch_now()

    def _not_loaded(self, error: BaseException) -> None:
        self.context.messages.failure(error, topic="rating")
        self.failed.emit()

    def _not_kept(self, answer: AnswerToRate, error: BaseException) -> None:
        self.rated.pop(answer.cell_id, None)
        self.context.messages.failure(error, topic="rating")
        self.touch_now()
