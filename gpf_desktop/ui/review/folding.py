"""Which of queue and form give their room to the answers."""

from dataclasses import dataclass

from PySide6.QtWidgets import QWidget

from gpf_desktop.ui.theme import Theme

_FORM_BELOW = 1240
"""Width of the page at 100 % under which the form gives its room to the answers."""
_QUEUE_BELOW = 620
"""Width of the page at 100 % under which the queue gives its room as well."""
ROOMY = "review/roomy"
"""The setting that keeps whether answers have all the room."""


@dataclass(slots=True)
class Folding:
    """What the reviewer chose; None: as `roomy` and the width have it."""

    page: QWidget
    theme: Theme
    roomy: bool = False
    """Answers have the room of queue and form."""
    form: bool | None = None
    queue: bool | None = None
    writes: bool = False
    """The form stands open for as long as it is written in."""

    @property
    def form_folds(self) -> bool:
        chosen = (self.roomy or self._narrow(_FORM_BELOW)) if self.form is None else self.form
        return chosen and not self.writes

    @property
    def queue_folds(self) -> bool:
        return (self.roomy or self._narrow(_QUEUE_BELOW)) if self.queue is None else self.queue

    def _narrow(self, below: int) -> bool:
        return self.page.width() < self.theme.px(below)
