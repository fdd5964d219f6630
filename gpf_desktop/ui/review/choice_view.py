"""One item under every context: contrasts on top, the grid of choices, and what is behind the square that is open."""

from collections.abc import Sequence
from html import escape

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget

from gpf_desktop.domain.choosing import BundleContrast
from gpf_desktop.domain.reviews import Correction
from gpf_desktop.domain.text import tr, trn
from gpf_desktop.engine.review.choice_grid import ChoiceGrid, prompt_of
from gpf_desktop.engine.review.review_reading import ReadBundle
from gpf_desktop.ui.review.choice_detail import ChoiceDetail
from gpf_desktop.ui.review.choice_table import ChoiceTable, color_of, describe
from gpf_desktop.ui.theme import Theme
from gpf_desktop.ui.theme.tokens import SPACE_2, SPACE_3
from gpf_desktop.ui.widgets.boxes import PlainWidget, column_of, splitter, vbox
from gpf_desktop.ui.widgets.labels import caption, label
from gpf_desktop.ui.widgets.layouts import FlowLayout, clear_layout
from gpf_desktop.ui.widgets.plain import plain_tip
from gpf_desktop.ui.wording import decimal


class ChoiceView(PlainWidget):
    """Shows a `ChoiceGrid`; says by signals what is corrected."""

    corrected = Signal(object, str)
    """A `Correction`, and its reason."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(name="review.choices")
        self.setAccessibleName(tr("Choices in every context"))
        self._theme = theme
        self._bundle: ReadBundle | None = None
        self._grid: ChoiceGrid | None = None
        self.contrasts = QWidget()
        """Stands above the grid; whoever holds the grid gives it its place."""
        self.contrasts.setObjectName("review.contrasts")
        self.contrasts.setProperty("plain", True)
        self._contrast_row = FlowLayout(self.contrasts, spacing=SPACE_3)
        self._said: list[tuple[QLabel, str]] = []
        """What stands in it, and how."""
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Ignored)
        self.table = ChoiceTable(theme)
        self._legend = caption(name="review.choices.legend")
        self._legend.setTextFormat(Qt.TextFormat.RichText)
        self._legend.setWordWrap(True)
        self.detail = ChoiceDetail(theme)
        self._squares = column_of((self.table, 1), self._legend, spacing=SPACE_2)
        split = splitter((self._squares, 3), (self.detail, 2), orientation=Qt.Orientation.Vertical)
        vbox((split, 1), parent=self, spacing=SPACE_2)
        self.table.selectionModel().currentChanged.connect(lambda *_: self._show_square())
        self.table.activated.connect(lambda _index: self.detail.category.setFocus())
        self.detail.corrected.connect(self._correct)
        theme.on_change(self, self._show_legend)

    def show_grid(self, grid: ChoiceGrid, bundle: ReadBundle) -> None:
        """The page tells of one reading several times; a grid that shows the same is not painted again."""
        if grid == self._grid and bundle is self._bundle:
            return
        self._grid, self._bundle = grid, bundle
        self._show_contrasts(grid)
        self._show_legend()
        self.table.show_grid(grid)
        self._fit_squares()
        self._show_square()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_squares()

    def _fit_squares(self) -> None:
        """No higher than the grid is: what is left is for the answer behind the square."""
        self._squares.setMaximumHeight(
            self.table.whole_height() + SPACE_2 + self._legend.heightForWidth(max(1, self.width()))
        )

    def _show_contrasts(self, grid: ChoiceGrid) -> None:
        said = [(words, "heading", help_words) for words, help_words in _contrast_words(grid.contrasts)]
        if grid.blind:
            hidden = tr("Shifts between contexts are not shown while names are hidden.")
            said.append((hidden, "secondary", ""))
        if grid.plain is not None:
            said.append((describe(grid, grid.plain), "secondary", ""))
        given = sum(square.corrected is not None for square in grid.squares.values())
        if given:
            said.append((trn("{n} corrected", "{n} corrected", given), "secondary", ""))
        # From bundle to bundle the same labels say it: to style a new one takes a millisecond.
        if [kind for _, kind, _ in said] != [kind for _, kind in self._said]:
            clear_layout(self._contrast_row)
            self._said = [(label("", kind), kind) for _, kind, _ in said]
            for made, _ in self._said:
                self._contrast_row.addWidget(made)
        for (made, _), (words, _, help_words) in zip(self._said, said, strict=True):
            made.setText(words)
            made.setToolTip(plain_tip(help_words))

    def _show_legend(self) -> None:
        grid = self._grid
        if grid is None:
            return
        counts = [square.category for square in grid.squares.values()]
        parts = [
            f'<span style="background:{color_of(self._theme, grid, option.category).name()}">&nbsp;'
            f"{_mark(option.category)}&nbsp;</span>&nbsp;{escape(option.title)}&nbsp;{counts.count(option.category)}"
            for option in grid.options
        ]
        self._legend.setText(" &nbsp; ".join(parts))

    def _show_square(self) -> None:
        square = self.table.square()
        if self._grid is not None and self._bundle is not None and square is not None:
            self.detail.show_square(self._grid, square, prompt_of(self._bundle, square))

    def _correct(self, category: str, reason: str) -> None:
        square = self.table.square()
        if self._grid is not None and square is not None and not square.answer.missing:
            rules = square.rules.category
            said = Correction(
                cell_id=square.answer.cell_id,
                measure=self._grid.measure,
                category="" if category == rules else category,
                rules=rules,
            )
            self.corrected.emit(said, reason)


def _mark(category: str) -> str:
    return {"refused": "–", "unparsed": "?"}.get(category, category)


def _contrast_words(contrasts: Sequence[BundleContrast]) -> list[tuple[str, str]]:
    return [
        (
            f"{each.title}  {_signed(each.difference)}",
            trn(
                "Over {n} pair of contexts that are alike but for this, within this item.",
                "Over {n} pairs of contexts that are alike but for this, within this item.",
                each.pairs,
            ),
        )
        for each in contrasts
    ]


def _signed(difference: float) -> str:
    sign = "+" if difference > 0 else "\N{MINUS SIGN}" if difference < 0 else ""
    return f"{sign}{decimal(abs(difference), 2)}"
