"""What an exporter is handed: everything that a report says, already computed."""

from dataclasses import dataclass
from datetime import datetime

from gpf_desktop.domain.findings import Finding
from gpf_desktop.domain.reviews import ReviewEntry


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportAnswer:
    """One identity's answer in a bundle that a report quotes."""

    identity: str
    text: str
    missing: str
    """The reason where there is no valid answer; empty otherwise."""
    flags: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportBundle:
    """A bundle with its answers, scores and what people said of it."""

    model: str
    headline: str
    url: str
    condition: str
    dimension: str
    family: str
    question: str
    scores: tuple[tuple[str, float | None], ...]
    """Name and value; None is unavailable."""
    provisional: bool
    answers: tuple[ReportAnswer, ...]
    reviews: tuple[ReviewEntry, ...]
    synthetic: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportFact:
    """One line of the description: what was run, with what."""

    name: str
    value: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """A whole audit report, format-free."""

    title: str
    made: datetime
    program: str
    """Name and version."""
    synthetic: bool
    """Holds answers of calibration models: carries the badge throughout."""
    facts: tuple[ReportFact, ...]
    reading: tuple[str, ...]
    """The method's required reading, long form, one paragraph each."""
    findings: tuple[Finding, ...]
    bundles: tuple[ReportBundle, ...]
    review_counts: tuple[ReportFact, ...]
