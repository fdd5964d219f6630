"""Coded passages as a project of the REFI-QDA standard (QDPX), which programs for qualitative analysis open.

REFI-QDA 1.0/1.5 (Rotterdam Exchange Format Initiative, qdasoftware.org): a zip with `project.qde`, XML of the namespace
`urn:QDA-XML:project:1.0`, and the texts in `sources`. Positions count the characters (Unicode code points) of a text
from 0; the end is the position behind the last. Line ends are one character in every text that is written here, so that
a program that makes one of two counts alike.
"""

import uuid
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Final
from xml.etree.ElementTree import Element, SubElement, tostring

from gpf_desktop.domain.text import printable

SUFFIX: Final = "qdpx"
PROJECT: Final = "project.qde"
NAMESPACE: Final = "urn:QDA-XML:project:1.0"
_SPACE: Final = uuid.UUID("6c0f4a4e-3d54-5a0e-9f0b-2f6c1d2f7b51")
"""Names of ours become numbers (UUID 5) within this one: equal ones in every file."""
_COLOURS: Final = ("#4063D8", "#B7791F", "#2F855A", "#97266D", "#2B6CB0", "#9C4221", "#276749", "#6B46C1")


@dataclass(frozen=True, slots=True, kw_only=True)
class QdaUser:
    """Somebody who coded."""

    key: str
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class QdaCode:
    """A code."""

    key: str
    name: str
    description: str


@dataclass(frozen=True, slots=True, kw_only=True)
class QdaSelection:
    """Marked words of a source; offsets in characters of `QdaSource.text`."""

    start: int
    end: int
    user: str
    """The key of a `QdaUser`."""
    codes: tuple[str, ...]
    """Keys of codes; empty: marked only."""
    comment: str


@dataclass(frozen=True, slots=True, kw_only=True)
class QdaNote:
    """A memo; of the project, or of the sources that name it."""

    key: str
    name: str
    text: str
    user: str
    at: datetime
    of_project: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class QdaSource:
    """One answer."""

    key: str
    name: str
    text: str
    values: tuple[tuple[str, str], ...]
    """(variable, value): model, item, levels."""
    selections: tuple[QdaSelection, ...]
    notes: tuple[str, ...] = ()
    """Keys of notes about it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class QdaProject:
    """The contents of a project file."""

    name: str
    origin: str
    made: datetime
    users: tuple[QdaUser, ...]
    codes: tuple[QdaCode, ...]
    sources: tuple[QdaSource, ...]
    notes: tuple[QdaNote, ...]


def write_project(project: QdaProject, path: Path) -> None:
    """Write *project* to *path*. Equal projects are equal files."""
    with zipfile.ZipFile(path, "w") as target:
        _add(target, PROJECT, _xml(project))
        for source in project.sources:
            _add(target, f"sources/{_guid('source', source.key)}.txt", printable(source.text).encode())


def _add(target: zipfile.ZipFile, name: str, content: bytes) -> None:
    # Without a date of its own the zip would have that of the writing.
    member = zipfile.ZipInfo(name, date_time=(1980, 1, 1, 0, 0, 0))
    member.compress_type = zipfile.ZIP_DEFLATED
    target.writestr(member, content)


def _xml(project: QdaProject) -> bytes:
    root = Element(
        "Project",
        {
            "xmlns": NAMESPACE,
            "name": printable(project.name),
            "origin": project.origin,
            "creationDateTime": _moment(project.made),
        },
    )
    users = SubElement(root, "Users")
    for user in project.users:
        SubElement(users, "User", {"guid": _guid("user", user.key), "name": printable(user.name)})
    if project.codes:
        codes = SubElement(SubElement(root, "CodeBook"), "Codes")
        for at, code in enumerate(project.codes):
            made = {"guid": _guid("code", code.key), "name": printable(code.name), "isCodable": "true"}
            _described(SubElement(codes, "Code", made | {"color": _COLOURS[at % len(_COLOURS)]}), code.description)
    _variables(root, project.sources)
    if project.sources:
        sources = SubElement(root, "Sources")
        for source in project.sources:
            _source(sources, project, source)
    _notes(root, project)
    for note in project.notes:
        if note.of_project:
            SubElement(root, "NoteRef", {"targetGUID": _guid("note", note.key)})
    written: bytes = tostring(root, encoding="utf-8", xml_declaration=True)
    return written


def _variables(root: Element, sources: Sequence[QdaSource]) -> None:
    names = dict.fromkeys(name for source in sources for name, _ in source.values)
    if names:
        variables = SubElement(root, "Variables")
        for name in names:
            made = {"guid": _guid("variable", name), "name": printable(name), "typeOfVariable": "Text"}
            SubElement(variables, "Variable", made)


def _source(sources: Element, project: QdaProject, source: QdaSource) -> None:
    guid = _guid("source", source.key)
    made = SubElement(
        sources,
        "TextSource",
        {
            "guid": guid,
            "name": printable(source.name),
            "plainTextPath": f"internal://{guid}.txt",
            "creationDateTime": _moment(project.made),
        },
    )
    for one in source.selections:
        start, end = (len(printable(source.text[:at])) for at in (one.start, one.end))
        place = f"{source.key} {start} {end} {one.user}"
        selection = SubElement(
            made,
            "PlainTextSelection",
            {
                "guid": _guid("selection", place),
                "name": printable(" ".join(source.text[one.start : one.end].split()))[:80],
                "startPosition": str(start),
                "endPosition": str(end),
                "creatingUser": _guid("user", one.user),
                "creationDateTime": _moment(project.made),
            },
        )
        _described(selection, one.comment)
        for code in one.codes:
            coding = SubElement(
                selection,
                "Coding",
                {
                    "guid": _guid("coding", f"{place} {code}"),
                    "creatingUser": _guid("user", one.user),
                    "creationDateTime": _moment(project.made),
                },
            )
            SubElement(coding, "CodeRef", {"targetGUID": _guid("code", code)})
    for note in source.notes:
        SubElement(made, "NoteRef", {"targetGUID": _guid("note", note)})
    for name, value in source.values:
        said = SubElement(made, "VariableValue")
        SubElement(said, "VariableRef", {"targetGUID": _guid("variable", name)})
        SubElement(said, "TextValue").text = printable(value)


def _notes(root: Element, project: QdaProject) -> None:
    if project.notes:
        notes = SubElement(root, "Notes")
        for note in project.notes:
            made = {
                "guid": _guid("note", note.key),
                "name": printable(note.name),
                "creatingUser": _guid("user", note.user),
                "creationDateTime": _moment(note.at),
            }
            SubElement(SubElement(notes, "Note", made), "PlainTextContent").text = printable(note.text)


def _described(element: Element, words: str) -> None:
    if words.strip():
        SubElement(element, "Description").text = printable(words)


def _guid(kind: str, key: str) -> str:
    return str(uuid.uuid5(_SPACE, f"{kind} {key}"))


def _moment(moment: datetime) -> str:
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")
