"""Answers that another program asked for, as an audit: `gpf-desktop import`."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Final

from gpf_desktop.documents.answer_files import read_answer_rows
from gpf_desktop.documents.column_maps import ColumnMap, Wanted, found_map, load_map
from gpf_desktop.documents.tables import TableRow
from gpf_desktop.domain.coordinates import PlannedAnswer
from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.imports import MAPPED, AskedColumn, ImportedAnswer, ImportedStudy, RowProblem, Told
from gpf_desktop.domain.items import StudyItem
from gpf_desktop.domain.responses import Missing
from gpf_desktop.domain.tables import TableOption
from gpf_desktop.domain.text import tr, trn
from gpf_desktop.methods.gpf_livenews.cells import Condition, Factors
from gpf_desktop.methods.gpf_livenews.imported_protocol import UnplacedError, place, protocol_of
from gpf_desktop.methods.gpf_livenews.method import METHOD
from gpf_desktop.methods.gpf_livenews.protocol import Controls, Protocol

_LEVELS: Final = ("condition", "dimension", "identity", "family", "paraphrase")
_CUT: Final = frozenset({"length", "max_tokens", "max_output_tokens", "model_length"})
_YES: Final = frozenset({"yes", "true", "1", "y"})
_STEP: Final = 2000


@dataclass(slots=True)
class _Reading:
    """What was read so far."""

    items: dict[str, tuple[int, StudyItem]] = field(default_factory=dict)
    seen: dict[tuple[str, ...], dict[str, str]] = field(default_factory=dict)
    rows: list[tuple[int, str, dict[str, str]]] = field(default_factory=list)
    """(line, file, what it says)."""


def wanted() -> tuple[Wanted, ...]:
    """What rows are asked for."""
    return (
        Wanted(
            name="model",
            title=tr("Model"),
            required=True,
            known_as=("model_name", "model_id", "provider", "llm", "engine"),
        ),
        Wanted(
            name="article",
            title=tr("News: headline"),
            required=True,
            known_as=("headline", "title", "news", "news_title", "item", "article_id", "anchor", "id"),
        ),
        Wanted(
            name="text",
            title=tr("News: description or text"),
            known_as=("description", "body", "summary", "news_text", "article_text", "content"),
        ),
        Wanted(name="url", title=tr("News: address"), known_as=("link", "address", "source_url")),
        Wanted(
            name="identity",
            title=tr("Identity"),
            known_as=("group", "persona", "label", "demographic", "reader", "subgroup"),
        ),
        Wanted(name="dimension", title=tr("Dimension"), known_as=("axis", "attribute", "demographic_axis", "category")),
        Wanted(name="family", title=tr("Family"), known_as=("question_family", "angle", "task", "prompt_label")),
        Wanted(name="condition", title=tr("Condition"), known_as=("arm",)),
        Wanted(name="paraphrase", title=tr("Wording, from 0"), known_as=("wording", "variant")),
        Wanted(
            name="repeat", title=tr("Repeat, from 0"), known_as=("generation", "epoch", "run", "sample", "repetition")
        ),
        Wanted(
            name="response",
            title=tr("Answer"),
            required=True,
            known_as=("answer", "output", "completion", "generated_text", "reply", "response_text"),
        ),
        Wanted(name="question", title=tr("Question, as it was sent"), known_as=("prompt", "input", "user")),
        Wanted(name="system", title=tr("System prompt"), known_as=("system_prompt",)),
        Wanted(name="refused", title=tr("Refused: yes or no"), known_as=("is_refusal", "refusal", "isrefusal")),
        Wanted(name="missing", title=tr("Why there is no answer"), known_as=("missing_reason", "reason")),
        Wanted(name="error", title=tr("Error of the call"), known_as=("error_message", "exception")),
        Wanted(
            name="finish", title=tr("Why the model stopped"), known_as=("finish_reason", "stop_reason", "finishreason")
        ),
    )


def study_in(tables: Sequence[Path], given: Mapping[str, str], tell: Told) -> ImportedStudy:
    """What *tables* hold together. Raises `UserError`, and what *tell* raises."""
    reading = _Reading()
    said_map = load_map(Path(given["map"])) if given.get("map") else None
    if given.get(MAPPED):
        said_map = ColumnMap(columns=json.loads(given[MAPPED]), values={} if said_map is None else said_map.values)
    maps = []
    for table in tables:
        maps.append(_read(table, said_map, reading, tell))
    if not reading.rows:
        raise UserError(tr("There is no row in {names}.", names=", ".join(table.name for table in tables)))
    protocol = _protocol(given, reading)
    answers, problems = _answers(protocol, reading)
    if not answers:
        first = problems[0]
        raise UserError(
            tr("No row of the table can be used; line {line}: {why}.", line=first.line, why=first.why),
            tr("Check the columns, or map them with --map MAP.toml."),
        )
    return ImportedStudy(
        name=given.get("name", "") or tables[0].stem,
        protocol=protocol,
        controls=Controls.none(),
        items=tuple(item for _, item in reading.items.values()),
        answers=tuple(answers),
        problems=tuple(problems),
        said=(*_said(answers, reading, protocol), *map(_map_words, dict.fromkeys(map(str, maps)))),
    )


def _read(table: Path, said: ColumnMap | None, reading: _Reading, tell: Told) -> str:
    """Fill *reading* with the rows of *table*; which column says what, in words."""
    chosen: ColumnMap | None = None
    columns: dict[str, None] = {}
    for count, row in enumerate(_with_head(table, columns)):
        chosen = chosen or _with_defaults(found_map(wanted(), list(columns), said))
        _keep(table, row, chosen.read(row), reading)
        if count % _STEP == 0:
            tell(len(reading.rows), None)
    if chosen is None:
        return ""
    return "; ".join(f"{name} = {column}" for name, column in {**chosen.columns, **chosen.values}.items())


def _with_defaults(found: ColumnMap) -> ColumnMap:
    """*found*, with one dimension and one family where the table tells none apart."""
    defaults = {"dimension": tr("Identities"), "family": tr("Question")}
    missing = {name: words for name, words in defaults.items() if name not in {**found.columns, **found.values}}
    return replace(found, values={**found.values, **missing})


def _with_head(table: Path, columns: dict[str, None]) -> list[TableRow]:
    """Every row; *columns* is filled with all names that occur: a key may be missing in the first object."""
    rows = list(read_answer_rows(table))
    for row in rows:
        columns.update(dict.fromkeys(row.values))
    return rows


def _keep(table: Path, row: TableRow, told: dict[str, str], reading: _Reading) -> None:
    name = told.get("article", "").strip()
    if name:
        key = f"{name}\x1f{told.get('text', '')}"
        if key not in reading.items:
            item = StudyItem(
                key=f"imported {len(reading.items) + 1} {name[:80]}", title=name, text=told.get("text", "")
            )
            reading.items[key] = (len(reading.items), item)
        told["article"] = key
    levels = tuple(told.get(each, "").strip() for each in _LEVELS)
    if levels not in reading.seen:
        about = {each: told.get(each, "") for each in ("question", "system")}
        # The news is put in again by the layout.
        for words in (name, told.get("text", "")):
            about["question"] = about["question"].replace(words, "") if words else about["question"]
        about["question"] = about["question"].strip()
        reading.seen[levels] = {**dict(zip(_LEVELS, levels, strict=True)), **about}
    reading.rows.append((row.line, table.name, told))


def _protocol(given: Mapping[str, str], reading: _Reading) -> Protocol:
    name = given.get("protocol", "")
    if not name:
        return protocol_of(list(reading.seen.values()))
    files = METHOD.protocol_files()
    path = files.get(name, Path(name))
    import yaml

    try:
        data = yaml.safe_load(path.read_text(encoding="utf-8-sig"))
        found: Protocol = METHOD.protocol(data)
    except (OSError, UnicodeDecodeError, ValueError, TypeError, yaml.YAMLError, RecursionError) as error:
        raise UserError(
            tr("The protocol {name} cannot be read: {why}.", name=name, why=str(error)[:200]),
            tr("Use one of {names}, or the path of a protocol file.", names=", ".join(files)),
        ) from error
    return found


def _answers(protocol: Protocol, reading: _Reading) -> tuple[list[ImportedAnswer], list[RowProblem]]:
    places: dict[tuple[str, ...], Factors | str] = {}
    taken: dict[tuple[object, ...], int] = {}
    numbered: dict[tuple[object, ...], int] = {}
    answers: list[ImportedAnswer] = []
    problems: list[RowProblem] = []
    for line, file, told in reading.rows:
        why = _lacking(told)
        levels = tuple(told.get(each, "").strip() for each in _LEVELS)
        if levels not in places:
            try:
                places[levels] = place(protocol, dict(zip(_LEVELS, levels, strict=True)))
            except UnplacedError as error:
                places[levels] = str(error)
        factors = places[levels]
        why = why or (factors if isinstance(factors, str) else "")
        if why or isinstance(factors, str):
            problems.append(RowProblem(file=file, line=line, why=why))
            continue
        item, model = reading.items[told["article"]][0], told["model"].strip()
        if factors.condition is Condition.IDENTITY_FREE and levels[2] == "":
            # Without a label of its own each is one more generation of the same question.
            asked = (model, item, factors.family, factors.paraphrase)
            numbered[asked] = numbered.get(asked, 0) + 1
            factors = replace(factors, identity=f"#{numbered[asked]}")
        key = (model, item, factors)
        repeat, why = _repeat(told.get("repeat", ""), taken.get(key, 0))
        if why:
            problems.append(RowProblem(file=file, line=line, why=why))
            continue
        taken[key] = repeat + 1
        answers.append(_answer(model, item, replace(factors, repeat=repeat), told))
    return answers, problems


def _lacking(told: Mapping[str, str]) -> str:
    names = {"model": tr("model"), "article": tr("news")}
    missing = [words for name, words in names.items() if not told.get(name, "").strip()]
    return tr("{names} not said", names=", ".join(missing)) if missing else ""


def _repeat(said: str, next_free: int) -> tuple[int, str]:
    """(repeat, why there is none): as said where it is not taken, else the next one."""
    text = said.strip().removesuffix(".0")
    if not text:
        return next_free, ""
    if not (text.isascii() and text.isdecimal() and len(text) < 5):
        return 0, tr("“{said}” is no number of a repeat, from 0", said=said[:60])
    return max(int(text), next_free), ""


def _answer(model: str, item: int, factors: Factors, told: Mapping[str, str]) -> ImportedAnswer:
    text, said = told.get("response", ""), told.get("missing", "").strip()
    error = told.get("error", "").strip()
    if told.get("refused", "").strip().casefold() in _YES or said == Missing.REFUSED:
        missing = Missing.REFUSED
    elif said:
        missing = Missing(said) if said in set(Missing) else Missing.UNKNOWN
    elif text.strip():
        missing = None
    else:
        missing = Missing.HTTP_ERROR if error else Missing.EMPTY
    finish = told.get("finish", "").strip()
    return ImportedAnswer(
        model=model,
        item=item,
        answer=_planned(factors),
        text=text,
        missing="" if missing is None else str(missing),
        detail=(error or (said if missing else ""))[:500],
        finish=finish[:100],
        truncated=missing is None and finish.casefold() in _CUT,
    )


@lru_cache(maxsize=8192)
def _planned(factors: Factors) -> PlannedAnswer:
    return factors.planned


def _said(answers: Sequence[ImportedAnswer], reading: _Reading, protocol: Protocol) -> tuple[str, ...]:
    missing = sum(bool(each.missing) for each in answers)
    repeats = sum(each.answer.repeat > 0 for each in answers)
    return (
        tr(
            "Read {n:,} answers of {models} to questions about {items:,} news items; {missing:,} are missing,"
            " {repeats:,} are repeats.",
            n=len(answers),
            models=trn("{n} model", "{n} models", len({each.model for each in answers})),
            items=len(reading.items),
            missing=missing,
            repeats=repeats,
        ),
        tr("Protocol: {title}.", title=protocol.title),
    )


def _map_words(found: str) -> str:
    return tr("Columns: {found}.", found=found)


class GpfLiveNewsImporter:
    """The method's door for `gpf-desktop import`."""

    name = METHOD.name

    @property
    def does(self) -> str:
        return tr(
            "Makes an audit of answers that were asked elsewhere, a row for each: CSV, JSON lines, XLSX, Parquet,"
            " promptfoo's results or Inspect's logs. Columns are found by name (model, article or headline, text,"
            " identity, dimension, family, response; where they are needed condition, paraphrase, repeat, refused,"
            " missing, error, finish, question, system) or said in a MAP.toml. The shipped protocol is taken where"
            " every row has a place in it; else one is made of the table. Rows without a place are named, left out."
        )

    @property
    def takes(self) -> tuple[TableOption, ...]:
        return (
            TableOption("map", "MAP.toml", tr('which column says what: [columns] model = "provider", [values] …')),
            TableOption("protocol", "NAME|FILE", tr("the protocol that was asked with")),
            TableOption("name", "NAME", tr("the round's name (the first table's)")),
        )

    @property
    def asked(self) -> tuple[AskedColumn, ...]:
        return tuple(AskedColumn(name=each.name, title=each.title, required=each.required) for each in wanted())

    def study(
        self, tables: Sequence[Path], given: Mapping[str, str], tell: Told = lambda _done, _of: None
    ) -> ImportedStudy:
        return study_in(tables, given, tell)


IMPORTER = GpfLiveNewsImporter()
