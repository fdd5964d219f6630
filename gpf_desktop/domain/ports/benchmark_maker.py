"""Prompts made of sentences (`gpf-desktop benchmark`)."""

from abc import abstractmethod
from collections.abc import Awaitable, Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from gpf_desktop.domain.models import Endpoint
from gpf_desktop.domain.ports.plug_in import PlugIn
from gpf_desktop.domain.tables import MadeBenchmark, QuestionWriting, Table, TableOption, TopicWords
from gpf_desktop.domain.writing import WritingTask


class BenchmarkMaker(PlugIn, declares=True):
    """Makes prompts of sentences for one method: `BENCHMARK_MAKER` of its folder's ``benchmark_maker.py``;
    *name* is the method's."""

    @property
    def reads(self) -> frozenset[str]:
        """Endings of the files that `gather` reads in a folder."""
        return frozenset()

    @property
    @abstractmethod
    def does(self) -> str:
        """A description in some sentences: the columns that are read, and what is written."""

    @property
    @abstractmethod
    def takes(self) -> tuple[TableOption, ...]:
        """The options that a user may give beside the tables."""

    @abstractmethod
    def make(self, sentences: Path, given: Mapping[str, str]) -> MadeBenchmark:
        """The benchmark of *sentences*, or of a table that is one already; *given*: the options, by name.

        Raises `UserError`.
        """

    @property
    @abstractmethod
    def sentence_columns(self) -> tuple[str, ...]:
        """Columns of the tables that `gather` gives and `make` reads."""

    @property
    @abstractmethod
    def prompt_columns(self) -> tuple[str, ...]:
        """Columns of the tables that `make` gives."""

    @abstractmethod
    def make_of(self, rows: Table, replacements: Mapping[str, Any] | None, given: Mapping[str, str]) -> MadeBenchmark:
        """The same as `make`, from *rows* that are at hand, sentences or prompts, and from *replacements* as plain
        data.

        *given* may hold the “template” that a study has; one of `templates` gives way to that which the prompts need.
        Raises `UserError`, which counts the rows from 1.
        """

    @abstractmethod
    def about(self, study: Any, made: Any, version: int) -> Any:
        """A copy of *study*, a protocol of the method, about another benchmark, that of *made*; as its *version*."""

    @property
    @abstractmethod
    def templates(self) -> Mapping[str, str]:
        """Templates of messages, by what they are for."""

    @abstractmethod
    def words_in(self, file: Path | None) -> TopicWords:
        """The words of topics in *file*; None: those that come with the program. Raises `UserError`."""

    @property
    @abstractmethod
    def gathers(self) -> tuple[TableOption, ...]:
        """The options of `gather`."""

    @property
    @abstractmethod
    def writers(self) -> Sequence[Endpoint]:
        """Calibration models that write."""

    @property
    @abstractmethod
    def writing(self) -> Mapping[str, str]:
        """The things that a writer model can write, as buttons say them, by name of the instruction: keywords (records
        with “keyword”), an article (“text”), and the words of topics (a field for each kind)."""

    @abstractmethod
    def writing_tasks(self, step: str, given: Mapping[str, str], words: Table) -> Sequence[WritingTask]:
        """The tasks of a writer for *step*; *given*: topic, domain and keywords, *words*: as `TopicWords.table`.

        Raises `UserError` if it cannot be asked for, or if nothing is missing.
        """

    @property
    @abstractmethod
    def question_columns(self) -> tuple[str, ...]:
        """Columns of a table of tries; a file may leave out the last two."""

    @property
    @abstractmethod
    def most_tries(self) -> int:
        """The most questions of one sentence."""

    @abstractmethod
    def questions(self, sentences: Table, replacements: Mapping[str, Any] | None) -> QuestionWriting:
        """Questions about *sentences*, as of `gather`; *replacements* as of `make_of`. Raises `UserError`."""

    @property
    @abstractmethod
    def keyword_columns(self) -> tuple[str, ...]:
        """Columns of a table of keywords: topic and keyword, then what is known of it."""

    @property
    @abstractmethod
    def keyword_finders(self) -> Mapping[str, str]:
        """The ways to find keywords, as buttons say them, by name."""

    @abstractmethod
    async def find_keywords(
        self, finder: str, places: Sequence[str], given: Mapping[str, str], fetch: Callable[[str], Awaitable[bytes]]
    ) -> MadeBenchmark:
        """A table of the keywords that *finder* proposes from *places*, with `keyword_columns` without the topic;
        *given* as for `gather`, and for the finder that goes by meaning “encoder”, the name of its model.

        Raises `UserError` and `SourceError`.
        """

    @property
    @abstractmethod
    def pair_columns(self) -> tuple[str, ...]:
        """Columns of a table of words that stand as pairs, a row each."""

    @abstractmethod
    async def find_pages(
        self, words: str, given: Mapping[str, str], fetch: Callable[[str], Awaitable[bytes]]
    ) -> MadeBenchmark:
        """Pages about *words* to choose from, rows of `PAGE_COLUMNS`; *given* may name a language.

        Raises `UserError` and `SourceError`.
        """

    @abstractmethod
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
