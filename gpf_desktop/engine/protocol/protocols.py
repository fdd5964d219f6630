"""Protocol files: read with messages that name file, line and field; written back in the same shape.

YAML is what the program ships and writes; TOML is read as well. A protocol is plain data: nothing in it is executed.
"""

import hashlib
import json
import tomllib
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

import yaml

from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.protocol import Protocol
from gpf_desktop.domain.resources import resources
from gpf_desktop.domain.text import tr
from gpf_desktop.engine.protocol.protocol_checks import (
    FIELDS,
    FieldProblem,
    WrongFieldError,
    checked_protocol,
    plain_data,
)
from gpf_desktop.engine.protocol.yaml_lines import Lines, lines_of

DEFAULT_PROTOCOL = "GPF-LiveNews-v1"


def shipped_protocols() -> dict[str, Path]:
    """Protocols that come with the program, by name."""
    folder = resources() / "protocols"
    return {_name_in(path): path for path in sorted(folder.glob("*.yaml"))}


def _name_in(path: Path) -> str:
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("name:"):
            return line.removeprefix("name:").strip()
    return path.stem


def load_protocol(name_or_file: str, *, beside: Path | None = None) -> Protocol:
    """A shipped protocol by name, or one in a file; relative paths are looked up in *beside* first."""
    shipped = shipped_protocols()
    if name_or_file in shipped:
        return read_protocol(shipped[name_or_file].read_text(encoding="utf-8"), where=name_or_file)
    path = Path(name_or_file)
    if beside is not None and not path.is_absolute():
        path = beside / path
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise UserError(
            tr("There is no protocol called “{name}”, and no file of that name.", name=name_or_file),
            tr("Use one of {names}, or give the path of a protocol file.", names=", ".join(sorted(shipped))),
        ) from None
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(
            tr("The protocol file {file} cannot be read: {error}.", file=str(path), error=str(error)),
            tr("Check that it is a text file in UTF-8."),
        ) from error
    return read_protocol(text, where=path.name, toml=path.suffix.lower() == ".toml")


def read_protocol(text: str, *, where: str, toml: bool = False) -> Protocol:
    """The protocol in *text*. Raises `UserError` naming *where*, line and field of the first thing wrong."""
    data, lines = _parse(text, where, toml=toml)
    try:
        return checked_protocol(data)
    except WrongFieldError as error:
        raise _wrong(where, lines, error.problem) from None


def _parse(text: str, where: str, *, toml: bool) -> tuple[Mapping[str, Any], Lines]:
    try:
        data = tomllib.loads(text) if toml else yaml.safe_load(text)
        lines = Lines({}) if toml else lines_of(text)
    except tomllib.TOMLDecodeError as error:
        raise UserError(tr("{where} is not valid TOML: {error}.", where=where, error=str(error))) from None
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        line = f", line {mark.line + 1}" if mark is not None else ""
        problem = getattr(error, "problem", None) or "it cannot be read"
        raise UserError(
            tr("{where}{line} is not valid YAML: {problem}.", where=where, line=line, problem=problem),
            tr("Check the indentation and the quotation marks there."),
        ) from None
    if not isinstance(data, dict):
        raise UserError(
            tr("{where} holds no protocol: it has no named fields.", where=where),
            tr("Start from the shipped protocol: Protocol › Export."),
        )
    return data, lines


def _wrong(where: str, lines: Lines, problem: FieldProblem) -> UserError:
    line = lines.of(problem.path)
    place = tr("{where}, line {line}", where=where, line=line) if line else where
    return UserError(tr("{place}, {field}: {problem}.", place=place, field=problem.field, problem=problem.words))


def write_protocol(protocol: Protocol) -> str:
    """*protocol* as YAML that `read_protocol` reads back to an equal value."""
    data = plain_data(protocol)
    order = [*FIELDS]
    ordered = {key: data[key] for key in order}
    return yaml.safe_dump(ordered, sort_keys=False, allow_unicode=True, width=110)


def protocol_hash(protocol: Protocol) -> str:
    """SHA-256 over the protocol's values: equal for equal protocols however their files are laid out."""
    canonical = json.dumps(asdict(protocol), sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(canonical.encode()).hexdigest()
