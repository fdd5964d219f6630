"""A chart that is also a table and a file, with the one line that belongs under it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

import shiboken6
from PySide6.QtCore import Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

from gpf_desktop.documents.whole_files import whole_file
from gpf_desktop.domain.errors import StorageError, StorageFault, UserError
from gpf_desktop.domain.findings import Column, Finding, Row
from gpf_desktop.domain.text import tr
from gpf_desktop.ui.file_dialogs import ask_to_save
from gpf_desktop.ui.theme import Theme
from gpf_desktop.ui.widgets.boxes import stacked
from gpf_desktop.ui.widgets.buttons import button, menu_button
from gpf_desktop.ui.widgets.cards import Card
from gpf_desktop.ui.widgets.chart_files import ChartPicture, SavedWords, finding_csv
from gpf_desktop.ui.widgets.columns import finding_columns
from gpf_desktop.ui.widgets.data_table import DataTable
from gpf_desktop.ui.widgets.figure_plot import FigurePlot
from gpf_desktop.ui.widgets.hidden_names import ask_of_names
from gpf_desktop.ui.widgets.labels import caption, secondary
from gpf_desktop.ui.widgets.table_models import RowsTableModel

_LEAST_WORDS = 160
"""Pixels at 100 % that a finding's columns of words are wide at least: the name of a model or a control."""


class ResultCard(Card):
    """A card of one finding, whose rows open their bundles and can be saved."""

    bundles_chosen = Signal(object)
    """The `BundleFilter` behind a mark or a row."""
    not_saved = Signal(object, object)
    """The `StorageError` for which a file was not written, and what asks for another place."""

    def __init__(self, theme: Theme, finding: Finding, *, name: str, wrap: bool = False) -> None:
        # A title says the finding; what it measures stands under it, in one line however long it is.
        found, _, measure = finding.title.rpartition(" · ") if wrap else (finding.title, "", "")
        super().__init__(found or measure, name=name, wrap=wrap)
        if found and measure:
            self.body.addWidget(secondary(measure, name="chart.measure"))
        self._theme = theme
        self.finding = finding
        self.names: Mapping[str, str] = {}
        """Of models, what they are called in tables here; files have them whole."""
        self.saved_words = SavedWords()
        self.save = menu_button(tr("Save"), compact=True, says=tr("Save or copy: {title}", title=finding.title))

    def write_csv(self, beside: Path) -> None:
        """Every column and row at full precision, with what they were filtered to. Raises `OSError`."""
        # The text has the line ends of CSV already; Python would make "\r\r\n" of them on Windows.
        beside.write_text(finding_csv(self.finding, self.saved_words.filtered), encoding="utf-8", newline="")

    def _table_of(self, rows: Sequence[Row], columns: Sequence[Column], name: str = "") -> DataTable:
        # By `id`: a row has a dictionary of values, which has no hash, and the card keeps its rows alive.
        shown = finding_columns(replace(self.finding, columns=tuple(columns)), self.names)
        model = RowsTableModel(self._theme, shown, key=id)
        model.set_rows(rows)
        table = DataTable(
            self._theme,
            model,
            says=self.finding.title,
            name=name,
            embedded=True,
            least_words=_LEAST_WORDS,
            even=True,
        )
        table.tells_names = True
        table.opened.connect(lambda row: self.bundles_chosen.emit(row.bundles))
        return table

    def _offer_files(self, *kinds: tuple[str, Callable[[Path], object]]) -> None:
        """Files of these suffixes, in the menu of Save, each with what writes it."""
        for suffix, write in kinds:
            ask = partial(ask_and_save, self, suffix, write, self.not_saved.emit, suggested=self.finding.name)
            words = tr("Save as {format} …", format=suffix.upper())
            self.save.menu().addAction(words, partial(ask_of_names, self, ask))


class ChartCard(ResultCard):
    """Draws *finding* with *chart* (a `FigurePlot`) and shows its rows as a table on demand."""

    def __init__(
        self, theme: Theme, finding: Finding, chart: QWidget, *, name: str = "", controls: QWidget | None = None
    ) -> None:
        """*controls* stand above the chart and its table, and in no picture of it."""
        super().__init__(theme, finding, name=name, wrap=True)
        self._rows: Sequence[Row] = finding.rows
        self._columns = finding.columns
        self._table: DataTable | None = None
        self.chart = chart
        if hasattr(chart, "chosen"):
            chart.chosen.connect(self.bundles_chosen)
        self._pages = stacked(chart)
        self.as_table = button(tr("Show as table"), compact=True)
        self.as_table.setCheckable(True)
        self.as_table.setAccessibleName(tr("Show as table: {title}", title=finding.title))
        self.as_table.toggled.connect(lambda on: self._pages.setCurrentWidget(self.table if on else chart))
        self.save.menu().addAction(tr("&Copy picture"), partial(ask_of_names, self, self._copy_picture))
        self.save.menu().addAction(tr("Copy &table"), self._copy_table)
        self.save.menu().addSeparator()
        self._offer_files(("png", self.write_png), ("svg", self.write_svg), ("csv", self.write_csv))
        self.top.addWidget(self.as_table)
        self.top.addWidget(self.save)
        if controls is not None:
            self.body.addWidget(controls)
        self.body.addWidget(self._pages, 1)
        self.body.addWidget(caption(" ".join((finding.reading, *finding.notes)), name="reading"))

    @property
    def table(self) -> DataTable:
        """Made when it is first asked for: most charts are never seen as tables."""
        if self._table is None:
            self._table = self._table_of(self._rows, self._columns)
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
        described = " ".join((self.finding.reading, *self.finding.notes))
        self._picture().write_svg(path, self.finding.title, described)

    def _picture(self) -> ChartPicture:
        # A chart that stands behind its table may not have been drawn yet.
        if isinstance(self.chart, FigurePlot):
            self.chart.ready()
        return ChartPicture(self._theme, self.chart, self.saved_words.caption)

    def _copy_table(self) -> None:
        self.table.copy()

    def _copy_picture(self) -> None:
        QGuiApplication.clipboard().setPixmap(self._picture().pixmap())


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
        tr("Save as {format}", format=suffix.upper()),
        f"{suffix.upper()} (*.{suffix})",
        suffix,
        lambda path: save_or_tell(path, write, lambda error: tell(error, again)),
        suggested=suggested,
    )


def save_or_tell(path: Path, write: Callable[[Path], object], tell: Callable[[StorageError], object]) -> None:
    """Let *write* put a file at *path*; *tell* why where that fails."""
    try:
        with whole_file(path) as beside:
            write(beside)
    except UserError as error:
        tell(StorageError(error.what, error.remedy, fault=StorageFault.READ_ONLY))
    except OSError as error:
        tell(
            StorageError(
                tr("{path} cannot be written.", path=str(path)),
                tr("Close it where it is open, or choose another name or folder."),
                fault=StorageFault.READ_ONLY,
                details=str(error),
            )
        )
