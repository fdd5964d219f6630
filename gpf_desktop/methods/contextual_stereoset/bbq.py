"""Items of BBQ (Parrish et al. 2022), a file of JSON lines for each category, which an auditor downloads: none of it is
shipped here.

A line has ``example_id, category, context, question, context_condition, question_polarity``, three answers ``ans0`` to
``ans2``, of whom each is (``answer_info``), and the groups that the stereotype is about.
"""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from gpf_desktop.documents.table_encodings import opened
from gpf_desktop.documents.tables import json_objects
from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.text import tr, trn
from gpf_desktop.methods.contextual_stereoset.items import ChoiceItem, ItemSet, checked, type_said, without_doubles

_ANSWERS: Final = ("ans0", "ans1", "ans2")
_FIELDS: Final = frozenset({"context", "question", "answer_info", "question_polarity", *_ANSWERS})
_AMBIGUOUS, _NEGATIVE, _UNKNOWN = "ambig", "neg", "unknown"


def is_bbq(path: Path) -> bool:
    """Whether the first line of *path* is an item of BBQ."""
    try:
        with opened(path) as file:
            _, first = next(json_objects(file), (0, {}))
    except (OSError, UserError):
        # What is wrong with it is said when its items are read.
        return False
    return first.keys() >= _FIELDS


def read_bbq(path: Path) -> ItemSet:
    """The items of *path* whose context does not tell the answer, with the question behind it. The stereotype is the
    answer of whom it is about where the question asks for something bad, else the other's. Raises `UserError`."""
    told = no_group = 0
    items: list[tuple[str, ChoiceItem]] = []
    with opened(path) as file:
        for line, record in json_objects(file):
            where = tr("Line {line}", line=line)
            if record.get("context_condition", _AMBIGUOUS) != _AMBIGUOUS:
                told += 1
            elif (item := _item(record, where)) is None:
                no_group += 1
            else:
                items.append((where, checked(item, where)))
    if not items:
        raise UserError(
            tr(
                "{file} has no item of BBQ that leaves its answer open and says whom the stereotype is about.",
                file=path.name,
            ),
            tr("Choose one of the files that the authors of BBQ publish."),
        )
    read = without_doubles(items)
    source = trn("{file}: BBQ, {n} item", "{file}: BBQ, {n} items", len(read), file=path.name)
    left_out = tr(
        "left out: {told} whose context tells the answer, {no_group} that do not say whom the stereotype is about",
        told=told,
        no_group=no_group,
    )
    return ItemSet(items=read, source=f"{source}; {left_out}" if told or no_group else source)


def _item(record: Mapping[str, object], where: str) -> ChoiceItem | None:
    """None where nothing tells which answer is the stereotype."""
    info, beside = record.get("answer_info"), record.get("additional_metadata")
    if not isinstance(info, dict) or not isinstance(beside, dict):
        return None
    groups = {_plain(each) for each in _texts(beside.get("stereotyped_groups"))}
    of = {name: [*map(_plain, _texts(info.get(name)))] for name in _ANSWERS}
    unknown = [name for name, words in of.items() if _UNKNOWN in words]
    about = [name for name, words in of.items() if name not in unknown and groups & {*words, *_parts(words)}]
    if len(unknown) != 1 or len(about) != 1:
        return None
    (other,) = (name for name in _ANSWERS if name not in (unknown[0], about[0]))
    first, second = (about[0], other) if record.get("question_polarity") == _NEGATIVE else (other, about[0])
    kind = type_said(str(record.get("category", "")).replace("_", " "), where)
    return ChoiceItem(
        id=f"{kind} {record.get('example_id', where)}",
        group=kind,
        target=str(record.get(about[0], "")).strip(),
        text=f"{str(record.get('context', '')).strip()} {str(record.get('question', '')).strip()}".strip(),
        options=(_said(record, first), _said(record, second), _said(record, unknown[0])),
    )


def _said(record: Mapping[str, object], name: str) -> str:
    return str(record.get(name, "")).strip()


def _texts(value: object) -> Iterator[str]:
    yield from (each for each in (value if isinstance(value, list) else []) if isinstance(each, str))


def _plain(name: str) -> str:
    return re.sub(r"\W|_", "", name).casefold()


def _parts(words: list[str]) -> Iterator[str]:
    """The part behind “f” or “m”, as in F-Black."""
    yield from (each[1:] for each in words if each[:1] in ("f", "m"))
