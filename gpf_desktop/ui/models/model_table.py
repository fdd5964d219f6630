"""The audit's models with their keys and tests, and what can be done with those selected."""

from gpf_desktop.domain.text import tr
from gpf_desktop.engine.core import catalogue
from gpf_desktop.engine.models.model_service import ModelRow
from gpf_desktop.engine.models.price_list import is_stale
from gpf_desktop.engine.reporting.failed_checks import what_to_do
from gpf_desktop.settings.keys import Kept
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.models.editor_view_model import EditorViewModel
from gpf_desktop.ui.models.models_view_model import ModelsViewModel
from gpf_desktop.ui.models.wording import key_word, price_date, price_words, test_word
from gpf_desktop.ui.widgets.boxes import fill, hbox
from gpf_desktop.ui.widgets.buttons import allow, button, link
from gpf_desktop.ui.widgets.cards import Card
from gpf_desktop.ui.widgets.columns import TableColumn
from gpf_desktop.ui.widgets.data_table import DataTable
from gpf_desktop.ui.widgets.labels import label, show_words
from gpf_desktop.ui.widgets.table_models import RowsTableModel

_MOST_SHOWN = 9
_NOT_TAKEN = 4
"""Place of the column that stands only where a model takes some setting not."""


class ModelsTable(Card):
    """Enter or a double click opens the model's form."""

    def __init__(self, context: Context, model: ModelsViewModel, editor: EditorViewModel) -> None:
        super().__init__(tr("Models of this audit"))
        self._model, self._editor = model, editor
        self._rows = RowsTableModel(context.theme, self._columns(), key=lambda row: row.model.id)
        self.table = DataTable(
            context.theme,
            self._rows,
            says=tr("Models of this audit"),
            name="models.table",
            settings=context.settings,
            embedded=True,
        )
        self.table.opened.connect(editor.edit)
        self.table.selectionModel().selectionChanged.connect(self._selected)
        self.edit = button(tr("Edit"), self._edit, compact=True, name="models.edit")
        self.test = button(tr("Test"), self._test, compact=True, name="models.test")
        self.remove = button(tr("Remove"), self._remove, compact=True, name="models.remove")
        fill(self.top, self.test, self.edit, self.remove)
        self._failed = label("", "warning", wrap=True, name="models.failedChecks")
        self._to_results = link(tr("See the check"), lambda: context.navigator.go("results"), name="models.toResults")
        fill(self.body, self.table, hbox((self._failed, 1), self._to_results))
        self._selected()

    def show_model(self) -> None:
        """Paint the view-model's state."""
        model = self._model
        self._rows.set_rows(model.rows)
        self.table.leave_out(_NOT_TAKEN, out=not any(row.model.not_supported for row in model.rows))
        told = [said for row in model.rows if (said := model.failed.get(row.model.label))]
        show_words(self._failed, " ".join((*told, what_to_do())) if told else "")
        self._to_results.setVisible(bool(told))
        self.table.fit_height(_MOST_SHOWN)
        self._selected()

    def _selected(self, *_: object) -> None:
        rows = self.table.selected_rows()
        none = "" if rows else tr("Select a model in the table first.")
        allow(self.edit, none or ("" if len(rows) == 1 else tr("One model is edited at a time: select one alone.")))
        allow(self.test, none)
        allow(self.remove, none)

    def _edit(self) -> None:
        self._editor.edit(self.table.selected_rows()[0])

    def _test(self) -> None:
        self._model.test(self.table.selected_rows())

    def _remove(self) -> None:
        self._model.remove(self.table.selected_rows())

    def _columns(self) -> tuple[TableColumn[ModelRow], ...]:
        def test(row: ModelRow) -> str:
            return tr("testing …") if row.model.id in self._model.testing else test_word(row)

        def icon(row: ModelRow) -> tuple[str, str]:
            if row.model.label in self._model.failed:
                return "warning", "warning"
            return ("synthetic", "synthetic") if row.model.synthetic else ("models", "text_secondary")

        def tip(row: ModelRow) -> str:
            return self._model.failed.get(row.model.label) or row.model.endpoint.base_url or row.model.label

        return (
            TableColumn(
                title=tr("Model"),
                text=lambda row: row.model.label.partition("/")[2],
                icon=icon,
                tip=tip,
                strong=True,
            ),
            TableColumn(
                title=tr("Provider"),
                text=_provider,
                token=lambda row: "synthetic" if row.model.synthetic else "",
                spare=1,
            ),
            TableColumn(
                title=tr("Key"),
                text=lambda row: key_word(row, locked=self._model.context.engine.keys.locked),
                icon=lambda row: (
                    None if row.model.synthetic or row.key_kept is Kept.NOWHERE else ("key", "text_secondary")
                ),
            ),
            TableColumn(
                title=tr("Last test"),
                text=test,
                tip=test,
                icon=_test_icon,
                stretch=True,
            ),
            TableColumn(
                title=tr("Settings not taken"),
                text=lambda row: ", ".join(row.model.not_supported) or tr("none"),
                help=tr("Parameters that this model does not take: left out, or sent as told here."),
            ),
            TableColumn(
                title=tr("Price"),
                text=lambda row: tr("free") if row.model.synthetic else price_words(row.price),
                icon=lambda row: ("warning", "warning") if row.price is not None and is_stale(row.price) else None,
                tip=lambda row: price_date(row.price),
                help=tr("US dollars per million tokens: your own entry, else the price list's."),
            ),
        )


def _provider(row: ModelRow) -> str:
    return tr("synthetic, built in") if row.model.synthetic else catalogue.provider(row.model.endpoint.provider).title


def _test_icon(row: ModelRow) -> tuple[str, str] | None:
    if row.tested is None:
        return ("open-circle", "text_secondary")
    return ("check-circle", "success") if row.test_passed else ("error", "danger")
