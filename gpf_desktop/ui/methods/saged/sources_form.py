"""S of SAGED: what the sentences are about, and the texts in which they are looked for."""

from functools import partial
from pathlib import Path

from PySide6.QtCore import QSignalBlocker
from PySide6.QtWidgets import (
    QCheckBox,
    QGridLayout,
    QLineEdit,
    QListWidget,
    QPlainTextEdit,
    QWidget,
)

from gpf_desktop.domain.text import tr
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.file_dialogs import ask_for_folder, ask_to_open
from gpf_desktop.ui.methods.saged.benchmark_view_model import CONTACT, YES, BenchmarkViewModel
from gpf_desktop.ui.methods.saged.page_search import PageSearch
from gpf_desktop.ui.theme.tokens import SPACE_2, SPACE_3
from gpf_desktop.ui.widgets.boxes import PlainWidget, column_of, spaced_grid, vbox
from gpf_desktop.ui.widgets.buttons import button
from gpf_desktop.ui.widgets.editors import whole_box
from gpf_desktop.ui.widgets.fields import FormField
from gpf_desktop.ui.widgets.layouts import flowing, scrolling

_TEXTS = "(*.txt *.md *.markdown *.html *.htm *.pdf *.docx)"
_LOW, _HIGH = 70, 96
_FARTHEST, _MOST_PAGES = 3, 1000


class SourcesForm(PlainWidget):
    """Layout and connections."""

    def __init__(self, context: Context, model: BenchmarkViewModel) -> None:
        super().__init__()
        self._model = model
        self.concept, self.domain, self.language = QLineEdit(), QLineEdit(), QLineEdit()
        self.also = QLineEdit()
        self.contact = QLineEdit(str(context.settings.value(CONTACT, "")))
        self.pages = PageSearch(context, model, self.contact)
        self.pages.chosen.connect(self.add_place)
        self.page = self.pages.page
        self.pasted = QPlainTextEdit()
        self.pasted.setFixedHeight(context.theme.px(_HIGH))
        self.fields: dict[str, QLineEdit | QPlainTextEdit] = {
            "concept": self.concept,
            "domain": self.domain,
            "language": self.language,
            "also": self.also,
            "pasted": self.pasted,
        }
        self.ticks = {
            "any_case": QCheckBox(tr("Capitals are as good as small letters")),
            "inflected": QCheckBox(tr("Endings of up to three letters belong to a keyword")),
            "news": QCheckBox(tr("The news items of this audit too")),
            "backlinks": QCheckBox(tr("Follow links that lead to a page in place of its own")),
        }
        self.numbers = {"depth": whole_box(0, _FARTHEST), "pages": whole_box(1, _MOST_PAGES)}
        self.places = QListWidget()
        self.places.setAccessibleName(tr("Where sentences are looked for"))
        self.places.setFixedHeight(context.theme.px(_LOW))
        self.writer = model.writer_bar(1)
        parts = (self._what(), self._files(), self._wikipedia(), self.pasted, self.ticks["news"], self.writer)
        form = column_of(*parts, 1, spacing=SPACE_3, margins=(0, 0, SPACE_2, 0))
        vbox((scrolling(form, "saged.form"), 1), parent=self)
        for name, field in self.fields.items():
            field.textChanged.connect(partial(self._say, name))
        for name, tick in self.ticks.items():
            tick.toggled.connect(lambda on, name=name: model.say(name, YES if on else ""))
        for name, box in self.numbers.items():
            box.valueChanged.connect(lambda n, name=name: model.say(name, str(n)))
        model.filled.connect(self._fill)
        self._fill()

    def add_place(self, place: str) -> None:
        """Look there too."""
        if place and place not in self._model.places:
            self.places.addItem(place)
            self._keep_places()

    def _say(self, name: str, *_: str) -> None:
        self._model.say(name, _text(self.fields[name]))

    def _fill(self) -> None:
        said = self._model.said
        for name, field in self.fields.items():
            # Filled again with what it says, a field would lose its cursor's place and what could be undone.
            if _text(field) != said[name]:
                with QSignalBlocker(field):
                    field.setPlainText(said[name]) if isinstance(field, QPlainTextEdit) else field.setText(said[name])
        for name, tick in self.ticks.items():
            with QSignalBlocker(tick):
                tick.setChecked(said[name] == YES)
        for name, box in self.numbers.items():
            with QSignalBlocker(box):
                box.setValue(int(said[name]) if said[name].isdecimal() else 0)
        self.places.clear()
        self.places.addItems(self._model.places)

    def _what(self) -> QWidget:
        holder, grid = _gridded()
        grid.addWidget(FormField(tr("Concept, as France"), self.concept, name="saged.concept"), 0, 0)
        grid.addWidget(FormField(tr("Domain, as countries"), self.domain, name="saged.domain"), 0, 1)
        grid.addWidget(self.ticks["any_case"], 1, 0, 1, 2)
        grid.addWidget(self.ticks["inflected"], 2, 0, 1, 2)
        grid.addWidget(FormField(tr("Language of the texts"), self.language, name="saged.language"), 3, 0)
        return holder

    def _files(self) -> QWidget:
        remove = button(tr("Remove"), self._remove_place, compact=True, name="saged.removePlace")
        remove.setEnabled(False)
        self.places.currentRowChanged.connect(lambda at: remove.setEnabled(at >= 0))
        add = (
            button(tr("Add a file …"), self._ask_file, compact=True, name="saged.addFile"),
            button(tr("Add a folder …"), self._ask_folder, compact=True, name="saged.addFolder"),
        )
        return column_of(flowing(*add, remove), self.places, spacing=SPACE_2)

    def _wikipedia(self) -> QWidget:
        self.pasted.setPlaceholderText(tr("Or paste a text here."))
        self.pasted.setAccessibleName(tr("A text of your own"))
        self.pasted.setTabChangesFocus(True)
        holder, grid = _gridded()
        grid.addWidget(self.pages, 0, 0, 1, 2)
        depth, pages = self.numbers["depth"], self.numbers["pages"]
        grid.addWidget(FormField(tr("Links away from a page"), depth, name="saged.depth"), 1, 0)
        grid.addWidget(FormField(tr("Pages at most"), pages, name="saged.pages"), 1, 1)
        grid.addWidget(self.ticks["backlinks"], 2, 0, 1, 2)
        also = FormField(tr("The same page in other languages, as de, fr"), self.also, name="saged.also")
        grid.addWidget(also, 3, 0, 1, 2)
        contact = FormField(
            tr("Your mail address, for Wikipedia"),
            self.contact,
            help=tr("Wikipedia asks programs to say whom to write to; it is sent to Wikipedia alone."),
            name="saged.contact",
        )
        grid.addWidget(contact, 4, 0, 1, 2)
        return holder

    def _keep_places(self) -> None:
        self._model.say("places", "\n".join(self.places.item(at).text() for at in range(self.places.count())))

    def _ask_file(self) -> None:
        ask_to_open(self, tr("Add a file"), tr("Texts") + f" {_TEXTS}", lambda path: self.add_place(str(path)))

    def _ask_folder(self) -> None:
        ask_for_folder(self, tr("Add a folder"), lambda path: self.add_place(str(Path(path))))

    def _remove_place(self) -> None:
        self.places.setFocus()
        self.places.takeItem(self.places.currentRow())
        self._keep_places()


def _gridded() -> tuple[QWidget, QGridLayout]:
    holder = PlainWidget()
    return holder, spaced_grid(parent=holder, across=SPACE_2, down=SPACE_2)


def _text(field: QLineEdit | QPlainTextEdit) -> str:
    return field.toPlainText() if isinstance(field, QPlainTextEdit) else field.text()
