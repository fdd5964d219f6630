"""Studies that were asked elsewhere: the tables that `gpf-desktop score` takes, as a finished round."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Final

from gpf_desktop.documents.answer_columns import answers_option
from gpf_desktop.documents.column_maps import WantedColumn
from gpf_desktop.documents.column_names import OF_ANSWERS
from gpf_desktop.documents.file_names import shared_name
from gpf_desktop.documents.mapped_rows import (
    FEW_LEVELS,
    LeftOutError,
    MappedRow,
    Repeats,
    by_option,
    imported_answer,
    map_option,
    name_option,
    placed,
    read_mapped,
    told_rows,
    wanted_endings,
    wanted_model,
    wanted_repeat,
    wanted_response,
)
from gpf_desktop.domain.coordinates import MAIN, Coordinates, PlannedAnswer
from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.imports import OWN, AskedColumn, ImportedAnswer, ImportedStudy, Told
from gpf_desktop.domain.items import StudyItem
from gpf_desktop.domain.ports.importer import Importer
from gpf_desktop.domain.tables import TableOption
from gpf_desktop.domain.text import Translated, tr, trn
from gpf_desktop.methods._sent_messages import PROTOCOL, SentMessages, given_protocol, protocol_option
from gpf_desktop.methods.contextual_stereoset.answers import COLUMNS, KNOWN_AS, MOST_LEVELS, NO_FACTORS, OPTIONS
from gpf_desktop.methods.contextual_stereoset.asked_items import with_item_file
from gpf_desktop.methods.contextual_stereoset.grid import contexts_of
from gpf_desktop.methods.contextual_stereoset.items import LONGEST_OPTION, STEREOTYPE_LABELS, ChoiceItem
from gpf_desktop.methods.contextual_stereoset.method import GRID, METHOD
from gpf_desktop.methods.contextual_stereoset.protocol import (
    ORDER,
    WORDING,
    Context,
    Design,
    GridFactor,
    GridSizes,
    Level,
    StereoProtocol,
)
from gpf_desktop.methods.contextual_stereoset.protocol_data import CONTEXT, MOST_CONTEXTS, PLAIN, TAKEN
from gpf_desktop.methods.contextual_stereoset.sent_messages import TELLS, ItemMessages
from gpf_desktop.methods.contextual_stereoset.words import factor_title

KNOWN: Final = ("location", "year", "style", "observer")
_QUESTION: Final = "question"
"""The level of wordings where the table tells none apart."""
_NO_FACTORS: Final = frozenset({*TAKEN, *COLUMNS.required, "target", "prompt", "system", "headline", "stage", "id"})


@dataclass(frozen=True, slots=True)
class _Cell:
    """One row that has a place."""

    row: MappedRow
    item: str
    context: Context
    wording: str
    order: str
    repeat: int


@dataclass(slots=True)
class _Reading:
    """The items, factors and repeats read so far."""

    factors: tuple[str, ...]
    own: bool = False
    """Of a table in the columns of `score`."""
    items: dict[str, tuple[StudyItem, int]] = field(default_factory=dict)
    """By id, with the line that told of it."""
    repeats: Repeats = field(default_factory=Repeats)
    """By model, item, context and wording."""


def wanted() -> tuple[WantedColumn, ...]:
    """The columns that are asked for; other columns are factors of the context."""
    option = tr("Option: {name}")
    return (
        wanted_model(),
        WantedColumn(name="item", title=tr("Item"), required=True, known_as=KNOWN_AS["item"]),
        WantedColumn(name="type", title=tr("Type of bias"), known_as=KNOWN_AS["type"]),
        *(
            WantedColumn(name=name, title=option.format(name=words), required=True, known_as=KNOWN_AS[name])
            for name, words in zip(OPTIONS, (tr("stereotype"), tr("anti-stereotype"), tr("unrelated")), strict=True)
        ),
        WantedColumn(
            name=ORDER, title=tr("Order of the options, such as UAS"), required=True, known_as=KNOWN_AS[ORDER]
        ),
        wanted_response(),
        *(WantedColumn(name=name, title=factor_title(name).capitalize()) for name in (*KNOWN, WORDING)),
        WantedColumn(name="text", title=tr("The item's sentence"), known_as=("sentence", CONTEXT)),
        WantedColumn(name="target", title=tr("Of whom the item speaks")),
        wanted_repeat(),
        *wanted_endings(),
    )


def study_in(tables: Sequence[Path], given: Mapping[str, str], tell: Told) -> ImportedStudy:
    """The study that *tables* hold together. Raises `UserError`, and what *tell* raises."""
    sent = SentMessages(TELLS, partial(_asked_protocol, given), ItemMessages)
    mapped = read_mapped(tables, given, wanted(), tell, unfold=sent)
    protocol: StereoProtocol | None = sent.protocol if sent.placed else None
    named = _factors(mapped.rows, given) if protocol is None else _names(protocol)
    reading = _Reading(named, own := bool(given.get(OWN)), repeats=Repeats(own=own))
    cells, problems = placed(mapped.rows, partial(_cell, reading=reading), tell, tr("Telling items and contexts apart"))
    name = given.get("name", "") or shared_name(tables)
    if given.get(OWN) and not any(cell.context for cell in cells):
        protocol = given_protocol(METHOD, {})
    elif protocol is None or not {cell.context for cell in cells} <= {(), *contexts_of(protocol)}:
        protocol = _protocol(name, given.get("question", ""), tables[0].name, reading.factors, cells)
    items = {name: place for place, name in enumerate(reading.items)}
    return ImportedStudy(
        name=name,
        protocol=protocol,
        controls=GridSizes(
            plain_cell=any(not cell.context for cell in cells),
            repeats=max(cell.repeat for cell in cells) + 1,
        ),
        items=tuple(item for item, _ in reading.items.values()),
        answers=tuple(
            _answer(cell, items[cell.item], reading.factors)
            for cell in told_rows(cells, tell, tr("Finding each answer's place"))
        ),
        problems=(*mapped.problems, *problems),
        said=(_said(cells, reading, protocol), *mapped.columns, *mapped.unread(*reading.factors)),
    )


def _asked_protocol(given: Mapping[str, str]) -> StereoProtocol:
    """The protocol that messages are looked up in, with the file of its items, which may lie beside its own."""
    found: StereoProtocol = given_protocol(METHOD, given)
    return with_item_file(found, [Path(given.get(PROTOCOL, "")).parent])


def _names(protocol: StereoProtocol) -> tuple[str, ...]:
    return tuple(factor.name for factor in protocol.factors)


def _factors(rows: Sequence[MappedRow], given: Mapping[str, str]) -> tuple[str, ...]:
    """The known ones that are told, then those that are named, else every other column. Raises `UserError`."""
    named = given.get("factors", "")
    known = [name for name in KNOWN if any(row.told.get(name, "").strip() for row in rows)]
    rest = dict.fromkeys(name for row in rows for name in row.rest)

    def levels(name: str) -> int:
        return len({row.rest.get(name, "") for row in rows})

    plain = [row for row in rows if known and not any(row.told.get(name, "").strip() for name in known)]

    def of_contexts(name: str) -> bool:
        """Whether it says nothing where no context was given, and different things elsewhere."""
        return not known or (levels(name) > 1 and not any(row.rest.get(name, "").strip() for row in plain))

    of_items: dict[tuple[str, str], list[MappedRow]] = {}
    for row in rows:
        of_items.setdefault((row.told.get("model", ""), row.told.get("item", "")), []).append(row)
    again = [each for each in of_items.values() if len(each) > 1]

    def of_the_item(name: str) -> bool:
        """Whether it tells of the item: one item after the other is asked with it, and none with two."""
        return (
            bool(again) and levels(name) > 1 and all(len({row.rest.get(name, "") for row in its}) < 2 for its in again)
        )

    if named:
        own = [name.strip() for name in named.split(",") if name.strip()]
        if missing := [name for name in own if name not in rest]:
            raise UserError(
                tr("The table has no column “{column}” that could be a factor.", column=missing[0]),
                tr("It has {columns}.", columns=", ".join(list(rest)[:60]) or tr("no further columns")),
            )
    elif given.get(OWN):
        own = [name for name in rest if name not in NO_FACTORS]
    else:
        own = [
            name
            for name in rest
            if _name_of(name).isidentifier()
            and _name_of(name) not in _NO_FACTORS
            and not name.startswith(OF_ANSWERS)
            and levels(name) <= FEW_LEVELS
            and of_contexts(name)
            and not of_the_item(name)
        ]
    for name in own:
        if levels(name) > MOST_LEVELS:
            raise UserError(
                tr(
                    "The column “{column}” has more than {n} different values: it is no factor.",
                    column=name,
                    n=MOST_LEVELS,
                ),
                tr("Leave it out of the table, or name the columns that are factors."),
            )
    if not known and not own and not given.get(OWN):
        raise UserError(
            tr("No column of the table is a factor of the context."),
            tr("Give at least one, such as location, year, style or observer."),
        )
    return (*known, *own)


def _name_of(column: str) -> str:
    """The name of the factor whose levels stand in *column*."""
    return re.sub(r"\W+", "_", column.rpartition(".")[2].strip().lower()).strip("_")


def _cell(row: MappedRow, reading: _Reading) -> _Cell:
    """Raises `LeftOutError`."""
    told = row.told
    model, item = told.get("model", "").strip(), _item(row, reading)
    if not model:
        raise LeftOutError(tr("model not said"))
    written = told.get(ORDER, "")
    order = "".join(filter(str.isalnum, written)).upper()
    if sorted(order) != sorted(STEREOTYPE_LABELS):
        raise LeftOutError(tr("“{order}” is no order of the options, such as UAS", order=written[:40]))
    context = tuple((told.get(name) or row.rest.get(name, "")).strip() for name in reading.factors)
    if any(context) and not all(context):
        empty = reading.factors[context.index("")]
        raise LeftOutError(tr("“{column}” is empty, and other factors are not", column=empty))
    if not any(context):
        context = ()
    wording = told.get(WORDING, "").strip() or _QUESTION
    # Behind all that may leave the row out, which then takes no repeat.
    repeat = reading.repeats.take(row, model, item, context, wording)
    return _Cell(row, item, context, wording, order, repeat)


def _item(row: MappedRow, reading: _Reading) -> str:
    """The id of the item in *row*, kept in *reading* when it is new. Raises `LeftOutError`."""
    told = {name: text.strip() for name, text in row.told.items()}
    name, options = told.get("item", ""), tuple(told.get(each, "") for each in OPTIONS)
    if not name:
        raise LeftOutError(tr("item not said"))
    if not all(options):
        raise LeftOutError(tr("“{column}” is empty", column=OPTIONS[options.index("")]))
    if any(len(option) > LONGEST_OPTION for option in options):
        raise LeftOutError(tr("an option is longer than {most} characters", most=LONGEST_OPTION))
    first, second, third = options
    item = ChoiceItem(
        id=name,
        group=told.get("type", "") if reading.own else told.get("type", "").casefold(),
        target=told.get("target", "") or name,
        text=told.get("text", ""),
        options=(first, second, third),
    ).study_item
    kept, line = reading.items.setdefault(name, (item, row.line))
    if kept != item:
        raise LeftOutError(
            tr("item “{item}” has another type, text or options than on line {line}", item=name[:40], line=line)
        )
    return name


def _protocol(name: str, question: str, table: str, columns: Sequence[str], cells: Sequence[_Cell]) -> StereoProtocol:
    """The protocol, as the table tells it; the shipped protocol gives places their regions. Raises `UserError`."""
    contexts = tuple(dict.fromkeys(cell.context for cell in cells if cell.context))
    if not contexts:
        raise UserError(
            tr("No answer of the table was given in a context."),
            tr("Fill the columns of factors: {names}.", names=", ".join(columns)),
        )
    if len(contexts) > MOST_CONTEXTS:
        raise UserError(
            tr("The table has {n:,} contexts, more than {most:,}.", n=len(contexts), most=MOST_CONTEXTS),
            tr("Leave out columns that are no factors, or name those that are."),
        )
    groups = {level.name: level.group for factor in given_protocol(METHOD, {}).factors for level in factor.levels}
    factors = tuple(
        GridFactor(
            name=_name_of(column),
            levels=tuple(
                Level(name=level, wording=level, group=groups.get(level, "") if column == "location" else "")
                for level in _in_order({context[place]: None for context in contexts})
            ),
        )
        for place, column in enumerate(columns)
    )
    words = question or tr("(The table does not say what was asked.)")
    return StereoProtocol(
        name=name,
        version=1,
        factors=factors,
        template=" ".join(f"{factor.name}: {{{factor.name}}}." for factor in factors),
        questions=tuple((wording, words) for wording in dict.fromkeys(cell.wording for cell in cells)),
        vignette_question=words,
        design=Design.OWN,
        own_contexts=contexts,
        items=table,
    )


def _in_order(levels: Mapping[str, None]) -> Iterator[str]:
    """Numbers by size, words as they come."""
    yield from sorted(levels, key=int) if all(level.isdecimal() for level in levels) else levels


def _answer(cell: _Cell, item: int, columns: Sequence[str]) -> ImportedAnswer:
    told = cell.row.told
    # Not strict: a cell without context has no level of any factor.
    levels = zip(map(_name_of, columns), cell.context, strict=False)
    where = ((CONTEXT, GRID if cell.context else PLAIN), *levels, (WORDING, cell.wording), (ORDER, cell.order))
    arm = MAIN if cell.context else PLAIN
    planned = PlannedAnswer(coordinates=Coordinates(where), repeat=cell.repeat, arm=arm)
    return imported_answer(told, told["model"].strip(), item, planned)


def _said(cells: Sequence[_Cell], reading: _Reading, protocol: StereoProtocol) -> str:
    models = {cell.row.told["model"].strip() for cell in cells}
    return tr(
        "Read {n:,} answers of {models} about {items:,} items in {contexts:,} contexts of {factors}; "
        "{plain:,} are without context, {repeats:,} to a question asked again.",
        n=len(cells),
        models=trn("{n} model", "{n} models", len(models)),
        items=len(reading.items),
        contexts=len({cell.context for cell in cells if cell.context}),
        factors=", ".join(_names(protocol)),
        plain=sum(not cell.context for cell in cells),
        repeats=sum(cell.repeat > 0 for cell in cells),
    )


class StereoSetImporter(Importer):
    """The method's door for `gpf-desktop import`."""

    name = METHOD.name
    does = Translated(
        "Columns are those that gpf-desktop score reads: model, item, type, stereotype, anti_stereotype, unrelated,"
        " order (the labels as they were shown, such as UAS), response. Then come location, year, style, observer and"
        " any further part of the context, empty where none was given. Chats from apps are placed where the protocol"
        " makes their messages. Rows without a place are named, left out."
    )

    @property
    def takes(self) -> tuple[TableOption, ...]:
        return (
            map_option(),
            by_option(),
            answers_option(),
            protocol_option(),
            TableOption(
                "factors", "A,B", tr("columns that are further factors (every other one of at most 26 values)")
            ),
            TableOption("question", "TEXT", tr("what was asked under the options")),
            name_option(),
        )

    @property
    def asked(self) -> tuple[AskedColumn, ...]:
        return wanted()

    study = staticmethod(study_in)


IMPORTER = StereoSetImporter()
