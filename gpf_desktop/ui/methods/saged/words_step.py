"""The words that stand for each concept, so that one can be put for another."""

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QSignalBlocker
from PySide6.QtWidgets import QCheckBox, QComboBox, QInputDialog, QLineEdit

from gpf_desktop.domain.text import tr
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.methods.saged.benchmark_view_model import BenchmarkViewModel
from gpf_desktop.ui.methods.saged.table_bar import TableBar
from gpf_desktop.ui.theme.tokens import SPACE_3
from gpf_desktop.ui.widgets.boxes import PlainWidget, vbox
from gpf_desktop.ui.widgets.buttons import button
from gpf_desktop.ui.widgets.editable_table import EditableTable
from gpf_desktop.ui.widgets.fields import FormField, offer
from gpf_desktop.ui.widgets.labels import caption
from gpf_desktop.ui.widgets.layouts import flowing

_FIELD = 320


class WordsStep(PlainWidget):
    """Layout and connections."""

    def __init__(self, context: Context, model: BenchmarkViewModel) -> None:
        super().__init__()
        self._model = model
        self.table = EditableTable(context.theme, model.words, says=tr("Words by concept"), wide=(), name="saged.words")
        bar = TableBar(
            self.table,
            "saged.words",
            kinds=tr("Words by concept") + " (*.yaml *.yml)",
            suffix="yaml",
            opened=model.open_words,
            saved=model.save_words,
        )
        self.kind = button(tr("Add a kind of word …"), self._ask_kind, compact=True, name="saged.addKind")
        self.root = QComboBox()
        self.root.activated.connect(lambda _: model.set_root(self.root.currentData()))
        self.from_root = QCheckBox(tr("Put concepts for the root alone, not each for every other"))
        self.from_root.toggled.connect(model.set_from_root)
        self.chosen, self.tags = QLineEdit(), QLineEdit()
        self.fields = {"chosen": self.chosen, "tags": self.tags}
        for name, field in self.fields.items():
            field.setMinimumWidth(context.theme.px(_FIELD))
            field.textChanged.connect(partial(model.say, name))
        self.writer = model.writer_bar(2)
        root = FormField(
            tr("Root"),
            self.root,
            help=tr("What texts are about and nobody compares, as an invented country."),
            name="saged.root",
        )
        vbox(
            caption(
                tr(
                    "A sentence about one concept becomes the same sentence about another: all words at once, the"
                    " longest first, whole words, in their case. Words of one kind stand for each other; several of a"
                    " kind are apart by commas. A file may also give pairs of words, a line each. Without"
                    " words nothing is put for anything."
                )
            ),
            flowing(
                button(tr("Add a concept …"), self._ask_concept, compact=True, name="saged.addConcept"),
                self.kind,
                button(
                    tr("Those of the sample"), lambda: model.open_words(None), compact=True, name="saged.sampleWords"
                ),
            ),
            self.writer,
            (bar, 1),
            flowing(
                root,
                FormField(tr("Only these pairs, as France>Japan, France>Egypt"), self.chosen, name="saged.chosen"),
                FormField(tr("Only sentences of these source tags, apart by commas"), self.tags, name="saged.tags"),
                tops=True,
            ),
            self.from_root,
            parent=self,
            spacing=SPACE_3,
            margins=(0, SPACE_3, 0, 0),
        )
        self.chosen.textChanged.connect(self._show)
        model.changed.connect(self._show)
        model.filled.connect(self._fill)
        self._fill()
        self._show()

    def _fill(self) -> None:
        for name, field in self.fields.items():
            if field.text() != self._model.said[name]:
                with QSignalBlocker(field):
                    field.setText(self._model.said[name])

    def _ask_concept(self) -> None:
        self._ask(tr("Add a concept"), tr("Its name, as Japan"), self._model.add_concept)

    def _ask_kind(self) -> None:
        self._ask(tr("Add a kind of word"), tr("Its name, as river"), self._model.add_kind)

    def _ask(self, title: str, asked: str, then: Callable[[str], object]) -> None:
        dialog = QInputDialog(self)
        dialog.setWindowTitle(title)
        dialog.setLabelText(asked)
        dialog.textValueSelected.connect(lambda text: then(text.strip()) if text.strip() else None)
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def _show(self) -> None:
        model = self._model
        self.kind.setEnabled(not model.has_pairs)
        concepts = [(name, name) for name in model.concepts]
        offer(self.root, [(tr("(none: all are compared)"), ""), *concepts], model.root)
        with QSignalBlocker(self.from_root):
            self.from_root.setChecked(model.from_root)
        self.from_root.setEnabled(bool(model.root) and not model.said["chosen"].strip())
