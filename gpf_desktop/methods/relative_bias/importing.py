"""Studies that were asked elsewhere: tables as `score` takes them, and those of the published study (`wide_tables`)."""

import json
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from gpf_desktop.documents.answer_columns import answers_option
from gpf_desktop.documents.answer_files import guess_told, names_in, read_answer_rows
from gpf_desktop.documents.column_maps import ColumnMap, WantedColumn, found_by_name, found_map
from gpf_desktop.documents.column_names import INDEX
from gpf_desktop.documents.file_names import shared_name
from gpf_desktop.documents.mapped_rows import (
    BY,
    MAP,
    MappedRow,
    MappedRows,
    by_option,
    columns_not_read,
    ended,
    map_option,
    none_usable,
    read_mapped,
    told_rows,
    wanted_endings,
)
from gpf_desktop.documents.programs.inspect_logs import SCORED, WHY
from gpf_desktop.documents.table_reading import ANSWERS, BESIDE, TableReading
from gpf_desktop.documents.tables import TableRow, header_of, told_apart
from gpf_desktop.domain.coordinates import Coordinates, PlannedAnswer
from gpf_desktop.domain.embeddings import EMBEDDED, packed, vector_words
from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.imported_endings import EndedAnswer
from gpf_desktop.domain.imports import (
    MAPPED,
    OWN,
    AskedColumn,
    ImportedAnswer,
    ImportedStudy,
    RowProblem,
    Told,
    imported_model,
)
from gpf_desktop.domain.judging import JudgeReply, LevelForm, generation_name
from gpf_desktop.domain.models import Role
from gpf_desktop.domain.ports.importer import Importer
from gpf_desktop.domain.responses import Missing
from gpf_desktop.domain.served import NOT_SAID
from gpf_desktop.domain.tables import TableOption
from gpf_desktop.domain.text import Translated, tr
from gpf_desktop.methods.relative_bias import scored_logs
from gpf_desktop.methods.relative_bias.answers import COLUMNS, KNOWN_AS, Key, StudyAnswers, gathered
from gpf_desktop.methods.relative_bias.protocol import BiasStudy, StudySizes, items_of
from gpf_desktop.methods.relative_bias.question_sets import QuestionTheme, without_numbering
from gpf_desktop.methods.relative_bias.rubric import LABEL
from gpf_desktop.methods.relative_bias.scored_logs import may_be_marks, with_marks
from gpf_desktop.methods.relative_bias.wide_tables import (
    SOME_ENCODER,
    SOME_JUDGE,
    ModelColumns,
    columns_read,
    in_heads,
    model_columns,
    named_by_files,
    whole_level,
)

_OF_QUESTIONS: Final = frozenset({"question", "theme", "description"})
_OF_ANSWERS: Final = frozenset({"model", "response", "judge", "level", "explanation"})
_UNTOLD: Final = dict.fromkeys((*COLUMNS.required, "judge"), "")
_NO_LEVEL: Final = "-"
_OPEN: Final = ColumnMap(columns={}, values={})


@dataclass(slots=True)
class _Beside:
    """The facts for which rows of `COLUMNS` have no place, gathered while they are read."""

    reasons: dict[tuple[str, str, str, str], str] = field(default_factory=dict)
    """Of judges, by theme, question, model and judge."""
    endings: dict[Key, EndedAnswer] = field(default_factory=dict)
    vectors: dict[tuple[Key, str], bytes] = field(default_factory=dict)
    """By answer and encoder."""
    problems: list[RowProblem] = field(default_factory=list)
    """Rows that are left out."""
    columns: dict[str, None] = field(default_factory=dict)
    """Sentences on which column says what."""
    mapped: list[MappedRow] = field(default_factory=list)
    """Of tables with a row for each answer, whose columns that nothing asks for are told of all of them at once."""


def study_in(
    tables: Sequence[Path],
    given: Mapping[str, str],
    tell: Told = lambda _doing, _done, _of: None,
) -> ImportedStudy:
    """The study that *tables* hold together. Raises `UserError` naming file or line."""
    beside = _Beside()
    start = TableReading.of(given)
    heads = {table: _head(table, start) for table in tables}
    used = [table for table in tables if len(tables) == 1 or _has_answers(heads[table], given)] or tables
    wide = named_by_files(
        {
            table: model_columns(
                heads[table], judge=given.get("judge") or SOME_JUDGE, encoder=given.get("encoder") or SOME_ENCODER
            )
            for table in used
        }
    )
    read = [row for table in used for row in _rows(table, heads[table], wide[table], given, beside, tell)]
    if not read and beside.problems:
        raise none_usable(beside.problems)
    rows = [_ended(row, beside.endings) for row in (read if given.get(OWN) else _asked_again(read))]
    answers = gathered(rows if len(used) == 1 else _numbered_through(rows))
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
        "Read {answers} answers of {models} to {questions} questions, with marks of {judges}.",
        answers=len(answers.texts),
        models=", ".join(answers.models),
        questions=len(answers.questions),
        judges=", ".join(answers.judges) or tr("no judge model"),
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
        answers=tuple(_cells(answers, study.rubric.form, beside, own=bool(given.get(OWN)))),
        problems=tuple(beside.problems),
        said=(
            said,
            *beside.columns,
            *MappedRows(rows=beside.mapped, columns=()).unread(),
            *(_passed_over(table, heads[table]) for table in tables if table not in used and heads[table]),
        ),
    )


def _head(table: Path, start: TableReading) -> list[str]:
    """The names of its columns as they stand there, or as its first row has them."""
    if read := header_of(table, start):
        return read
    first = list(next((row.values for row in read_answer_rows(table, start=start)), {}))
    named = names_in(table)
    # What another program wrote comes in under other names than its file has.
    return named if [name.strip().lower() for name in named] == first else first


def _has_answers(head: Sequence[str], given: Mapping[str, str]) -> bool:
    """Whether a column holds answers, or levels that were given them."""
    if not head or {MAP, MAPPED, ANSWERS} & {name for name, said in given.items() if said} or model_columns(head):
        # Of the requests of a batch job those alone have rows that nobody answered.
        return bool(head)
    columns = told_apart([name.lower() for name in head])
    return bool({"response", "level"} & found_by_name(wanted(), columns, _OPEN).keys())


def _passed_over(table: Path, head: Sequence[str]) -> str:
    return tr(
        "{file} was passed over: none of its columns holds answers ({columns}).",
        file=table.name,
        columns=", ".join(head[:12]),
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


def wanted(*, model_told: bool = False) -> tuple[WantedColumn, ...]:
    """The columns that are asked for where every answer, or judgement of one, has a row."""
    return (
        WantedColumn(name="model", title=tr("Model"), required=not model_told, known_as=KNOWN_AS["model"]),
        WantedColumn(name="theme", title=tr("Theme"), known_as=KNOWN_AS["theme"]),
        WantedColumn(name="question", title=tr("Question"), required=True, known_as=KNOWN_AS["question"]),
        WantedColumn(name="response", title=tr("Answer"), required=True, known_as=KNOWN_AS["response"]),
        WantedColumn(name="repeat", title=tr("Asked again (generation)")),
        WantedColumn(name="judge", title=tr("Judge model"), known_as=("judge_model", "rater")),
        WantedColumn(name="level", title=tr("Judge model's mark (level)"), known_as=("bias_score", "score", "rating")),
        WantedColumn(name="explanation", title=tr("Why it gave that mark"), known_as=("rationale", "judge_reason")),
        WantedColumn(name="judging", title=tr("Number of the judging")),
        WantedColumn(name="description", title=tr("What the theme is about"), known_as=("theme_description",)),
        *wanted_endings(),
    )


def _rows(
    table: Path,
    head: Sequence[str],
    wide: Sequence[ModelColumns],
    given: Mapping[str, str],
    beside: _Beside,
    tell: Told,
) -> Iterator[TableRow]:
    """Rows of `COLUMNS`; *beside* is filled with what else they say."""
    mapped: dict[str, str] = json.loads(given.get(MAPPED) or "{}")
    wide = [replace(each, model=each.model or given.get("model", "")) for each in wide]
    if (
        given.get(MAP)
        or given.get(BY)
        or given.get(ANSWERS)
        or not all(each.model for each in wide)
        or not wide
        or mapped.keys() & _OF_ANSWERS
    ):
        asked = wanted(model_told=bool(given.get("model")))
        read = read_mapped([table], given, asked, tell, unfold=with_marks)
        beside.problems += read.problems
        beside.columns |= dict.fromkeys(read.columns)
        beside.mapped += read.rows
        marked = given.get(MAP) or "level" in mapped or _are_marks(read.rows, given)
        if not marked:
            said = tr("Marks that were not read: no judge model is named, and not all are whole numbers from 1 to 10.")
            beside.columns[said] = None
        # A judge of duels, say, who gave no answer a mark.
        columns = [name.lower() for name in head]
        has_marks = "level" in mapped or "level" in found_by_name(wanted(), columns, _OPEN)
        has_marks = has_marks or any("level" in row.told for row in read.rows)
        whose = _whose(read.rows, given)
        for each in told_rows(read.rows, tell, tr("Telling questions apart")):
            told = {**_UNTOLD, "theme": tr("(no theme)"), **each.told, **whose, **_judge(each.told, given)}
            if not (marked and has_marks):
                told |= {"level": "", "judge": ""}
            if why := told.get("explanation", "").strip():
                theme, question, model, judge = (told[name].strip() for name in ("theme", "question", "model", "judge"))
                beside.reasons[theme, question, model, judge] = why
            if lacking := [name for name in ("model", "question") if not told[name].strip()]:
                said = tr("{names} not said", names=", ".join(lacking))
                beside.problems.append(each.problem(": ".join(filter(None, (said, told.get("error", "")[:200])))))
            else:
                yield TableRow(each.line, told)
        return
    yield from _wide_rows(table, head, wide, given, beside)


def _wide_rows(
    table: Path, head: Sequence[str], wide: Sequence[ModelColumns], given: Mapping[str, str], beside: _Beside
) -> Iterator[TableRow]:
    """The rows of a table in which models stand side by side, like those of `_rows`."""
    mapped: dict[str, str] = json.loads(given.get(MAPPED) or "{}")
    if note := guess_told(table):
        beside.columns[note] = None
    asked = [each for each in wanted() if each.name in _OF_QUESTIONS]
    columns = told_apart([name.lower() for name in head])
    found = found_map(asked, columns, ColumnMap(columns=mapped, values={}))
    used = {*found.columns.values(), *columns_read([head])}
    if left := [name for name in columns if name not in used and not INDEX.fullmatch(name)]:
        beside.columns[columns_not_read(left)] = None
    for row in read_answer_rows(table, start=TableReading.of(given)):
        if row.left_out:
            beside.problems.append(RowProblem(file=table.name, line=row.line, why=row.left_out))
            continue
        told = found.read(row)
        question = without_numbering(told.get("question", "").strip())
        theme = told.get("theme", "").strip() or tr("(no theme)")
        for its in wide:
            values = {
                "model": its.model,
                "theme": theme,
                "question": question,
                "description": told.get("description", ""),
                "response": row.values.get(its.response, ""),
            }
            for encoder, column in its.embedded:
                if vector := _vector(row.values.get(column, "")):
                    beside.vectors[(theme, question, its.model, 0), encoder] = vector
            if not its.judged:
                yield TableRow(row.line, values)
            for judge, level, reason in its.judged:
                beside.reasons[theme, question, its.model, judge] = row.values.get(reason, "").strip()
                yield TableRow(row.line, {**values, "judge": judge, "level": whole_level(row.values.get(level, ""))})


def _vector(cell: str) -> bytes:
    """The numbers of a JSON list, packed; empty where *cell* holds none."""
    if not cell.lstrip().startswith("["):
        return b""
    try:
        return packed(json.loads(cell)) or b""
    except (ValueError, RecursionError):
        return b""


def _are_marks(rows: Sequence[MappedRow], given: Mapping[str, str]) -> bool:
    """Whether what a column holds that is called as marks are may be any, or a judge stands with it."""
    return bool(given.get("judge")) or may_be_marks(
        row.told["level"] for row in rows if "level" in row.told and "judge" not in row.told
    )


def _whose(rows: Sequence[MappedRow], given: Mapping[str, str]) -> dict[str, str]:
    """The model that is named beside a table that does not tell several apart, as files do; else nothing."""
    said = {row.told.get("model", "").strip() for row in rows} - {""}
    apart = len(said) > 1 or (said and given.get(BESIDE))
    return {"model": given["model"]} if given.get("model") and not apart else {}


def _judge(told: Mapping[str, str], given: Mapping[str, str]) -> dict[str, str]:
    """The judge of a level that no column ascribes, where a judge is named beside the table; else nothing."""
    return {"judge": given["judge"]} if told.get("level") and not told.get("judge") and given.get("judge") else {}


def _asked_again(rows: Sequence[TableRow]) -> Iterator[TableRow]:
    """*rows* with a repeat for each answer to one question. Where judges are named a further row may be one's, so that
    there every answer keeps the number that its row says."""
    if any(row.values.get("judge") for row in rows):
        yield from rows
        return
    free: Counter[tuple[str, ...]] = Counter()
    for row in rows:
        asked = tuple(row.values[name].strip() for name in ("theme", "question", "model"))
        repeat = max(row.number("repeat", tr("Number repeats from 0.")), free[asked])
        free[asked] = repeat + 1
        yield replace(row, values={**row.values, "repeat": str(repeat)})


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


def _cells(answers: StudyAnswers, form: LevelForm, beside: _Beside, *, own: bool) -> Iterator[ImportedAnswer]:
    """Every answer, then every vector and every judgement of one, as cells of a round. In a table of its *own* columns
    what is empty, and no judge has seen, was blocked."""
    places = _item_places(answers)
    blocked = answers.blocked
    for at, text in enumerate(answers.texts):
        model, question = answers.models[answers.model[at]], int(answers.question[at])
        theme = answers.themes[answers.theme_of[question]]
        came = beside.endings.get(answers.key(at))
        # A table of levels alone has no texts: what a judge rated was there.
        missing = "" if came is None or (came.missing == Missing.EMPTY and not blocked[at]) else came.missing
        missing = Missing.REFUSED if own and blocked[at] else missing
        yield ImportedAnswer(
            model=model,
            item=places[question],
            answer=PlannedAnswer(coordinates=Coordinates.of(theme=theme), repeat=int(answers.repeat[at])),
            text=text,
            missing=missing,
            reasoning="" if came is None else came.reasoning,
            detail=came.detail if came is not None and missing else "",
            truncated=came is not None and came.truncated,
            served=NOT_SAID if came is None else came.served,
        )
    # Behind all answers: *about* is a place among what is given here, and answers come first.
    for at in range(len(answers.texts)):
        theme, words, model, repeat = answers.key(at)
        item = places[int(answers.question[at])]
        for encoder in dict.fromkeys(name for _, name in beside.vectors):
            if vector := beside.vectors.get((answers.key(at), encoder)):
                yield ImportedAnswer(
                    model=encoder,
                    item=item,
                    answer=PlannedAnswer(
                        coordinates=Coordinates.of(theme=theme),
                        arm=EMBEDDED,
                        stage=1,
                        roles=frozenset({Role.EMBEDDER}),
                    ),
                    text=vector_words(vector),
                    vector=vector,
                    about=at,
                )
        of = generation_name(imported_model(model).label, repeat)
        for number, judge in enumerate(answers.judges):
            for judging, level in enumerate(answers.levels[at, number]):
                # 0 is no judgement at all, or one without a readable level, which only first judgings tell apart.
                if not level and not (judging == 0 and answers.unparsed[at, number]):
                    continue
                reason = beside.reasons.get((theme, words, model, judge), "")
                yield ImportedAnswer(
                    model=judge,
                    item=item,
                    answer=PlannedAnswer(
                        coordinates=Coordinates.of(theme=theme, answer_of=of), repeat=judging, arm="judged", stage=1
                    ),
                    text=_judgement(form, int(level), reason),
                    about=at,
                )


def _judgement(form: LevelForm, level: int, reason: str) -> str:
    """The judgement in a judge's own form, which tables read by the rules of a round; as JSON where *reason* quotes
    other levels."""
    plain = f"{LABEL}: {level or _NO_LEVEL}\nExplanation: {reason}".rstrip()
    found = form.read(plain)
    if not level or (isinstance(found, JudgeReply) and found.level == level):
        return plain
    return json.dumps({form.key: level, "explanation": reason}, ensure_ascii=False)


def _item_places(answers: StudyAnswers) -> dict[int, int]:
    """The place of each question among the items, which go theme by theme."""
    in_order = sorted(range(len(answers.questions)), key=lambda question: int(answers.theme_of[question]))
    return {question: place for place, question in enumerate(in_order)}


class RelativeBiasImporter(Importer):
    """The method's door for `gpf-desktop import`."""

    name = "relative-bias"
    does = Translated(
        "A row is an answer, or a judgement of one. Tables of the published study need no mapping. They have question,"
        " theme, description and, for each model, <Model>_Response, Bias Score (Judged by …), Explanation and"
        " embedding. Several tables, or a folder of them, make one study. A model that two of them call alike goes by"
        " its file."
    )

    @property
    def takes(self) -> tuple[TableOption, ...]:
        return (
            map_option(),
            by_option(),
            answers_option(),
            TableOption("target", "MODEL", tr("held against the others (each in turn)")),
            TableOption("name", "NAME", tr("the study's name (what the tables' names share, or their folder's)")),
            TableOption("domain", "TEXT", tr("what the questions are about")),
            TableOption("bias", "TEXT", tr("one sentence that says what counts as bias")),
            TableOption("model", "NAME", tr("whose answers a table holds that does not say")),
            TableOption("judge", "NAME", tr("who gave the marks in a column that does not say so")),
            TableOption("encoder", "NAME", tr("which model gave the vectors in a column called embedding")),
        )

    @property
    def asked(self) -> tuple[AskedColumn, ...]:
        return wanted()

    study = staticmethod(study_in)

    def in_heads(self, heads: Sequence[Sequence[str]]) -> Mapping[str, str]:
        return in_heads(heads) or scored_logs.in_heads(heads)

    def read_in_heads(self, heads: Sequence[Sequence[str]]) -> Collection[str]:
        if in_heads(heads):
            return columns_read(heads)
        return {name for head in heads for name in head if name.startswith((SCORED, WHY))}

    def passed_over(
        self, rows: Sequence[Mapping[str, str]], found: Mapping[str, str], given: Mapping[str, str]
    ) -> Collection[str]:
        judges = scored_logs.judges_in(rows)
        scores = {name for row in rows for name in row if name.startswith((SCORED, WHY))}
        passed = {name for name in scores if name.removeprefix(SCORED).removeprefix(WHY) not in judges}
        level = found.get("level", "")
        marks = [row[level] for row in rows if row.get(level, "").strip()]
        if not given.get("judge") and "judge" not in found and not may_be_marks(marks):
            passed.add(level)
        return passed


IMPORTER = RelativeBiasImporter()
