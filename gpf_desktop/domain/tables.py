"""Tables as a method makes them of files that came from elsewhere (`gpf-desktop score --method NAME`, `benchmark`)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final
from typing import Protocol as Port

from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.text import tr
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
    """The tables that a method made of a table of answers."""

    tables: Mapping[str, Table]
    """By the name of the file that each becomes, as ``equivalence.csv``."""
    said: tuple[str, ...] = ()
    """Sentences for who ran the command: what was done, and every warning."""
    gaps: bool = False
    """Something that was asked for has no score."""
    counted: Mapping[str, int | str] = field(default_factory=dict)
    """What was counted and how, for programs."""


@dataclass(frozen=True, slots=True)
class TableOption:
    """An option that a user may give beside a table of answers: ``--name VALUE``."""

    name: str
    value: str
    """What stands for the value in the help, as ``MODEL``."""
    help: str
    required: bool = False


def seed_in(given: Mapping[str, str]) -> int:
    """The number that random draws begin with, as *given*; 1 where none is. Raises `UserError`."""
    text = given.get("seed", "") or "1"
    # `isdigit` is true of "²" too, which `int` refuses; and of a great many digits `int` raises by itself.
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        raise UserError(
            tr("The seed is “{text}”, not a whole number from 0.", text=text[:40]), tr("Give a number such as 1.")
        )
    return int(text)


@dataclass(frozen=True, slots=True, kw_only=True)
class MadeBenchmark:
    """The benchmark that a method made of a table of sentences."""

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
    """The tasks by which a writer is asked for questions that sentences answer."""

    def next_tasks(self, tries: Tries, sentences: int) -> Sequence[WritingTask]:
        """The next tasks, for at most so many *sentences*; empty: every one has a question or was given up."""
        ...

    def one_try_each(self, tries: Tries) -> Sequence[WritingTask]:
        """The tasks of one try for each sentence that lacks a question. Raises `UserError` if none does."""
        ...

    def taken(self, tries: Tries, tasks: Sequence[WritingTask], written: Sequence[Written]) -> Tries:
        """*tries* with what was *written* for *tasks*; as they were where nothing came of any."""
        ...

    def prompts(self, tries: Tries) -> Table:
        """The questions that fit, as `BenchmarkMaker.make_of` reads them. Raises `UserError` where there is none."""
        ...

    def said(self, tries: Tries) -> str:
        """A sentence on how many sentences have a question, how many were given up and why."""
        ...
