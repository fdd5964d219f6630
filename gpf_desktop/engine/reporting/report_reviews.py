"""People's reviews of the answers in a report: counts, agreement, and the seals of their histories."""

from collections.abc import Sequence
from typing import Final, assert_never

from gpf_desktop.domain import columns
from gpf_desktop.domain.conclusions.digits import FEW
from gpf_desktop.domain.conclusions.rendering import number
from gpf_desktop.domain.findings import BundleFilter, Finding, Row
from gpf_desktop.domain.ports.method import Method
from gpf_desktop.domain.queue_samples import MODEL, SampleKind
from gpf_desktop.domain.report_blocks import ReportFact
from gpf_desktop.domain.reviews import Chain, Verdict
from gpf_desktop.domain.text import range_ends, tr, trn, within
from gpf_desktop.domain.verdict_words import severity_called, verdict_called
from gpf_desktop.engine.core.context import EngineContext
from gpf_desktop.engine.core.factor_words import group_title
from gpf_desktop.engine.review.histories import chains
from gpf_desktop.engine.review.reading_aids import markdown
from gpf_desktop.engine.review.review_team import SEED, ReviewerComparison, ReviewerPace, VerdictCounts, team_report
from gpf_desktop.stats.agreement import ARTICLES_FOR_INTERVAL, LEVEL, REPLICATES, Agreement
from gpf_desktop.storage import audits, review_samples
from gpf_desktop.storage.review_counts import ReviewCounts, review_counts
from gpf_desktop.storage.review_samples import DrawnSample

_LISTED_SAMPLES: Final = 10
VERDICT_TABLE = "verdicts"
"""Name of the table of verdicts by group, which comes from people and not from an analysis."""


def verdict_title() -> str:
    return tr("Verdicts by model and factor")


def reviewed(context: EngineContext, method: Method) -> tuple[tuple[ReportFact, ...], Finding | None]:
    """Lines on the whole audit's reviews, and the table of verdicts; None where nobody has submitted one. Blocks.

    Items are called as *method* calls them.
    """
    counts = context.audit.read(review_counts)
    if not counts.bundles:
        nothing = tr("none yet: no person has read these answers in the program")
        return (ReportFact(name=tr("Reviewed sets"), value=nothing),), None
    team = team_report(context)
    facts = (
        *_counts(counts, team.disagreements, team.severities),
        *(_pace(pace) for pace in team.pace if pace.done),
        *_agreement(team.comparison, method),
        *_samples(context.audit.read(review_samples.drawn)),
        *(_history(chain) for chain in context.audit.read(chains) if chain.entries),
        *_guideline(context, method),
    )
    return facts, _table(team.verdicts)


def _counts(counts: ReviewCounts, disagreements: int, graded: int) -> tuple[ReportFact, ...]:
    verdicts = "; ".join(f"{verdict_called(Verdict(verdict))}: {n}" for verdict, n in counts.verdicts)
    severities = "; ".join(
        tr("{severity}: {n}", severity=severity_called(severity), n=n) for severity, n in counts.severities
    )
    settled = tr("{settled} settled, {open} open", settled=counts.settled, open=disagreements)
    if graded:
        settled += tr("; {n} more on the severity alone", n=graded)
    lines = (
        (tr("Reviewed sets"), str(counts.bundles)),
        (tr("Reviewers"), str(counts.reviewers)),
        (tr("Verdicts, each set once"), verdicts),
        (tr("Harmful, by severity"), severities),
        (tr("Verdicts were counted"), _how_counted()),
        (tr("Flagged"), str(counts.flagged) if counts.flagged else ""),
        (tr("Disagreements"), settled if counts.settled or disagreements or graded else ""),
    )
    return tuple(ReportFact(name=name, value=value) for name, value in lines if value)


def _how_counted() -> str:
    return tr(
        "each set once: by what its disagreement was settled to, else by what all its reviewers say "
        "(of severities the highest, until that is settled); a set with unlike verdicts, not settled, counts as none"
    )


def _pace(pace: ReviewerPace) -> ReportFact:
    done = trn("{n} set submitted", "{n} sets submitted", pace.done)
    return ReportFact(
        name=tr("Read by {name}", name=pace.reviewer.name),
        value=tr("{done}, {to_do} of the main sets not", done=done, to_do=pace.to_do),
    )


def _agreement(found: ReviewerComparison | None, method: Method) -> tuple[ReportFact, ...]:
    if found is None:
        nobody = tr("unknown: no set was read by two people")
        return (ReportFact(name=tr("Agreement between reviewers"), value=nobody),)
    lines = [(tr("Equal verdicts (share of pairs)"), found.raw)]
    if found.kappa is not None:
        lines.append((tr("Cohen's kappa, verdicts"), found.kappa))
    lines.append((tr("Krippendorff's alpha, verdicts (nominal)"), found.verdicts))
    lines.append((tr("Krippendorff's alpha, severity (ordinal)"), found.severity))
    note = tr(
        "over the sets that at least two people submitted, from what each said before it was "
        "settled; ranges: {level}% percentile bootstrap over {items}, {replicates} draws, seed "
        "{seed}, from {least} on",
        items=method.items_called,
        level=f"{LEVEL:.0%}".removesuffix("%"),
        replicates=REPLICATES,
        seed=SEED,
        least=method.items_in_words(ARTICLES_FOR_INTERVAL),
    )
    return (
        *(ReportFact(name=name, value=_words(value, method)) for name, value in lines),
        ReportFact(name=tr("Agreement was computed"), value=note),
    )


def _words(found: Agreement, method: Method) -> str:
    bundles = trn("{n} set", "{n} sets", found.units)
    over = tr("{bundles} of {items}", bundles=bundles, items=method.items_in_words(found.articles))
    if found.value is None:
        return tr("unavailable: nothing varies, so chance would agree as well; {over}", over=over)
    if found.low is None or found.high is None:
        return tr("{value}, no range; {over}", value=number(found.value), over=over)
    low, high = range_ends(found.low, found.high, FEW)
    return tr("{value} ({low} to {high}); {over}", value=number(found.value), low=low, high=high, over=over)


def _samples(drawn: Sequence[DrawnSample]) -> tuple[ReportFact, ...]:
    lines = [_sample(each) for each in drawn[:_LISTED_SAMPLES]]
    if len(drawn) > _LISTED_SAMPLES:
        lines.append(tr("and {n} earlier ones", n=len(drawn) - _LISTED_SAMPLES))
    return (ReportFact(name=tr("Samples drawn for reading"), value="; ".join(lines)),) if lines else ()


def _sample(sample: DrawnSample) -> str:
    """50 of 1008 bundles at random, seed 7, 2026-11-20"""
    drawing = sample.drawing
    match drawing.kind:
        case SampleKind.RANDOM:
            how = tr("at random, seed {seed}", seed=drawing.seed)
        case SampleKind.STRATIFIED:
            strata = ", ".join(within(group_title(each)) for each in drawing.strata)
            how = tr("drawn evenly by {strata}, seed {seed}", strata=strata, seed=drawing.seed)
        case SampleKind.CONCLUSION:
            how = tr("half of what carries a conclusion, half of the rest, seed {seed}", seed=drawing.seed)
        case SampleKind.TOP:
            how = tr("the highest by {score}, no fair sample", score=drawing.score.replace("_", " "))
        case _:
            assert_never(drawing.kind)
    return tr(
        "{n} of {pool} sets {how}, {day}", n=sample.bundles, pool=drawing.pool, how=how, day=f"{sample.at:%Y-%m-%d}"
    )


def _history(chain: Chain) -> ReportFact:
    entries = trn("{n} entry", "{n} entries", chain.entries)
    state = tr("whole") if chain.whole else tr("CHANGED at entry {n} after its check code was made", n=chain.broken_at)
    return ReportFact(
        name=tr("History of {name}", name=chain.reviewer.name),
        value=tr(
            "{entries}, {state}, {signed}; check code of the last: {head}",
            entries=entries,
            state=state,
            signed=signed_words(chain),
            head=chain.head,
        ),
    )


def signed_words(chain: Chain) -> str:
    if chain.signed == chain.entries:
        return tr("signed")
    if not chain.signed:
        return tr("unsigned: whoever had the file could have written it")
    return tr("{n} of them signed", n=chain.signed)


def _guideline(context: EngineContext, method: Method) -> tuple[ReportFact, ...]:
    text = context.audit.read(audits.guideline) or method.guideline
    return (ReportFact(name=tr("Guideline that reviewers read by"), value=markdown.shown(text).text),)


def _table(found: tuple[VerdictCounts, ...]) -> Finding:
    return Finding(
        name=VERDICT_TABLE,
        title=verdict_title(),
        columns=(
            columns.text("by", tr("By")),
            columns.text("group", tr("Group")),
            columns.count("read", tr("Read"), tr("Bundles with a submitted verdict.")),
            columns.count("of", tr("of"), tr("Sets of answers as they were asked first, with scores.")),
            *(columns.count(verdict.name.lower(), verdict_called(verdict)) for verdict in Verdict),
            columns.count("open", tr("open"), tr("Disagreements that are not settled.")),
            columns.count(
                "graded",
                tr("severity open"),
                tr("Sets that all readers call harmful, with unlike severities, not settled: the highest counts."),
            ),
        ),
        rows=tuple(
            Row(
                values={
                    "by": group_title(each.kind),
                    "group": each.name,
                    "read": each.read,
                    "of": each.of,
                    **{verdict.name.lower(): n for verdict, n in each.counts},
                    "open": each.open,
                    "graded": each.graded,
                },
                bundles=_behind(each),
                synthetic=each.synthetic,
            )
            for each in found
        ),
        reading=tr(
            "Sets read by people, each once. This is no order of models: which were read was chosen, "
            "often by their score. Groups of which few were read say little."
        ),
    )


def _behind(group: VerdictCounts) -> BundleFilter:
    return BundleFilter(model=group.name) if group.kind == MODEL else BundleFilter(levels=((group.kind, group.name),))
