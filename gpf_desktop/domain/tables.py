"""Tables as a method makes them of files that came from elsewhere (`gpf-desktop score --method NAME`, `benchmark`)."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final
from typing import Protocol as Port

from gpf_desktop.domain.models import Endpoint
from gpf_desktop.domain.ports import HowFar
from gpf_desktop.domain.writing import WritingTask, Written

CellValue = str | int | float | None
"""What a cell holds; None: there is no such value."""


@dataclass(frozen=True, slots=True)
class Table:
    """A table with named columns."""

    columns: tuple[str, ...]
    rows: Sequence[Sequence[CellValue]]
    """Each as long as *columns*."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoredAnswers:
    """What a method made of a table of answers."""

    tables: Mapping[str, Table]
    """By the name of the file that each becomes, as ``equivalence.csv``."""
    said: tuple[str, ...] = ()
    """Sentences for who ran the command: what was done, and every warning."""
    gaps: bool = False
    """Something that was asked for has no score."""


@dataclass(frozen=True, slots=True)
class TableOption:
    """What a user may say of a table of answers beside its name: ``--name VALUE``."""

    name: str
    value: str
    """What stands for the value in the help, as ``MODEL``."""
    help: str
    required: bool = False


class AnswerTables(Port):
    """Scores tables of answers for one method: `ANSWER_TABLES` of its folder's ``answer_tables.py``."""

    @property
    def name(self) -> str:
        """The method's."""
        ...

    @property
    def does(self) -> str:
        """What is read, by columns, and what is written, in some sentences."""
        ...

    @property
    def takes(self) -> tuple[TableOption, ...]: ...

    def score_table(self, answers: Path, given: Mapping[str, str], told: HowFar) -> ScoredAnswers:
        """The tables of *answers*; *given* holds the options that were given, by name. Raises `UserError`.

        *told* of texts that language models read, where some do: it may take minutes.
        """
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class MadeBenchmark:
    """What a method made of a table of sentences."""

    table: Table
    said: tuple[str, ...] = ()
    """What was left out on the way, and what should be looked at."""
    protocol: Any = None
    """The same as a protocol of the method, to be asked in rounds; None: it is none yet."""


PAGE_COLUMNS: Final = ("place", "title", "extract", "licence")
"""Of pages that a search found."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TopicWords:
    """The words that stand for each topic of a domain, to be put for those of another."""

    table: Table
    """A row for each topic and a column for each kind of word, several of a kind apart by commas; or a row for each
    pair of words, by columns of the method's own."""
    root: str = ""
    """The topic that texts are about and that is compared with nothing; empty: there is none."""
    domain: str = ""


Tries = Sequence[Sequence[str]]
"""Questions that were tried, rows of `BenchmarkMaker.question_columns`."""


class QuestionWriting(Port):
    """What a writer is asked for questions that sentences answer, task by task."""

    def next_tasks(self, tries: Tries, sentences: int) -> Sequence[WritingTask]:
        """What is asked next, of at most so many *sentences*; nothing: every one has a question or was given up."""
        ...

    def one_try_each(self, tries: Tries) -> Sequence[WritingTask]:
        """What one try for each sentence that lacks a question asks. Raises `UserError` where none does."""
        ...

    def taken(self, tries: Tries, tasks: Sequence[WritingTask], written: Sequence[Written]) -> Tries:
        """*tries* with what was *written* for *tasks*; as they were where nothing came of any."""
        ...

    def prompts(self, tries: Tries) -> Table:
        """The questions that fit, as `BenchmarkMaker.make_of` reads them. Raises `UserError` where there is none."""
        ...

    def said(self, tries: Tries) -> str:
        """How many sentences have a question, how many were given up and why."""
        ...


class BenchmarkMaker(Port):
    """Makes prompts of sentences for one method: `BENCHMARK_MAKER` of its folder's ``benchmark_maker.py``."""

    @property
    def name(self) -> str:
        """The method's."""
        ...

    @property
    def does(self) -> str: ...
    @property
    def takes(self) -> tuple[TableOption, ...]: ...

    def make(self, sentences: Path, given: Mapping[str, str]) -> MadeBenchmark:
        """The benchmark of *sentences*, or of a table that is one already; *given*: the options, by name.

        Raises `UserError`.
        """
        ...

    @property
    def sentence_columns(self) -> tuple[str, ...]:
        """Of the tables that `gather` gives and `make` reads."""
        ...

    @property
    def prompt_columns(self) -> tuple[str, ...]:
        """Of the tables that `make` gives."""
        ...

    def make_of(self, rows: Table, replacements: Mapping[str, Any] | None, given: Mapping[str, str]) -> MadeBenchmark:
        """As `make`, of *rows* that are at hand, sentences or prompts, and of *replacements* as plain data.

        *given* may hold the “template” that a study has; one of `templates` gives way to that which the prompts need.

        Raises `UserError`, which counts the rows from 1.
        """
        ...

    @property
    def templates(self) -> Mapping[str, str]:
        """Messages that there are, by what they are for."""
        ...

    def words_in(self, file: Path | None) -> TopicWords:
        """What is in *file*; None: what comes with the program. Raises `UserError`."""
        ...

    @property
    def gathers(self) -> tuple[TableOption, ...]:
        """What `gather` takes."""
        ...

    @property
    def writers(self) -> Sequence[Endpoint]:
        """Calibration models that write."""
        ...

    @property
    def writing(self) -> Mapping[str, str]:
        """By name of its instruction, what a button says of each thing that a writer model can write: keywords
        (records with “keyword”), an article (“text”), and the words of topics (a field for each kind)."""
        ...

    def writing_tasks(self, step: str, given: Mapping[str, str], words: Table) -> Sequence[WritingTask]:
        """What a writer is asked for *step*; *given*: topic, domain and keywords, *words*: as `TopicWords.table`.

        Raises `UserError` where it cannot be asked for, or nothing lacks.
        """
        ...

    @property
    def question_columns(self) -> tuple[str, ...]:
        """Of a table of tries; the last two may be left out of a file."""
        ...

    @property
    def most_tries(self) -> int:
        """Questions of one sentence."""
        ...

    def questions(self, sentences: Table, replacements: Mapping[str, Any] | None) -> QuestionWriting:
        """Questions about *sentences*, as of `gather`; *replacements* as of `make_of`. Raises `UserError`."""
        ...

    @property
    def keyword_columns(self) -> tuple[str, ...]:
        """Of a table of keywords: topic and keyword, then what is known of it."""
        ...

    @property
    def keyword_finders(self) -> Mapping[str, str]:
        """By name, what a button says of each way to find keywords."""
        ...

    async def find_keywords(
        self, finder: str, places: Sequence[str], given: Mapping[str, str], fetch: Callable[[str], Awaitable[bytes]]
    ) -> MadeBenchmark:
        """`keyword_columns` without the topic, of what *finder* proposes from *places*; *given* as of `gather`, and
        for the finder that goes by meaning “encoder”, the name of its model.

        Raises `UserError` and `SourceError`.
        """
        ...

    @property
    def pair_columns(self) -> tuple[str, ...]:
        """Of words that stand as pairs, a row each."""
        ...

    async def find_pages(
        self, words: str, given: Mapping[str, str], fetch: Callable[[str], Awaitable[bytes]]
    ) -> MadeBenchmark:
        """Pages about *words* to choose from, rows of `PAGE_COLUMNS`; *given* may name a language.

        Raises `UserError` and `SourceError`.
        """
        ...

    async def gather(
        self,
        places: Sequence[str],
        given: Mapping[str, str],
        fetch: Callable[[str], Awaitable[bytes]],
        told: Callable[[int], object] = lambda _: None,
    ) -> MadeBenchmark:
        """A table of sentences from *places*, as `make` reads it; *fetch* gives the body at an address.

        *told* is given how many places are behind it, as each begins. Raises `UserError` and `SourceError`.
        """
        ...
