"""The queue of bundles that a reviewer reads: which bundles, and in which order."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from gpf_desktop.domain.coordinates import MAIN, Coordinates
from gpf_desktop.domain.findings import BundleFilter
from gpf_desktop.domain.ids import BundleId
from gpf_desktop.domain.queue_samples import Drawing
from gpf_desktop.domain.reviews import ReviewStatus, Verdict
from gpf_desktop.domain.scores import Measure


class QueueTab(StrEnum):
    """The queue's tabs. Flagged bundles stand in a tab of their status as well."""

    TO_DO = "to do"
    DRAFT = "draft"
    DONE = "done"
    DISAGREE = "disagree"
    FLAGGED = "flagged"


@dataclass(frozen=True, slots=True, kw_only=True)
class QueueFilter:
    """The filter of the scored bundles in the queue; None leaves a field open."""

    method: str | None = None
    """None: the method of the audit's first run."""
    run_id: int | None = None
    model: str | None = None
    """``provider/model``."""
    article_id: int | None = None
    batch_id: int | None = None
    arm: str | None = MAIN
    levels: tuple[tuple[str, str], ...] = ()
    """(factor, level) pairs that a bundle must have, all of them."""
    categories: tuple[tuple[str, str], ...] = ()
    """(measure, category) pairs that a bundle, or an answer of it, was given, all of them."""
    stratum: str | None = None
    flag: str | None = None
    """Only bundles with an answer that carries this flag."""
    bundle_ids: tuple[BundleId, ...] | None = None
    """Just these: a sample, or what a number on Results stands for."""
    drawn: Drawing | None = None
    """How `bundle_ids` were drawn, where they are a sample."""
    answers: tuple[int, ...] = ()
    """Cells: of the bundles only these answers are shown; empty: all."""

    @classmethod
    def of(cls, bundles: BundleFilter) -> "QueueFilter":
        """The queue of the bundles behind a number on Results."""
        return cls(
            model=bundles.model,
            article_id=bundles.article_id,
            batch_id=bundles.batch_id,
            arm=bundles.arm or MAIN,
            levels=bundles.levels,
            stratum=bundles.stratum,
            answers=bundles.answers,
        )

    @property
    def narrowed(self) -> int:
        """The number of fields that leave bundles out."""
        fields = (
            self.run_id,
            self.model,
            self.article_id,
            self.batch_id,
            self.stratum,
            self.flag,
            self.bundle_ids,
        )
        return (
            sum(field is not None for field in fields)
            + len(self.levels)
            + len(self.categories)
            + (self.arm != MAIN)
            + bool(self.answers)
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class QueueOrder:
    """The order of the queue: by a score, the highest first and the unavailable last, or at random with a seed that is
    stored."""

    score: str = ""
    """The measure that rows show, and that they are sorted by unless *seed* is given; empty: the method's first."""
    seed: int | None = None
    refusals_first: bool = True
    """Bundles in which some readers were refused and others answered stand in front (method, "Validity")."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Queue:
    """The tabs of a reviewer's queue: bundle ids in order, so that place and number are known at once."""

    tabs: dict[QueueTab, list[BundleId]]
    order: list[BundleId]
    """Every bundle that matches, whatever its tab."""
    refused: int
    """How many at the front of `order` stand there because some readers were refused."""
    scored: int
    """Bundles with a score in the whole audit, whatever the filter: 0 tells "nothing yet" from "nothing matches"."""
    reviewers: int
    """People who have submitted something; Disagree is shown from two."""


@dataclass(frozen=True, slots=True, kw_only=True)
class QueuePlace:
    """The facts that decide in which tabs of a reviewer's queue a bundle stands."""

    status: ReviewStatus
    flagged: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class QueueRow:
    """One row of the queue."""

    bundle_id: BundleId
    score: float | None
    category: str
    """In place of a number, where the score is one."""
    why: str
    """Why there is no score."""
    provisional: bool
    method: str
    arm: str
    coordinates: Coordinates
    """On the factors that the bundle holds fixed."""
    model: str
    item: str
    """Title of the item; empty where items vary within the bundle."""
    synthetic: bool
    status: ReviewStatus
    verdict: Verdict | None
    """One's own."""
    settled: Verdict | None
    """What readers disagreed about was settled to; None while one has not read it, unless one settled it oneself."""
    unveiled: bool
    """Blind readers may know of it too: its names were revealed to them, or they settled it."""
    flagged: bool
    refused: int
    """Answers of repeat 0 that were refused, in words or by the provider."""
    missing: int
    """Cells of repeat 0 without a valid answer, for whatever reason."""
    leakage: int
    """Answers of repeat 0 that speak of another level of what varies."""
    own_memo: bool = False
    """One wrote a memo on its item."""
    others_memo: bool = False
    """Somebody else did, which a blind reader is not to see."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FilterChoices:
    """The choices of the queue's filter, as (value, words) or plain words."""

    methods: tuple[str, ...]
    """Names of those that runs were planned by."""
    runs: tuple[tuple[int, str], ...]
    models: tuple[str, ...]
    batches: tuple[tuple[int, str], ...]
    articles: tuple[tuple[int, str], ...]
    strata: tuple[str, ...]
    """Of the items; empty where the method has none."""
    arms: tuple[str, ...]
    levels: Mapping[str, tuple[str, ...]]
    """By factor, those of the main bundles."""
    flags: tuple[str, ...]
    scores: tuple[Measure, ...]
    """What bundles can be sorted by."""
    categories: Mapping[str, tuple[str, ...]]
    """By measure of bundles or answers, those that occur."""
