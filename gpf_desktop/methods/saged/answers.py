"""Reads tables of answers that came from elsewhere."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from gpf_desktop.arrays import Floats
from gpf_desktop.documents import column_names
from gpf_desktop.documents.answer_cells import answer_in
from gpf_desktop.documents.tables import Columns, TableRow
from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.text import tr

KEYS: Final = ("domain", "concept", "keyword", "source_tag", "root", "prompt", "model", "role")
KNOWN_AS: Final = {
    "model": column_names.MODEL,
    "domain": ("category",),
    "concept": ("group", "identity"),
    "source_tag": ("source",),
    "root": ("root_id", "prompt_id", "id"),
    "prompt": ("prompts", "question", "input", "messages", "input_messages"),
    "baseline": ("reference", "source_text"),
    "role": ("generation_function", "persona", "role_play"),
    "response": column_names.RESPONSE,
}
COLUMNS: Final = Columns((*KEYS[:6], "baseline", *KEYS[6:], "response"), ("repeat",), known_as=KNOWN_AS)
FEATURE, BASELINE_FEATURE = "feature:", "baseline_feature:"
_MAY_BE_EMPTY: Final = frozenset({"domain", "keyword", "source_tag", "prompt", "role"})


@dataclass(frozen=True, slots=True)
class SagedAnswer:
    """One row."""

    keys: tuple[str, ...]
    """As in `KEYS`."""
    repeat: str
    baseline: str
    response: str

    @property
    def concept(self) -> str:
        return self.keys[1]

    @property
    def root(self) -> str:
        return self.keys[4]

    @property
    def asked(self) -> tuple[str, str]:
        """Model and role."""
        return self.keys[6], self.keys[7]


@dataclass(frozen=True, slots=True)
class GivenFeature:
    """A feature whose numbers were made elsewhere."""

    values: Floats
    """(answers,); NaN: none."""
    baselines: Floats | None


@dataclass(frozen=True, slots=True)
class SagedAnswers:
    """A table of answers, in an order that is the same however the file's rows stand."""

    rows: Sequence[SagedAnswer]
    made: Mapping[str, GivenFeature]
    """By feature, in the order of the file's columns."""


def read_answers(table: Iterable[TableRow], file: str) -> SagedAnswers:
    """The answers in the rows of *table*, of the *file* of that name: columns `COLUMNS`, and any ``feature:NAME`` with
    ``baseline_feature:NAME``.

    Raises `UserError` naming the line.
    """
    lines: dict[tuple[str, ...], int] = {}
    read: list[tuple[SagedAnswer, tuple[float, ...]]] = []
    numbers: list[str] = []
    for row in table:
        numbers = numbers or _number_columns(row)
        answer = _answer(row)
        key = (*answer.keys, answer.repeat)
        earlier = lines.setdefault(key, row.line)
        if earlier != row.line:
            raise UserError(
                tr("Lines {first} and {second} answer the same prompt.", first=earlier, second=row.line),
                tr("Keep one of them, or number further answers in a column “repeat”."),
            )
        read.append((answer, tuple(_number(row, column) for column in numbers)))
    if not read:
        raise UserError(tr("{path} has a header and no rows.", path=file), COLUMNS.needed())
    # Draws go by place: in one order, the same answers give the same p however the rows of a file stand.
    read.sort(key=lambda each: (each[0].keys[6:], each[0].root, each[0].keys, each[0].repeat))
    given = dict(
        zip(numbers, np.array([values for _, values in read], np.float64).reshape(len(read), -1).T, strict=True)
    )
    made = {
        name: GivenFeature(values, given.get(BASELINE_FEATURE + name))
        for column, values in given.items()
        if column.startswith(FEATURE) and (name := column.removeprefix(FEATURE))
    }
    return SagedAnswers([answer for answer, _ in read], made)


def _number_columns(row: TableRow) -> list[str]:
    """The columns of numbers made elsewhere. Raises `UserError` for a baseline's without the answers'."""
    found = [name for name in row.values if name.startswith((FEATURE, BASELINE_FEATURE))]
    for name in found:
        other = FEATURE + name.removeprefix(BASELINE_FEATURE)
        if name.startswith(BASELINE_FEATURE) and other not in found:
            raise UserError(
                tr("There is a column “{column}” and no column “{other}”.", column=name, other=other),
                tr("Give the numbers of the answers beside those of their baselines."),
            )
    return found


def _answer(row: TableRow) -> SagedAnswer:
    values = {name: " ".join(row.values[name].split()) for name in KEYS}
    for name, value in values.items():
        if not value and name not in _MAY_BE_EMPTY:
            raise row.empty(
                name,
                tr(
                    "A response may be empty, and then counts as missing; so may a baseline, a role and what a root"
                    " says of itself."
                ),
            )
    response = answer_in(row.values["response"])
    return SagedAnswer(
        keys=tuple(values[name] for name in KEYS),
        repeat=row.values.get("repeat", "").strip(),
        baseline=row.values["baseline"],
        response=response,
    )


def _number(row: TableRow, column: str) -> float:
    """The finite number in a cell; NaN for an empty one."""
    text = row.values.get(column, "").strip()
    if not text:
        return float("nan")
    try:
        value = float(text)
    except ValueError:
        value = float("nan")
    if not np.isfinite(value):
        raise UserError(
            tr("Line {line}: “{column}” is “{text}”, not a number.", line=row.line, column=column, text=text[:40]),
            tr("Write numbers with a point, and leave the cell empty where there is none."),
        )
    return value
