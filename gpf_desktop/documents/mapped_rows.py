"""Tables of answers row by row, each row by what is asked for: columns found by name, or said by who imports."""

import json
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Final, TypeVar

from gpf_desktop.documents import column_names
from gpf_desktop.documents.answer_columns import answers_apart
from gpf_desktop.documents.answer_files import guess_told, read_answer_rows
from gpf_desktop.documents.column_maps import ColumnMap, WantedColumn, found_map, load_map
from gpf_desktop.documents.programs.batch_requests import requests_wanted
from gpf_desktop.documents.programs.chat_messages import unwrapped
from gpf_desktop.documents.programs.flat_records import Nested
from gpf_desktop.documents.programs.whole_replies import reply_in
from gpf_desktop.documents.sheet_cells import ErrorCell, Uncomputed
from gpf_desktop.documents.table_reading import TableReading
from gpf_desktop.documents.tables import TableRow, same_cell
from gpf_desktop.documents.told_twice import answers_told_twice
from gpf_desktop.domain.coordinates import PlannedAnswer
from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.imported_endings import EndedAnswer, as_ended
from gpf_desktop.domain.imports import APPS, MAPPED, ImportedAnswer, RowProblem, Told
from gpf_desktop.domain.responses import Missing
from gpf_desktop.domain.served import Served
from gpf_desktop.domain.tables import TableOption
from gpf_desktop.domain.text import tr, trn

MAP: Final = "map"
"""The option that names a MAP.toml."""
BY: Final = "by"
"""The option that names further columns: the answers of one model are kept apart by what stands there."""
DIALECT: Final = "dialect"
"""Among what a row tells: `TableRow.dialect`, which no column says."""
_LONGEST_NAME: Final = 200
_YES: Final = frozenset({"yes", "true", "1", "y"})
_SAID_BY: Final = {"response": "assistant", "question": "user", "prompt": "user", "system": "system"}
"""What may stand as messages, and whose words are meant."""
_STEP: Final = 1000
_NAMED: Final = 5
_BEGIN: Final = 60
_LISTED: Final = 12
FEW_LEVELS: Final = 26
"""Different values of a column that may tell rows apart by what was done, rather than by what was answered."""
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class MappedRow:
    """One row of one file."""

    file: str
    line: int
    told: dict[str, str]
    """By what is asked for; what is missing is not in it."""
    rest: dict[str, str]
    """By the names of columns that say nothing that is asked for."""

    def problem(self, why: object) -> RowProblem:
        return RowProblem(file=self.file, line=self.line, why=str(why))


class LeftOutError(ValueError):
    """Why a row cannot be used: the end of a sentence."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MappedRows:
    """The rows of all files, in their order."""

    rows: Sequence[MappedRow]
    columns: tuple[str, ...]
    """Which column says what, a sentence for each way that files have it."""
    problems: Sequence[RowProblem] = ()
    """Rows that are left out, whatever is made of the others."""

    def unread(self, *but: str) -> list[str]:
        """Sentences on the columns that say nothing that is asked for; *but*: columns that a method reads itself."""
        values: dict[str, set[str]] = {}
        for row in self.rows:
            for name, text in row.rest.items():
                values.setdefault(name, set()).add(text)
        told = [(name, len(its)) for name, its in values.items() if its != {""} and name not in but]
        twice = answers_told_twice(row.told for row in self.rows)
        if not told:
            return twice
        each = [trn("{name} ({n:,} value)", "{name} ({n:,} values)", n, name=name[:60]) for name, n in told]
        said = [columns_not_read(each)]
        if any(1 < n <= FEW_LEVELS for _, n in told):
            said.append(kept_as_one())
        return said + twice


def columns_not_read(names: Sequence[str]) -> str:
    """The sentence on columns that nothing asks for."""
    return tr("Columns that were not read: {names}.", names=_few(names))


def _not_stored(places: Sequence[str]) -> list[str]:
    """The sentence on answers at *places* of which a workbook has no value; none where there are no such answers."""
    if not places:
        return []
    return [
        trn(
            "{n} answer is a formula without a stored value, or an error, and stands as missing ({places});"
            " open the workbook in a spreadsheet program, save it, and import it once more.",
            "{n} answers are formulas without a stored value, or errors, and stand as missing ({places});"
            " open the workbook in a spreadsheet program, save it, and import it once more.",
            len(places),
            places=_first_places(places),
        )
    ]


def _no_texts(places: Sequence[str]) -> list[str]:
    """The sentence on answers at *places* that are lists or objects; none where there are no such answers."""
    if not places:
        return []
    return [
        trn(
            "{n} answer is a list or an object where a text should stand, and counts as missing ({places}).",
            "{n} answers are lists or objects where texts should stand, and count as missing ({places}).",
            len(places),
            places=_first_places(places),
        )
    ]


def _first_places(places: Sequence[str]) -> str:
    return "; ".join(places[:_NAMED]) + (" …" if len(places) > _NAMED else "")


def _sheets(rows: Sequence[TableRow]) -> list[str]:
    """The sentence on sheets that *rows* are of together; none where they are of one."""
    names = dict.fromkeys(row.sheet for row in rows if row.sheet)
    return [tr("Sheets that were read as one table: {names}.", names=_few(names))] if names else []


def _few(names: Iterable[str]) -> str:
    listed = list(names)
    more = tr(" and {n:,} more", n=len(listed) - _LISTED) if len(listed) > _LISTED else ""
    return "; ".join(listed[:_LISTED]) + more


def kept_as_one() -> str:
    """The sentences on columns that tell rows apart, and that nobody named."""
    return tr(
        "Rows that differ in these alone count as one question asked again. To keep them apart, name a"
        " column as “by”: its values then stand with the model's name."
    )


def map_option() -> TableOption:
    """The option by which an importer is given a MAP.toml."""
    return TableOption(MAP, "MAP.toml", tr('which column says what: [columns] model = "provider", [values] …'))


def by_option() -> TableOption:
    """The option that names columns by which a model's answers are kept apart."""
    return TableOption(BY, "COLUMN,…", tr("columns that tell a model's answers apart, such as temperature or country"))


def name_option() -> TableOption:
    """The option by which the round that is made gets a name."""
    return TableOption("name", "NAME", tr("the round's name (what the tables' names share, or their folder's)"))


def wanted_model(*further: str) -> WantedColumn:
    """The column of who answered; *further* are names that it has in a method's tables alone."""
    return WantedColumn(name="model", title=tr("Model"), required=True, known_as=(*column_names.MODEL, *further))


def wanted_response(*further: str) -> WantedColumn:
    """The column of the answer."""
    known_as = (*column_names.RESPONSE, *further)
    return WantedColumn(name="response", title=tr("Answer"), required=True, known_as=known_as)


def wanted_repeat(*further: str) -> WantedColumn:
    """The column of the number of the generation."""
    known_as = (*column_names.REPEAT[:2], *further, *column_names.REPEAT[2:])
    return WantedColumn(name="repeat", title=tr("Repeat, from 0"), known_as=known_as)


def wanted_endings() -> tuple[WantedColumn, ...]:
    """Columns on how an answer ended and who gave it, for any method."""
    return (
        WantedColumn(name="refused", title=tr("Refused: yes or no"), known_as=("is_refusal", "refusal", "isrefusal")),
        WantedColumn(name="missing", title=tr("Why there is no answer"), known_as=("missing_reason", "reason")),
        WantedColumn(name="error", title=tr("Error of the call"), known_as=("error_message", "exception", "error_str")),
        WantedColumn(
            name="finish", title=tr("Why the model stopped"), known_as=("finish_reason", "stop_reason", "finishreason")
        ),
        # *Model* is the name that was asked for.
        WantedColumn(
            name="served_model",
            title=tr("Model that answered, as the server named it"),
            known_as=("response_model", "model_version", "response.body.model", "response.model"),
        ),
        WantedColumn(
            name="served_fingerprint",
            title=tr("Fingerprint that the server gave"),
            known_as=("system_fingerprint", "response.body.system_fingerprint", "response.system_fingerprint"),
        ),
        WantedColumn(name="served_host", title=tr("Company that ran the model"), known_as=("upstream_provider",)),
    )


def ended(told: Mapping[str, str]) -> EndedAnswer:
    """The ending of the ``response`` of *told*, by its values for the columns of `wanted_endings`."""
    # Tables of the published study come here as they stand.
    told = with_reply(dict(told))
    came = as_ended(
        told.get("response", ""),
        finish=told.get("finish", "").strip(),
        error=told.get("error", "").strip(),
        missing=told.get("missing", "").strip(),
        refused=told.get("refused", "").strip().casefold() in _YES,
        dialect=told.get(DIALECT, ""),
    )
    return replace(came, served=_served(told))


def _served(told: Mapping[str, str]) -> Served:
    model, fingerprint, host = (
        " ".join(told.get(f"served_{each}", "").split())[:_LONGEST_NAME] for each in ("model", "fingerprint", "host")
    )
    return Served(model=model, fingerprint=fingerprint, host=host)


def imported_answer(told: Mapping[str, str], model: str, item: int, answer: PlannedAnswer) -> ImportedAnswer:
    """The ``response`` of *told*, ended as it says of `wanted_endings`."""
    came = ended(told)
    return ImportedAnswer(
        model=model,
        item=item,
        answer=answer,
        text=came.text,
        reasoning=came.reasoning,
        missing=came.missing,
        detail=came.detail,
        finish=told.get("finish", "").strip()[:100],
        truncated=came.truncated,
        served=came.served,
    )


def none_usable(problems: Sequence[RowProblem]) -> UserError:
    """The error for tables of which every row has a problem."""
    first = problems[0]
    return UserError(
        tr("No row of the table can be used; line {line}: {why}.", line=first.line, why=first.why),
        tr("Check which column says what: in the window, or in a MAP.toml."),
    )


def placed(
    rows: Sequence[MappedRow], place: Callable[[MappedRow], T], tell: Told, doing: str
) -> tuple[list[T], list[RowProblem]]:
    """The results of *place* for the rows, and the problems of rows that it leaves out by `LeftOutError`.

    Raises `UserError` where it leaves out every one.
    """
    made: list[T] = []
    problems: list[RowProblem] = []
    for row in told_rows(rows, tell, doing):
        try:
            made.append(place(row))
        except LeftOutError as error:
            problems.append(row.problem(error))
    if not made:
        raise none_usable(problems)
    return made, problems


class Repeats:
    """Numbers the answers to each question apart; *own*: of a table in the columns of `score`, each number once."""

    def __init__(self, *, own: bool = False) -> None:
        self._own = own
        self._taken: dict[tuple[object, ...], dict[int, int]] = {}
        """By question, the line of each number."""

    def take(self, row: MappedRow, *asked: object) -> int:
        """The number that *row* says, or the next free one. Raises `LeftOutError`; of an *own* twice `UserError`."""
        said, taken = row.told.get("repeat", ""), self._taken.setdefault(asked, {})
        # pandas and workbooks write whole numbers as 1.0 where some row of the column has none.
        text = said.strip().removesuffix(".0")
        if text and not (text.isascii() and text.isdecimal() and len(text) < 5):
            raise LeftOutError(tr("“{said}” is no number of a repeat, from 0", said=said[:60]))
        repeat = int(text or 0)
        if repeat in taken:
            if self._own:
                raise same_cell(taken[repeat], row.line)
            repeat = max(taken) + 1
        taken[repeat] = row.line
        return repeat


def read_mapped(
    tables: Sequence[Path],
    given: Mapping[str, str],
    wanted: Sequence[WantedColumn],
    tell: Told,
    complete: Callable[[ColumnMap], ColumnMap] = lambda found: found,
    unfold: Callable[[Iterable[TableRow]], Iterable[TableRow]] = lambda rows: rows,
) -> MappedRows:
    """The rows of *tables*; *given* may hold `MAP`, `MAPPED` and a `TableReading`, *complete* says what a table leaves
    open, *unfold* makes rows of tables in which several answers stand in one.

    Raises `UserError` for a file that cannot be read, for something needed that no column says, and for no usable row.
    """
    said = load_map(Path(given[MAP])) if given.get(MAP) else None
    if given.get(MAPPED):
        said = ColumnMap(columns=json.loads(given[MAPPED]), values={} if said is None else said.values)
    start = TableReading.of(given)
    rows: list[MappedRow] = []
    problems: list[RowProblem] = []
    can_be_missing = any(each.name == "missing" for each in wanted)
    unread: list[str] = []
    objects: list[str] = []
    maps: dict[str, None] = {}
    beside: dict[str, None] = {}
    for table in tables:
        before = len(rows)
        opening = partial(tell, tr("Opening {file}", file=table.name), before, None)
        rows_of = answers_apart(read_answer_rows(table, opening, start), given)
        read = list(_heard(unfold(rows_of), before, partial(tell, tr("Reading {file}", file=table.name))))
        # All names that occur: a key may be missing in the first object.
        columns = list(dict.fromkeys(name for row in read for name in row.values))
        if not read:
            continue
        found = complete(found_map(wanted, columns, _of_its(said, columns) if len(tables) > 1 else said))
        maps["; ".join(f"{name} = {column}" for name, column in {**found.columns, **found.values}.items())] = None
        used = set(found.columns.values())
        by = _by(given, columns, used - {found.columns.get("system", "")})
        used |= set(by)
        answer = {column for name, column in found.columns.items() if name == "response" and can_be_missing}
        again = more_than_once(found.columns.values(), columns)
        beside |= dict.fromkeys([*again, *requests_wanted(table.name, read), *_sheets(read)])
        for row in told_rows(read, tell, tr("Reading what the columns say")):
            file = f"{table.name}, {row.sheet}" if row.sheet else table.name
            if why := row.left_out or _unusable(row, used - answer - set(by)):
                problems.append(RowProblem(file=file, line=row.line, why=why))
                continue
            told = without_wrapping(found.read(row)) | ({DIALECT: row.dialect} if row.dialect else {})
            if can_be_missing and (ending := _without_text(told)):
                told |= ending
                objects.append(tr("{file}, line {n}", file=file, n=row.line))
            # Who was asked what is known, so the answer is missing: without its row a bundle would be called complete.
            if why := _uncomputed(row, answer):
                told |= {"missing": Missing.UNREADABLE, "error": why}
                unread.append(tr("{file}, line {n}", file=file, n=row.line))
            if by and "model" in told:
                told["model"] = _apart(told["model"], row, by)
            rest = {name: text for name, text in row.values.items() if name not in used}
            rows.append(MappedRow(file, row.line, told, rest))
    if unread and len(unread) == len(rows):
        raise UserError(
            tr("No answer in {names} has a stored value: all are formulas or errors.", names=_names(tables)),
            tr("Open the workbook in a spreadsheet program, save it, and import it once more."),
        )
    if not rows and problems:
        raise none_usable(problems)
    if not rows:
        raise UserError(
            tr("There is no row in {names}.", names=_names(tables)),
            tr("Give a table with a head and a row for each answer."),
        )
    columns = [*(tr("Columns: {found}.", found=each) for each in maps), *beside]
    columns += [*filter(None, map(guess_told, tables)), *_later_turns(rows), *_not_stored(unread), *_no_texts(objects)]
    return MappedRows(rows=rows, columns=tuple(columns), problems=problems)


def _without_text(told: Mapping[str, str]) -> dict[str, str]:
    """The ending to put in the place of an answer that is a list or an object, and no known reply; else nothing."""
    answer = told.get("response", "")
    if not isinstance(answer, Nested):
        return {}
    why = tr("a list or an object stands where a text should: {begin}", begin=answer[:_BEGIN])
    return {"response": "", "missing": Missing.UNREADABLE, "error": why}


def _by(given: Mapping[str, str], columns: Collection[str], used: Collection[str]) -> list[str]:
    """The columns that are named as `BY`. Raises `UserError`."""
    named = [name.strip().lower() for name in given.get(BY, "").split(",") if name.strip()]
    for name in named:
        if name not in columns or name in used:
            raise UserError(
                tr("The table has no further column “{column}” to keep answers apart by.", column=name),
                _has(columns, used),
            )
    return named


def _has(columns: Collection[str], used: Collection[str]) -> str:
    further = [each for each in columns if each not in used]
    if not further:
        return tr("Each of its columns says something that is asked for.")
    return tr("It has {columns}.", columns=", ".join(further)[:600])


def _apart(model: str, row: TableRow, by: Sequence[str]) -> str:
    """*model* with what stands in the columns *by*: “gpt-4o · temperature 0.7”."""
    said = [(name.rpartition(".")[2], " ".join(row.values.get(name, "").split())) for name in by]
    return " · ".join((model, *(f"{name} {text}"[:80] for name, text in said if text)))


def _later_turns(rows: Sequence[MappedRow]) -> list[str]:
    """The sentence on answers that came after others of the same conversation; none where there are no such answers."""
    late = sum(row.rest.get("turn", "1") != "1" for row in rows if row.told.get("served_host") in APPS)
    if not late:
        return []
    return [
        trn(
            "{n:,} answer was given later in a conversation: what was said before it may show in it.",
            "{n:,} answers were given later in a conversation: what was said before them may show in them.",
            late,
        )
    ]


def _of_its(said: ColumnMap | None, columns: Collection[str]) -> ColumnMap | None:
    """The columns of *said* that a table of *columns* has; of several tables, others may call things otherwise."""
    if said is None:
        return None
    return replace(said, columns={name: its for name, its in said.columns.items() if its.lower() in columns})


def without_wrapping(told: dict[str, str]) -> dict[str, str]:
    """*told* without the messages in which programs keep what was asked and answered."""
    told = with_reply(told)
    for name, role in _SAID_BY.items():
        if name in told:
            told[name] = unwrapped(told[name], role)
    return told


def with_reply(told: dict[str, str]) -> dict[str, str]:
    """*told* with what its answer says that is a whole reply; what a column says beside it stands."""
    its = reply_in(told.get("response", ""))
    if not its:
        return told
    return {**its, **{name: text for name, text in told.items() if text.strip() or name not in its}} | {
        "response": its.get("response", "")
    }


def more_than_once(used: Iterable[str], columns: Collection[str]) -> list[str]:
    """A sentence for each of *used* whose name other *columns* have too."""
    return [
        tr("The column “{column}” stands there more than once; the first is read.", column=column)
        for column in used
        if f"{column} #2" in columns
    ]


def _names(tables: Sequence[Path]) -> str:
    return ", ".join(table.name for table in tables)


def _unusable(row: TableRow, used: Collection[str]) -> str:
    """Why a row says nothing in the columns that are *used*, whatever it is about; empty where it may."""
    if used and all(row.values.get(column, "").strip().lower() == column for column in used):
        return tr("it is the head of the table once more")
    if len(used) > 1 and column_names.is_second_head(row.values.get(column, "") for column in used):
        return tr("it is a second line of the head")
    return _uncomputed(row, used)


def _uncomputed(row: TableRow, used: Collection[str]) -> str:
    for column in used:
        if isinstance(row.values.get(column), ErrorCell):
            return tr(
                "“{column}” holds an error such as #REF! or #N/A; mend it in a spreadsheet program", column=column[:60]
            )
        if isinstance(row.values.get(column), Uncomputed):
            return tr(
                "the formula in “{column}” has no stored value; open the workbook in a spreadsheet program and save it",
                column=column[:60],
            )
    return ""


def told_rows(rows: Sequence[T], tell: Told, doing: str) -> Iterator[T]:
    """*rows*, told by the way."""
    for number, row in enumerate(rows):
        if number % _STEP == 0:
            tell(doing, number, len(rows))
        yield row


def _heard(rows: Iterable[TableRow], before: int, tell: Callable[[int, int | None], object]) -> Iterator[TableRow]:
    """*rows*, told by the way; *before* were read of other tables."""
    for number, row in enumerate(rows, start=before + 1):
        if number % _STEP == 0:
            tell(number, None)
        yield row
