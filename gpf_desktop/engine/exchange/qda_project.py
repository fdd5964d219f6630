"""The codings of an audit as a project file for programs that analyse texts by codes."""

from collections import defaultdict
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from gpf_desktop import __version__
from gpf_desktop.domain.codes import Code
from gpf_desktop.domain.study_entries import STUDY
from gpf_desktop.domain.text import tr
from gpf_desktop.exporters.qda_projects import (
    QdaCode,
    QdaNote,
    QdaProject,
    QdaSelection,
    QdaSource,
    QdaUser,
    write_project,
)
from gpf_desktop.storage import audits, quotes, reviewers, study_entries
from gpf_desktop.storage.quotes import MarkedQuote, QuotedAnswer
from gpf_desktop.storage.writer import Connection

NAME: Final = "coded"
"""The file's, before its suffix."""


def write_qda_project(connection: Connection, path: Path) -> bool:
    """Write every answer of the sets in which somebody marked words, with codes and memos, to *path*.

    Of what was submitted, no drafts. False, and no file, where nobody has marked any words.
    """
    project = qda_project(connection)
    if project is None:
        return False
    write_project(project, path)
    return True


def qda_project(connection: Connection) -> QdaProject | None:
    """None where nobody has submitted a marked passage."""
    said = quotes.quotes(connection)
    if not said:
        return None
    facts, book, memos = audits.facts(connection), study_entries.code_book(connection), study_entries.memos(connection)
    marked: dict[int, list[MarkedQuote]] = defaultdict(list)
    for quote in said:
        marked[quote.cell_id].append(quote)
    answers = quotes.answers_of(connection, sorted({quote.bundle_id for quote in said}))
    uuids = {person.id: person.uuid for person in reviewers.every(connection)}
    about = {answer.item_key for answer in answers.values()}
    told = [memo for memo in memos if memo.subject == STUDY or memo.subject in about]
    authors = {uuids[quote.reviewer_id] for quote in said} | {memo.reviewer for memo in told}
    changes = study_entries.code_changes(connection)
    newest = max((datetime.fromisoformat(each.at) for each in changes), default=facts.created)
    return QdaProject(
        name=facts.title,
        origin=f"GPF Desktop {__version__}",
        made=max(newest, facts.created).astimezone(UTC),
        users=tuple(
            QdaUser(key=person.uuid, name=person.name)
            for person in sorted(reviewers.every(connection), key=lambda each: (each.name, each.uuid))
            if person.uuid in authors
        ),
        codes=tuple(
            QdaCode(key=code.id, name=_code_name(code, book.codes), description=_description(code))
            for code in sorted(book.codes, key=lambda each: each.name.casefold())
            if not code.merged_into
        ),
        sources=tuple(
            QdaSource(
                key=f"{facts.uuid} {cell}",
                name=_name(cell, answer),
                text=answer.text,
                values=_values(answer),
                selections=tuple(
                    QdaSelection(
                        start=quote.start,
                        end=quote.end,
                        user=uuids[quote.reviewer_id],
                        codes=tuple(code.id for code in book.standing_of(quote.codes)),
                        comment=quote.comment,
                    )
                    for quote in marked[cell]
                ),
                notes=tuple(
                    f"{memo.reviewer} {memo.subject}" for memo in told if memo.subject == answer.item_key != STUDY
                ),
            )
            for cell, answer in answers.items()
        ),
        notes=tuple(
            QdaNote(
                key=f"{memo.reviewer} {memo.subject}",
                name=tr("Memo of {name}", name=memo.name),
                text=memo.text,
                user=memo.reviewer,
                at=memo.at,
                of_project=memo.subject == STUDY,
            )
            for memo in told
        ),
    )


def _code_name(code: Code, among: Sequence[Code]) -> str:
    """Another program knows codes by their names: of two alike, the retired one says that it is."""
    alike = sum(each.name.casefold() == code.name.casefold() and not each.merged_into for each in among)
    return tr("{code} (not used any more)", code=code.name) if code.retired and alike > 1 else code.name


def _description(code: Code) -> str:
    lines = [code.definition, *(tr("Example: {words}", words=each) for each in code.examples)]
    if code.retired:
        lines.append(tr("Not used any more."))
    return "\n".join(filter(None, lines))


def _name(cell: int, answer: QuotedAnswer) -> str:
    levels = ", ".join(level for _, level in answer.varying if level)
    return " · ".join(filter(None, (f"{cell}", answer.model, answer.item, levels)))


def _values(answer: QuotedAnswer) -> tuple[tuple[str, str], ...]:
    told = (("model", answer.model), ("item", answer.item), *answer.fixed, *answer.varying)
    return tuple((name, value) for name, value in dict(told).items() if value)
