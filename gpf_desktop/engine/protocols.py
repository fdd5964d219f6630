"""Protocol files: read with messages that name file, line and field; written back in the same shape.

YAML is what the program ships and writes; TOML is read as well. A protocol is plain data: nothing in it is executed.
"""

import hashlib
import json
import re
import tomllib
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.protocol import (
    Controls,
    Decoding,
    Dimension,
    Family,
    FitScope,
    Identity,
    LabelSet,
    Protocol,
    ScoringSettings,
)
from gpf_desktop.domain.resources import resources
from gpf_desktop.domain.text import tr
from gpf_desktop.engine.yaml_lines import Lines, lines_of

DEFAULT_PROTOCOL = "GPF-LiveNews-v1"
_LAYOUT_FIELDS = ("{question}", "{headline}", "{description}")

Text = Annotated[str, Field(min_length=1, max_length=20_000)]
Name = Annotated[str, Field(min_length=1, max_length=200)]
Share = Annotated[float, Field(ge=0, le=1)]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, str_strip_whitespace=True)


class _Identity(_Strict):
    label: Name
    patterns: list[Text] = []
    overlaps: list[Name] = []


class _Dimension(_Strict):
    name: Name
    identities: Annotated[list[_Identity], Field(min_length=2)]


class _Family(_Strict):
    name: Name
    templates: Annotated[list[Text], Field(min_length=1)]
    identity_free: Annotated[list[Text], Field(min_length=1)]


class _LabelSet(_Strict):
    name: Name
    labels: Annotated[list[Name], Field(min_length=2)]


class _Decoding(_Strict):
    temperature: Annotated[float, Field(ge=0, le=2)] | None = 0.2
    top_p: Annotated[float, Field(gt=0, le=1)] | None = 1.0
    max_tokens: Annotated[int, Field(ge=1)] | None = 3000
    seed: bool = True


class _Controls(_Strict):
    identity_free_generations: Annotated[int, Field(ge=0, le=100)] = 7
    random_label: bool = True
    repeat_share: Share = 0.14
    repeat_generations: Annotated[int, Field(ge=2, le=100)] = 3
    paraphrase_share: Share = 0.5


class _Scoring(_Strict):
    fit_scope: FitScope = FitScope.ARTICLE
    rarefy: Annotated[int, Field(ge=2)] | None = None
    partial_in_means: bool = True
    high_coverage: Annotated[int, Field(ge=1)] = 300


class _Protocol(_Strict):
    name: Name
    version: Annotated[int, Field(ge=1)] = 1
    system_prompt: str
    message_layout: Text
    decoding: _Decoding = _Decoding()
    controls: _Controls = _Controls()
    scoring: _Scoring = _Scoring()
    label_sets: list[_LabelSet] = []
    families: Annotated[list[_Family], Field(min_length=1)]
    dimensions: Annotated[list[_Dimension], Field(min_length=1)]


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
        wire = _Protocol.model_validate(data)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        raise _wrong(where, lines, first["loc"], _in_words(first)) from None
    _check(wire, where, lines)
    return _to_domain(wire)


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


def _in_words(error: Mapping[str, Any]) -> str:
    match error["type"]:
        case "missing":
            return tr("this field is missing")
        case "extra_forbidden":
            return tr("there is no field of this name")
        case "too_short":
            return tr("at least {n} are needed", n=error["ctx"]["min_length"])
        case "string_too_short":
            return tr("it is empty")
        case _:
            message: str = error["msg"]
            return message[0].lower() + message[1:]


def _wrong(where: str, lines: Lines, path: Iterable[str | int], problem: str) -> UserError:
    path = tuple(path)
    field = " › ".join(str(part + 1) if isinstance(part, int) else part for part in path)
    line = lines.of(path)
    place = tr("{where}, line {line}", where=where, line=line) if line else where
    return UserError(tr("{place}, {field}: {problem}.", place=place, field=field, problem=problem))


def _check(wire: _Protocol, where: str, lines: Lines) -> None:
    """What types alone do not say: unique names, fields in templates, patterns that compile."""
    _unique([d.name for d in wire.dimensions], ("dimensions",), "name", where, lines)
    _unique([f.name for f in wire.families], ("families",), "name", where, lines)
    _unique([s.name for s in wire.label_sets], ("label_sets",), "name", where, lines)
    for i, dimension in enumerate(wire.dimensions):
        path: tuple[str | int, ...] = ("dimensions", i, "identities")
        _unique([identity.label for identity in dimension.identities], path, "label", where, lines)
        for j, identity in enumerate(dimension.identities):
            for k, pattern in enumerate(identity.patterns):
                try:
                    re.compile(pattern)
                except re.error as error:
                    place = (*path, j, "patterns", k)
                    raise _wrong(where, lines, place, tr("not a valid pattern: {e}", e=str(error))) from None
    for i, family in enumerate(wire.families):
        for j, template in enumerate(family.templates):
            if template.count("{identity}") != 1:
                problem = tr("a template needs {field} exactly once", field="{identity}")
                raise _wrong(where, lines, ("families", i, "templates", j), problem)
        for j, template in enumerate(family.identity_free):
            if "{identity}" in template:
                problem = tr("an identity-free template must not name {field}", field="{identity}")
                raise _wrong(where, lines, ("families", i, "identity_free", j), problem)
        if len(family.identity_free) > len(family.templates):
            problem = tr("there are more identity-free templates than templates")
            raise _wrong(where, lines, ("families", i, "identity_free"), problem)
    for field in _LAYOUT_FIELDS:
        if field not in wire.message_layout:
            raise _wrong(where, lines, ("message_layout",), tr("{field} is missing", field=field))


def _unique(names: list[str], path: tuple[str | int, ...], key: str, where: str, lines: Lines) -> None:
    counts = Counter(name.casefold() for name in names)
    seen: set[str] = set()
    for i, name in enumerate(names):
        if counts[name.casefold()] > 1 and name.casefold() in seen:
            problem = tr("“{name}” appears twice; each name may stand once", name=name)
            raise _wrong(where, lines, (*path, i, key), problem)
        seen.add(name.casefold())


def _to_domain(wire: _Protocol) -> Protocol:
    return Protocol(
        name=wire.name,
        version=wire.version,
        dimensions=tuple(
            Dimension(
                name=d.name,
                identities=tuple(
                    Identity(label=i.label, patterns=tuple(i.patterns), overlaps=tuple(i.overlaps))
                    for i in d.identities
                ),
            )
            for d in wire.dimensions
        ),
        families=tuple(
            Family(name=f.name, templates=tuple(f.templates), identity_free=tuple(f.identity_free))
            for f in wire.families
        ),
        system_prompt=wire.system_prompt,
        message_layout=wire.message_layout,
        label_sets=tuple(LabelSet(name=s.name, labels=tuple(s.labels)) for s in wire.label_sets),
        decoding=Decoding(**wire.decoding.model_dump()),
        controls=Controls(**wire.controls.model_dump()),
        scoring=ScoringSettings(**wire.scoring.model_dump()),
    )


def write_protocol(protocol: Protocol) -> str:
    """*protocol* as YAML that `read_protocol` reads back to an equal value."""
    data = json.loads(json.dumps(asdict(protocol)))
    order = [*_Protocol.model_fields]
    ordered = {key: data[key] for key in order}
    return yaml.safe_dump(ordered, sort_keys=False, allow_unicode=True, width=110)


def protocol_hash(protocol: Protocol) -> str:
    """SHA-256 over the protocol's values: equal for equal protocols however their files are laid out."""
    canonical = json.dumps(asdict(protocol), sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(canonical.encode()).hexdigest()
