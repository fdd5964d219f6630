"""The queue as the page holds it: ids per tab, changed in place as the reviewer works."""

from bisect import bisect_left
from collections.abc import Mapping, Sequence

from gpf_desktop.domain.ids import BundleId
from gpf_desktop.domain.review_queue import Queue, QueuePlace, QueueTab
from gpf_desktop.domain.reviews import ReviewStatus

_OF_STATUS = {
    ReviewStatus.TO_DO: QueueTab.TO_DO,
    ReviewStatus.DRAFT: QueueTab.DRAFT,
    ReviewStatus.DONE: QueueTab.DONE,
}


class QueueState:
    """Five ordered lists of bundles. A bundle that changes tab finds its place by the order of the whole queue."""

    def __init__(self, queue: Queue | None = None) -> None:
        self.tabs: dict[QueueTab, list[BundleId]] = {tab: [] for tab in QueueTab}
        self.scored = 0
        self.reviewers = 0
        self._refused = 0
        self._place: dict[BundleId, int] = {}
        if queue is not None:
            self.tabs = {tab: list(ids) for tab, ids in queue.tabs.items()}
            self.scored, self.reviewers, self._refused = queue.scored, queue.reviewers, queue.refused
            self._place = {bundle: place for place, bundle in enumerate(queue.order)}

    @property
    def order(self) -> tuple[BundleId, ...]:
        """All that match the filter, whatever their tab."""
        return tuple(self._place)

    def count(self, tab: QueueTab) -> int:
        return len(self.tabs[tab])

    def refused(self, tab: QueueTab) -> int:
        """How many at the front of *tab* stand there because some readers were refused."""
        return bisect_left(self.tabs[tab], self._refused, key=self._place.__getitem__)

    def ids(self, tab: QueueTab) -> Sequence[BundleId]:
        return self.tabs[tab]

    def tab_of(self, bundle: BundleId) -> QueueTab | None:
        """The status tab that holds *bundle*."""
        return next((tab for tab in _OF_STATUS.values() if self.index(tab, bundle) >= 0), None)

    def index(self, tab: QueueTab, bundle: BundleId) -> int:
        """The place of *bundle* in *tab*, or -1."""
        ids = self.tabs[tab]
        at = self._where(ids, bundle)
        return at if at < len(ids) and ids[at] == bundle else -1

    def neighbour(self, tab: QueueTab, bundle: BundleId | None, step: int) -> BundleId | None:
        """The bundle *step* places on in *tab*; seen from where *bundle* would stand if it has left the tab."""
        ids = self.tabs[tab]
        if not ids:
            return None
        if bundle is None:
            return ids[0]
        at = self._where(ids, bundle)
        here = at < len(ids) and ids[at] == bundle
        # Where it has left the tab, its place is that of the next one already.
        target = at + step if here or step < 0 else at + step - 1
        return ids[target] if 0 <= target < len(ids) else None

    def settle(self, bundle: BundleId, status: ReviewStatus, *, flagged: bool) -> set[QueueTab]:
        """Put *bundle* into the tabs that it belongs to now; returns the tabs that changed."""
        if bundle not in self._place:
            return set()
        wanted = {_OF_STATUS[status]} | ({QueueTab.FLAGGED} if flagged else set())
        changed: set[QueueTab] = set()
        # Disagree stays as it was read: what others say is not known here.
        for tab in (*_OF_STATUS.values(), QueueTab.FLAGGED):
            at = self.index(tab, bundle)
            if at >= 0 and tab not in wanted:
                del self.tabs[tab][at]
                changed.add(tab)
            elif at < 0 and tab in wanted:
                ids = self.tabs[tab]
                ids.insert(self._where(ids, bundle), bundle)
                changed.add(tab)
        return changed

    def settle_many(self, places: Mapping[BundleId, QueuePlace]) -> None:
        """Put each of *places* into the tabs that it belongs to now."""
        moved = {bundle: place for bundle, place in places.items() if bundle in self._place}
        for tab in (*_OF_STATUS.values(), QueueTab.FLAGGED):
            kept = [bundle for bundle in self.tabs[tab] if bundle not in moved]
            come = [
                bundle
                for bundle, place in moved.items()
                if (place.flagged if tab is QueueTab.FLAGGED else _OF_STATUS[place.status] is tab)
            ]
            # In one go: put in one by one, each would move all that stand behind it.
            self.tabs[tab] = sorted(kept + come, key=self._place.__getitem__) if come else kept

    def flag(self, bundle: BundleId) -> bool:
        """Put *bundle* among the flagged; False where it is there."""
        ids = self.tabs[QueueTab.FLAGGED]
        if bundle not in self._place or self.index(QueueTab.FLAGGED, bundle) >= 0:
            return False
        ids.insert(self._where(ids, bundle), bundle)
        return True

    def unflag(self, bundle: BundleId) -> None:
        at = self.index(QueueTab.FLAGGED, bundle)
        if at >= 0:
            del self.tabs[QueueTab.FLAGGED][at]

    def __len__(self) -> int:
        """Bundles that match the filter, whatever their tab."""
        return len(self._place)

    def _where(self, ids: Sequence[BundleId], bundle: BundleId) -> int:
        place = self._place.get(bundle)
        if place is None:
            return len(ids)
        # Every tab keeps the order of the whole queue, so that a place is found by halving in a tab of any length.
        return bisect_left(ids, place, key=self._place.__getitem__)
