"""A benchmark in the making: sentences, words that stand for each other, prompts; each can be gone back to."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, Final, TypeVar

from PySide6.QtCore import QObject, Signal

from gpf_desktop.documents.tables import Columns, read_rows
from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.tables import PAGE_COLUMNS, MadeBenchmark, QuestionWriting, Table, TopicWords
from gpf_desktop.domain.text import tr, trn
from gpf_desktop.domain.writing import WritingTask, Written
from gpf_desktop.engine.commands.sentences_command import GATHER_TASK, GatherWish, SentenceGathering, write_words
from gpf_desktop.engine.core import catalogue
from gpf_desktop.engine.scoring.method_tables import write_table
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.methods.saged.benchmark_keeping import BenchmarkKeeping
from gpf_desktop.ui.methods.saged.benchmark_rows import (
    are_pairs,
    cell_text,
    concepts_in,
    fill_gaps,
    keywords_of,
    with_keywords,
    with_sentences,
    words_data,
)
from gpf_desktop.ui.methods.saged.benchmark_versions import MOST_VERSIONS, Version
from gpf_desktop.ui.methods.saged.kept_benchmark import SAID, KeptBenchmark
from gpf_desktop.ui.methods.saged.kept_tables import made_of
from gpf_desktop.ui.methods.saged.prompt_origins import NO_ORIGIN, PromptSource, are_behind, origin
from gpf_desktop.ui.studies.study_view_model import StudyViewModel
from gpf_desktop.ui.studies.writer_bar import PlanTasks, WriterBar
from gpf_desktop.ui.tasks.task_view_model import TaskViewModel
from gpf_desktop.ui.widgets.editable_table import EditableRows

T = TypeVar("T")
METHOD: Final = "saged"
CONTACT: Final = "saged/contact"
"""Of the window's settings."""
CONCEPT: Final = "concept"
_KINDS: Final = (CONCEPT, "name", "adjective", "people", "capital")
YES: Final = "yes"


class BenchmarkViewModel(TaskViewModel):
    """The benchmark in the making and its forms, all kept in the audit. Gathering of sentences is its task."""

    filled = Signal()
    """Another audit's benchmark stands here now: forms show what it says."""

    def __init__(self, context: Context, study: StudyViewModel, parent: QObject | None = None) -> None:
        gathering = SentenceGathering(context.engine)
        super().__init__(context, GATHER_TASK, gathering.start, gathering.cancel, parent)
        self._study = study
        self._maker = catalogue.benchmark_maker(METHOD)
        self.keywords = EditableRows(self._maker.keyword_columns)
        self.sentences = EditableRows(self._maker.sentence_columns)
        self.words = EditableRows(_KINDS)
        self.questions = EditableRows(self._maker.question_columns)
        self.prompts = EditableRows(self._maker.prompt_columns, fixed=("counterfactual",))
        self.tables = {
            "keywords": self.keywords,
            "sentences": self.sentences,
            "words": self.words,
            "questions": self.questions,
            "prompts": self.prompts,
        }
        self.said = dict(SAID)
        """What forms say, by name; places, a line each."""
        self.versions: tuple[Version, ...] = ()
        """Those that studies took, the oldest first."""
        self.pages: MadeBenchmark | None = None
        """What was searched for last."""
        self.making = self.searching = False
        self._early: set[str] | None = set()
        """Tables and fields that were written in before what the audit keeps was read; None: it was."""
        self._keeping: BenchmarkKeeping[KeptBenchmark] | None = None
        for part, rows in self.tables.items():
            rows.setParent(self)
            rows.edited.connect(partial(self._edited, part))
        self.ended.connect(self._gathered)
        self._keeping = BenchmarkKeeping(
            context,
            METHOD,
            read=partial(KeptBenchmark.of, tables=tuple(self.tables)),
            restored=self._restored,
            wrong=self._wrong,
            parent=self,
        )

    def say(self, name: str, value: str) -> None:
        """Set the form's field *name*; other parts hear of it where something was empty or wrong, not of every
        letter.
        """
        if self.said[name] != value:
            was, self.said[name] = self.said[name], value
            # Made into text on the writer's thread while the form goes on changing.
            self._keep("form", partial(dict, self.said.copy()), name)
            if self.problem or not (was.strip() and value.strip()):
                self.problem = ""
                self.touch_now()

    @property
    def root(self) -> str:
        """The concept that texts are about and that is compared with nothing; empty: all are compared."""
        return self.said["root"]

    @property
    def from_root(self) -> bool:
        """Branch from the root alone; else every concept is put for every other."""
        return self.said["from_root"] == YES

    @property
    def places(self) -> tuple[str, ...]:
        return tuple(filter(None, self.said["places"].split("\n")))

    @property
    def concepts(self) -> tuple[str, ...]:
        """The concepts that have words."""
        return concepts_in(self.words.columns, self.words.rows)

    @property
    def has_pairs(self) -> bool:
        """Words stand as pairs, and not by kind."""
        return are_pairs(self.words.columns)

    def add_keywords(self, found: Sequence[Sequence[str]], concept: str = "") -> None:
        """*found*, rows without their concept, behind those of *concept* (the one that is named)."""
        concept = concept or self.said["concept"].strip()
        if not concept:
            self._wrong(UserError(tr("No concept is named."), tr("Name it first.")))
            return
        self.keywords.replace(with_keywords(self.keywords.rows, concept, found), tr("Add keywords"))

    @property
    def keyword_finders(self) -> Mapping[str, str]:
        return self._maker.keyword_finders

    def gather(self, contact: str, finder: str = "") -> None:
        """Look for sentences in what the form names; they are added. With a *finder*, for keywords alone."""
        said, self.searching = self.said, False
        self.context.settings.setValue(CONTACT, contact)
        self.start(
            GatherWish(
                method=METHOD,
                places=self.places,
                given={
                    "concept": said["concept"],
                    "keywords": self._keywords(),
                    "domain": said["domain"],
                    "language": said["language"].strip(),
                    "any-case": said["any_case"] or "no",
                    "inflected": said["inflected"] or "no",
                    **{name: said[name].strip() for name in ("depth", "pages", "also", "encoder")},
                    "backlinks": said["backlinks"] or "no",
                },
                pasted=said["pasted"],
                news=said["news"] == YES,
                contact=contact,
                finder=finder,
            )
        )

    def search(self, words: str, contact: str) -> None:
        """Look for pages of Wikipedia about *words*; they come to `pages`."""
        self.context.settings.setValue(CONTACT, contact)
        given, self.searching = {"language": self.said["language"].strip()}, True
        self.start(GatherWish(method=METHOD, places=(), given=given, contact=contact, search=words))

    def _keywords(self) -> str:
        return ", ".join(keywords_of(self.keywords.rows, self.said["concept"]))

    def writer_bar(self, *steps: int) -> WriterBar:
        """Has a writer model write what stands at *steps* of `BenchmarkMaker.writing`; what comes is edited here."""
        names = list(self._maker.writing)
        titles = {names[at]: self._maker.writing[names[at]] for at in steps}
        bar = WriterBar(self.context, titles, (), self._maker.writers, self._writing_plan)
        bar.wrote.connect(self._wrote)
        self.changed.connect(bar.look)
        return bar

    def _writing_plan(self, step: str, _amounts: Mapping[str, int]) -> PlanTasks:
        given = {**self.said, "keywords": self._keywords()}
        words = Table(self.words.columns, self.words.rows)
        return lambda: self._maker.writing_tasks(step, given, words)

    def _wrote(self, tasks: Sequence[WritingTask], written: Sequence[Written]) -> None:
        """Put what came where it is edited: keywords behind those there, texts behind the pasted, words in gaps."""
        rows = [list(row) for row in self.words.rows]
        for task, each in zip(tasks, written, strict=True):
            for record in each.records:
                if "keyword" in record:
                    self.add_keywords([(record["keyword"], record["kind"], "", "")], task.filled["concept"])
                elif "text" in record:
                    self.say("pasted", "\n\n".join(filter(None, (self.said["pasted"], record["text"]))))
                else:
                    fill_gaps(rows, self.words.columns, task.filled["concept"], record)
        self.words.replace(rows, tr("Write words"))
        self.filled.emit()
        self.touch_now()

    def open_table(self, file: Path, rows: EditableRows, needed: tuple[str, ...]) -> None:
        """Hold the rows of *file* in place of *rows*; it has the columns *needed*."""

        def read() -> list[tuple[str, ...]]:
            columns = rows.columns
            return [tuple(row.values.get(column, "") for column in columns) for row in read_rows(file, Columns(needed))]

        def hold(found: list[tuple[str, ...]]) -> None:
            rows.replace(found, tr("Open {file}", file=file.name), note=NO_ORIGIN)

        self._read(read, hold)

    def save_table(self, file: Path, rows: EditableRows) -> None:
        """Write *rows* as CSV."""
        table = Table(rows.columns, rows.rows)
        self._read(lambda: write_table(table, file), lambda _: None)

    def open_words(self, file: Path | None) -> None:
        """Hold the words in *file*; None: those of the sample."""

        def hold(found: TopicWords) -> None:
            self.say("root", found.root)
            self.say("words_domain", found.domain)
            rows = [[str(cell or "") for cell in row] for row in found.table.rows]
            self.words.replace(rows, tr("Open words"), found.table.columns)
            self.touch_now()

        self._read(lambda: self._maker.words_in(file), hold)

    def save_words(self, file: Path) -> None:
        data = self._replacements()
        self._read(lambda: write_words(data, file), lambda _: None)

    def add_concept(self, name: str) -> None:
        """A line for the words of a concept; its own name is the first of them, or of what is put for it."""
        blank = [""] * (len(self.words.columns) - 2)
        first = "" if self.has_pairs else name
        self.words.replace([*self.words.rows, (name, first, *blank)], tr("Add a concept"))

    def add_kind(self, name: str) -> None:
        """A column for another kind of word."""
        if name and name not in self.words.columns and not self.has_pairs:
            rows = [(*row, "") for row in self.words.rows]
            self.words.replace(rows, tr("Add a kind of word"), (*self.words.columns, name))

    def set_root(self, concept: str) -> None:
        self.say("root", concept)
        self.touch_now()

    def set_from_root(self, on: bool) -> None:
        self.say("from_root", YES if on else "")
        self.touch_now()

    def asking(self) -> Callable[[], QuestionWriting]:
        """Makes, on any thread, what a writer is asked of the sentences and words as they stand. Raises `UserError`."""
        sentences = Table(self.sentences.columns, self.sentences.rows)
        words = self._replacements() if self.words.rows else None
        return lambda: self._maker.questions(sentences, words)

    def make(self, of: PromptSource = PromptSource.SENTENCES) -> None:
        """Prompts of the sentences, of their questions or of the prompts, branched where there are words; the prompts
        that stood there go, a step that can be undone."""
        if self.making:
            return
        rows = self.prompts if of is PromptSource.PROMPTS else self.sentences
        table, asking, tries = Table(rows.columns, rows.rows), self.asking(), self.questions.rows
        given = {"direction": self._direction(), "tags": self.said["tags"]}
        words = self._replacements() if self.words.rows else None
        self.making, told = True, origin(of, self.tables, self.said)
        self._read(
            lambda: self._maker.make_of(
                asking().prompts(tries) if of is PromptSource.QUESTIONS else table, words, given
            ),
            lambda made: self._made(made, told),
        )

    @property
    def behind(self) -> bool:
        """Whether what prompts were made of was changed since."""
        return bool(self.prompts.rows) and are_behind(self._made_of, self.tables, self.said)

    @property
    def made(self) -> str:
        """The words said when the prompts that stand there were made; empty: they were not made here."""
        return (self.prompts.note or NO_ORIGIN)[1]

    @property
    def _made_of(self) -> str:
        return (self.prompts.note or NO_ORIGIN)[0]

    def _direction(self) -> str:
        return self.said["chosen"].strip() or ("root" if self.from_root else "all")

    def take(self, then: Callable[[], object]) -> None:
        """Have the study ask these prompts, in the roles of its own; what stands here is a version from then on."""
        rows = Table(self.prompts.columns, self.prompts.rows)
        given = {"name": self.said["name"].strip(), "template": self._study.protocol.template}
        self._read(lambda: self._maker.make_of(rows, None, given), lambda made: self._taken(made, then))

    def go_back_to(self, version: Version) -> None:
        """Let the tables be what they were in *version*, each a step that can be undone."""
        words = tr("Go back to {version}", version=version.title)
        for part, (columns, rows) in version.tables.items():
            note = (version.said["made_of"], "") if part == "prompts" else ()
            self.tables[part].replace(rows, words, columns, note)
        for name, value in version.said.items():
            self.say(name, value)
        self.filled.emit()
        self.touch_now()

    def _edited(self, part: str) -> None:
        self._keep(part, made_of(self.tables[part]))
        self.touch_now()

    def _keep(self, part: str, made: Callable[[], object], name: str = "") -> None:
        if self._early is not None:
            self._early.add(name or part)
        if self._keeping is not None:
            self._keeping.keep(part, made)

    def _restored(self, kept: KeptBenchmark) -> Callable[[], None]:
        """Show *kept*; what was typed until it was read stays, rows behind those of *kept*."""
        early, self._early = self._early or set(), None
        typed = {part: (rows.columns, rows.rows) for part, rows in self.tables.items() if part in early}
        kept.show_in(self.tables, {"words": _KINDS})
        typed_in = {name: self.said[name] for name in early & SAID.keys()}
        self.said = {**SAID, **{name: kept.said[name] for name in SAID.keys() & kept.said.keys()}, **typed_in}
        self.versions = kept.versions
        self.problem = ""
        self.filled.emit()
        self.touch_now()

        def keep_early() -> None:
            for part, (columns, rows) in typed.items():
                self.tables[part].add(rows, columns, tr("Write"))
            if typed_in:
                self._keep("form", partial(dict, self.said.copy()))

        return keep_early

    def _replacements(self) -> dict[str, Any]:
        domain = self.said["words_domain"] or self.said["domain"]
        return words_data(self.words.columns, self.words.rows, root=self.root, domain=domain)

    def _read(self, read: Callable[[], T], then: Callable[[T], object]) -> None:
        self.problem = ""
        self.context.bridge.run(read, then=then, failed=self._wrong, owner=self)
        self.touch_now()

    def _wrong(self, error: BaseException) -> None:
        self.making = False
        self.failed(error)

    def _gathered(self, made: MadeBenchmark) -> None:
        if made.table.columns == PAGE_COLUMNS:
            self.pages = made
            self.touch_now()
            return
        if made.table.columns[0] == "keyword":
            self.say("found", " ".join(made.said))
            self.add_keywords([[cell_text(cell) for cell in row] for row in made.table.rows])
            self.touch_now()
            return
        rows, again = with_sentences(self.sentences.columns, self.sentences.rows, made.table.rows)
        stood = [trn("{n} of them stood below already.", "{n} of them stood below already.", again)] if again else []
        self.say("gathered", " ".join((*made.said, *stood)))
        self.sentences.replace(rows, tr("Gather sentences"))
        self.touch_now()

    def _made(self, made: MadeBenchmark, told: str) -> None:
        self.making = False
        rows = [[str(cell or "") for cell in row] for row in made.table.rows]
        self.prompts.replace(rows, tr("Make prompts"), note=(told, " ".join(made.said)))
        self.touch_now()

    def _taken(self, made: MadeBenchmark, then: Callable[[], object]) -> None:
        if made.protocol is None:
            self._wrong(UserError(" ".join(made.said)))
            return
        version = self._version(made.protocol.name)
        self._study.take_protocol(self._maker.about(self._study.protocol, made.protocol, version.number))
        self.touch_now()
        then()

    def _version(self, name: str) -> Version:
        """The benchmark *name* as it stands here: a new version, or the newest one where nothing changed since."""
        now = Version.of(name, {**self.said, "made_of": self._made_of}, self.tables)
        same = [each for each in self.versions if each.name == name]
        if same and same[-1].tables["prompts"] == now.tables["prompts"]:
            return same[-1]
        made = replace(now, number=1 + max((each.number for each in same), default=0))
        self.versions = (*self.versions, made)[-MOST_VERSIONS:]
        kept = self.versions
        self._keep("versions", lambda: [each.data() for each in kept])
        return made
