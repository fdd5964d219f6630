"""A benchmark in the making: sentences, words that stand for each other, prompts; each can be gone back to."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final, TypeVar

from PySide6.QtCore import QObject, Slot

from gpf_desktop.documents.tables import Columns, read_rows
from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.tables import ConceptWords, MadeBenchmark, Table
from gpf_desktop.domain.text import tr
from gpf_desktop.engine.commands.sentences_command import GATHER_TASK, GatherWish, SentenceGathering, write_words
from gpf_desktop.engine.core import catalogue
from gpf_desktop.engine.scoring.method_tables import write_table
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.studies.study_view_model import StudyViewModel
from gpf_desktop.ui.tasks.task_view_model import TaskViewModel
from gpf_desktop.ui.widgets.editable_table import EditableRows

T = TypeVar("T")
METHOD: Final = "saged"
CONTACT: Final = "saged/contact"
"""Of the window's settings."""
CONCEPT: Final = "concept"
_ROOT: Final = "root"
_KINDS: Final = (CONCEPT, "name", "adjective", "people", "capital")


class BenchmarkViewModel(TaskViewModel):
    """Holds what was gathered and made for as long as the window is open; gathering is its task."""

    def __init__(self, context: Context, study: StudyViewModel, parent: QObject | None = None) -> None:
        gathering = SentenceGathering(context.engine)
        super().__init__(context, GATHER_TASK, gathering.start, gathering.cancel, parent)
        self._study = study
        self._maker = catalogue.benchmark_maker(METHOD)
        self.sentences = EditableRows(self._maker.sentence_columns)
        self.words = EditableRows(_KINDS)
        self.prompts = EditableRows(self._maker.prompt_columns, fixed=("counterfactual",))
        self.domain = self.root = ""
        """The concept that texts are about and that is compared with nothing; empty: all are compared."""
        self.from_root = False
        """Branch from the root alone; else every concept is put for every other."""
        self.gathered = self.made = ""
        """What was left out on the way, and what to look at, in sentences."""
        self.making = False
        for each in (self.sentences, self.words, self.prompts):
            each.setParent(self)
            each.steps.indexChanged.connect(self._edited)
        self.ended.connect(self._gathered)

    @property
    def concepts(self) -> tuple[str, ...]:
        """Those that have words."""
        return tuple(dict.fromkeys(row[0] for row in self.words.rows if row[0]))

    @property
    def empty(self) -> bool:
        return not (self.sentences.rows or self.words.rows or self.prompts.rows)

    def gather(self, places: Sequence[str], given: dict[str, str], *, pasted: str, news: bool, contact: str) -> None:
        """Look for sentences in *places*, in a text that was pasted, and in the audit's news; they are added."""
        self.context.settings.setValue(CONTACT, contact)
        self.start(
            GatherWish(method=METHOD, places=tuple(places), given=given, pasted=pasted, news=news, contact=contact)
        )

    def open_table(self, file: Path, rows: EditableRows, needed: tuple[str, ...]) -> None:
        """Hold the rows of *file* in place of *rows*; it has the columns *needed*."""

        def read() -> list[tuple[str, ...]]:
            columns = rows.columns
            return [tuple(row.values.get(column, "") for column in columns) for row in read_rows(file, Columns(needed))]

        self._read(read, lambda found: rows.replace(found, tr("Open {file}", file=file.name)))

    def save_table(self, file: Path, rows: EditableRows) -> None:
        """Write *rows* as CSV."""
        table = Table(rows.columns, rows.rows)
        self._read(lambda: write_table(table, file), lambda _: None)

    def open_words(self, file: Path | None) -> None:
        """Hold the words in *file*; None: those of the sample."""

        def hold(found: ConceptWords) -> None:
            table, self.root, self.domain = found.table, found.root, found.domain
            self.words.set_columns(table.columns, [[str(cell or "") for cell in row] for row in table.rows])
            self.touch_now()

        self._read(lambda: self._maker.words_in(file), hold)

    def save_words(self, file: Path) -> None:
        data = self._replacements()
        self._read(lambda: write_words(data, file), lambda _: None)

    def add_concept(self, name: str) -> None:
        """A line for the words of a concept; its own name is the first of them."""
        blank = [""] * (len(self.words.columns) - 2)
        self.words.replace([*self.words.rows, (name, name, *blank)], tr("Add a concept"))

    def add_kind(self, name: str) -> None:
        """A column for another kind of word."""
        if name and name not in self.words.columns:
            self.words.set_columns((*self.words.columns, name), [(*row, "") for row in self.words.rows])
            self.touch_now()

    def set_root(self, concept: str) -> None:
        self.root = concept
        self.touch_now()

    def set_from_root(self, on: bool) -> None:
        self.from_root = on
        self.touch_now()

    def make(self) -> None:
        """Split the sentences into prompts, and branch them where there are words; the prompts that stood there go."""
        if self.making:
            return
        rows = Table(self.sentences.columns, self.sentences.rows)
        given = {"direction": "root" if self.from_root else "all"}
        words = self._replacements() if self.words.rows else None
        self.making = True
        self._read(lambda: self._maker.make_of(rows, words, given), self._made)

    def take(self, then: Callable[[], object]) -> None:
        """Have the study ask these prompts, in the roles that it has."""
        rows = Table(self.prompts.columns, self.prompts.rows)
        self._read(lambda: self._maker.make_of(rows, None, {}), lambda made: self._taken(made, then))

    def source_of(self, at: int) -> str:
        """What the prompt in row *at* is a branch of: its root's own baseline, or its sentence; empty: of nothing."""
        columns = self.prompts.columns
        row = dict(zip(columns, self.prompts.rows[at], strict=True))
        if not row["branch"]:
            return ""
        for each in self.prompts.rows:
            other = dict(zip(columns, each, strict=True))
            if other[_ROOT] == row[_ROOT] and not other["branch"]:
                return other["baseline"]
        for each in self.sentences.rows:
            sentence = dict(zip(self.sentences.columns, each, strict=True))
            if sentence[_ROOT] == row[_ROOT]:
                return sentence["sentence"]
        return ""

    @Slot()
    def _edited(self) -> None:
        self.touch_now()

    def _replacements(self) -> dict[str, Any]:
        kinds = self.words.columns[1:]
        return {
            "domain": self.domain,
            **({_ROOT: self.root} if self.root in self.concepts else {}),
            "concepts": {
                row[0]: {
                    kind: [word.strip() for word in cell.split(",") if word.strip()]
                    for kind, cell in zip(kinds, row[1:], strict=True)
                    if cell.strip(", ")
                }
                for row in self.words.rows
                if row[0]
            },
        }

    def _read(self, read: Callable[[], T], then: Callable[[T], object]) -> None:
        self.problem = ""
        self.context.bridge.run(read, then=then, failed=self._wrong, owner=self)
        self.touch_now()

    def _wrong(self, error: BaseException) -> None:
        self.making = False
        self._failed(error)

    def _gathered(self, made: MadeBenchmark) -> None:
        at = self.sentences.columns.index(_ROOT)
        taken = {row[at] for row in self.sentences.rows}
        added = []
        for row in made.table.rows:
            cells = [str(cell or "") for cell in row]
            name, number = cells[at].rpartition("-")[0], 1 + len(taken)
            while cells[at] in taken:
                cells[at] = f"{name}-{number}"
                number += 1
            taken.add(cells[at])
            added.append(cells)
        self.gathered = " ".join(made.said)
        self.sentences.replace([*self.sentences.rows, *added], tr("Gather sentences"))
        self.touch_now()

    def _made(self, made: MadeBenchmark) -> None:
        self.making = False
        self.made = " ".join(made.said)
        self.prompts.replace([[str(cell or "") for cell in row] for row in made.table.rows], tr("Make prompts"))
        self.touch_now()

    def _taken(self, made: MadeBenchmark, then: Callable[[], object]) -> None:
        if made.protocol is None:
            self._wrong(UserError(" ".join(made.said)))
            return
        study, new = self._study.protocol, made.protocol
        self._study.take_protocol(replace(study, name=new.name, version=1, domain=new.domain, benchmark=new.benchmark))
        self.touch_now()
        then()
