"""Groups of the queue: rows under a heading that folds them away."""

from collections.abc import Sequence
from dataclasses import dataclass

from gpf_desktop.domain.ids import BundleId
from gpf_desktop.domain.review_queue import QueueOrder
from gpf_desktop.domain.scores import Measure
from gpf_desktop.domain.text import tr
from gpf_desktop.ui.review.queue_words import sorted_words
from gpf_desktop.ui.wording import count

REFUSED = "refused"
OTHERS = "others"
_HEADS = {REFUSED: BundleId(-1), OTHERS: BundleId(-2)}
"""What stands among the bundles for a heading: no bundle's number is negative."""


@dataclass(frozen=True, slots=True, kw_only=True)
class QueueGroup:
    """Bundles that follow each other in a tab and have something in common."""

    key: str
    words: str
    start: int
    end: int
    """Places in the tab, the last one beside it."""
    folded: bool

    @property
    def head(self) -> BundleId:
        """The number that stands among the bundles for the group's heading."""
        return _HEADS[self.key]

    @property
    def spoken(self) -> str:
        """For a screen reader."""
        return tr("{group}, folded", group=self.words) if self.folded else self.words


Groups = Sequence[QueueGroup]


def queue_groups(
    order: QueueOrder,
    refused: int,
    bundles: int,
    measures: Sequence[Measure] = (),
    folded: Sequence[str] = (),
    *,
    neutral: bool = False,
) -> tuple[QueueGroup, ...]:
    """The bundles that stand in front for having refused readers, then the rest; empty where there are no refusals.

    *neutral*: the order hides scores from a blind reader, which its heading says.
    """
    if not refused and not neutral:
        return ()
    by = tr("At random, scores hidden") if neutral else sorted_words(order, measures)
    rest = tr("{order}, {n}", order=by, n=count(bundles - refused))
    ends = (
        (REFUSED, tr("Some readers declined, {n}", n=count(refused)), 0, refused),
        (OTHERS, rest, refused, bundles),
    )
    return tuple(
        QueueGroup(key=key, words=words, start=start, end=end, folded=key in folded)
        for key, words, start, end in ends
        if start < end
    )


def rows_of(groups: Groups, ids: Sequence[BundleId]) -> list[BundleId]:
    """*ids* as rows: each group's heading above its bundles, which are left out where it is folded."""
    if not groups:
        return list(ids)
    rows: list[BundleId] = []
    for group in groups:
        rows.append(group.head)
        if not group.folded:
            rows += ids[group.start : group.end]
    return rows


def row_of(groups: Groups, at: int) -> int:
    """The row of the bundle at place *at* of the tab; -1 where it is not shown."""
    row = at
    for group in groups:
        row += 1
        if group.start <= at < group.end:
            return -1 if group.folded else row
        if group.folded:
            row -= group.end - group.start
    return -1 if groups else at


def past_folded(groups: Groups, at: int, step: int) -> int:
    """The first place from *at* on, in the direction of *step*, that is not folded away; it may be beside the tab."""
    for group in groups if step >= 0 else reversed(groups):
        if group.folded and group.start <= at < group.end:
            at = group.end if step >= 0 else group.start - 1
    return at
