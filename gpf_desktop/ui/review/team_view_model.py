"""The reviewers, their progress and agreement, and reviews from other machines."""

from collections.abc import Collection, Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from gpf_desktop.domain.ids import BundleId
from gpf_desktop.domain.review_queue import QueueFilter
from gpf_desktop.domain.reviews import Chain, Reviewer
from gpf_desktop.domain.text import range_ends, tr, trn
from gpf_desktop.engine.review.histories import SHORTEST_SEAL, SealFound
from gpf_desktop.engine.review.review_packs import MergedHistory
from gpf_desktop.engine.review.review_service import ReviewService
from gpf_desktop.engine.review.review_team import ReviewerPace, TeamReport
from gpf_desktop.stats.agreement import Agreement
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.messages import Remedy
from gpf_desktop.ui.page import ViewModel
from gpf_desktop.ui.wording import count, decimal, moment


class TeamViewModel(ViewModel):
    """Read again whenever it is shown."""

    merged = Signal()
    """Reviews of others came in, or another reviewer sits here."""
    looked_up = Signal(str)
    """What was found out about a seal."""

    def __init__(self, context: Context, parent: QObject) -> None:
        super().__init__(context, parent)
        self.report: TeamReport | None = None
        self.chains: dict[str, Chain] = {}
        self.me: Reviewer | None = None

    @property
    def service(self) -> ReviewService | None:
        audit = self.context.engine.current
        return None if audit is None else audit.reviews

    def load(self) -> None:
        service = self.service
        if service is not None:
            self.context.bridge.run(_read, service, then=self._loaded, owner=self, latest="team")

    @property
    def has_spoken(self) -> bool:
        """Whether something that was said stands under the name of who sits here."""
        chain = None if self.me is None else self.chains.get(self.me.uuid)
        return chain is not None and chain.entries > 0

    def rename(self, name: str) -> None:
        """Call the reviewer at this machine *name*."""
        service = self.service
        if service is None or (self.me is not None and name.strip() == self.me.name):
            return
        then = partial(self._renamed, self.me) if self.me is not None and self.has_spoken else self._sat_down
        rename = partial(service.rename, name)
        self.context.bridge.command(rename, then=then, failed=self._failed, owner=self)

    def call_me(self, name: str) -> bool:
        """Call the person who sits here *name*; False where it may be another spelling as well as another person."""
        name = " ".join(name.split())
        if not name or (self.me is not None and name == self.me.name):
            return True
        if self._known(name) is not None:
            self.newcomer(name)
        elif not self.has_spoken:
            self.rename(name)
        else:
            self.context.messages.info(
                tr("Is {name} you, in another spelling, or somebody else? Press the button that says so.", name=name),
                topic="team",
            )
            return False
        return True

    def newcomer(self, name: str) -> None:
        """Somebody else sits down at this machine, under *name*; known names are taken up again."""
        service = self.service
        if service is None:
            return
        known = self._known(name)
        if known is not None:
            self.context.bridge.follow(service.take_seat(known), then=lambda _: self._sat_down(known), owner=self)
            return
        come = partial(service.newcomer, name)
        self.context.bridge.command(come, then=self._sat_down, failed=self._failed, owner=self)

    def export_pack(self, target: Path) -> None:
        service = self.service
        if service is not None:
            self.context.bridge.run(service.begun, then=partial(self._export, service, target), owner=self)

    def _export(self, service: ReviewService, target: Path, begun: int) -> None:
        then = partial(self._exported, target, begun)
        self.context.bridge.follow(service.export_pack(target), then=then, failed=self._failed, owner=self)

    def import_pack(self, path: Path, confirmed: Collection[str] = ()) -> None:
        service = self.service
        if service is not None:
            self.context.bridge.follow(
                service.import_pack(path, confirmed=confirmed),
                then=partial(self._imported, path),
                failed=self._failed,
                owner=self,
            )

    def look_up(self, seal: str) -> None:
        """Find the entry that *seal* belongs to: where there is none, a history was rewritten since it was printed."""
        service = self.service
        if service is None:
            return
        if len(seal.strip()) < SHORTEST_SEAL:
            self.looked_up.emit(tr("Type at least the first {n} characters of a check code.", n=SHORTEST_SEAL))
            return
        self.context.bridge.run(
            service.find_seal,
            seal,
            then=lambda found: self.looked_up.emit(seal_words(found)),
            owner=self,
            latest="seal",
        )

    def _known(self, name: str) -> Reviewer | None:
        paces: Sequence[ReviewerPace] = () if self.report is None else self.report.pace
        return next((pace.reviewer for pace in paces if pace.reviewer.name == " ".join(name.split())), None)

    def _loaded(self, read: tuple[TeamReport, tuple[Chain, ...], Reviewer | None]) -> None:
        self.report, chains, self.me = read
        self.chains = {chain.reviewer.uuid: chain for chain in chains}
        self.touch_now()

    def _renamed(self, before: Reviewer, now: Reviewer) -> None:
        undo = Remedy(text=tr("Undo"), do=partial(self.rename, before.name))
        words = tr("All that {before} said stands under {now} from now on.", before=before.name, now=now.name)
        self.context.messages.warning(words, undo, topic="team")
        self.merged.emit()
        self.load()

    def _sat_down(self, reviewer: Reviewer) -> None:
        self.context.messages.success(tr("You review as {name}.", name=reviewer.name), topic="team")
        self.merged.emit()
        self.load()

    def _exported(self, target: Path, begun: int, entries: int) -> None:
        said = trn("{n} entry", "{n} entries", entries)
        wrote = tr("Wrote {entries} (readings, codes and memos) to {file}.", entries=said, file=target.name)
        if not begun:
            self.context.messages.success(wrote, topic="team")
            return
        lacks = trn(
            "One set that you began is not in it: it is not submitted.",
            "{n} sets that you began are not in it: they are not submitted.",
            begun,
        )
        self.context.messages.warning(f"{wrote} {lacks}", topic="team")

    def _imported(self, path: Path, merged: tuple[MergedHistory, ...]) -> None:
        problems = [each for each in merged if each.problem]
        taken = sum(each.added + each.study for each in merged)
        words = [tr("Nothing of {name} was taken: {why}.", name=each.name, why=each.problem) for each in problems]
        known = sum(each.known for each in merged)
        whose = ", ".join(each.name for each in merged)
        counted = tr("{whose}: {new} new entries, {known} known already (readings, codes and memos).")
        words.insert(0, counted.format(whose=whose, new=count(taken), known=count(known)))
        words += [joined_words(each) for each in merged if each.joined]
        both = tuple(bundle for each in merged for bundle in each.both)
        show = [Remedy(text=tr("Show the sets judged twice"), do=partial(self._show, both))] if both else []
        if doubted := {each.to_confirm for each in problems if each.to_confirm}:
            show.append(Remedy(text=tr("Take them all the same"), do=partial(self.import_pack, path, doubted)))
        if problems or both:
            self.context.messages.warning(" ".join(words), *show, topic="team")
        else:
            self.context.messages.success(tr("Reviews imported: {words}", words=" ".join(words)), topic="team")
        self.merged.emit()
        self.load()

    def _show(self, bundles: tuple[BundleId, ...]) -> None:
        wanted = QueueFilter(arm=None, bundle_ids=bundles)
        self.context.navigator.go("review", filter=wanted, bundle=bundles[0], origin=tr("judged twice"))

    def _failed(self, error: BaseException) -> None:
        self.context.messages.failure(error, topic="team")


def _read(service: ReviewService) -> tuple[TeamReport, tuple[Chain, ...], Reviewer | None]:
    return service.team(), service.verify(), service.reviewer()


def agreement_words(found: Agreement) -> str:
    """0.41 (0.22 to 0.58), 34 bundles of 12 items; or why there is nothing to say."""
    bundles = trn("{n} set", "{n} sets", found.units)
    over = tr("{bundles} of {items}", bundles=bundles, items=trn("{n} item", "{n} items", found.articles))
    if found.value is None:
        return tr("not measured: nothing varies, so chance would agree as well · {over}", over=over)
    if found.low is None or found.high is None:
        return tr("{value} · {over} (a range needs ten items)", value=decimal(found.value, 2), over=over)
    low, high = range_ends(found.low, found.high, 2)
    return tr("{value} ({low} to {high}) · {over}", value=decimal(found.value, 2), low=low, high=high, over=over)


def joined_words(merged: MergedHistory) -> str:
    """Sentences on a history that had gone on in two places, and on the bundles that were judged in both."""
    joined = tr("{name} had gone on reading in both places; the two histories are one now.", name=merged.name)
    if not merged.both:
        return joined
    both = trn(
        "{n} set was judged in both: the later reading holds, the earlier stays in the history.",
        "{n} sets were judged in both: the later reading holds, the earlier stays in the history.",
        len(merged.both),
    )
    return f"{joined} {both}"


def seal_words(found: SealFound | None) -> str:
    """Whether what was printed then still stands."""
    if found is None:
        return tr(
            "No history here has this check code. It was printed from another audit, its entries have not been "
            "imported here, or the history was rewritten since."
        )
    return tr(
        "It is the check code of entry {number} of {entries} of {name}, {moment}: everything up to there stands "
        "as it stood then.",
        number=count(found.number),
        entries=count(found.entries),
        name=found.reviewer.name,
        moment=moment(found.at),
    )


def chain_words(chain: Chain | None) -> str:
    if chain is None or not chain.entries:
        return tr("nothing said yet")
    if chain.broken_at is not None:
        return tr("changed at entry {n}", n=count(chain.broken_at))
    if not chain.signed:
        return trn("whole, {n} entry, unsigned", "whole, {n} entries, unsigned", chain.entries)
    if chain.signed < chain.entries:
        return tr("whole, {n} entries, {signed} signed", n=count(chain.entries), signed=count(chain.signed))
    return trn("whole and signed, {n} entry", "whole and signed, {n} entries", chain.entries)
