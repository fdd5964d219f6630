"""Studies that were asked elsewhere: the tables that `gpf-desktop score` takes, as a finished round."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from math import isfinite
from pathlib import Path
from typing import Final

from gpf_desktop.documents.answer_columns import answers_option
from gpf_desktop.documents.column_maps import WantedColumn
from gpf_desktop.documents.file_names import shared_name
from gpf_desktop.documents.mapped_rows import (
    LeftOutError,
    MappedRow,
    MappedRows,
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
from gpf_desktop.domain.coordinates import Coordinates, PlannedAnswer
from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.imports import OWN, AskedColumn, ImportedAnswer, ImportedStudy, Told, imported_model
from gpf_desktop.domain.judging import generation_name
from gpf_desktop.domain.models import Role
from gpf_desktop.domain.ports.importer import Importer
from gpf_desktop.domain.tables import TableOption
from gpf_desktop.domain.text import Translated, tr, trn
from gpf_desktop.methods._sent_messages import SentMessages, given_protocol, protocol_option
from gpf_desktop.methods.saged.answers import BASELINE_FEATURE, FEATURE, KNOWN_AS
from gpf_desktop.methods.saged.benchmark import BenchmarkRow
from gpf_desktop.methods.saged.library_tables import columns_read, in_heads, unfolded
from gpf_desktop.methods.saged.method import METHOD
from gpf_desktop.methods.saged.protocol import MOST_ROLES, NO_ROLE, BenchmarkStudy, Sizes, items_of
from gpf_desktop.methods.saged.sent_messages import TELLS, PromptMessages
from gpf_desktop.methods.saged.words import unnamed_domain

ROLES: Final = "roles"
"""The option that names further columns of which each value is a role."""
_NEEDED: Final = ("model", "concept", "root")
MADE: Final = "made elsewhere"
"""The arm of numbers that other programs made of answers."""
SET: Final = "\x1f"
"""In a table of `score`, what stands between a root and the number of its set, and for a prompt that is not told."""


@dataclass(frozen=True, slots=True)
class _Answered:
    """One row that has a place."""

    row: MappedRow
    model: str
    root: str
    concept: str
    role: str
    repeat: int


@dataclass(slots=True)
class _Reading:
    """The prompts and repeats read so far."""

    domain: str
    own: bool = False
    """Of a table in the columns of `score`."""
    prompts: dict[tuple[str, str], list[BenchmarkRow]] = field(default_factory=dict)
    """By root and concept; a second prompt about a concept belongs to the root's second set, and so on."""
    repeats: Repeats = field(default_factory=Repeats)
    """By model, root, concept and role."""


def wanted() -> tuple[WantedColumn, ...]:
    """The columns that are asked for."""
    return (
        wanted_model(),
        WantedColumn(name="concept", title=tr("Concept"), required=True, known_as=KNOWN_AS["concept"]),
        WantedColumn(
            name="root",
            title=tr("Sentence it was made of (root)"),
            known_as=KNOWN_AS["root"],
        ),
        wanted_response(),
        WantedColumn(name="baseline", title=tr("Source sentence (baseline)"), known_as=KNOWN_AS["baseline"]),
        WantedColumn(name="prompt", title=tr("Prompt"), known_as=KNOWN_AS["prompt"]),
        WantedColumn(name="domain", title=tr("Domain"), known_as=KNOWN_AS["domain"]),
        WantedColumn(name="keyword", title=tr("Keyword")),
        WantedColumn(name="source_tag", title=tr("Source"), known_as=KNOWN_AS["source_tag"]),
        WantedColumn(name="branch", title=tr("Branch")),
        WantedColumn(name="role", title=tr("Role"), known_as=KNOWN_AS["role"]),
        wanted_repeat(),
        *wanted_endings(),
    )


def study_in(tables: Sequence[Path], given: Mapping[str, str], tell: Told) -> ImportedStudy:
    """The study that *tables* hold together. Raises `UserError`, and what *tell* raises."""
    sent = SentMessages(TELLS, partial(given_protocol, METHOD, given), PromptMessages)
    roles = [name.strip().lower() for name in given.get(ROLES, "").split(",") if name.strip()]
    mapped = read_mapped(
        tables, given, wanted(), tell, unfold=lambda rows: sent(unfolded(rows, ("role", *KNOWN_AS["role"], *roles)))
    )
    if roles:
        _check_roles(mapped.rows, roles)
        mapped = replace(mapped, rows=[_with_role(row, roles) for row in mapped.rows])
    own = bool(given.get(OWN))
    reading = _Reading(_domain(mapped.rows, given), own, repeats=Repeats(own=own))
    answers, problems = placed(mapped.rows, partial(_answered, reading=reading), tell, tr("Telling prompts apart"))
    study = BenchmarkStudy(
        name=given.get("name", "") or shared_name(tables),
        domain=reading.domain,
        benchmark=tuple(row for rows in reading.prompts.values() for row in rows),
        roles=_roles(answers),
    )
    if sent.placed:
        asked = sent.protocol
        words = {role: asked.roles.get(role, "") for role in study.roles}
        messages = {role: asked.message(role) for role in study.roles if role in asked.messages}
        study = replace(study, roles=words, messages=messages, template=asked.template)
    places = {next(iter(rows.values())).root: place for place, rows in enumerate(study.roots.values())}
    return ImportedStudy(
        name=study.name,
        protocol=study,
        controls=Sizes(repeats=max(each.repeat for each in answers) + 1),
        items=items_of(study),
        answers=(
            *(_answer(each, places[each.root]) for each in told_rows(answers, tell, tr("Finding each answer's place"))),
            *(_numbers(answers, places) if own else ()),
        ),
        problems=(*mapped.problems, *problems),
        said=(*_said(mapped.rows, answers, reading), *mapped.columns, *_unread(mapped)),
    )


def _check_roles(rows: Sequence[MappedRow], columns: Sequence[str]) -> None:
    """Raises `UserError` where one of *columns*, which tell what a model was asked as, is not there."""
    rest = list(dict.fromkeys(name for row in rows for name in row.rest))
    for name in columns:
        if name not in rest:
            raise UserError(
                tr("The table has no further column “{column}” that could tell roles.", column=name),
                tr("It has {columns}.", columns=", ".join(rest)[:600] or tr("no further columns")),
            )


def _with_role(row: MappedRow, columns: Sequence[str]) -> MappedRow:
    """*row* with what it says in *columns* as its role, behind what it has as one already."""
    said = (_said_of(row, "role"), *(" ".join(row.rest.get(name, "").split()) for name in columns))
    rest = {name: text for name, text in row.rest.items() if name not in columns}
    return replace(row, told={**row.told, "role": " · ".join(filter(None, said))}, rest=rest)


def _unread(mapped: MappedRows) -> list[str]:
    features = {name for row in mapped.rows for name in row.rest if name.startswith((FEATURE, BASELINE_FEATURE))}
    said = mapped.unread(*features)
    if len(said) > 1:
        said.append(tr("Named as “roles”, columns say what a model was asked as, and answers are compared by it."))
    return said


def _domain(rows: Sequence[MappedRow], given: Mapping[str, str]) -> str:
    """The one that all rows are of, or that was chosen among several. Raises `UserError`."""
    chosen = given.get("domain", "")
    there = list(dict.fromkeys(filter(None, (_said_of(row, "domain") for row in rows))))
    if chosen and there and chosen not in there:
        raise UserError(
            tr("No row is of the domain “{domain}”.", domain=chosen),
            tr("The table has {domains}.", domains=", ".join(there[:20])),
        )
    if given.get(OWN):
        return ", ".join(there) or unnamed_domain()
    if len(there) > 1 and not chosen:
        raise UserError(
            tr("The table has answers about several domains: {domains}.", domains=", ".join(there[:20])),
            tr("Concepts compare within one domain: say which, and import the others as audits of their own."),
        )
    return chosen or (there[0] if there else unnamed_domain())


def _said_of(row: MappedRow, name: str) -> str:
    return " ".join(row.told.get(name, "").split())


def _answered(row: MappedRow, reading: _Reading) -> _Answered:
    """Raises `LeftOutError`."""
    values = {name: _said_of(row, name) for name in (*_NEEDED, "domain", "role")}
    if values["concept"]:
        values["root"] = values["root"] or _made_of(row, values["concept"])
    if missing := [name for name in _NEEDED if not values[name]]:
        raise LeftOutError(tr("{names} not said", names=", ".join(missing)))
    if values["domain"] not in ("", reading.domain) and not reading.own:
        raise LeftOutError(tr("it is of the domain “{domain}”", domain=values["domain"][:40]))
    if reading.own:
        _check_numbers(row)
    root = _root(row, values["root"], values["concept"], reading)
    role = values["role"] or NO_ROLE
    repeat = reading.repeats.take(row, values["model"], root, values["concept"], role)
    return _Answered(row, values["model"], root, values["concept"], role, repeat)


def _check_numbers(row: MappedRow) -> None:
    """Raises `LeftOutError` for a column of numbers that holds something else, or a source's without the answer's."""
    for name, text in row.rest.items():
        if not name.startswith((FEATURE, BASELINE_FEATURE)):
            continue
        other = FEATURE + name.removeprefix(BASELINE_FEATURE)
        if name.startswith(BASELINE_FEATURE) and other not in row.rest:
            raise LeftOutError(tr("there is a column “{column}” and no column “{other}”", column=name, other=other))
        try:
            finite = isfinite(float(text.strip() or 0))
        except ValueError:
            finite = False
        if not finite:
            raise LeftOutError(tr("“{column}” is “{text}”, not a number", column=name, text=text[:40]))


def _made_of(row: MappedRow, concept: str) -> str:
    """The prompt of *row*, or else its source sentence, without the words that its concept has in it: branches of a
    sentence differ in these."""
    said = _said_of(row, "prompt") or _said_of(row, "baseline")
    # The longer first: of a keyword within the concept's name the rest would stay.
    words = sorted(filter(None, {concept, _said_of(row, "keyword")}), key=len, reverse=True)
    named = "|".join(map(re.escape, words))
    return re.sub(rf"(?<!\w)(?:{named})(?!\w)", "…", said, flags=re.IGNORECASE) if named else said


def _root(row: MappedRow, root: str, concept: str, reading: _Reading) -> str:
    """The name of the root of *row*: a root's second prompt about a concept is in its set number 2."""
    there = reading.prompts.setdefault((root, concept), [])
    made = BenchmarkRow(
        domain=_said_of(row, "domain") if reading.own else reading.domain,
        concept=concept,
        keyword=_said_of(row, "keyword"),
        source_tag=_said_of(row, "source_tag"),
        prompt=_said_of(row, "prompt") or (SET if reading.own else root),
        baseline=row.told.get("baseline", "").strip(),
        root=root,
        branch=_said_of(row, "branch"),
    )
    sign = SET if reading.own else " #"
    for number, kept in enumerate(there, start=1):
        called = root if number == 1 else f"{root}{sign}{number}"
        if kept == replace(made, root=called):
            return called
    called = f"{root}{sign}{len(there) + 1}" if there else root
    there.append(replace(made, root=called))
    return called


def _roles(answers: Sequence[_Answered]) -> dict[str, str]:
    """The roles by name, without their words, which no table tells. Raises `UserError`."""
    roles = dict.fromkeys((each.role for each in answers), "")
    if len(roles) > MOST_ROLES:
        raise UserError(
            tr("The table has {n} roles, more than {most}.", n=len(roles), most=MOST_ROLES),
            tr("Check the column of roles, or import the roles in parts."),
        )
    return roles


def _answer(each: _Answered, place: int) -> ImportedAnswer:
    at = Coordinates.of(role_play=each.role, concept=each.concept)
    return imported_answer(each.row.told, each.model, place, PlannedAnswer(coordinates=at, repeat=each.repeat))


def _numbers(answers: Sequence[_Answered], places: Mapping[str, int]) -> Iterator[ImportedAnswer]:
    """The numbers that other programs made of *answers* and their sources, each as a reply about its answer."""
    for at, each in enumerate(answers):
        for name, text in each.row.rest.items():
            if name.startswith((FEATURE, BASELINE_FEATURE)):
                of = generation_name(imported_model(each.model).label, each.repeat)
                where = Coordinates.of(role_play=each.role, concept=each.concept, answer_of=of)
                planned = PlannedAnswer(
                    coordinates=where, repeat=each.repeat, arm=MADE, stage=1, roles=frozenset({Role.JUDGE})
                )
                yield ImportedAnswer(
                    model=name, item=places[each.root], answer=planned, text=text.strip() or "nan", about=at
                )


def _said(rows: Sequence[MappedRow], answers: Sequence[_Answered], reading: _Reading) -> Iterator[str]:
    yield tr(
        "Read {n:,} answers of {models} about {concepts} concepts of {domain} from {roots:,} "
        "sentences; {repeats:,} to a prompt asked again.",
        n=len(answers),
        models=trn("{n} model", "{n} models", len({each.model for each in answers})),
        concepts=len({each.concept for each in answers}),
        domain=reading.domain,
        roots=len({each.root for each in answers}),
        repeats=sum(each.repeat > 0 for each in answers),
    )
    if not all(row.told.get("root") for row in rows):
        yield tr(
            "No column says which sentence a prompt was made of (root): prompts that differ only where the concept"
            " stands count as made of one."
        )
    if several := sum(len(found) > 1 for found in reading.prompts.values()):
        yield tr(
            "A sentence (root) has several prompts about one concept {n} times; each set of them counts "
            "as a sentence of its own, numbered (#2, #3).",
            n=several,
        )
    made = [name for name in rows[0].rest if name.startswith((FEATURE, BASELINE_FEATURE))]
    if made:
        yield tr(
            "Numbers that were made elsewhere are not taken over: {names}. gpf-desktop score reads them.",
            names=", ".join(made[:10]),
        )


class SagedImporter(Importer):
    """The method's door for `gpf-desktop import`."""

    name = METHOD.name
    does = Translated(
        "Columns are those that gpf-desktop score reads: domain, concept, keyword, source_tag, root, prompt, baseline,"
        " model, role, response; repeat where there are several. Chats from apps are placed where the protocol makes"
        " their messages. Answers of one domain make an audit. Rows without a place are named, left out."
    )

    @property
    def takes(self) -> tuple[TableOption, ...]:
        return (
            map_option(),
            by_option(),
            answers_option(),
            TableOption(
                ROLES, "COLUMN,…", tr("columns that tell what a model was asked as, such as persona or language")
            ),
            protocol_option(),
            TableOption("domain", "NAME", tr("which domain's answers, where the table has several")),
            name_option(),
        )

    @property
    def asked(self) -> tuple[AskedColumn, ...]:
        return wanted()

    study = staticmethod(study_in)
    in_heads = staticmethod(in_heads)
    read_in_heads = staticmethod(columns_read)


IMPORTER = SagedImporter()
