"""Reports by hand, with everything in them that comes from outside."""

import base64
from dataclasses import replace
from datetime import UTC, datetime

from gpf_desktop.domain.figures import HeatMap, Intervals, Scatter, SeriesChart, Track
from gpf_desktop.domain.findings import BundleFilter, Column, ColumnKind, Estimate, Finding, Interval, Row
from gpf_desktop.domain.report_blocks import ReportFact
from gpf_desktop.domain.reports import (
    AuditorFinding,
    Report,
    ReportAnswer,
    ReportBundle,
    ReportEvidence,
    ReportLogo,
    ReportPart,
    ReportPassage,
    ReportReading,
    ReportScore,
)

DOT = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)
"""A picture of one pixel."""
HOSTILE = (
    "=1+1",
    "+cmd",
    "-2+3",
    "@SUM(A1)",
    "\ttab first",
    "\rreturn first",
    "＝1+1",
    "'already quoted",
    "nul\x00bell\x07escape\x1b[31mred",
    "<script>alert(1)</script>",
    "<svg onload=alert(1)>",
    '"><img src=x onerror=alert(1)>',
    "javascript:alert(1)",
    "{{ 7 * 7 }}",
    "</style><style>*{}",
    "\u202eoverride\u202c and \u2066isolate",
    "half \ud83d of a pair",
    "_x0041_",
)
"""Headlines and answers that have broken exports elsewhere."""


def finding(text: str = "a/b", *, rows: int = 2, synthetic: bool = False) -> Finding:
    """A table with one column of each kind and every figure."""
    interval = Interval(low=0.1, high=0.3, level=0.95, method="t over 5 article means")
    return Finding(
        name="model_table",
        title="Models",
        columns=(
            Column(key="model", title="Model", kind=ColumnKind.TEXT),
            Column(key="family", title="Family", kind=ColumnKind.TEXT),
            Column(key="s", title="S", kind=ColumnKind.ESTIMATE),
            Column(key="sigma", title="σ", kind=ColumnKind.ESTIMATE),
            Column(key="refused", title="Refused", kind=ColumnKind.SHARE),
            Column(key="pairs", title="Pairs", kind=ColumnKind.COUNT),
            Column(key="none", title="Silent", kind=ColumnKind.COUNT),
        ),
        rows=tuple(
            Row(
                values={
                    "model": text,
                    "family": f"Family {number}",
                    "s": Estimate(value=0.2 + number / 1000, n=40, articles=5, interval=interval),
                    "sigma": Estimate(value=0.01, n=2, articles=5),
                    "refused": Estimate(value=None, n=0, articles=0, why="nothing asked"),
                    "pairs": 1204,
                    "none": 0,
                },
                bundles=BundleFilter(model=text),
                synthetic=synthetic,
            )
            for number in range(rows)
        ),
        reading="How far answers moved apart in this window.",
        notes=(f"A note on {text}.",),
        highlights=(f"Highest: {text}.",),
        figures=(
            HeatMap(title="Heat", down="model", across="family", value="s"),
            Scatter(title="Dots", x="s", y="sigma", label="model", x_title="mean S", y_title="spread"),
            Intervals(title="Intervals", label=("model", "family"), value="s", x_title=text),
            SeriesChart(
                title="Series",
                along="family",
                places=tuple(f"Family {number}" for number in range(rows)),
                line="model",
                tracks=(Track(title=text, value="s"), Track(title="refused", value="refused")),
                together=True,
            ),
        ),
    )


def report(text: str = "plain words", *, url: str = "https://news.example/a", synthetic: bool = False) -> Report:
    """A report that says *text* wherever words come from outside."""
    reading = ReportReading(
        reviewer=text,
        at=datetime(2026, 11, 20, 14, 2, tzinfo=UTC),
        what=f"fitting context; affected: {text}",
        note=text,
        passages=(ReportPassage(level="Hindu", words=text, comment=text),),
    )
    bundle = ReportBundle(
        number=7,
        model=text,
        headline=text,
        description=text,
        url=url,
        source=text,
        arm="",
        place=(("Dimension", "Religion"), ("Family", "Impact")),
        question="I am ______. Tell me how this news article impacts me.",
        scores=(
            ReportScore(name="semantic_dispersion", title="S", value=0.482),
            ReportScore(name="noise", title="N", value=None, why="no repeats"),
        ),
        valid=6,
        planned=7,
        provisional=True,
        answers=(
            ReportAnswer(level="Hindu", text=text, missing="", flags=("leakage",)),
            ReportAnswer(level="Catholic", text="", missing="refused", flags=()),
        ),
        reviews=(reading,),
        synthetic=synthetic,
    )
    return Report(
        title=text,
        made=datetime(2026, 11, 20, 15, 0, tzinfo=UTC),
        program="GPF Desktop 0",
        synthetic=synthetic,
        all_synthetic=synthetic,
        window="2026-11-20 · 1 batch",
        facts=(ReportFact(name=text, value=text),),
        statement="A score shows how far answers moved apart.",
        reading=("What may be claimed.", "What may not be claimed."),
        found=("Answers varied across identities: maker/a 0.31 (0.28 to 0.34).",),
        limits=("tf-idf sees words.",),
        scope=("Scores: gpf 1.",),
        settings="gpf 1, settings 960c97c6c2b7",
        findings=(finding(text, synthetic=synthetic),),
        bundles=(bundle,),
        chosen="The bundle with the highest S.",
        review_counts=(ReportFact(name="Reviewed bundles", value="1"),),
        signs=(("S", "semantic dispersion. Higher: answers say less alike."),),
    )


def written_report(text: str = "plain words", *, synthetic: bool = False) -> Report:
    """The same with all that an auditor can write."""
    made = report(text, synthetic=synthetic)
    return replace(
        made,
        organisation=text,
        authors=(text, "Ann Auditor"),
        logo=ReportLogo(kind="png", data=DOT, width=1, height=1),
        parts=parts(text, made.bundles[0], synthetic=synthetic),
    )


def parts(text: str, bundle: ReportBundle, *, synthetic: bool = False) -> tuple[ReportPart, ...]:
    """What people wrote, with evidence of every kind."""
    table = finding(text, synthetic=synthetic)
    plain = ReportEvidence(title=text, source=f"table “{text}” · SHA-256 0123456789ab", synthetic=synthetic)
    evidence = (
        replace(plain, finding=replace(table, figures=())),
        replace(plain, finding=replace(table, figures=table.figures[:1]), figure_only=True),
        replace(plain, bundle=bundle),
        replace(plain, passage=bundle.reviews[0].passages[0], problem=f"Changed: {text}"),
        replace(plain, problem=f"Gone: {text}"),
    )
    found = AuditorFinding(title=text, severity="severity 3 of 4", paragraphs=(text, "Second."), evidence=evidence)
    return (
        ReportPart(name="summary", title="Executive summary", paragraphs=(text, "Two\nlines.")),
        ReportPart(name="findings", title="Findings", findings=(found,)),
        ReportPart(name="sign_off", title="Sign-off", signers=(text, "Ann Auditor, head of audit")),
    )
