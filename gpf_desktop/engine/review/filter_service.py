"""Filters of the queue's bundles, kept under a name, and samples."""

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import replace
from typing import assert_never

from gpf_desktop.domain.cells import cell_seed
from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.ids import BundleId
from gpf_desktop.domain.queue_samples import (
    CARRIES,
    MODEL,
    Drawing,
    SampleKind,
    SampleWish,
    at_random,
    carrying_strata,
    stratified,
)
from gpf_desktop.domain.review_queue import QueueFilter, QueueOrder
from gpf_desktop.domain.saved_filters import SavedFilter, tidy_name
from gpf_desktop.domain.text import tr
from gpf_desktop.engine.core.context import EngineContext
from gpf_desktop.engine.review.reviewer_session import of_one_method, primary_setting
from gpf_desktop.storage import audits, queue, review_samples, saved_filters
from gpf_desktop.storage.review_samples import DrawnSample
from gpf_desktop.storage.writer import Connection


class FilterService:
    """Saved filters and samples of one open audit: the same for everybody who reviews in it."""

    def __init__(self, context: EngineContext) -> None:
        self._context = context
        self.carried: Callable[[str | None], Mapping[str, Sequence[int]]] = lambda _method: {}
        """Of a method, by conclusion the bundles that carry it; told by who concludes."""

    def saved(self) -> tuple[SavedFilter, ...]:
        """The saved filters, sorted by name."""
        return self._context.audit.read(lambda c: tuple(saved_filters.every(c)))

    def save(self, saved: SavedFilter, *, replaces: bool = False) -> "Future[SavedFilter | None]":
        """Keep *saved*; resolves to the filter that had its name before, if *replaces* allows it to give way.

        Raises `UserError` where the name is empty, and through the future where it is taken.
        """
        saved = replace(saved, name=_named(saved.name))

        def write(connection: Connection) -> SavedFilter | None:
            there = saved_filters.named(connection, saved.name)
            if there is not None and not replaces:
                raise _taken(there.name)
            saved_filters.put(connection, saved)
            return there

        return self._context.audit.write(write)

    def rename(self, name: str, to: str) -> "Future[None]":
        """Raises `UserError` as `save` does."""
        to = _named(to)

        def write(connection: Connection) -> None:
            there, other = saved_filters.named(connection, name), saved_filters.named(connection, to)
            if other is not None and other != there:
                raise _taken(other.name)
            if there is not None:
                saved_filters.remove(connection, there.name)
                saved_filters.put(connection, replace(there, name=to))

        return self._context.audit.write(write)

    def remove(self, name: str) -> "Future[None]":
        return self._context.audit.write(lambda c: saved_filters.remove(c, name))

    def pool(self, wanted: QueueFilter) -> int:
        """The number of bundles from which a sample under *wanted* would be drawn."""
        return len(self._pool(wanted))

    def draw(self, wanted: QueueFilter, order: QueueOrder, wish: SampleWish) -> QueueFilter:
        """*wanted* with a sample in it, drawn from all that it matches, whichever tab that stands in.

        Random and stratified samples are the same for every reviewer of this audit. Blocks; what was drawn, and how,
        is on the disk when it returns.
        """
        if wish.size < 1:
            raise UserError(tr("A sample needs at least one set of answers."), tr("Type how many you want."))
        if wish.kind is SampleKind.STRATIFIED and not wish.strata:
            raise UserError(
                tr("A sample from each group alike needs groups: tick what they are made of."), tr("Tick at least one.")
            )
        pool = self._pool(wanted)
        # The uuid goes along with copies of the audit, so that people at several machines draw the same bundles.
        seed = cell_seed(0, self._context.audit.read(audits.facts).uuid, "overlap")
        bundles: Sequence[BundleId]
        match wish.kind:
            case SampleKind.RANDOM:
                bundles = at_random(pool, wish.size, seed)
                drawing = Drawing(kind=wish.kind, pool=len(pool), seed=seed)
            case SampleKind.STRATIFIED:
                strata = self._context.audit.read(lambda c: review_samples.strata(c, pool, wish.strata))
                bundles = stratified(strata, wish.size, seed)
                groups = len(set(strata.values()))
                drawing = Drawing(kind=wish.kind, pool=len(pool), seed=seed, strata=wish.strata, groups=groups)
            case SampleKind.CONCLUSION:
                carried = self.carried(wanted.method)
                if not any(carried.values()):
                    raise UserError(
                        tr("Nothing is concluded yet that people could test."),
                        tr("Ask and score a round first; Results says what is concluded."),
                    )
                by_model = self._context.audit.read(lambda c: review_samples.strata(c, pool, (MODEL,)))
                strata = carrying_strata(pool, carried, {each: model for each, (model,) in by_model.items()})
                bundles = stratified(strata, wish.size, seed)
                drawing = Drawing(
                    kind=wish.kind,
                    pool=len(pool),
                    seed=seed,
                    groups=len(set(strata.values())),
                    carrying=tuple(int(each) for each in bundles if strata[each][-1] == CARRIES),
                )
            case SampleKind.TOP:
                score, ranked = self._context.audit.read(lambda c: _ranked(c, _whole(wanted), order.score))
                bundles = ranked[: wish.size]
                drawing = Drawing(kind=wish.kind, pool=len(ranked), score=score)
            case _:
                assert_never(wish.kind)
        drawn = replace(wanted, bundle_ids=tuple(bundles), drawn=drawing)
        self._context.audit.write(lambda c: review_samples.record(c, drawn)).result()
        return drawn

    def drawn(self) -> tuple[DrawnSample, ...]:
        """Samples that were drawn in this audit, the newest first."""
        return self._context.audit.read(lambda c: tuple(review_samples.drawn(c)))

    def _pool(self, wanted: QueueFilter) -> list[BundleId]:
        # Nobody's own queue: what one reviewer has done, and how they sort, changes no sample.
        order = QueueOrder(refusals_first=False)

        def read(connection: Connection) -> list[BundleId]:
            asked = of_one_method(connection, _whole(wanted))
            return queue.queue(connection, primary_setting(connection, asked.method), None, asked, order).order

        return self._context.audit.read(read)


def _ranked(connection: Connection, wanted: QueueFilter, score: str) -> tuple[str, list[BundleId]]:
    """The name of *score*, empty: the main one; and the bundles in its order."""
    asked = of_one_method(connection, wanted)
    setting = primary_setting(connection, asked.method)
    score = score or queue.main_score(connection, setting)
    return score, queue.ranked(connection, setting, asked, score)


def _whole(wanted: QueueFilter) -> QueueFilter:
    """*wanted* without the sample that may be in it: samples are not drawn from samples."""
    return wanted if wanted.drawn is None else replace(wanted, bundle_ids=None, drawn=None, answers=())


def _named(text: str) -> str:
    name = tidy_name(text)
    if not name:
        raise UserError(tr("A saved filter needs a name."), tr("Type one, then save it."))
    return name


def _taken(name: str) -> UserError:
    return UserError(
        tr("There is a filter called “{name}” already.", name=name), tr("Replace it, or take another name.")
    )
