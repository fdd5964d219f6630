"""Declarations as a file: what people declare of an audit, apart from what they write of its findings."""

import json
from dataclasses import fields, replace
from pathlib import Path
from typing import Final

import tomlkit

from gpf_desktop.documents import encodings
from gpf_desktop.domain.articles import Document
from gpf_desktop.domain.declarations import OPTIONAL, REQUIRED, Declaration, RetentionLine, field_title
from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.text import tr
from gpf_desktop.engine.core.capped_files import read_bytes, toml_data
from gpf_desktop.engine.reporting.annex.clauses import clause_texts
from gpf_desktop.engine.reporting.drafts.draft import ReportDraft
from gpf_desktop.engine.reporting.drafts.draft_files import read_draft, to_json

DECLARED: Final = ("declaration", "retention", "recommendations", "clauses", "authors", "sign_off", "named_reviewers")
"""Fields of a draft that such a file may hold."""


def offered_retention() -> tuple[RetentionLine, ...]:
    """Lines about what is usually kept, with the terms that two texts name; a proposal for the auditor to change."""
    asks = tr("whoever the auditor says")
    return (
        RetentionLine(
            what=tr("Audit file, shared file and reports"),
            until=tr("ten years after the system is placed on the market"),
            rule=tr("Regulation (EU) 2024/1689, Article 18, where it binds"),
            asks=asks,
        ),
        RetentionLine(
            what=tr("Data of the audit"),
            until=tr("six months after the last use"),
            rule=tr("New York City, 6 RCNY § 5-303, where it binds; known through a secondary page"),
            asks=asks,
        ),
    )


def declared_in(path: Path) -> ReportDraft:
    """A draft with nothing but what the TOML file at *path* declares. Raises `UserError`."""
    text = encodings.text(Document(body=read_bytes(path), address=str(path)))
    for name in toml_data(text, path.name, tr("Mend that place.")):
        if name not in DECLARED:
            raise UserError(
                tr("{where}: “{name}” is no part of the declarations.", where=path.name, name=name),
                tr("Use: {names}.", names=", ".join(DECLARED)),
            )
    found = read_draft(text, where=path.name)
    known = {each.id for text in clause_texts() for each in text.clauses}
    for answer in found.clauses:
        if answer.clause not in known:
            raise UserError(
                tr("{where}: there is no clause “{name}”.", where=path.name, name=answer.clause),
                tr("Use: {names}.", names=", ".join(sorted(known))),
            )
    return found


def with_declared(draft: ReportDraft, declared: ReportDraft) -> ReportDraft:
    """*draft* with what *declared* says; a field of which it says nothing stays."""
    usual = ReportDraft()
    said = {name: getattr(declared, name) for name in DECLARED if getattr(declared, name) != getattr(usual, name)}
    if "declaration" in said:
        old, new = draft.declaration, declared.declaration
        told = {each.name: getattr(new, each.name) for each in fields(Declaration) if getattr(new, each.name)}
        said["declaration"] = replace(old, **told)
    return replace(draft, **said)


def form(draft: ReportDraft) -> str:
    """The declarations of *draft* as TOML to fill in: every field, with what it asks for before it."""
    document = tomlkit.document()
    document.add(tomlkit.comment(tr("Declarations of an audit, for: gpf-desktop declare AUDIT.gpf THIS.toml")))
    document.add(tomlkit.comment(tr("Who has nothing to declare in a field writes “none”.")))
    declaration = tomlkit.table()
    for name in (*REQUIRED, *OPTIONAL):
        needed = tr("needed for a final report") if name in REQUIRED else tr("may stay empty")
        declaration.add(tomlkit.comment(f"{field_title(name)} ({needed})"))
        declaration.add(name, getattr(draft.declaration, name))
    declaration.add("final", draft.declaration.final)
    document.add("declaration", declaration)
    said = json.loads(to_json(draft))
    for name in ("retention", "recommendations", "clauses"):
        if said[name]:
            tables = tomlkit.aot()
            for each in said[name]:
                tables.append(tomlkit.item({key: value for key, value in each.items() if value is not None}))
            document.add(name, tables)
    return tomlkit.dumps(document)
