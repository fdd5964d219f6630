"""The auditor's draft of a report."""

from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum
from typing import Final, TypeVar

from gpf_desktop.domain.declarations import ClauseAnswer, Declaration, PartyReply, Recommendation, RetentionLine
from gpf_desktop.domain.reports import BundleChoice, ReportWishes
from gpf_desktop.domain.text import tr
from gpf_desktop.engine.reporting.results_filter import ResultsFilter

T = TypeVar("T")


class DraftPart(StrEnum):
    """A section that people write; all stand before the tables."""

    SUMMARY = "summary"
    SCOPE = "scope"
    FINDINGS = "findings"
    LIMITS = "limits"
    CONCLUSION = "conclusion"
    SIGN_OFF = "sign_off"

    @property
    def heading(self) -> str:
        return {
            DraftPart.SUMMARY: tr("Executive summary"),
            DraftPart.SCOPE: tr("Scope"),
            DraftPart.FINDINGS: tr("Findings"),
            DraftPart.LIMITS: tr("Limits of this audit"),
            DraftPart.CONCLUSION: tr("Conclusion"),
            DraftPart.SIGN_OFF: tr("Sign-off"),
        }[self]


class EvidenceKind(StrEnum):
    TABLE = "table"
    ROW = "row"
    FIGURE = "figure"
    BUNDLE = "bundle"
    PASSAGE = "passage"


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """Something that a finding rests on: where it stands, and what stood there when it was added."""

    id: int
    kind: EvidenceKind
    title: str
    added: datetime
    digest: str = ""
    """SHA-256 of what stood there."""
    wanted: ResultsFilter = field(default_factory=ResultsFilter)
    """What the table was filtered to."""
    table: str = ""
    """Name of the finding of the method that it is a part of."""
    row: tuple[tuple[str, str], ...] = ()
    """(column, words) that tell the row from all others."""
    figure: str = ""
    """Title of the figure."""
    bundle: int | None = None
    cell: int | None = None
    """The answer that a passage is of."""
    start: int = 0
    """Characters of the answer before the passage."""
    end: int = 0

    @property
    def unnamed(self) -> str:
        """The title for a reader from whom names are hidden; words of an answer may tell who was told them."""
        match self.kind:
            case EvidenceKind.BUNDLE:
                return tr("Set {n}", n=self.bundle)
            case EvidenceKind.PASSAGE:
                return tr("A passage of set {n}", n=self.bundle)
            case _:
                return self.title


@dataclass(frozen=True, slots=True, kw_only=True)
class DraftFinding:
    """A finding written by the auditor, and its evidence."""

    id: int
    title: str = ""
    text: str = ""
    severity: int | None = None
    """1 to 4; None: none given."""
    evidence: tuple[int, ...] = ()
    """Ids of the tray, in the order in which they are printed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportDraft:
    """Everything that a person decides of a report. Texts may hold references (`references`); blank lines part
    paragraphs."""

    title: str = ""
    """Empty: the audit's own title."""
    organisation: str = ""
    authors: str = ""
    """One a line."""
    logo: str = ""
    """A PNG or JPEG picture in base 64."""
    summary: str = ""
    scope: str = ""
    limits: str = ""
    conclusion: str = ""
    sign_off: str = ""
    """Who signs, one a line."""
    findings: tuple[DraftFinding, ...] = ()
    order: tuple[DraftPart, ...] = tuple(DraftPart)
    off: tuple[DraftPart, ...] = ()
    tables: tuple[str, ...] | None = None
    """Names of tables in the order in which they are printed; None: every one that has rows."""
    bundles: BundleChoice = BundleChoice.TOP
    most: int = 2
    """Bundles quoted at most."""
    tray: tuple[Evidence, ...] = ()
    declaration: Declaration = field(default_factory=Declaration)
    retention: tuple[RetentionLine, ...] = ()
    recommendations: tuple[Recommendation, ...] = ()
    replies: tuple[PartyReply, ...] = ()
    """Of the audited party, as they came."""
    clauses: tuple[ClauseAnswer, ...] = ()
    named_reviewers: bool = False
    """Reports call reviewers by their names; else “Reviewer 1”."""

    @property
    def parts(self) -> tuple[DraftPart, ...]:
        """Every part in this report's order, those that *order* forgets last."""
        return (*self.order, *(part for part in DraftPart if part not in self.order))

    @property
    def wishes(self) -> ReportWishes:
        return ReportWishes(title=self.title, sections=self.tables, bundles=self.bundles, most=self.most)

    def text(self, part: DraftPart) -> str:
        """The text written for *part*; for findings, their texts together."""
        if part is DraftPart.FINDINGS:
            return "\n\n".join(each.text for each in self.findings)
        return str(getattr(self, part.value))

    def finding(self, finding_id: int) -> DraftFinding | None:
        return next((each for each in self.findings if each.id == finding_id), None)

    def evidence(self, evidence_id: int) -> Evidence | None:
        return next((each for each in self.tray if each.id == evidence_id), None)

    def with_finding(self, changed: DraftFinding) -> "ReportDraft":
        """The draft with the finding of the same id replaced by *changed*, or with *changed* as the last."""
        if self.finding(changed.id) is None:
            return replace(self, findings=(*self.findings, changed))
        return replace(self, findings=tuple(changed if each.id == changed.id else each for each in self.findings))

    def without_evidence(self, evidence_id: int) -> "ReportDraft":
        """Out of the tray, and out of every finding that rested on it."""
        findings = tuple(
            replace(each, evidence=tuple(one for one in each.evidence if one != evidence_id)) for each in self.findings
        )
        return replace(self, findings=findings, tray=tuple(each for each in self.tray if each.id != evidence_id))


WRITTEN: Final = (DraftPart.SUMMARY, DraftPart.SCOPE, DraftPart.LIMITS, DraftPart.CONCLUSION, DraftPart.SIGN_OFF)
"""Parts that are one text each, kept in the field of that name."""
OF_TEMPLATES: Final = ("organisation", "authors", "logo", "summary", "scope", "limits", "conclusion", "sign_off")
"""Texts that an organisation's template may bring along; its order and choice of sections go with them."""


def next_id(used: tuple[DraftFinding, ...] | tuple[Evidence, ...]) -> int:
    return max((each.id for each in used), default=0) + 1


def moved(items: tuple[T, ...], at: int, by: int) -> tuple[T, ...]:
    """*items* with the one at *at* moved by *by* places, as far as there are places."""
    to = max(0, min(len(items) - 1, at + by))
    kept = [each for place, each in enumerate(items) if place != at]
    return (*kept[:to], items[at], *kept[to:])
