"""A chart that is also a table and a file, with the one line that belongs under it."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import shiboken6
from PySide6.QtCore import Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QMenu, QStackedWidget, QWidget

from gpf_desktop.domain.errors import StorageError, StorageFault
from gpf_desktop.domain.findings import Column, Finding, Row
from gpf_desktop.domain.text import tr
from gpf_desktop.ui.file_dialogs import ask_to_save
from gpf_desktop.ui.theme import Theme
from gpf_desktop.ui.widgets.buttons import button
from gpf_desktop.ui.widgets.cards import Card
from gpf_desktop.ui.widgets.chart_files import ChartPicture, SavedWords, finding_csv
from gpf_desktop.ui.widgets.columns import finding_columns
from gpf_desktop.ui.widgets.data_table import DataTable
from gpf_desktop.ui.widgets.labels import caption
from gpf_desktop.ui.widgets.plots import Plot
from gpf_desktop.ui.widgets.table_models import RowsTableModel

LEAST_WORDS = 160
"""Pixels at 100 % that a finding's columns of words are wide at least: the name of a model or a control."""


class ChartCard(Card):
    """Draws *finding* with *chart* (a HeatMap, a ScatterPlot, …) and shows its rows as a table on demand."""

    bundles_chosen = Signal(object)
    """The `BundleFilter` behind a mark or a row."""
    not_saved = Signal(object, object)
    """The `StorageError` for which a file was not written, and what asks for another place."""

    def __init__(
        self, theme: Theme, finding: Finding, chart: QWidget, *, name: str = "", controls: QWidget | None = None
    ) -> None:
        """*controls* stand above the chart and its table, and in no picture of it."""
        super().__init__(finding.title, name=name, wrap=True)
        self._theme = theme
        self._finding = finding
        self._rows: Sequence[Row] = finding.rows
        self._columns = finding.columns
        self._table: DataTable | None = None
        self.chart = chart
        self.saved_words = SavedWords()
        if hasattr(chart, "chosen"):
            chart.chosen.connect(self.bundles_chosen)
        self._pages = QStackedWidget()
        self._pages.addWidget(chart)
        self.as_table = button(tr("Show as table"), compact=True)
        self.as_table.setCheckable(True)
        self.as_table.setAccessibleName(tr("Show as table: {title}", title=finding.title))
        self.as_table.toggled.connect(lambda on: self._pages.setCurrentWidget(self.table if on else chart))
        self.save = button(tr("Save"), compact=True)
        self.save.setProperty("menu", True)
        self.save.setAccessibleName(tr("Save or copy: {title}", title=finding.title))
        self.save.setMenu(self._menu())
        self.top.addWidget(self.as_table)
        self.top.addWidget(self.save)
        if controls is not None:
            self.body.addWidget(controls)
        self.body.addWidget(self._pages, 1)
        self.body.addWidget(caption(" ".join((finding.reading, *finding.notes)), name="reading"))

    @property
    def finding(self) -> Finding:
        return self._finding

    @property
    def table(self) -> DataTable:
        """Made when it is first asked for: most charts are never seen as tables."""
        if self._table is None:
            # By `id`: a row has a dictionary of values, which has no hash, and the card keeps its rows alive.
            model = RowsTableModel(self._theme, finding_columns(replace(self._finding, columns=self._columns)), key=id)
            model.set_rows(self._rows)
            self._table = DataTable(
                self._theme, model, says=self._finding.title, embedded=True, least_words=LEAST_WORDS, even=True
            )
            self._table.opened.connect(lambda row: self.bundles_chosen.emit(row.bundles))
            self._pages.addWidget(self._table)
        return self._table

    def show_rows(self, rows: Sequence[Row], columns: Sequence[Column]) -> None:
        """Let the table show *rows* and *columns*, those of what the chart shows; the saved table has them all."""
        self._rows, self._columns = rows, tuple(columns)
        if self._table is None:
            return
        self._pages.removeWidget(self._table)
        self._table.hide()
        self._table.deleteLater()
        self._table = None
        if self.as_table.isChecked():
            self._pages.setCurrentWidget(self.table)

    def write_png(self, path: Path) -> None:
        """The chart at twice its size on the screen, with its caption. Raises `OSError`."""
        if not self._picture().pixmap().save(str(path), "PNG"):
            raise OSError("nothing was written")

    def write_svg(self, path: Path) -> None:
        """The same as shapes. Raises `OSError`."""
        described = " ".join((self._finding.reading, *self._finding.notes))
        self._picture().write_svg(path, self._finding.title, described)

    def write_csv(self, path: Path) -> None:
        """Every row at full precision, with what they were filtered to. Raises `OSError`."""
        # The text has the line ends of CSV already; Python would make "\r\r\n" of them on Windows.
        path.write_text(finding_csv(self._finding, self.saved_words.filtered), encoding="utf-8", newline="")

    def _picture(self) -> ChartPicture:
        # A chart that stands behind its table may not have been drawn yet.
        if isinstance(self.chart, Plot):
            self.chart.ready()
        return ChartPicture(self._theme, self.chart, self.saved_words.caption)

    def _menu(self) -> QMenu:
        menu = QMenu(self)
        menu.addAction(tr("&Copy picture")).triggered.connect(
            lambda: QGuiApplication.clipboard().setPixmap(self._picture().pixmap())
        )
        menu.addAction(tr("Copy &table")).triggered.connect(self._copy_table)
        menu.addSeparator()
        for suffix, write in (("png", self.write_png), ("svg", self.write_svg), ("csv", self.write_csv)):
            menu.addAction(tr("Save as {format} …", format=suffix.upper())).triggered.connect(
                lambda _checked=False, suffix=suffix, write=write: ask_and_save(
                    self, suffix, write, self.not_saved.emit, suggested=self._finding.name
                )
            )
        return menu

    def _copy_table(self) -> None:
        self.table.copy()


def ask_and_save(
    parent: QWidget,
    suffix: str,
    write: Callable[[Path], object],
    tell: Callable[[StorageError, Callable[[], object]], object],
    *,
    suggested: str,
) -> None:
    """Ask for a place and let *write* put a file there; *tell* why that failed, and what asks for another place."""

    def again() -> None:
        # The page may have been filled anew since the first try, and this card be gone.
        if shiboken6.isValid(parent):
            ask_and_save(parent, suffix, write, tell, suggested=suggested)

    ask_to_save(
        parent,
        tr("Save as {format} …", format=suffix.upper()),
        f"{suffix.upper()} (*.{suffix})",
        suffix,
        lambda path: save_or_tell(path, write, lambda error: tell(error, again)),
        suggested=suggested,
    )


def save_or_tell(path: Path, write: Callable[[Path], object], tell: Callable[[StorageError], object]) -> None:
    """Let *write* put a file at *path*; *tell* why where that fails."""
    try:
        write(path)
    except OSError as error:
        tell(
            StorageError(
                tr("{path} cannot be written.", path=str(path)),
                tr("Close it where it is open, or choose another name or folder."),
                fault=StorageFault.READ_ONLY,
                details=str(error),
            )
        )
