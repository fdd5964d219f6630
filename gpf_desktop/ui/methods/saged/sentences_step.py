"""S of SAGED: where sentences about a concept are looked for, and those that were found."""

from functools import partial
from pathlib import Path

from PySide6.QtCore import QSignalBlocker, Qt
from PySide6.QtWidgets import (
    QCheckBox,
    QGridLayout,
    QLineEdit,
    QListWidget,
    QPlainTextEdit,
    QSplitter,
    QVBoxLayout,
    QWidget,
)

from gpf_desktop.domain.text import tr
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.file_dialogs import ask_for_folder, ask_to_open
from gpf_desktop.ui.methods.saged.benchmark_view_model import CONTACT, YES, BenchmarkViewModel
from gpf_desktop.ui.methods.saged.table_bar import TableBar
from gpf_desktop.ui.theme.tokens import SPACE_2, SPACE_3
from gpf_desktop.ui.widgets.buttons import button
from gpf_desktop.ui.widgets.editable_table import EditableTable
from gpf_desktop.ui.widgets.fields import FormField
from gpf_desktop.ui.widgets.labels import caption
from gpf_desktop.ui.widgets.layouts import flowing, scrolling

_TEXTS = "(*.txt *.md *.markdown *.html *.htm *.pdf *.docx)"
_LOW, _HIGH = 70, 96


class SentencesStep(QWidget):
    """Layout and connections."""

    def __init__(self, context: Context, model: BenchmarkViewModel) -> None:
        super().__init__()
        self.setProperty("plain", True)
        self._model = model
        self.concept, self.keywords, self.domain = QLineEdit(), QLineEdit(), QLineEdit()
        self.language, self.page = QLineEdit(), QLineEdit()
        self.contact = QLineEdit(str(context.settings.value(CONTACT, "")))
        self.fields: dict[str, QLineEdit | QPlainTextEdit] = {
            "concept": self.concept,
            "keywords": self.keywords,
            "domain": self.domain,
            "language": self.language,
        }
        self.any_case = QCheckBox(tr("Capitals are as good as small letters"))
        self.inflected = QCheckBox(tr("Endings of up to three letters belong to a keyword"))
        self.places = QListWidget()
        self.places.setAccessibleName(tr("Where sentences are looked for"))
        self.places.setFixedHeight(context.theme.px(_LOW))
        self.pasted = QPlainTextEdit()
        self.pasted.setFixedHeight(context.theme.px(_HIGH))
        self.news = QCheckBox(tr("The news items of this audit too"))
        self.fields["pasted"] = self.pasted
        self.ticks = {"any_case": self.any_case, "inflected": self.inflected, "news": self.news}
        self.search = button(tr("Find sentences"), self._find, name="saged.find")
        self.finders = [
            button(words, partial(self._find, name), compact=True, name=f"saged.finder.{name}")
            for name, words in model.keyword_finders.items()
        ]
        self.stop = button(tr("Stop"), model.cancel, name="saged.stop")
        self.said = caption(name="saged.gathered")
        self.table = EditableTable(
            context.theme, model.sentences, says=tr("Sentences"), wide=("sentence",), name="saged.sentences"
        )
        bar = TableBar(
            self.table,
            "saged.sentences",
            kinds=tr("Tables") + " (*.csv *.jsonl)",
            suffix="csv",
            opened=lambda file: model.open_table(file, model.sentences, ("concept", "keyword", "sentence")),
            saved=lambda file: model.save_table(file, model.sentences),
        )
        found = QWidget()
        found.setProperty("plain", True)
        below = QVBoxLayout(found)
        below.setContentsMargins(SPACE_2, 0, 0, 0)
        below.setSpacing(SPACE_3)
        below.addWidget(self.said)
        below.addWidget(bar, 1)
        parts = QSplitter(Qt.Orientation.Horizontal)
        parts.setChildrenCollapsible(False)
        parts.addWidget(self._asked())
        parts.addWidget(found)
        parts.setStretchFactor(0, 2)
        parts.setStretchFactor(1, 3)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, SPACE_3, 0, 0)
        column.addWidget(parts, 1)
        for name, field in self.fields.items():
            field.textChanged.connect(partial(self._say, name))
        for name, tick in self.ticks.items():
            tick.toggled.connect(lambda on, name=name: model.say(name, YES if on else ""))
        model.changed.connect(self._show)
        model.filled.connect(self._fill)
        self._fill()
        self._show()

    def _say(self, name: str, *_: str) -> None:
        self._model.say(name, _text(self.fields[name]))

    def _fill(self) -> None:
        said = self._model.said
        for name, field in self.fields.items():
            if _text(field) != said[name]:
                with QSignalBlocker(field):
                    field.setPlainText(said[name]) if isinstance(field, QPlainTextEdit) else field.setText(said[name])
        for name, tick in self.ticks.items():
            with QSignalBlocker(tick):
                tick.setChecked(said[name] == YES)
        self.places.clear()
        self.places.addItems(self._model.places)

    def _asked(self) -> QWidget:
        form = QWidget()
        form.setProperty("plain", True)
        asked = QVBoxLayout(form)
        asked.setContentsMargins(0, 0, SPACE_2, 0)
        asked.setSpacing(SPACE_3)
        asked.addWidget(self._what())
        asked.addWidget(self._where())
        left = QWidget()
        left.setProperty("plain", True)
        beside = QVBoxLayout(left)
        beside.setContentsMargins(0, 0, 0, 0)
        beside.addWidget(scrolling(form, "saged.form"), 1)
        self.writer = self._model.writer_bar(0, 1)
        asked.addWidget(self.writer)
        asked.addStretch(1)
        beside.addWidget(caption(tr("Keywords that the texts propose are added to yours:")))
        beside.addWidget(flowing(*self.finders))
        beside.addWidget(flowing(self.search, self.stop))
        return left

    def _what(self) -> QWidget:
        holder = QWidget()
        holder.setProperty("plain", True)
        grid = QGridLayout(holder)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setSpacing(SPACE_2)
        keywords = FormField(
            tr("Keywords, apart by commas"),
            self.keywords,
            help=tr("A sentence holds one of them as a whole word; the concept itself where none is named."),
            name="saged.keywords",
        )
        grid.addWidget(FormField(tr("Concept, as France"), self.concept, name="saged.concept"), 0, 0)
        grid.addWidget(FormField(tr("Domain, as countries"), self.domain, name="saged.domain"), 0, 1)
        grid.addWidget(keywords, 1, 0, 1, 2)
        grid.addWidget(self.any_case, 2, 0, 1, 2)
        grid.addWidget(self.inflected, 3, 0, 1, 2)
        grid.addWidget(FormField(tr("Language of the texts"), self.language, name="saged.language"), 4, 0)
        grid.setRowStretch(5, 1)
        return holder

    def _where(self) -> QWidget:
        holder = QWidget()
        holder.setProperty("plain", True)
        column = QVBoxLayout(holder)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(SPACE_2)
        self.page.setPlaceholderText(tr("Title of a page of Wikipedia"))
        self.page.setAccessibleName(tr("Title of a page of Wikipedia"))
        self.page.setObjectName("saged.page")
        self.page.returnPressed.connect(self._add_page)
        self.pasted.setPlaceholderText(tr("Or paste a text here."))
        self.pasted.setAccessibleName(tr("A text of your own"))
        self.pasted.setTabChangesFocus(True)
        column.addWidget(
            flowing(
                button(tr("Add a file …"), self._ask_file, compact=True, name="saged.addFile"),
                button(tr("Add a folder …"), self._ask_folder, compact=True, name="saged.addFolder"),
                button(tr("Remove"), self._remove_place, compact=True, name="saged.removePlace"),
            )
        )
        column.addWidget(self.places)
        row = QGridLayout()
        row.addWidget(self.page, 0, 0)
        row.addWidget(button(tr("Add the page"), self._add_page, compact=True, name="saged.addPage"), 0, 1)
        column.addLayout(row)
        column.addWidget(
            FormField(
                tr("Your mail address, for Wikipedia"),
                self.contact,
                help=tr("Wikipedia asks programs to say whom to write to; it is sent to Wikipedia alone."),
                name="saged.contact",
            )
        )
        column.addWidget(self.pasted)
        column.addWidget(self.news)
        return holder

    def add_place(self, place: str) -> None:
        """Look there too."""
        if place and place not in self._model.places:
            self.places.addItem(place)
            self._keep_places()

    def _keep_places(self) -> None:
        self._model.say("places", "\n".join(self.places.item(at).text() for at in range(self.places.count())))

    def _ask_file(self) -> None:
        ask_to_open(self, tr("Add a file"), tr("Texts") + f" {_TEXTS}", lambda path: self.add_place(str(path)))

    def _ask_folder(self) -> None:
        ask_for_folder(self, tr("Add a folder"), lambda path: self.add_place(str(Path(path))))

    def _add_page(self) -> None:
        title = self.page.text().strip()
        self.add_place(f"wikipedia:{title}" if title else "")
        self.page.clear()

    def _remove_place(self) -> None:
        self.places.takeItem(self.places.currentRow())
        self._keep_places()

    def _find(self, finder: str = "") -> None:
        self._model.gather(self.contact.text(), finder)

    def _show(self) -> None:
        model = self._model
        for each in (self.search, *self.finders):
            each.setEnabled(not model.running)
        self.stop.setVisible(model.running)
        if model.running:
            far = "" if model.of is None else tr("{done} of {of} places", done=model.done, of=model.of)
            self.said.setText(tr("Looking for sentences … {far}", far=far).strip())
        else:
            self.said.setText(model.said["gathered"] or tr("Sentences of one concept after another are added below."))


def _text(field: QLineEdit | QPlainTextEdit) -> str:
    return field.toPlainText() if isinstance(field, QPlainTextEdit) else field.text()
