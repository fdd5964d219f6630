"""Protocol files: read with messages that name file, line and field; written back in the same shape.

YAML is what the program ships and writes; TOML is read as well. A protocol is plain data: nothing in it is executed.
"""

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import MISSING, Field, fields, is_dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

import yaml

from gpf_desktop import plain_data
from gpf_desktop.documents.targets import there
from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.protocol_problems import FieldProblem, WrongFieldError
from gpf_desktop.domain.text import tr
from gpf_desktop.engine.core import catalogue
from gpf_desktop.engine.core.capped_files import LARGEST, read_bytes, toml_data, yaml_tree
from gpf_desktop.storage import stored

Lines = Mapping[tuple[str | int, ...], int]
"""By the path of a field, its line, from 1."""


def line_of(path: Iterable[str | int], lines: Lines) -> int | None:
    """The line of the field at *path*, else of the nearest field around it; None if none of these stands in the
    file."""
    parts = tuple(path)
    return next((lines[parts[:n]] for n in range(len(parts), 0, -1) if parts[:n] in lines), None)


def lines_of(root: yaml.Node | None) -> Lines:
    """The line of every mapping value and sequence entry under *root*, by path; *root* holds no node twice."""
    found: dict[tuple[str | int, ...], int] = {}
    todo: list[tuple[tuple[str | int, ...], yaml.Node]] = [] if root is None else [((), root)]
    while todo:
        path, node = todo.pop()
        if isinstance(node, yaml.MappingNode):
            for key, value in node.value:
                found[(*path, key.value)] = key.start_mark.line + 1
                todo.append(((*path, key.value), value))
        elif isinstance(node, yaml.SequenceNode):
            for index, value in enumerate(node.value):
                found[(*path, index)] = value.start_mark.line + 1
                todo.append(((*path, index), value))
    return found


FIRST_METHOD: Final = "gpf-livenews"
"""Of files that name no method: they are older than the second one."""
LARGEST_KEPT: Final = 12 * 2**20
"""Bytes, with room beneath what one value of an audit may have."""


def name_in_files(method: str) -> str:
    """The name of *method* in plans and settings; empty for the first method, whose files are older than the second
    method."""
    return "" if method == FIRST_METHOD else method


def news_method(methods: Sequence[str]) -> str:
    """The first of an audit's *methods* whose rounds are about news; `FIRST_METHOD` if there is none."""
    # Lazily: to open an audit of the first method nothing of other methods is imported.
    return next((each for each in methods if not name_in_files(each) or catalogue.is_about_news(each)), FIRST_METHOD)


def shipped_protocols(method: str) -> Mapping[str, Path]:
    """Protocols that come with a method, by name."""
    return catalogue.method(method).protocol_files()


def load_protocol(name_or_file: str, *, method: str, beside: Path | None = None) -> Any:
    """A shipped protocol by name, or one in a file; relative paths are looked up in *beside* first."""
    shipped = shipped_protocols(method)
    if name_or_file in shipped:
        return read_protocol(shipped[name_or_file].read_text(encoding="utf-8"), where=name_or_file, method=method)
    path = Path(name_or_file)
    if beside is not None and not path.is_absolute():
        path = beside / path
    if not there(path):
        raise UserError(
            tr("There is no protocol called “{name}”, and no file of that name.", name=name_or_file),
            tr("Use one of {names}, or give the path of a protocol file.", names=", ".join(sorted(shipped))),
        )
    try:
        # Some editors put a byte order mark in front, which TOML refuses.
        text = read_bytes(path).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UserError(
            tr("The protocol file {file} cannot be read: {error}.", file=str(path), error=str(error)),
            tr("Check that it is a text file in UTF-8."),
        ) from error
    protocol = read_protocol(text, where=path.name, toml=path.suffix.lower() == ".toml", method=method)
    return catalogue.method(method).with_files(protocol, tuple(filter(None, (beside, path.parent))))


def read_protocol(text: str, *, where: str, method: str, toml: bool = False) -> Any:
    """The protocol in *text*. Raises `UserError` naming *where*, line and field of the first thing wrong."""
    data, lines = _parse(text, where, toml=toml)
    try:
        return catalogue.method(method).protocol(data)
    except WrongFieldError as error:
        raise _wrong(where, lines, error.problem) from None


def _parse(text: str, where: str, *, toml: bool) -> tuple[Mapping[str, Any], Lines]:
    if toml:
        return toml_data(text, where, tr("Mend that place.")), {}
    data, root = yaml_tree(text, where)
    if not isinstance(data, dict):
        raise UserError(
            tr("{where} holds no protocol: it has no named fields.", where=where),
            tr("Start from the shipped protocol: Protocol › Export."),
        )
    return data, lines_of(root)


def _wrong(where: str, lines: Lines, problem: FieldProblem) -> UserError:
    line = line_of(problem.path, lines)
    place = tr("{where}, line {line}", where=where, line=line) if line else where
    return UserError(tr("{place}, {field}: {problem}.", place=place, field=problem.field, problem=problem.words))


def write_protocol(protocol: Any, method: str) -> str:
    """*protocol* as YAML that `read_protocol` reads back to an equal value."""
    data = dict(catalogue.method(method).protocol_data(protocol))
    return yaml.safe_dump(data, sort_keys=False, allow_unicode=True, width=110)


def kept_text(protocol: Any, method: str) -> str:
    """*protocol* as an audit keeps it, for `kept_protocol`: as its file, or as JSON where that is too large for one.

    An imported study holds every question of its table: YAML of some megabytes takes minutes to read, JSON a moment.
    Raises `UserError` for what an audit cannot hold.
    """
    plain = json.dumps(dict(catalogue.method(method).protocol_data(protocol)), ensure_ascii=False)
    if len(plain) <= LARGEST:
        text = write_protocol(protocol, method)
        return text if len(text) <= LARGEST else plain
    if len(plain.encode()) > LARGEST_KEPT:
        raise UserError(
            tr("What was asked takes {n:,} characters, and an audit holds {most:,}.", n=len(plain), most=LARGEST_KEPT),
            tr("Make several studies of it, each with some of its questions and every answer to them."),
        )
    return plain


def kept_protocol(text: str, *, where: str, method: str) -> Any:
    """The protocol that `kept_text` wrote. Raises `UserError` naming *where* and the first thing wrong."""
    try:
        with plain_data.as_kept():
            # JSON that is short enough comes here too, which YAML reads as well.
            if len(text) <= LARGEST:
                return read_protocol(text, where=where, method=method)
            return catalogue.method(method).protocol(json.loads(text))
    except WrongFieldError as error:
        raise _wrong(where, {}, error.problem) from None
    except (ValueError, RecursionError, TypeError, AttributeError) as error:
        raise UserError(
            tr("{where} cannot be read: it is neither a protocol's file nor its JSON.", where=where),
            tr("Open another copy of the audit."),
        ) from error


def protocol_hash(protocol: Any) -> str:
    """SHA-256 over the protocol's values: equal for equal protocols however their files are laid out.

    A field that came later (`domain.protocol.LATER`) counts where it is not at its default, so that the hash of a
    protocol without it stays what it was.
    """
    canonical = json.dumps(_values(protocol), sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(canonical.encode()).hexdigest()


def _values(value: Any) -> Any:
    """Fields by name, as deep as they go."""
    if is_dataclass(value):
        held = {each.name: getattr(value, each.name) for each in fields(value) if not _unset(value, each)}
        return {name: _values(each) for name, each in held.items()}
    if isinstance(value, list | tuple):
        return [_values(each) for each in value]
    if isinstance(value, Mapping):
        return {key: _values(each) for key, each in value.items()}
    return value


def _unset(owner: Any, its: Field[Any]) -> bool:
    # What is worked out from the other fields is never set.
    default = its.default if its.default_factory is MISSING else its.default_factory()
    return bool(its.metadata.get("later")) and (not its.init or getattr(owner, its.name) == default)


@lru_cache(maxsize=8)
def frozen_protocol(method: str, text: str) -> Any:
    """Reading one takes some tenths of a second, which only the first bundle of a protocol should cost."""
    return kept_protocol(text, where=tr("this round's protocol"), method=method)


def stored_controls(method: str, text: str) -> Any:
    """The sizes that a round of *method* keeps as *text*. Raises `BadRowError` for what is none of them, and
    `UserError` for a method that is not there."""
    its = catalogue.method(method)
    with stored.reading(tr("the sizes of a round")):
        try:
            return its.controls(stored.structure(text))
        except WrongFieldError as error:
            raise stored.BadRowError(tr("the sizes of a round: {why}", why=error.problem.words)) from error
