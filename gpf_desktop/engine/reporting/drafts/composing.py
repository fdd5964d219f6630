"""Composes what a report prints of a draft."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from gpf_desktop.domain.findings import Finding
from gpf_desktop.domain.reports import AuditorFinding, ReportEvidence, ReportPart
from gpf_desktop.domain.text import tr
from gpf_desktop.domain.verdict_words import severity_called
from gpf_desktop.engine.reporting.drafts.draft import DraftFinding, DraftPart, Evidence, ReportDraft
from gpf_desktop.engine.reporting.drafts.references import named_tables, resolved

_BLANK = re.compile(r"\n[ \t]*\n")


@dataclass(frozen=True, slots=True, kw_only=True)
class Composed:
    """The parts that people wrote, with numbers and evidence filled in."""

    parts: tuple[ReportPart, ...]
    unresolved: tuple[str, ...]


def tables_of(draft: ReportDraft) -> frozenset[str]:
    """Names of the tables that the texts of *draft* refer to."""
    titles = (each.title for each in draft.findings)
    return frozenset().union(*map(named_tables, (*map(draft.text, DraftPart), *titles)))


def composed(
    draft: ReportDraft, tables: Mapping[str, Finding], printed: Callable[[Evidence], ReportEvidence]
) -> Composed:
    """Parts that are on and say something, in the draft's order."""
    writing = _Writing(draft=draft, tables=tables, printed=printed)
    parts = [writing.part(part) for part in draft.parts if part not in draft.off]
    return Composed(
        parts=tuple(each for each in parts if each.paragraphs or each.findings or each.signers),
        unresolved=tuple(dict.fromkeys(writing.problems)),
    )


@dataclass(kw_only=True)
class _Writing:
    draft: ReportDraft
    tables: Mapping[str, Finding]
    printed: Callable[[Evidence], ReportEvidence]
    problems: list[str] = field(default_factory=list)

    def part(self, part: DraftPart) -> ReportPart:
        name, title = part.value, part.heading
        if part is DraftPart.FINDINGS:
            found = tuple(self._finding(each) for each in self.draft.findings)
            return ReportPart(name=name, title=title, findings=tuple(each for each in found if _says(each)))
        text = self.draft.text(part)
        if part is DraftPart.SIGN_OFF:
            return ReportPart(name=name, title=title, signers=lines_of(text))
        return ReportPart(name=name, title=title, paragraphs=self._paragraphs(text))

    def _finding(self, found: DraftFinding) -> AuditorFinding:
        severity = "" if found.severity is None else severity_called(found.severity)
        tray = filter(None, map(self.draft.evidence, found.evidence))
        return AuditorFinding(
            title=self._filled(found.title).strip(),
            severity=severity,
            paragraphs=self._paragraphs(found.text),
            evidence=tuple(map(self._evidence, tray)),
        )

    def _evidence(self, item: Evidence) -> ReportEvidence:
        found = self.printed(item)
        if found.problem:
            self.problems.append(tr("Evidence “{title}”: {problem}", title=item.title, problem=found.problem))
        return found

    def _paragraphs(self, text: str) -> tuple[str, ...]:
        parts = (part.strip() for part in _BLANK.split(text.replace("\r\n", "\n").replace("\r", "\n")))
        return tuple(self._filled(part) for part in parts if part)

    def _filled(self, text: str) -> str:
        found = resolved(text, self.tables)
        self.problems.extend(found.problems)
        return found.text


def lines_of(text: str) -> tuple[str, ...]:
    """The lines of *text* that say something."""
    return tuple(line.strip() for line in text.splitlines() if line.strip())


def _says(found: AuditorFinding) -> bool:
    return bool(found.title or found.paragraphs or found.evidence)
