"""Answers that another program asked for, as an audit: `gpf-desktop import`."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache, partial
from pathlib import Path
from typing import Final

from gpf_desktop.documents.answer_columns import answers_option
from gpf_desktop.documents.column_maps import ColumnMap, WantedColumn
from gpf_desktop.documents.file_names import shared_name
from gpf_desktop.documents.mapped_rows import (
    LeftOutError,
    MappedRow,
    Repeats,
    by_option,
    imported_answer,
    kept_as_one,
    map_option,
    name_option,
    none_usable,
    read_mapped,
    told_rows,
    wanted_endings,
    wanted_model,
    wanted_repeat,
    wanted_response,
)
from gpf_desktop.domain.coordinates import PlannedAnswer
from gpf_desktop.domain.imports import OWN, AskedColumn, ImportedAnswer, ImportedStudy, RowProblem, Told
from gpf_desktop.domain.items import StudyItem
from gpf_desktop.domain.ports.importer import Importer
from gpf_desktop.domain.tables import TableOption
from gpf_desktop.domain.text import Translated, tr, trn
from gpf_desktop.methods._sent_messages import PROTOCOL, SentMessages, given_protocol, protocol_option
from gpf_desktop.methods.gpf_livenews.cells import Condition, Factors
from gpf_desktop.methods.gpf_livenews.column_names import KNOWN_AS
from gpf_desktop.methods.gpf_livenews.imported_protocol import place, protocol_of
from gpf_desktop.methods.gpf_livenews.method import METHOD
from gpf_desktop.methods.gpf_livenews.protocol import Controls, Protocol
from gpf_desktop.methods.gpf_livenews.sent_messages import TELLS, MessagePlaces

_LEVELS: Final = ("condition", "dimension", "identity", "family", "paraphrase")
_FIRST: Final = (Condition.IDENTITY, Condition.RANDOM_LABEL)
"""What a second turn follows."""
_OF_FIRST: Final = frozenset(
    {"second_response", "second_turn", "refused", "missing", "error", "finish"}
    | {"served_model", "served_fingerprint", "served_host"}
)
"""What a row says of its first answer alone."""


@dataclass(slots=True)
class _Reading:
    """The items and rows read so far."""

    items: dict[tuple[str, str, str], tuple[int, StudyItem]] = field(default_factory=dict)
    """By number, headline and text."""
    seen: dict[tuple[str, ...], dict[str, str]] = field(default_factory=dict)
    rows: list[tuple[MappedRow, tuple[str, ...], int | None]] = field(default_factory=list)
    """(what it says, its levels, the place of its item)."""


def wanted() -> tuple[WantedColumn, ...]:
    """The columns that are asked for."""
    return (
        wanted_model("engine"),
        WantedColumn(
            name="article",
            title=tr("News: headline or number"),
            required=True,
            known_as=KNOWN_AS["article"],
        ),
        WantedColumn(name="headline", title=tr("News: headline, beside a number"), known_as=("title", "news_title")),
        WantedColumn(
            name="text",
            title=tr("News: description or text"),
            known_as=("description", "body", "summary", "news_text", "article_text", "content"),
        ),
        WantedColumn(name="url", title=tr("News: address"), known_as=("link", "address", "source_url")),
        WantedColumn(
            name="identity",
            title=tr("Reader (identity)"),
            known_as=KNOWN_AS["identity"],
            tells_method=True,
        ),
        WantedColumn(
            name="dimension",
            title=tr("Group of readers (dimension)"),
            known_as=KNOWN_AS["dimension"],
        ),
        WantedColumn(
            name="family",
            title=tr("Kind of question (family)"),
            known_as=KNOWN_AS["family"],
        ),
        WantedColumn(name="condition", title=tr("How it was asked (condition)"), known_as=("arm", "cue_kind")),
        WantedColumn(
            name="cue", title=tr("What showed the reader: a kind of cue, or its words"), known_as=("cue_text",)
        ),
        WantedColumn(name="paraphrase", title=tr("Wording, from 0"), known_as=("wording", "variant")),
        wanted_repeat("run"),
        wanted_response("response_text"),
        WantedColumn(
            name="question",
            title=tr("Question, as it was sent"),
            known_as=("prompt", "input", "user", "messages", "input_messages"),
        ),
        WantedColumn(name="system", title=tr("System prompt"), known_as=("system_prompt",)),
        WantedColumn(
            name="second_response",
            title=tr("Second answer, after a second turn"),
            known_as=("second_answer", "response_2", "answer_2", "second", "response_after"),
        ),
        WantedColumn(
            name="second_turn",
            title=tr("What the second turn said"),
            known_as=("second_question", "second_prompt", "challenge", "follow_up"),
        ),
        *wanted_endings(),
    )


def study_in(tables: Sequence[Path], given: Mapping[str, str], tell: Told) -> ImportedStudy:
    """The study that *tables* hold together. Raises `UserError`, and what *tell* raises."""
    reading = _Reading()
    sent = SentMessages(TELLS, partial(given_protocol, METHOD, given), MessagePlaces)
    mapped = read_mapped(tables, given, wanted(), tell, _with_defaults, unfold=sent)
    own = bool(given.get(OWN))
    for row in told_rows(mapped.rows, tell, tr("Telling news and questions apart")):
        for each in _turns(row):
            _keep(_own(each) if own else each, reading)
    asked = given.get(PROTOCOL)
    protocol = given_protocol(METHOD, {}) if own else sent.protocol if asked else protocol_of([*reading.seen.values()])
    answers, problems = _answers(None if own else protocol, reading, tell)
    if not answers:
        raise none_usable(problems)
    return ImportedStudy(
        name=given.get("name", "") or shared_name(tables),
        protocol=protocol,
        controls=Controls.none(),
        items=tuple(item for _, item in reading.items.values()),
        answers=tuple(answers),
        problems=(*mapped.problems, *problems),
        said=(*_said(answers, reading, protocol), *mapped.columns, *_several_prompts(reading), *mapped.unread()),
    )


def _own(row: MappedRow) -> MappedRow:
    """*row* of a table in the columns of `score`, which tells news by one name."""
    return replace(row, told={name: said for name, said in row.told.items() if name not in ("headline", "text")})


def _turns(row: MappedRow) -> Iterator[MappedRow]:
    """*row*, and where it has a second answer beside the first, one of its own for that."""
    second = row.told.get("second_response", "")
    yield row
    if second.strip():
        shared = {name: value for name, value in row.told.items() if name not in _OF_FIRST}
        said = {"question": row.told.get("second_turn", ""), "condition": Condition.ASKED_IF_SURE, "response": second}
        yield replace(row, told={**shared, **said})


def _with_defaults(found: ColumnMap) -> ColumnMap:
    """*found*, with one dimension and one family where the table tells none apart."""
    defaults = {"dimension": tr("Readers"), "family": tr("Question")}
    missing = {name: words for name, words in defaults.items() if name not in {**found.columns, **found.values}}
    return replace(found, values={**found.values, **missing})


def _keep(row: MappedRow, reading: _Reading) -> None:
    told, cue = _by_cue(row.told)
    row = replace(row, told=told)
    name, text = told.get("article", "").strip(), told.get("text", "")
    headline = told.get("headline", "").strip() or name
    place = None
    if name:
        # A headline that returns with other text is another news item.
        key = name, headline, text
        if key not in reading.items:
            item = StudyItem(key=f"imported {len(reading.items) + 1} {name[:80]}", title=headline, text=text)
            reading.items[key] = (len(reading.items), item)
        place = reading.items[key][0]
    levels = tuple([told.get(each, "").strip() for each in _LEVELS])
    # The first row of a place speaks for it: a table has few places and may have very many rows.
    if levels not in reading.seen:
        about = {each: told.get(each, "") for each in ("question", "system")} | {"cue": cue}
        # The news is put in again by the layout.
        for words in (headline, text):
            about["question"] = about["question"].replace(words, "") if words else about["question"]
        about["question"] = about["question"].strip()
        reading.seen[levels] = {**dict(zip(_LEVELS, levels, strict=True)), **about}
    reading.rows.append((row, levels, place))


def _by_cue(told: dict[str, str]) -> tuple[dict[str, str], str]:
    """*told* with the way of asking that its cue is of, and the words of that, where they stand there."""
    cue, condition = told.get("cue", "").strip(), told.get("condition", "").strip()
    kind = Condition.named(cue) if cue else None
    if not cue or (kind is not None and Condition.named(condition or "stated") is not Condition.IDENTITY):
        return told, ""
    if kind is not None:
        return {**told, "condition": str(kind)}, ""
    known = Condition.named(condition) if condition else None
    if known is not None and known.is_cue:
        return told, cue
    # Words alone: where they were sent tells what they are. Else the row is left out, and named.
    noted, asked = cue in told.get("system", ""), cue in told.get("question", "")
    before = Condition.BY_HISTORY if cue.endswith("?") else Condition.BY_NAME
    found = Condition.BY_NOTE if noted else before if asked else None
    return {**told, "condition": cue if found is None else str(found)}, cue


def _answers(protocol: Protocol | None, reading: _Reading, tell: Told) -> tuple[list[ImportedAnswer], list[RowProblem]]:
    """The answers that *protocol* has a place for (None: all that say theirs), and the rows that are left out."""
    places: dict[tuple[str, ...], Factors | str] = {}
    repeats = Repeats(own=protocol is None)
    numbered: dict[tuple[object, ...], int] = {}
    answers: list[ImportedAnswer] = []
    problems: list[RowProblem] = []
    place_of: dict[tuple[str, int, Factors], int] = {}
    for row, levels, item in told_rows(reading.rows, tell, tr("Finding each answer's place")):
        model = row.told.get("model", "").strip()
        why = "" if model and item is not None else _lacking(model, item)
        if levels not in places:
            try:
                places[levels] = place(protocol, dict(zip(_LEVELS, levels, strict=True)))
            except LeftOutError as error:
                places[levels] = str(error)
        factors = places[levels]
        if why or item is None or isinstance(factors, str):
            problems.append(row.problem(why or factors))
            continue
        if factors.condition is Condition.IDENTITY_FREE and levels[2] == "":
            # Without a label of its own each is one more generation of the same question.
            asked = (model, item, factors.family, factors.paraphrase)
            numbered[asked] = numbered.get(asked, 0) + 1
            factors = replace(factors, identity=f"#{numbered[asked]}")
        try:
            repeat = repeats.take(row, model, item, factors)
        except LeftOutError as error:
            problems.append(row.problem(error))
            continue
        place_of[model, item, replace(factors, repeat=repeat)] = len(answers)
        answers.append(imported_answer(row.told, model, item, _planned(factors, repeat)))
    for (model, item, factors), at in place_of.items():
        if factors.condition.is_second_turn:
            firsts = ((model, item, replace(factors, condition=each)) for each in _FIRST)
            first = next((place_of[each] for each in firsts if each in place_of), None)
            if first is not None:
                answers[at] = replace(answers[at], about=first, answer=replace(answers[at].answer, stage=1))
    return answers, problems


def _lacking(model: str, item: int | None) -> str:
    missing = [*([] if model else [tr("model")]), *([tr("news")] if item is None else [])]
    return tr("{names} not said", names=", ".join(missing))


@lru_cache(maxsize=8192)
def _planned(factors: Factors, repeat: int) -> PlannedAnswer:
    return replace(factors, repeat=repeat).planned


def _said(answers: Sequence[ImportedAnswer], reading: _Reading, protocol: Protocol) -> tuple[str, ...]:
    missing = sum(bool(each.missing) for each in answers)
    repeats = sum(each.answer.repeat > 0 for each in answers)
    return (
        tr(
            "Read {n:,} answers of {models} to questions about {items}: {missing:,} missing, {repeats:,} "
            "to a question asked again.",
            n=len(answers),
            models=trn("{n} model", "{n} models", len({each.model for each in answers})),
            items=trn("{n:,} news item", "{n:,} news items", len(reading.items)),
            missing=missing,
            repeats=repeats,
        ),
        *_said_of_turns(answers),
        tr("Protocol: {title}.", title=protocol.title),
    )


def _several_prompts(reading: _Reading) -> list[str]:
    """Sentences that say, where one question was asked under several system prompts, that these count as one."""
    under: dict[tuple[object, ...], set[str]] = {}
    for row, levels, item in reading.rows:
        under.setdefault((row.told.get("model"), levels, item), set()).add(row.told.get("system", "").strip())
    most = max(map(len, under.values()), default=0)
    if most < 2:
        return []
    return [tr("The same questions stand there with {n} system prompts (system).", n=most), kept_as_one()]


def _said_of_turns(answers: Sequence[ImportedAnswer]) -> tuple[str, ...]:
    turns = [each for each in answers if Condition(each.answer.coordinates["condition"]).is_second_turn]
    alone = sum(each.about is None for each in turns)
    said = []
    if turns:
        said.append(trn("Of these {n:,} is a second answer.", "Of these {n:,} are second answers.", len(turns)))
    if alone:
        said.append(
            trn(
                "{n:,} second answer has no first answer in the table: how far it moved cannot be told.",
                "{n:,} second answers have no first answer in the table: how far they moved cannot be told.",
                alone,
            )
        )
    return tuple(said)


class GpfLiveNewsImporter(Importer):
    """The method's door for `gpf-desktop import`."""

    name = METHOD.name
    does = Translated(
        "Columns are found by name or said in a MAP.toml: model, article or headline, text, identity, dimension,"
        " family, response. Where they are needed: condition, cue, paraphrase, repeat, refused, missing, error, finish,"
        " question, system; second_response and second_turn for a second answer beside the first. Chats are placed by"
        " their messages. The shipped protocol is taken where every row has a place in it; else one is made of the"
        " table. Rows without a place are named, left out."
    )

    @property
    def takes(self) -> tuple[TableOption, ...]:
        return (
            map_option(),
            by_option(),
            answers_option(),
            protocol_option(),
            name_option(),
        )

    @property
    def asked(self) -> tuple[AskedColumn, ...]:
        return wanted()

    study = staticmethod(study_in)


IMPORTER = GpfLiveNewsImporter()
