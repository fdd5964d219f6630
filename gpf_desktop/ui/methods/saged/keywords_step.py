"""S of SAGED: the words by which a concept's sentences are found, typed, written or found in its texts."""

from functools import partial

from PySide6.QtCore import QSignalBlocker
from PySide6.QtWidgets import QHeaderView, QLineEdit, QWidget

from gpf_desktop.domain.text import tr
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.methods.saged.benchmark_view_model import BenchmarkViewModel
from gpf_desktop.ui.methods.saged.sources_form import SourcesForm
from gpf_desktop.ui.methods.saged.table_bar import TableBar
from gpf_desktop.ui.results.model_download_row import ModelDownloadRow
from gpf_desktop.ui.theme.tokens import SPACE_2, SPACE_3
from gpf_desktop.ui.widgets.boxes import PlainWidget, column_of, splitter, vbox
from gpf_desktop.ui.widgets.buttons import button
from gpf_desktop.ui.widgets.editable_table import EditableTable
from gpf_desktop.ui.widgets.fields import FormField
from gpf_desktop.ui.widgets.labels import caption
from gpf_desktop.ui.widgets.layouts import flowing
from gpf_desktop.ui.widgets.stop_focus import StopFocus

_BY_MEANING = "meaning"


class KeywordsStep(PlainWidget):
    """Layout and connections."""

    def __init__(self, context: Context, model: BenchmarkViewModel) -> None:
        super().__init__()
        self._model = model
        self.form = SourcesForm(context, model)
        self.typed, self.encoder = QLineEdit(), QLineEdit()
        self.typed.returnPressed.connect(self._add)
        self.encoder.textChanged.connect(partial(model.say, "encoder"))
        self.encoder.setPlaceholderText("sentence-transformers/all-MiniLM-L6-v2")
        self.finders = {
            name: button(words, partial(self._find, name), compact=True, name=f"saged.finder.{name}")
            for name, words in model.keyword_finders.items()
        }
        self.stop = button(tr("Stop"), model.cancel, name="saged.stopFinder")
        self._turn = StopFocus(self.stop)
        self.writer = model.writer_bar(0)
        self.download = ModelDownloadRow(context, lambda: (self.encoder.text().strip(), ""))
        self.encoder.textChanged.connect(self._encoder_named)
        self.said = caption(name="saged.foundKeywords")
        self.table = EditableTable(
            context.theme, model.keywords, says=tr("Keywords"), wide=(), name="saged.keywordTable"
        )
        # The others are short: what room there is belongs to the words themselves.
        keyword = model.keywords.columns.index("keyword")
        self.table.horizontalHeader().setSectionResizeMode(keyword, QHeaderView.ResizeMode.Stretch)
        bar = TableBar.of_rows(model, self.table, ("concept", "keyword"), kinds=tr("Tables"))
        right = column_of(
            FormField(
                tr("Keywords, apart by commas"),
                self.typed,
                help=tr("A sentence holds one of them as a whole word; the concept itself where none stands below."),
                name="saged.keywords",
            ),
            flowing(
                button(tr("Add"), self._add, compact=True, name="saged.addKeywords"), *self.finders.values(), self.stop
            ),
            FormField(
                tr("Model that measures likeness of meaning (encoder)"),
                self.encoder,
                help=tr("A folder, an installed package that carries a model, or a model on huggingface.co."),
                name="saged.encoder",
            ),
            self.download,
            self.writer,
            self.said,
            (bar, 1),
            spacing=SPACE_2,
            margins=(SPACE_2, 0, 0, 0),
        )
        vbox((splitter((self.form, 2), (right, 3)), 1), parent=self, margins=(0, SPACE_3, 0, 0))
        model.changed.connect(self._show)
        model.filled.connect(self._fill)
        self._fill()
        self._show()

    def _add(self) -> None:
        self._model.add_keywords([(word, "typed", "", "") for word in self.typed.text().split(",")])
        self.typed.clear()

    def _find(self, finder: str) -> None:
        self._model.gather(self.form.contact.text(), finder)

    def _fill(self) -> None:
        if self.encoder.text() != self._model.said["encoder"]:
            with QSignalBlocker(self.encoder):
                self.encoder.setText(self._model.said["encoder"])
            self._encoder_named()

    def _encoder_named(self, *_: str) -> None:
        self.download.show_state()
        self._show()

    def _show(self) -> None:
        model = self._model
        encoder = bool(model.said["encoder"].strip())
        free = not model.running
        finders: dict[QWidget, bool] = {
            each: free and (encoder or name != _BY_MEANING) for name, each in self.finders.items()
        }
        self._turn.show(finders, running=model.running and not model.searching)
        self.download.setVisible(encoder)
        self.said.setText(
            model.said["found"] or tr("Keywords of one concept after another; those of the concept named are used.")
        )
