"""The dashboard of an open audit: a line for each thing to know, with the button that leads on."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QPushButton

from gpf_desktop.domain.text import tr
from gpf_desktop.ui.theme import Theme
from gpf_desktop.ui.theme.tokens import SPACE_2, SPACE_3
from gpf_desktop.ui.widgets.badge import Tone
from gpf_desktop.ui.widgets.boxes import spaced_grid
from gpf_desktop.ui.widgets.buttons import button
from gpf_desktop.ui.widgets.cards import Card
from gpf_desktop.ui.widgets.labels import label

_MARK = 18


@dataclass(frozen=True, slots=True, kw_only=True)
class DashboardLine:
    """One thing to know, and where it leads."""

    name: str
    icon: str
    tone: Tone
    title: str
    words: str
    button: str
    do: Callable[[], object]


class Dashboard(Card):
    """The lines keep their places, whatever they say."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(tr("Now"), name="home.dashboard")
        self._theme = theme
        self._grid = spaced_grid(across=SPACE_3, down=SPACE_2, wide=2)
        self.body.addLayout(self._grid)
        self._rows: dict[str, tuple[QLabel, QLabel, QLabel, QPushButton]] = {}
        self._lines: Sequence[DashboardLine] = ()
        theme.follow(self, self._paint)

    def show_lines(self, lines: Sequence[DashboardLine]) -> None:
        """Say what *lines* say; known by name, always in the same order."""
        self._lines = lines
        names = {line.name for line in lines}
        for name, row in self._rows.items():
            for widget in row:
                widget.setVisible(name in names)
        for line in lines:
            if line.name not in self._rows:
                self._add(line.name)
            _, title, words, do = self._rows[line.name]
            title.setText(line.title)
            words.setText(line.words)
            do.setText(line.button)
            do.setAccessibleDescription(f"{line.title}: {line.words}")
        self._paint()

    def first_button(self) -> QPushButton | None:
        """The button of the uppermost line."""
        return next((self._rows[line.name][3] for line in self._lines), None)

    def _add(self, name: str) -> None:
        mark, title = QLabel(), label("", "secondary")
        words = label("", wrap=True, name=f"home.now.{name}.words")
        do = button("", lambda: self._do(name), compact=True, name=f"home.now.{name}")
        at = len(self._rows)
        self._rows[name] = (mark, title, words, do)
        for column, widget in enumerate((mark, title, words)):
            self._grid.addWidget(widget, at, column, Qt.AlignmentFlag.AlignVCenter)
        self._grid.addWidget(do, at, 3)
        # Its layout would show it later only, and what is not shown takes no keyboard.
        do.show()

    def _do(self, name: str) -> None:
        next(line for line in self._lines if line.name == name).do()

    def _paint(self) -> None:
        for line in self._lines:
            self._rows[line.name][0].setPixmap(self._theme.pixmap(line.icon, line.tone.token, _MARK))
