"""The report as an exporter is handed it: everything that it says, already computed and in words."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from gpf_desktop.domain.conclusions.rendering import ToldPage
from gpf_desktop.domain.findings import Finding, decimals_of
from gpf_desktop.domain.relations import Relation
from gpf_desktop.domain.report_blocks import Brief, ReportFact, Section


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportAnswer:
    """One level's answer in a bundle that a report quotes."""

    level: str
    text: str
    missing: str
    """The reason where there is no valid answer; empty otherwise."""
    flags: tuple[str, ...]
    scores: tuple["ReportScore", ...] = ()
    """Of the answer itself, where a scorer gives such."""
    source: tuple[str, str] = ("", "")
    """What it is held against, in a word or two, and its text; both empty: nothing."""
    unmarked: str = ""
    """Its text without the marks of Markdown; empty: it has none."""

    @property
    def page_text(self) -> str:
        """The text as a page prints it; the text itself stands in the workbook, and check codes are of that."""
        return self.unmarked or self.text

    @property
    def source_words(self) -> str:
        """The text that the answer is compared with, after its title; empty if there is none."""
        title, text = self.source
        return f"{title}: {text}" if text else ""

    @property
    def marks(self) -> tuple[str, ...]:
        """The marks beside its name: flags, and scores with a value."""
        return (*self.flags, *(f"{each.title}: {each.words}" for each in self.scores if each.value is not None))


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportScore:
    """One score of a bundle or of an answer."""

    name: str
    title: str
    value: float | str | None
    """A number or a category."""
    why: str = ""
    """Why there is no value."""

    @property
    def words(self) -> str:
        """The value for people; empty where there is none."""
        if isinstance(self.value, float):
            return f"{self.value:.{decimals_of(self.value)}f}".replace("-", "−")
        return self.value or ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportPassage:
    """Words of an answer that a reviewer marked."""

    level: str
    words: str
    comment: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportReading:
    """One line of a bundle's history."""

    reviewer: str
    at: datetime
    what: str
    """What was done and, where it is a reading, said: verdict, severity, affected answers, tags."""
    note: str = ""
    passages: tuple[ReportPassage, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportBundle:
    """A bundle with its answers, scores and what people said of it."""

    number: int
    """Its number in the audit."""
    model: str
    headline: str
    description: str
    url: str
    source: str
    arm: str
    """The control that it is part of, in words; empty for the main one."""
    place: tuple[tuple[str, str], ...]
    """(factor, level) in words, of the factors that tell bundles about one item apart."""
    question: str
    """With ``______`` where what varies stood."""
    scores: tuple[ReportScore, ...]
    valid: int
    planned: int
    provisional: bool
    answers: tuple[ReportAnswer, ...]
    reviews: tuple[ReportReading, ...]
    synthetic: bool
    folded: tuple[ReportAnswer, ...] = ()
    """What is printed in place of the answers, where many say a word or two; a workbook has them all."""

    @property
    def printed(self) -> tuple[ReportAnswer, ...]:
        """The answers as a page has them."""
        return self.folded or self.answers

    @property
    def heading(self) -> str:
        """The heading: its levels; of a bundle that no factor tells apart its control, or the item."""
        return " · ".join(level for _, level in self.place) or self.arm or self.headline


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportEvidence:
    """The evidence for an auditor's finding, as it stands now: a table, a figure, a bundle or words of an answer."""

    title: str
    source: str
    """Where it stands, what that was filtered to, how it was scored, its digest and when it was added: one line."""
    problem: str = ""
    """Why it cannot be shown, or that it is no more what it was when it was added."""
    synthetic: bool = False
    finding: Finding | None = None
    """With just the rows and figures that are evidence."""
    figure_only: bool = False
    """The rows are there to draw, not to print."""
    bundle: ReportBundle | None = None
    passage: ReportPassage | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditorFinding:
    """A person's finding, in their words."""

    title: str
    severity: str
    """In words; empty where none was given."""
    paragraphs: tuple[str, ...]
    evidence: tuple[ReportEvidence, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportPart:
    """A section that people wrote; stands before the tables."""

    name: str
    title: str
    paragraphs: tuple[str, ...] = ()
    findings: tuple[AuditorFinding, ...] = ()
    signers: tuple[str, ...] = ()
    """Each signs on a line of their own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportLogo:
    """A picture for the first page."""

    kind: str
    """``png`` or ``jpeg``"""
    data: bytes
    width: int
    """Pixels."""
    height: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportChapter:
    """A chapter of the annex: where what the report holds is printed."""

    name: str
    """Stable: of anchors, and of clauses that are met there."""
    title: str
    """With its number before it, where chapters are numbered."""
    sections: tuple[Section, ...] = ()
    """Those with an empty title stand directly under the chapter's."""
    parts: tuple[str, ...] = ()
    """Names of the report's parts that stand in it."""
    findings: tuple[str, ...] = ()
    """Names of tables."""
    bundles: bool = False
    """The quoted answers stand in it."""
    notation: bool = False
    """How scores and intervals were made, said once for all tables."""


class ReportKind(StrEnum):
    """The kind of a report, which says how much of it is written."""

    BRIEF = "brief"
    """Two to four pages, for a board."""
    ANNEX = "annex"
    """Everything, the brief first."""
    ANSWERS = "answers"
    """The quoted answers alone, each with its check code, as one page for a browser."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """A whole audit report, format-free."""

    title: str
    made: datetime
    program: str
    """Name and version."""
    synthetic: bool
    """Holds answers of calibration models: carries the badge throughout."""
    all_synthetic: bool
    """Holds nothing else."""
    window: str
    """One line: dates and counts."""
    facts: tuple[ReportFact, ...]
    statement: str
    """What its scores support, in short: stands on every page."""
    reading: tuple[str, ...]
    """The method's required reading, long form, one paragraph each."""
    found: tuple[str, ...]
    """What its tables say, in the one kind of sentence that scores support; empty where a method has none."""
    limits: tuple[str, ...]
    """What these numbers cannot show, one sentence each."""
    scope: tuple[str, ...]
    """Scorer, fit, settings, intervals: printed with the tables."""
    settings: str
    """The scope in a few words, for the foot of every table."""
    findings: tuple[Finding, ...]
    bundles: tuple[ReportBundle, ...]
    chosen: str
    """How the quoted bundles were chosen."""
    review_counts: tuple[ReportFact, ...]
    signs: tuple[tuple[str, str], ...] = ()
    """What scores and heads of tables are called, and what they mean."""
    organisation: str = ""
    authors: tuple[str, ...] = ()
    logo: ReportLogo | None = None
    parts: tuple[ReportPart, ...] = ()
    """What people wrote, in their order."""
    unresolved: tuple[str, ...] = ()
    """References in texts and evidence that show nothing any more, one sentence each; the places say so too."""
    imported: str = ""
    """Where the answers are from, where this program did not ask for them: stands on every page."""
    concluded: ToldPage | None = None
    """What `found` is told from; None: its method concludes nothing yet."""
    kind: ReportKind = ReportKind.ANNEX
    chapters: tuple[ReportChapter, ...] = ()
    """In their order; empty: of a report that is put together by hand, printed as `report_chapters` has it."""
    brief: Brief | None = None
    """None: of a report that is put together by hand."""
    data: Callable[[Callable[[Relation], None]], None] | None = None
    """Hands over every bundle, answer, score and annotation of the audit, one relation after the other, for formats
    that hold them all; None: there are none to hand over."""


def with_method(title: str, method: str) -> str:
    """The one title of what a method found in an audit: on its page, in its brief and in its annex."""
    return title if method.casefold() in title.casefold() else f"{title} · {method}"


class BundleChoice(StrEnum):
    """The bundles that a report quotes in full."""

    NONE = "none"
    TOP = "top"
    """Those with the highest S."""
    REVIEWED = "reviewed"


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportWishes:
    """The auditor's choices for a report."""

    title: str = ""
    """Empty: the audit's own title."""
    sections: tuple[str, ...] | None = None
    """Names of analyses; None: every one that has rows."""
    bundles: BundleChoice = BundleChoice.TOP
    most: int = 2
    """Bundles quoted at most."""
