"""The models that a round asks: ticked or, where a method knows several parts, given theirs."""

from collections.abc import Sequence
from functools import partial

from PySide6.QtWidgets import QComboBox

from gpf_desktop.domain.models import TargetModel, short_names
from gpf_desktop.domain.studies import Part
from gpf_desktop.domain.text import tr
from gpf_desktop.engine.models.price_list import is_stale
from gpf_desktop.engine.reporting.failed_checks import what_to_do
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.models.wording import price_date, price_words
from gpf_desktop.ui.studies.study_view_model import StudyViewModel
from gpf_desktop.ui.theme.tokens import SPACE_1, SPACE_4
from gpf_desktop.ui.widgets.boxes import PlainWidget, fill, hbox, spaced_grid, vbox
from gpf_desktop.ui.widgets.buttons import button, link
from gpf_desktop.ui.widgets.cards import Card
from gpf_desktop.ui.widgets.columns import TableColumn
from gpf_desktop.ui.widgets.data_table import DataTable
from gpf_desktop.ui.widgets.labels import caption, label, show_words
from gpf_desktop.ui.widgets.layouts import clear_layout, flowing
from gpf_desktop.ui.widgets.names import named
from gpf_desktop.ui.widgets.plain import plain_tip
from gpf_desktop.ui.widgets.table_models import RowsTableModel

_MOST = 1000
"""Rows of a table that stand in the form without a scroll bar of their own."""


class ModelParts(Card):
    """A line for each model of the audit: its name, what it is asked for, and its price."""

    def __init__(self, context: Context, model: StudyViewModel) -> None:
        super().__init__(tr("Models"))
        self._model = model
        self._parts: tuple[Part, ...] = ()
        self._rows: RowsTableModel[TargetModel] = RowsTableModel(
            context.theme, self._columns(), key=lambda model: model.id
        )
        self._rows.ticked.connect(lambda its, on: model.take_model(its, on=on))
        self.table = DataTable(context.theme, self._rows, says=tr("Models"), name="setup.models", embedded=True)
        self.boxes: dict[str, QComboBox] = {}
        self._listed: list[tuple[str, str]] = []
        self._lines = PlainWidget()
        self._grid = spaced_grid(across=SPACE_4, down=SPACE_1, wide=0)
        vbox(self._grid, parent=self._lines)
        self._none = caption(tr("There are no models in this audit yet."))
        self.practise = button(
            tr("Use built-in test models: no key, no network, planted behaviour"), model.rehearse, name="setup.practise"
        )
        self._to_models = link(tr("Go to Models"), lambda: context.navigator.go("models"), name="setup.toModels")
        self._about = caption(name="setup.about")
        self._failed = label("", "warning", wrap=True, name="setup.failedChecks")
        self._to_results = link(tr("See the check"), lambda: context.navigator.go("results"), name="setup.toResults")
        buttons = flowing(self.practise, self._to_models)
        checks = hbox((self._failed, 1), self._to_results)
        fill(self.body, self.table, checks, self._lines, self._none, buttons, self._about)
        model.changed.connect(self.show_model)

    def take(self, parts: Sequence[Part]) -> None:
        """The method's parts from now on."""
        self._parts = tuple(parts)
        self._list([])

    def show_model(self) -> None:
        """Paint the view-model's state."""
        model = self._model
        if model.set_up is None:
            return
        ticked = len(self._parts) == 1
        self.table.setVisible(ticked and bool(model.models))
        self._lines.setVisible(not ticked)
        if ticked:
            self._rows.set_rows(model.models)
            self.table.fit_height(_MOST)
        # Only then: a box that has the keyboard, or is open, would be gone with every count that comes in.
        elif self._listed != _lines(model.models):
            self._list(model.models)
        told = [said for each in model.models if model.parts.get(each.label) and (said := model.failed.get(each.label))]
        show_words(self._failed, " ".join((*told, what_to_do())) if told else "")
        self._to_results.setVisible(bool(told))
        places = ["", *(part.name for part in self._parts)]
        for name, box in self.boxes.items():
            box.setCurrentIndex(places.index(model.parts.get(name, "")))
        rehearsal = model.set_up.rehearsal
        self._none.setVisible(not model.models)
        self._to_models.setVisible(not model.models or rehearsal is not None)
        self.practise.setVisible(rehearsal is not None)
        self._about.setVisible(rehearsal is not None)
        self._about.setText("" if rehearsal is None else rehearsal.about)

    def _list(self, models: Sequence[TargetModel]) -> None:
        clear_layout(self._grid)
        self.boxes.clear()
        self._listed, short = _lines(models), short_names(model.label for model in models)
        for at, (name, price) in enumerate(self._listed):
            box = named(QComboBox(), f"setup.part.{name}", tr("Part of {model} in the study", model=name))
            box.addItems([tr("not in it"), *(part.title for part in self._parts)])
            box.activated.connect(partial(self._chosen, name))
            called = label(short[name])
            called.setToolTip(plain_tip(name))
            for place, widget in enumerate((called, caption(price), box)):
                self._grid.addWidget(widget, at, place)
            self.boxes[name] = box

    def _columns(self) -> list[TableColumn[TargetModel]]:
        return [
            TableColumn(
                title=tr("Model"),
                # Painted, too, between the leaving of an audit and the next one's rows.
                text=lambda model: self._short().get(model.label, model.label),
                tip=lambda model: model.label,
                checked=lambda model: bool(self._model.parts.get(model.label)),
                stretch=True,
            ),
            TableColumn(
                title=tr("Price per million tokens"),
                text=_price_words,
                icon=_price_icon,
                tip=lambda model: price_date(model.endpoint.price),
            ),
        ]

    def _short(self) -> dict[str, str]:
        return short_names(model.label for model in self._model.models)

    def _chosen(self, name: str, at: int) -> None:
        self._model.give(name, self._parts[at - 1].name if at else "")


def _lines(models: Sequence[TargetModel]) -> list[tuple[str, str]]:
    """The name and the price of each model."""
    return [(model.label, _price_words(model)) for model in models]


def _price_words(model: TargetModel) -> str:
    return tr("synthetic") if model.synthetic else price_words(model.endpoint.price)


def _price_icon(model: TargetModel) -> tuple[str, str] | None:
    price = model.endpoint.price
    if model.synthetic:
        return "synthetic", "synthetic"
    return ("warning", "warning") if price is not None and is_stale(price) else None
