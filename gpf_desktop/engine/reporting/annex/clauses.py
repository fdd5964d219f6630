"""The state of a report against clauses of laws and standards: met by a chapter, not applicable, or open.

The texts come from dated data files, and nothing here says that anything complies.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from gpf_desktop.domain.declarations import ClauseAnswer, ClauseState
from gpf_desktop.domain.report_blocks import Block, Loudness, Paragraph, Section, WordTable
from gpf_desktop.domain.resources import resources
from gpf_desktop.domain.text import tr
from gpf_desktop.engine.core.capped_files import yaml_tree


@dataclass(frozen=True, slots=True, kw_only=True)
class Clause:
    """One thing that a text asks of a report, in the words of its data file."""

    id: str
    clause: str
    asks: str
    met_by: str
    """Name of the chapter that answers it."""
    needs: tuple[str, ...] = ()
    """What must be there for that: fields of the declarations, ``retention``, ``readings``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClauseText:
    """A law or a standard."""

    text: str
    date: str
    known: str
    bound: str
    """Whom it binds."""
    clauses: tuple[Clause, ...]


@cache
def clause_texts() -> tuple[ClauseText, ...]:
    """The texts of clauses that come with the program, by their files' names."""
    folder = resources() / "reports" / "clauses"
    return tuple(_text(path.read_text(encoding="utf-8"), path.name) for path in sorted(folder.glob("*.yaml")))


def _text(text: str, where: str) -> ClauseText:
    data: Any = yaml_tree(text, where)[0]
    clauses = tuple(Clause(**{**each, "needs": tuple(each.get("needs", ()))}) for each in data["clauses"])
    return ClauseText(text=data["text"], date=data["date"], known=data["known"], bound=data["for"], clauses=clauses)


def clause_sections(
    answers: Sequence[ClauseAnswer], there: Collection[str], chapters: dict[str, str]
) -> tuple[Section, ...]:
    """A section for each text; *there*: what of `Clause.needs` the audit has; *chapters*: titles by name."""
    said = {each.clause: each for each in answers}
    offered = Paragraph(
        text=tr(
            "Offered, not asserted: these texts bind employers, providers or auditors of others, and say themselves"
            " whom. A clause is met by a chapter of this report, not applicable, or open."
        ),
        voice=Loudness.SMALL,
    )
    sections = [Section(name="clauses", title="", blocks=(offered,))]
    for number, text in enumerate(clause_texts(), start=1):
        told = [_told(each, said.get(each.id), there, chapters) for each in text.clauses]
        source = tr("{date}; for {bound}; known {known}.", date=text.date, bound=text.bound, known=text.known)
        blocks: tuple[Block, ...] = (
            Paragraph(text=source, voice=Loudness.SMALL),
            WordTable(
                columns=(tr("What it asks"), tr("Clause"), tr("Here")),
                rows=tuple(
                    (each.asks, each.clause, words) for each, (words, _) in zip(text.clauses, told, strict=True)
                ),
                chapters=tuple(chapter for _, chapter in told),
            ),
        )
        sections.append(Section(name=f"clauses-{number}", title=text.text, blocks=blocks))
    return tuple(sections)


def _told(
    clause: Clause, answer: ClauseAnswer | None, there: Collection[str], chapters: dict[str, str]
) -> tuple[str, str]:
    """(where the report stands with it, the chapter that answers it)"""
    if answer is not None and answer.state is ClauseState.NOT_APPLICABLE:
        return tr("not applicable: {why}", why=answer.why or tr("no reason was given")), ""
    if answer is not None and answer.state is ClauseState.OPEN:
        return (tr("open: {why}", why=answer.why) if answer.why else tr("open")), ""
    if answer is None and any(need not in there for need in clause.needs):
        return tr("open"), ""
    return tr("met by “{chapter}”", chapter=chapters.get(clause.met_by, clause.met_by)), clause.met_by
