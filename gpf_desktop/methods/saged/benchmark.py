"""The benchmark: prompts with what their sources say, in the columns of the paper."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Final, TypeVar

from annotated_types import MinLen

from gpf_desktop.documents.csv_cells import STARTERS, unguarded
from gpf_desktop.documents.tables import Columns, TableRow, read_rows
from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.options import Shown
from gpf_desktop.domain.tables import Table
from gpf_desktop.domain.text import tr

Row = TypeVar("Row")

QUESTION_MARKS: Final = ("?", "？", "؟", ";")
"""By which a prompt is known to be a question; the last is the Greek one."""
ORIGIN: Final = ("page", "revision", "licence", "place")
"""Where a sentence stands."""
SENTENCES: Final = Columns(("concept", "keyword", "sentence"), ("domain", "source_tag", "root", *ORIGIN))
"""Of a table of sentences, from which a benchmark is made."""
BENCHMARK: Final = Columns(
    ("domain", "concept", "keyword", "source_tag", "prompt", "baseline"), ("root", "branch", "counterfactual")
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sentence:
    """A sentence of a source that holds a keyword."""

    domain: str
    concept: str
    keyword: str
    source_tag: str
    text: str
    root: str
    """What its prompt will be known by."""
    page: str = ""
    revision: str = ""
    licence: str = ""
    place: str = ""
    """First and last character on its page."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BenchmarkRow:
    """A prompt about one concept, with its baseline."""

    domain: Annotated[str, Shown(label="Domain")] = ""
    """Empty: that of the benchmark it is in."""
    root: Annotated[str, MinLen(1), Shown(label="Root")]
    """What matched prompts share: the one prompt that all of them are branches of."""
    concept: Annotated[str, MinLen(1), Shown(label="Concept")]
    keyword: Annotated[str, Shown(label="Keyword")] = ""
    source_tag: Annotated[str, Shown(label="Source")] = ""
    prompt: Annotated[str, MinLen(1), Shown(label="Prompt")]
    baseline: Annotated[str, Shown(label="Baseline")] = ""
    """What the source says; of a branch, what it would say of this concept."""
    branch: Annotated[str, Shown(label="Branch")] = ""
    """The concept that was put for the root's own; empty: this is the root's own."""

    @property
    def counterfactual(self) -> bool:
        """The baseline was made by branching: no source says it."""
        return bool(self.branch)


def lines_of(table: Table) -> list[TableRow]:
    """The rows of *table* as of a file, counted from 1."""
    return [
        TableRow(line=at, values={name: str(value or "") for name, value in zip(table.columns, row, strict=True)})
        for at, row in enumerate(table.rows, start=1)
    ]


def read_sentences(path: Path) -> list[Sentence]:
    """The sentences of the CSV file *path*. Raises `UserError` naming the line."""
    return _some(sentences_of(read_rows(path, SENTENCES)), path)


def sentences_of(rows: Iterable[TableRow]) -> list[Sentence]:
    """*rows* with the columns `SENTENCES`. Raises `UserError` naming the line."""
    return [
        Sentence(
            domain=_cell(row, "domain"),
            concept=_filled(row, "concept"),
            keyword=_filled(row, "keyword"),
            source_tag=_cell(row, "source_tag"),
            text=" ".join(_filled(row, "sentence").split()),
            root=_cell(row, "root") or f"s{number}",
            **{name: _cell(row, name) for name in ORIGIN},
        )
        for number, row in enumerate(rows, start=1)
    ]


def read_benchmark(path: Path) -> list[BenchmarkRow]:
    """The rows of the CSV file *path*, ours or somebody else's. Raises `UserError` naming the line.

    Without a column “root” each prompt is a root of its own.
    """
    return _some(prompts_of(read_rows(path, BENCHMARK)), path)


def prompts_of(rows: Iterable[TableRow]) -> list[BenchmarkRow]:
    """*rows* with the columns `BENCHMARK`. Raises `UserError` naming the line."""
    return [
        BenchmarkRow(
            domain=_cell(row, "domain"),
            concept=_filled(row, "concept"),
            keyword=_cell(row, "keyword"),
            source_tag=_cell(row, "source_tag"),
            prompt=_filled(row, "prompt"),
            baseline=_cell(row, "baseline"),
            root=_cell(row, "root") or f"r{number}",
            branch=_cell(row, "branch"),
        )
        for number, row in enumerate(rows, start=1)
    ]


def is_benchmark(path: Path) -> bool:
    """Whether the header of *path* is a benchmark's and not that of sentences. Raises `UserError`."""
    first = next(iter(read_rows(path, Columns((), (*BENCHMARK.all, "sentence")))), None)
    return first is not None and "prompt" in first.values and "sentence" not in first.values


def benchmark_table(rows: Iterable[BenchmarkRow]) -> Table:
    """*rows* as `read_benchmark` reads them."""
    return Table(
        BENCHMARK.all,
        [
            (
                row.domain,
                row.concept,
                row.keyword,
                row.source_tag,
                row.prompt,
                row.baseline,
                row.root,
                row.branch,
                "true" if row.counterfactual else "false",
            )
            for row in rows
        ],
    )


def sentence_table(sentences: Iterable[Sentence]) -> Table:
    """*sentences* as `read_sentences` reads them."""
    return Table(
        SENTENCES.all,
        [
            (
                *(each.concept, each.keyword, each.text, each.domain, each.source_tag, each.root),
                *(getattr(each, name) for name in ORIGIN),
            )
            for each in sentences
        ],
    )


def _cell(row: TableRow, column: str) -> str:
    """Text as it was before `guarded`; other programs' apostrophes stay."""
    text = row.values.get(column, "").strip()
    return unguarded(text) if text[:1] == "'" and text[1:2] in (*STARTERS, "'") else text


def _filled(row: TableRow, column: str) -> str:
    text = _cell(row, column)
    if not text:
        raise row.empty(column, tr("Fill it, or leave the row out."))
    return text


def _some(found: list[Row], path: Path) -> list[Row]:
    if not found:
        raise UserError(tr("{path} has a header and no rows.", path=str(path)), tr("Add rows under it."))
    return list(found)
