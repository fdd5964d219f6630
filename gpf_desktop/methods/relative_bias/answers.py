"""Reads a table of answers and of judges' levels."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, TypeVar

import numpy as np

from gpf_desktop.arrays import Bools, Ints
from gpf_desktop.documents import column_names
from gpf_desktop.documents.tables import Columns, TableRow
from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.text import tr
from gpf_desktop.methods.relative_bias.wide_tables import whole_level

Named = TypeVar("Named")

KNOWN_AS: Final = {
    "model": ("model_name", "model_id", "llm", "engine", "generator"),
    "theme": ("topic", "category"),
    "question": (
        "prompt",
        "input",
        "inputs",
        "request",
        "messages",
        "input_messages",
        "user_input",
        "instruction",
        "query",
    ),
    "response": (*column_names.RESPONSE, "text"),
}
COLUMNS: Final = Columns(
    ("model", "theme", "question", "response"), ("repeat", "judge", "level", "judging"), known_as=KNOWN_AS
)
TOP_LEVEL: Final = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class StudyAnswers:
    """The answers of a study, a place each in arrays of one length; sorted by question, model and repeat."""

    models: tuple[str, ...]
    themes: tuple[str, ...]
    questions: tuple[str, ...]
    theme_of: Ints
    """By question."""
    question: Ints
    model: Ints
    repeat: Ints
    texts: tuple[str, ...]
    """Empty where there is none."""
    judges: tuple[str, ...]
    levels: Ints
    """(answers, judges, judgings) 1 to 10; 0: no level. The first judging is scored, further ones tell agreement."""
    unparsed: Bools
    """(answers, judges): judged, and no level could be read."""

    @property
    def blocked(self) -> Bools:
        """Answers without text that no judge has seen."""
        without = np.array([not text for text in self.texts], bool)
        # A table may leave texts out and give levels all the same: what a judge rated was there, and was not blocked.
        levels = np.asarray((self.levels > 0).any(axis=(1, 2)), bool)
        blocked: Bools = without & ~levels & ~np.asarray(self.unparsed.any(axis=1), bool)
        return blocked

    def key(self, at: int) -> "Key":
        """The key that tells the answer at place *at* from all others."""
        question = int(self.question[at])
        theme, words = self.themes[self.theme_of[question]], self.questions[question]
        return theme, words, self.models[self.model[at]], int(self.repeat[at])

    def only(self, models: Sequence[str]) -> "StudyAnswers":
        """The answers of *models*, in their order."""
        number = {name: place for place, name in enumerate(models)}
        new = np.array([number.get(name, -1) for name in self.models], np.int64)[self.model]
        kept = np.flatnonzero(new >= 0)
        # `lexsort` goes by its last key first: answers to one question stand together, as distances need them.
        order = kept[np.lexsort((self.repeat[kept], new[kept], self.question[kept]))]
        return StudyAnswers(
            models=tuple(models),
            themes=self.themes,
            questions=self.questions,
            theme_of=self.theme_of,
            question=self.question[order],
            model=new[order],
            repeat=self.repeat[order],
            texts=tuple(self.texts[at] for at in order),
            judges=self.judges,
            levels=self.levels[order],
            unparsed=self.unparsed[order],
        )


@dataclass(slots=True)
class AnswerToPlace:
    """One answer on its way into arrays."""

    line: int
    text: str
    judged: dict[tuple[str, int], tuple[int, int]] = field(default_factory=dict)
    """(judge, judging) → (level or 0, line)."""


Key = tuple[str, str, str, int]
"""Theme, question, model, repeat."""


def gathered(rows: Iterable[TableRow]) -> StudyAnswers:
    """*rows* as arrays; models, themes, questions and judges in the order of their first rows."""
    found: dict[Key, AnswerToPlace] = {}
    for row in rows:
        key, text, judgement = _checked(row)
        answer = found.setdefault(key, AnswerToPlace(row.line, text))
        # Its first row, or the same row again: of a wide table one row holds what several judges say of an answer.
        if answer.line != row.line:
            _merge(answer, row.line, text, judgement)
        if judgement is not None:
            answer.judged[judgement[:2]] = (judgement[2], row.line)
    if not found:
        raise UserError(tr("The table has no rows."), COLUMNS.needed())
    return in_arrays(found)


def _merge(answer: AnswerToPlace, line: int, text: str, judgement: tuple[str, int, int] | None) -> None:
    """Raises `UserError` where the row on *line* is not a further judge's of *answer*."""
    if text and answer.text and text != answer.text:
        raise UserError(
            tr("Lines {first} and {second} hold unlike texts for one answer.", first=answer.line, second=line),
            tr("Give both judge models' rows the same text, or number further answers in the column “repeat”."),
        )
    # A row without a judge says the answer again and adds nothing, so it always doubles an earlier one.
    earlier = answer.judged.get(judgement[:2]) if judgement is not None else (0, answer.line)
    if earlier is not None:
        raise UserError(
            tr("Lines {first} and {second} are the same answer and judge.", first=earlier[1], second=line),
            tr("Keep one of them, or number further answers in the column “repeat”."),
        )
    answer.text = answer.text or text


def _checked(row: TableRow) -> tuple[Key, str, tuple[str, int, int] | None]:
    values = {name: text.strip() for name, text in row.values.items() if name in COLUMNS.all}
    for name in ("model", "theme", "question"):
        if not values[name]:
            raise row.empty(name, tr("Only a response or a mark (level) may be empty."))
    from_0 = tr("Number repeats and judgings from 0.")
    key = (values["theme"], values["question"], values["model"], row.number("repeat", from_0))
    text = values["response"]
    judge, level = values.get("judge", ""), values.get("level", "")
    if level and not judge:
        raise UserError(
            tr("Line {line}: there is a mark (level), but no judge model.", line=row.line),
            tr("Name who gave it in a column “judge”, or as “judge” beside the table."),
        )
    return key, text, (judge, row.number("judging", from_0), _level(row, level)) if judge else None


def _level(row: TableRow, text: str) -> int:
    if not text:
        return 0
    if not (whole := whole_level(text)):
        raise UserError(
            tr(
                "Line {line}: “level” is “{text}”, not a whole number from 1 to {top}.",
                line=row.line,
                text=text[:40],
                top=TOP_LEVEL,
            ),
            tr("Leave the level empty where the judge's words could not be read."),
        )
    return int(whole)


def in_arrays(found: Mapping[Key, AnswerToPlace]) -> StudyAnswers:
    """*found*, which is not empty; models, themes, questions and judges in the order of their first answers."""
    themes = _numbered(theme for theme, *_ in found)
    questions = _numbered((theme, question) for theme, question, *_ in found)
    models = _numbered(model for _, _, model, _ in found)
    judges = _numbered(judge for answer in found.values() for judge, _ in answer.judged)
    # By rank, so that a judging numbered 999,999,999 takes one place; 0 always has one, since scores read the first.
    judgings = _numbered(sorted({judging for answer in found.values() for _, judging in answer.judged} | {0}))
    where = sorted((questions[key[:2]], models[key[2]], key[3], key) for key in found)
    levels = np.zeros((len(where), len(judges), len(judgings)), np.int64)
    unparsed = np.zeros((len(where), len(judges)), bool)
    for place, (*_, key) in enumerate(where):
        for (judge, judging), (level, _) in found[key].judged.items():
            levels[place, judges[judge], judgings[judging]] = level
            unparsed[place, judges[judge]] |= judging == 0 and level == 0
    return StudyAnswers(
        models=tuple(models),
        themes=tuple(themes),
        questions=tuple(question for _, question in questions),
        theme_of=np.array([themes[theme] for theme, _ in questions], np.int64),
        question=np.array([question for question, *_ in where], np.int64),
        model=np.array([model for _, model, *_ in where], np.int64),
        repeat=np.array([repeat for _, _, repeat, _ in where], np.int64),
        texts=tuple(found[key].text for *_, key in where),
        judges=tuple(judges),
        levels=levels,
        unparsed=unparsed,
    )


def _numbered(names: Iterable[Named]) -> dict[Named, int]:
    numbers: dict[Named, int] = {}
    for name in names:
        numbers.setdefault(name, len(numbers))
    return numbers
