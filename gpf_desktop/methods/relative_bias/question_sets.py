"""Questions by theme: read from a table or from pasted lines, tidied, and held against each other."""

import io
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Final

from annotated_types import MinLen
from scipy.sparse import csr_array

from gpf_desktop.documents.csv_cells import CsvWriter, unguarded
from gpf_desktop.documents.tables import Columns, read_rows
from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.options import Shown
from gpf_desktop.domain.text import tr, trn
from gpf_desktop.methods.relative_bias.measures import tfidf_vectors

COLUMNS: Final = Columns(("theme", "question"), ("description",))
FEWEST_THEMES: Final = 5
FEWEST_QUESTIONS: Final = 10
"""Of each theme."""
NEAR: Final = 0.75
"""Cosine of two questions' tf-idf vectors from which they are shown as near duplicates."""
# White space has to follow a number, and a year has a digit too many: "2.5 litres" and "1984. What" stay as they are.
_NUMBERING: Final = re.compile(r"^\s*(?:\(?\d{1,3}[.):]\)?|[-*•–])\s+|^\s*[Qq](?:uestion)?\s?\d{1,3}\s?[.:)]\s*")


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionTheme:
    name: Annotated[str, MinLen(1), Shown(label="Name")]
    description: Annotated[str, Shown(label="What it is about")] = ""
    questions: Annotated[
        tuple[Annotated[str, MinLen(1)], ...],
        MinLen(1),
        Shown(label="Questions", in_lines=True, help="A question a line; 10 or more of each theme are asked for."),
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionSet:
    """Themes with their questions, and what was done to read them."""

    themes: tuple[QuestionTheme, ...]
    stripped: int = 0
    """Questions from which a number or a bullet was taken."""
    repeated: int = 0
    """Rows that said the same as an earlier one of their theme; left out."""

    @property
    def questions(self) -> tuple[str, ...]:
        return tuple(question for theme in self.themes for question in theme.questions)

    def notes(self) -> list[str]:
        """Sentences on the changes made in reading."""
        said = []
        if self.stripped:
            said.append(
                trn(
                    "The numbering was taken from {n} question.",
                    "The numbering was taken from {n} questions.",
                    self.stripped,
                )
            )
        if self.repeated:
            said.append(
                trn(
                    "{n} question stood twice in its theme and was left out.",
                    "{n} questions stood twice in their themes and were left out.",
                    self.repeated,
                )
            )
        return said

    def problems(self) -> list[str]:
        """Sentences on what keeps the set below what the method asks for."""
        said = []
        if len(self.themes) < FEWEST_THEMES:
            said.append(
                trn(
                    "There is {n} theme; {least} or more are asked for.",
                    "There are {n} themes; {least} or more are asked for.",
                    len(self.themes),
                    least=FEWEST_THEMES,
                )
            )
        short = [theme for theme in self.themes if len(theme.questions) < FEWEST_QUESTIONS]
        if len(short) == 1:
            said.append(
                trn(
                    "Theme “{theme}” has {n} question; {least} or more are asked for.",
                    "Theme “{theme}” has {n} questions; {least} or more are asked for.",
                    len(short[0].questions),
                    theme=short[0].name,
                    least=FEWEST_QUESTIONS,
                )
            )
        elif short:
            # In one sentence: below a text with many themes, each with its own would leave no room for what follows.
            themes = ", ".join(f"{theme.name} ({len(theme.questions)})" for theme in short)
            said.append(
                tr(
                    "These themes have fewer than the {least} questions asked for: {themes}.",
                    least=FEWEST_QUESTIONS,
                    themes=themes,
                )
            )
        return said


@dataclass(frozen=True, slots=True, kw_only=True)
class Alike:
    """Two questions of a set that say the same or nearly so, by their places in `QuestionSet.questions`."""

    first: int
    second: int
    likeness: float
    """1: the same words."""


def read_question_set(path: Path) -> QuestionSet:
    """The set in a table with the columns ``Theme, Description, Question``. Raises `UserError` naming the line."""
    rows = []
    for row in read_rows(path, COLUMNS):
        # `as_table` marks cells that a spreadsheet would run as a formula; read back, they are questions again.
        theme, question = (unguarded(row.values[name]).strip() for name in COLUMNS.required)
        if not theme or not question:
            # The first of both where the theme is missing: False is 0.
            empty = COLUMNS.required[bool(theme)]
            raise row.empty(empty, tr("Every row needs a theme and a question."))
        rows.append((theme, unguarded(row.values.get("description", "")).strip(), question))
    if not rows:
        raise UserError(tr("The table has no questions."), COLUMNS.needed())
    return question_set(rows)


def question_set(rows: Iterable[tuple[str, str, str]], heads: Mapping[str, str] | None = None) -> QuestionSet:
    """(theme, description, question) in their order; a theme's first description counts. *heads*: descriptions of
    themes that come first, and are there without a question too."""
    descriptions = dict(heads or {})
    questions: dict[str, dict[str, str]] = {name: {} for name in descriptions}
    stripped = repeated = 0
    for theme, description, question in rows:
        bare = without_numbering(question)
        stripped += bare != question.strip()
        descriptions[theme] = descriptions.get(theme) or description
        its = questions.setdefault(theme, {})
        key = " ".join(bare.casefold().split())
        repeated += key in its
        its.setdefault(key, bare)
    return QuestionSet(
        themes=tuple(
            QuestionTheme(name=name, description=descriptions[name], questions=tuple(its.values()))
            for name, its in questions.items()
        ),
        stripped=stripped,
        repeated=repeated,
    )


def without_numbering(question: str) -> str:
    """*question* without "1. ", "(2) ", "Q3: ", "- " in front of it."""
    bare = _NUMBERING.sub("", question, count=1).strip()
    # A line that is nothing but numbering stays, so that somebody sees it: an empty question would stand for nothing.
    return bare or question.strip()


def alike(questions: Sequence[str], *, near: float = NEAR) -> list[Alike]:
    """Pairs of *questions* that say the same or nearly so, across themes too, the likest first."""
    vectors = tfidf_vectors(questions)
    rows = csr_array((vectors.values, vectors.terms, vectors.starts), shape=(len(vectors), vectors.width))
    product = (rows @ rows.T).tocoo()
    first, second = product.coords
    # Each pair once, and no question with itself.
    chosen = (first < second) & (product.data >= near)
    found = [
        Alike(first=int(a), second=int(b), likeness=min(1.0, float(value)))
        for a, b, value in zip(first[chosen], second[chosen], product.data[chosen], strict=True)
    ]
    # The last digits of the products differ between machines: what they would decide goes by place.
    return sorted(found, key=lambda pair: (-round(pair.likeness, 9), pair.first, pair.second))


def as_text(themes: Sequence[QuestionTheme]) -> str:
    """Each theme behind a "#", its description behind a colon, a question a line: as `from_text` reads it."""
    parts = []
    for theme in themes:
        head = f"# {theme.name}: {theme.description}" if theme.description else f"# {theme.name}"
        parts.append("\n".join((head, *theme.questions)))
    return "\n\n".join(parts)


def from_text(text: str) -> QuestionSet:
    """The set that `as_text` writes, or that somebody typed. Raises `UserError` naming the line."""
    rows: list[tuple[str, str, str]] = []
    heads: dict[str, str] = {}
    theme = description = ""
    for number, line in enumerate(text.splitlines(), start=1):
        said = line.strip()
        if said.startswith("#"):
            theme, _, description = (part.strip() for part in said.lstrip("#").partition(":"))
            if not theme:
                raise UserError(tr("Line {n}: the theme has no name.", n=number), tr("Write it behind the “#”."))
            heads[theme] = heads.get(theme) or description
        elif said and not theme:
            raise UserError(
                tr("Line {n}: the question stands under no theme.", n=number),
                tr("Begin with a line like “# Health: what it does to people”."),
            )
        elif said:
            rows.append((theme, description, said))
    if not heads:
        raise UserError(tr("There are no questions."), tr("Write a theme behind a “#”, and a question a line."))
    return question_set(rows, heads)


def said_of(questions: QuestionSet) -> list[str]:
    """Sentences on what was tidied, what is lacking, and which questions are nearly the same."""
    every = questions.questions
    pairs = [
        tr("Nearly the same: “{one}” and “{other}”.", one=every[pair.first], other=every[pair.second])
        for pair in alike(every)
    ]
    return [*questions.notes(), *questions.problems(), *pairs]


def as_table(questions: QuestionSet) -> str:
    """*questions* as CSV that `read_question_set` reads back."""
    file = io.StringIO(newline="")
    writer = CsvWriter(file)
    writer.row(("Theme", "Description", "Question"))
    for theme in questions.themes:
        for question in theme.questions:
            writer.row((theme.name, theme.description, question))
    return file.getvalue()
