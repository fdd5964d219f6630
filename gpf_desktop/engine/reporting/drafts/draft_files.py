"""Drafts as they are kept in the audit (JSON) and handed about as files (TOML).

A file may hold a whole draft, or a template: what an organisation has in each of its reports.
"""

import difflib
import json
from dataclasses import fields, replace
from pathlib import Path
from typing import Any, Final

import tomlkit
from pydantic import TypeAdapter, ValidationError

from gpf_desktop.documents import encodings
from gpf_desktop.domain.articles import Document
from gpf_desktop.domain.declarations import ClauseAnswer, Declaration, PartyReply, Recommendation, RetentionLine
from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.text import tr
from gpf_desktop.engine.core.capped_files import read_bytes, toml_data
from gpf_desktop.engine.reporting.drafts.draft import OF_TEMPLATES, DraftFinding, Evidence, ReportDraft
from gpf_desktop.engine.reporting.drafts.logo import check_logo
from gpf_desktop.storage.files import written_whole

_DRAFTS: Final = TypeAdapter(ReportDraft)
_OF_TEMPLATES: Final = (*OF_TEMPLATES, "order", "off")


def to_json(draft: ReportDraft) -> str:
    """*draft* as `from_json` reads it; halves of surrogate pairs, which no file can hold, become question marks."""
    return json.dumps(_writable(_DRAFTS.dump_python(draft, mode="json")), ensure_ascii=False)


def _writable(value: Any) -> Any:
    match value:
        case str():
            return value.encode("utf-8", "replace").decode()
        case dict():
            return {name: _writable(each) for name, each in value.items()}
        case list():
            return [_writable(each) for each in value]
        case _:
            return value


def from_json(text: str) -> ReportDraft:
    """Raises `ValueError` where *text* is none of ours."""
    return _DRAFTS.validate_json(text)


def load_draft(path: Path) -> ReportDraft:
    """The draft or template in the TOML file at *path*. Raises `UserError` with the file, the field and what to do."""
    return read_draft(encodings.text(Document(body=read_bytes(path), address=str(path))), where=path.name)


def read_draft(text: str, *, where: str) -> ReportDraft:
    """Raises `UserError`."""
    data = toml_data(text, where, tr("Mend that place."))
    # pydantic passes over names that a dataclass has not: a misspelt field would lose its text without a word.
    for kind, tables in (
        (ReportDraft, [data]),
        (DraftFinding, _tables(data, "findings")),
        (Evidence, _tables(data, "tray")),
        (Declaration, [each] if isinstance(each := data.get("declaration"), dict) else []),
        (RetentionLine, _tables(data, "retention")),
        (Recommendation, _tables(data, "recommendations")),
        (PartyReply, _tables(data, "replies")),
        (ClauseAnswer, _tables(data, "clauses")),
    ):
        for table in tables:
            _check_names(table, kind, where)
    for number, finding in enumerate(_tables(data, "findings"), start=1):
        # Numbers are the program's: whoever writes a draft by hand has no need to give any.
        finding.setdefault("id", number)
    try:
        draft = _DRAFTS.validate_python(data)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        place = " › ".join(str(part + 1 if isinstance(part, int) else part) for part in first["loc"])
        raise UserError(
            tr("{where}, {place}: {what}.", where=where, place=place, what=first["msg"]), tr("Mend that place.")
        ) from None
    check_ids(draft, where)
    check_logo(draft.logo)
    return draft


def template_of(draft: ReportDraft) -> ReportDraft:
    """A draft that holds only the organisation's parts of *draft*: nothing of this audit's findings and evidence."""
    return replace(ReportDraft(), **{name: getattr(draft, name) for name in _OF_TEMPLATES})


def with_template(draft: ReportDraft, template: ReportDraft) -> ReportDraft:
    """*draft* with what *template* brings; a text of which the template has none stays."""
    brought = {name: getattr(template, name) for name in _OF_TEMPLATES}
    return replace(draft, **{name: value for name, value in brought.items() if value or name in ("order", "off")})


def save_draft(draft: ReportDraft, path: Path) -> None:
    """Write *draft* for `load_draft`. Raises `StorageError`."""
    with written_whole(path) as beside:
        beside.write_text(draft_text(draft), encoding="utf-8", newline="\n")


def draft_text(draft: ReportDraft) -> str:
    """*draft* as TOML; fields that say nothing are left out."""
    said: dict[str, Any] = json.loads(to_json(draft))
    usual = json.loads(to_json(ReportDraft()))
    document = tomlkit.document()
    document.add(tomlkit.comment(tr("A report's draft for GPF Desktop. Blank lines part paragraphs.")))
    for name, value in said.items():
        if value != usual[name]:
            document[name] = _tidy(value)
    return tomlkit.dumps(document)


def _tidy(value: Any) -> Any:
    """*value* without what TOML has no word for, and long texts over several lines."""
    match value:
        case dict():
            return {name: _tidy(each) for name, each in value.items() if each is not None}
        case list() if value and isinstance(value[0], dict):
            tables = tomlkit.aot()
            for each in value:
                tables.append(tomlkit.item(_tidy(each)))
            return tables
        case str() if "\n" in value:
            return tomlkit.string(value, multiline=True)
        case _:
            return value


def _tables(data: dict[str, Any], name: str) -> list[dict[str, Any]]:
    found = data.get(name)
    return [each for each in found if isinstance(each, dict)] if isinstance(found, list) else []


def _check_names(table: dict[str, Any], kind: type, where: str) -> None:
    known = [field.name for field in fields(kind)]
    for name in table:
        if name not in known:
            near = difflib.get_close_matches(str(name), known, n=1)
            said = tr("Did you mean {name}?", name=near[0]) if near else tr("Use: {names}.", names=", ".join(known))
            raise UserError(tr("{where}: there is no field “{name}”.", where=where, name=name), said)


def check_ids(draft: ReportDraft, where: str) -> None:
    """Raises `UserError` where a finding rests on what is not in the tray, or a severity is out of range."""
    for number, finding in enumerate(draft.findings, start=1):
        if finding.severity is not None and not 1 <= finding.severity <= 4:
            raise UserError(
                tr(
                    "{where}, findings › {n}: severity is {severity}.", where=where, n=number, severity=finding.severity
                ),
                tr("Use 1 to 4, or leave it out."),
            )
        for each in finding.evidence:
            if draft.evidence(each) is None:
                raise UserError(
                    tr("{where}, findings › {n}: the tray holds no evidence {id}.", where=where, n=number, id=each),
                    tr("Take it from an audit's own draft: gpf-desktop report AUDIT.gpf --save-draft FILE."),
                )
