"""Figures for a team lead: who has read how much, what was found where, and how far reviewers agree."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from gpf_desktop.domain.ids import BundleId
from gpf_desktop.domain.queue_samples import MODEL
from gpf_desktop.domain.reviews import Reviewer, Verdict
from gpf_desktop.engine.core.context import EngineContext
from gpf_desktop.engine.core.factor_words import telling
from gpf_desktop.engine.review.assignment_service import readers_progress
from gpf_desktop.stats.agreement import Agreement, alpha_nominal, alpha_ordinal, cohen, raw, with_interval
from gpf_desktop.storage import reviewers, submissions
from gpf_desktop.storage.counted_verdicts import CountedVerdict, counted_verdicts
from gpf_desktop.storage.submissions import MainBundles, Said

SEED = 42
"""Of the bootstrap over articles; printed beside the intervals."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewerPace:
    """One reviewer's work."""

    reviewer: Reviewer
    done: int
    to_do: int
    """Bundles that they have not submitted: of their share where the reading plan has one, else of all main ones."""
    days: int
    """Days on which they submitted something."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewerComparison:
    """The agreement of two or more reviewers, on verdicts and on severity."""

    names: tuple[str, ...]
    raw: Agreement
    kappa: Agreement | None
    """Cohen's, for exactly two reviewers."""
    verdicts: Agreement
    """Krippendorff's alpha, nominal."""
    severity: Agreement
    """Krippendorff's alpha, ordinal."""


@dataclass(frozen=True, slots=True, kw_only=True)
class VerdictCounts:
    """Counts of one group's bundles by verdict: by what was settled, else by what all readers say."""

    kind: str
    """`MODEL`, or the factor that the group has a level of in common."""
    name: str
    read: int
    """Main bundles of the group with at least one submission."""
    of: int
    """Main bundles of the group."""
    counts: tuple[tuple[Verdict, int], ...]
    open: int
    """Bundles whose readers gave unlike verdicts, and that nobody has settled: they count as no verdict."""
    graded: int
    """Bundles that all their readers call harmful, with unlike severities: they count as the highest until settled."""
    synthetic: bool
    """Holds answers of calibration models only."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TeamReport:
    """The work and the agreement of all reviewers at one moment."""

    pace: tuple[ReviewerPace, ...]
    comparison: ReviewerComparison | None
    """None where fewer than two people have submitted a reading of the same bundle."""
    verdicts: tuple[VerdictCounts, ...]
    disagreements: int
    """Of verdicts, still open."""
    severities: int
    """Of severities alone, still open."""
    settled: int


def team_report(context: EngineContext) -> TeamReport:
    """Blocks for about a second where much was reviewed; for a worker thread."""
    everyone = context.audit.read(reviewers.every)
    said = context.audit.read(submissions.standing)
    totals = context.audit.read(submissions.totals)
    counted = {each.bundle_id: each for each in context.audit.read(counted_verdicts)}
    main = sum(group.count for group in totals.main)
    planned = {each.reader.uuid: len(each.assigned) - each.done for each in context.audit.read(readers_progress)}
    by_reviewer: dict[int, list[Said]] = {}
    for each in said:
        by_reviewer.setdefault(each.reviewer_id, []).append(each)
    return TeamReport(
        pace=tuple(
            ReviewerPace(
                reviewer=reviewer,
                done=len(by_reviewer.get(reviewer.id, ())),
                to_do=planned.get(
                    reviewer.uuid, max(0, main - sum(each.main for each in by_reviewer.get(reviewer.id, ())))
                ),
                # Days of UTC, as moments are stored.
                days=len({each.at[:10] for each in by_reviewer.get(reviewer.id, ())}),
            )
            for reviewer in everyone
        ),
        comparison=_comparison([reviewer for reviewer in everyone if reviewer.id in by_reviewer], said),
        verdicts=_verdicts(_once(said), counted, totals.main, telling(totals.methods)),
        disagreements=totals.open_disagreements,
        severities=totals.open_severities,
        settled=totals.settled,
    )


def _comparison(people: list[Reviewer], said: list[Said]) -> ReviewerComparison | None:
    places = {reviewer.id: place for place, reviewer in enumerate(people)}
    verdicts: dict[BundleId, list[str | None]] = {}
    severity: dict[BundleId, list[int | None]] = {}
    articles: dict[BundleId, int] = {}
    for each in said:
        place = places[each.reviewer_id]
        verdicts.setdefault(each.bundle_id, [None] * len(people))[place] = each.verdict
        severity.setdefault(each.bundle_id, [None] * len(people))[place] = each.severity
        # A bundle about several items is a cluster of its own.
        articles[each.bundle_id] = each.article_id or -each.bundle_id
    shared = [bundle for bundle, unit in verdicts.items() if sum(value is not None for value in unit) > 1]
    if not shared:
        return None
    items = [articles[bundle] for bundle in shared]
    units = [verdicts[bundle] for bundle in shared]
    ranks = [severity[bundle] for bundle in shared]
    return ReviewerComparison(
        names=tuple(reviewer.name for reviewer in people),
        raw=with_interval(raw, units, items, seed=SEED),
        kappa=with_interval(cohen, units, items, seed=SEED) if len(people) == 2 else None,
        verdicts=with_interval(alpha_nominal, units, items, seed=SEED),
        severity=with_interval(alpha_ordinal, ranks, items, seed=SEED),
    )


def _level(each: Said | MainBundles, kind: str) -> str:
    return each.model if kind == MODEL else each.coordinates.get(kind)


def _once(said: list[Said]) -> list[Said]:
    """One submission for each main bundle, for what they are grouped by."""
    return list({each.bundle_id: each for each in said if each.main}.values())


def _verdicts(
    said: list[Said],
    counted: Mapping[BundleId, CountedVerdict],
    main: tuple[MainBundles, ...],
    factors: Iterable[str],
) -> tuple[VerdictCounts, ...]:
    found: list[VerdictCounts] = []
    for kind in (MODEL, *factors):
        groups: dict[str, list[Said]] = {}
        for each in said:
            groups.setdefault(_level(each, kind), []).append(each)
        there: Counter[str] = Counter()
        asked: Counter[str] = Counter()
        for group in main:
            there[_level(group, kind)] += group.count
            asked[_level(group, kind)] += 0 if group.synthetic else group.count
        # Without a level: the factor does not apply to those bundles.
        for name in sorted((there.keys() | groups.keys()) - {""}):
            submitted = groups.get(name, [])
            counts = Counter(counted[each.bundle_id].verdict for each in submitted)
            found.append(
                VerdictCounts(
                    kind=kind,
                    name=name,
                    read=len(submitted),
                    of=there[name],
                    counts=tuple((verdict, counts[verdict.value]) for verdict in Verdict),
                    open=counts[None],
                    graded=sum(counted[each.bundle_id].graded for each in submitted),
                    synthetic=bool(there[name]) and not asked[name],
                )
            )
    return tuple(found)
