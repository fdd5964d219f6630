"""Studies that were asked elsewhere: tables as `score` takes them, and those of the published study.

The published study's files have a row for each question and, for each model, its answer, a judge's level and reason:
``Question, Theme, Description, <Model>_Response, Bias Score (Judged by <Judge>), Explanation``.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from gpf_desktop.documents.answer_files import read_answer_rows
from gpf_desktop.documents.column_maps import ColumnMap, WantedColumn, found_map
from gpf_desktop.documents.file_names import shared_name
from gpf_desktop.documents.mapped_rows import MAP, ended, map_option, read_mapped, told_rows, wanted_endings
from gpf_desktop.documents.tables import TableRow, header_of, told_apart
from gpf_desktop.domain.coordinates import Coordinates, PlannedAnswer
from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.imported_endings import EndedAnswer
from gpf_desktop.domain.imports import (
    MAPPED,
    AskedColumn,
    ImportedAnswer,
    ImportedStudy,
    RowProblem,
    Told,
    imported_model,
)
from gpf_desktop.domain.ports.importer import Importer
from gpf_desktop.domain.responses import Missing
from gpf_desktop.domain.tables import TableOption
from gpf_desktop.domain.text import Translated, tr
from gpf_desktop.methods.relative_bias.answers import COLUMNS, Key, StudyAnswers, gathered
from gpf_desktop.methods.relative_bias.protocol import BiasStudy, StudySizes, items_of
from gpf_desktop.methods.relative_bias.question_sets import QuestionTheme, without_numbering

_RESPONSE: Final = re.compile(r"(.+?)[ _]response", re.IGNORECASE)
_SCORE: Final = re.compile(r"bias score(?: \(judged by (.+)\))?", re.IGNORECASE)
_OF_QUESTIONS: Final = frozenset({"question", "theme", "description"})
_OF_ANSWERS: Final = frozenset({"model", "response", "judge", "level"})
_UNTOLD: Final = dict.fromkeys(COLUMNS.required, "")
_NO_LEVEL: Final = "-"
_SOME_JUDGE: Final = "judge"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Wide:
    """One model's columns in a table of the published study's shape, by their names in small letters."""

    model: str
    response: str
    judged: tuple[tuple[str, str, str], ...]
    """(judge, column of levels, column of reasons or nothing)."""


def study_in(
    tables: Sequence[Path],
    given: Mapping[str, str],
    tell: Told = lambda _doing, _done, _of: None,
) -> ImportedStudy:
    """What *tables* hold together. Raises `UserError` naming file or line."""
    reasons: dict[tuple[str, str, str, str], str] = {}
    problems: list[RowProblem] = []
    endings: dict[Key, EndedAnswer] = {}
    rows = [_ended(row, endings) for table in tables for row in _rows(table, given, reasons, problems, tell)]
    answers = gathered(rows if len(tables) == 1 else _numbered_through(rows))
    target = given.get("target", "")
    if target and target not in answers.models:
        raise UserError(
            tr("The tables have no answers of a model “{name}”.", name=target),
            tr("They have answers of {models}.", models=", ".join(answers.models)),
        )
    study = BiasStudy(
        name=given.get("name", "") or shared_name(tables),
        domain=given.get("domain", ""),
        counts_as_bias=given.get("bias", ""),
        themes=_themes(answers, rows),
    )
    said = tr(
        "Read {answers} answers of {models} to {questions} questions, with levels of {judges}.",
        answers=len(answers.texts),
        models=", ".join(answers.models),
        questions=len(answers.questions),
        judges=", ".join(answers.judges) or tr("no judge"),
    )
    return ImportedStudy(
        name=study.name,
        protocol=study,
        controls=StudySizes(
            repeats=int(max(answers.repeat)) + 1,
            target=imported_model(target).label if target else "",
            judged_again=False,
            ordered=0,
        ),
        items=items_of(study),
        answers=tuple(_cells(answers, reasons, endings)),
        problems=tuple(problems),
        said=(said,),
    )


def _ended(row: TableRow, endings: dict[Key, EndedAnswer]) -> TableRow:
    """*row* without what is no answer in an answer's place; *endings* is filled with how each answer ended."""
    told = row.values
    came = ended(told)
    repeat = told.get("repeat", "").strip().removesuffix(".0")
    key = (
        told.get("theme", "").strip(),
        told.get("question", "").strip(),
        told.get("model", "").strip(),
        int(repeat) if repeat.isascii() and repeat.isdecimal() else 0,
    )
    # A further judge's row may leave the answer out: what was said of it before stands.
    if key not in endings or not came.missing:
        endings[key] = came
    return TableRow(row.line, {**told, "response": came.text})


def wanted() -> tuple[WantedColumn, ...]:
    """What a row is asked for where every answer, or judgement of one, has a row."""
    return (
        WantedColumn(name="model", title=tr("Model"), required=True, known_as=("model_name", "llm")),
        WantedColumn(name="theme", title=tr("Theme"), known_as=("topic", "category")),
        WantedColumn(name="question", title=tr("Question"), required=True, known_as=("prompt", "input")),
        WantedColumn(
            name="response", title=tr("Answer"), required=True, known_as=("answer", "output", "completion", "text")
        ),
        WantedColumn(name="repeat", title=tr("Generation")),
        WantedColumn(name="judge", title=tr("Judge"), known_as=("judge_model", "rater")),
        WantedColumn(name="level", title=tr("Judge's level"), known_as=("bias_score", "score", "rating")),
        WantedColumn(name="judging", title=tr("Number of the judging")),
        WantedColumn(name="description", title=tr("What the theme is about"), known_as=("theme_description",)),
        *wanted_endings(),
    )


def _rows(
    table: Path,
    given: Mapping[str, str],
    reasons: dict[tuple[str, str, str, str], str],
    problems: list[RowProblem],
    tell: Told,
) -> Iterator[TableRow]:
    """Rows of `COLUMNS`; *reasons* is filled with judges' reasons, by theme, question, model and judge; *problems* with
    rows that are left out."""
    header = header_of(table) or list(next((row.values for row in read_answer_rows(table)), {}))
    wide = _wide_columns(header, given.get("model", ""), given.get("judge", "") or _SOME_JUDGE)
    mapped: dict[str, str] = json.loads(given.get(MAPPED) or "{}")
    if given.get(MAP) or not wide or mapped.keys() & _OF_ANSWERS:
        read = read_mapped([table], given, wanted(), tell)
        problems += read.problems
        for each in told_rows(read.rows, tell, tr("Telling questions apart")):
            yield TableRow(each.line, {**_UNTOLD, "theme": tr("(no theme)"), **each.told, **_judge(each.told, given)})
        return
    asked = [each for each in wanted() if each.name in _OF_QUESTIONS]
    columns = told_apart([name.lower() for name in header])
    found = found_map(asked, columns, ColumnMap(columns=mapped, values={}))
    for row in read_answer_rows(table):
        told = found.read(row)
        question = without_numbering(told.get("question", "").strip())
        theme = told.get("theme", "").strip() or tr("(no theme)")
        for each_model in wide:
            values = {
                "model": each_model.model,
                "theme": theme,
                "question": question,
                "description": told.get("description", ""),
                "response": row.values.get(each_model.response, ""),
            }
            if not each_model.judged:
                yield TableRow(row.line, values)
            for judge, level, reason in each_model.judged:
                reasons[theme, question, each_model.model, judge] = row.values.get(reason, "").strip()
                yield TableRow(row.line, {**values, "judge": judge, "level": _whole(row.values.get(level, ""))})


def _judge(told: Mapping[str, str], given: Mapping[str, str]) -> dict[str, str]:
    """Who gave a level that no column ascribes, where that is said beside the table."""
    return {"judge": given["judge"]} if told.get("level") and not told.get("judge") and given.get("judge") else {}


def _whole(text: str) -> str:
    """A level where the cell holds one number from 1 to 10, alone or as the judge wrote it; else nothing."""
    found = re.fullmatch(r"\s*(?:bias score\s*:?\s*)?(\d{1,2})(?:\.0+)?(?:\s*/\s*10)?\s*", text, re.IGNORECASE)
    return found[1] if found and 1 <= int(found[1]) <= 10 else ""


def in_heads(heads: Sequence[Sequence[str]]) -> dict[str, str]:
    """What the names of columns say in tables of the published study's shape."""
    wide = [each for head in heads for each in _wide_columns(head, "", _SOME_JUDGE)]
    if not wide:
        return {}
    judged = [(judge, level) for each in wide for judge, level, _ in each.judged]
    told = {
        "model": (each.model for each in wide),
        "response": (each.response for each in wide),
        "judge": (judge for judge, _ in judged),
        "level": (level for _, level in judged),
    }
    return {name: ", ".join(dict.fromkeys(words)) for name, words in told.items()}


def _wide_columns(header: Sequence[str], model: str, judge: str) -> list[_Wide]:
    """Each model's columns, where models stand side by side: levels and reasons belong to the response in front."""
    # A column of models makes a table long, also where another column looks like a model's own response.
    if "model" in {name.lower() for name in header}:
        return []
    found: list[_Wide] = []
    # By the names under which rows hold their cells: a file of many models has a column “Explanation” for each.
    for name, key in zip(header, told_apart([name.lower() for name in header]), strict=True):
        if response := _RESPONSE.fullmatch(name):
            found.append(_Wide(model=response[1].strip(), response=key, judged=()))
        elif name.lower() == "response" and model:
            found.append(_Wide(model=model, response="response", judged=()))
        elif found and (score := _SCORE.fullmatch(name)):
            last = found[-1]
            judged = (*last.judged, ((score[1] or judge).strip(), key, ""))
            found[-1] = _Wide(model=last.model, response=last.response, judged=judged)
        elif found and found[-1].judged and name.lower().startswith("explanation"):
            last = found[-1]
            named, level, _ = last.judged[-1]
            judged = (*last.judged[:-1], (named, level, key))
            found[-1] = _Wide(model=last.model, response=last.response, judged=judged)
    return found


def _numbered_through(rows: Sequence[TableRow]) -> Iterator[TableRow]:
    """Rows of several files by their number over all, since lines of each begin at 1."""
    # From 2, as the first row under a head has it.
    return (TableRow(number, row.values) for number, row in enumerate(rows, start=2))


def _themes(answers: StudyAnswers, rows: Sequence[TableRow]) -> tuple[QuestionTheme, ...]:
    # Backwards, so that a theme's first description is what stays.
    described = {row.values["theme"].strip(): row.values.get("description", "").strip() for row in reversed(rows)}
    return tuple(
        QuestionTheme(
            name=theme,
            description=described.get(theme, ""),
            questions=tuple(
                question for place, question in enumerate(answers.questions) if int(answers.theme_of[place]) == number
            ),
        )
        for number, theme in enumerate(answers.themes)
    )


def _cells(
    answers: StudyAnswers, reasons: Mapping[tuple[str, str, str, str], str], endings: Mapping[Key, EndedAnswer]
) -> Iterator[ImportedAnswer]:
    """Every answer, then every judgement of one, as cells of a round."""
    places = _item_places(answers)
    blocked = answers.blocked
    for at, text in enumerate(answers.texts):
        model, question = answers.models[answers.model[at]], int(answers.question[at])
        theme = answers.themes[answers.theme_of[question]]
        came = endings.get(answers.key(at))
        # A table of levels alone has no texts: what a judge rated was there.
        missing = "" if came is None or (came.missing == Missing.EMPTY and not blocked[at]) else came.missing
        yield ImportedAnswer(
            model=model,
            item=places[question],
            answer=PlannedAnswer(coordinates=Coordinates.of(theme=theme), repeat=int(answers.repeat[at])),
            text=text,
            missing=missing,
            reasoning="" if came is None else came.reasoning,
            detail=came.detail if came is not None and missing else "",
            truncated=came is not None and came.truncated,
        )
    # Behind all answers: *about* is a place among what is given here, and answers come first.
    for at in range(len(answers.texts)):
        model, question, repeat = answers.models[answers.model[at]], int(answers.question[at]), int(answers.repeat[at])
        theme = answers.themes[answers.theme_of[question]]
        label = imported_model(model).label
        of = f"{label} #{repeat + 1}" if repeat else label
        for number, judge in enumerate(answers.judges):
            for judging, level in enumerate(answers.levels[at, number]):
                # 0 is no judgement at all, or one without a readable level, which only first judgings tell apart.
                if not level and not (judging == 0 and answers.unparsed[at, number]):
                    continue
                reason = reasons.get((theme, answers.questions[question], model, judge), "")
                yield ImportedAnswer(
                    model=judge,
                    item=places[question],
                    answer=PlannedAnswer(
                        coordinates=Coordinates.of(theme=theme, answer_of=of), repeat=judging, arm="judged", stage=1
                    ),
                    # In a judge's own form, which tables read by the rules of a round; "-" is no level by them.
                    text=f"Bias Score: {int(level) or _NO_LEVEL}\nExplanation: {reason}".rstrip(),
                    about=at,
                )


def _item_places(answers: StudyAnswers) -> dict[int, int]:
    """Where each question stands among the items, which go theme by theme."""
    in_order = sorted(range(len(answers.questions)), key=lambda question: int(answers.theme_of[question]))
    return {question: place for place, question in enumerate(in_order)}


class RelativeBiasImporter(Importer):
    """The method's door for `gpf-desktop import`."""

    name = "relative-bias"
    does = Translated(
        "Makes an audit of answers that were asked elsewhere, a row for each, or for each judgement of one: CSV,"
        " JSON lines, XLSX, Parquet. Reads those of the published study too, in which nothing need be mapped:"
        " question, theme, description and, for each model, <Model>_Response, Bias Score (Judged by …) and"
        " Explanation. Several tables make one study."
    )

    @property
    def takes(self) -> tuple[TableOption, ...]:
        return (
            map_option(),
            TableOption("target", "MODEL", tr("held against the others (each in turn)")),
            TableOption("name", "NAME", tr("the study's name (what the tables' names share, or their folder's)")),
            TableOption("domain", "TEXT", tr("what the questions are about")),
            TableOption("bias", "TEXT", tr("one sentence that says what counts as bias")),
            TableOption("model", "NAME", tr("whose answers a column called Response holds")),
            TableOption("judge", "NAME", tr("who gave levels in a column that does not say so")),
        )

    @property
    def asked(self) -> tuple[AskedColumn, ...]:
        return wanted()

    study = staticmethod(study_in)
    in_heads = staticmethod(in_heads)


IMPORTER = RelativeBiasImporter()
