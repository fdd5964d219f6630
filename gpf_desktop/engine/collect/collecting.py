"""Fetches and reads many sources at once, each on its own time.

    collect(targets, on_result) → one `Collected` per target, in the order in which they are ready

Nothing is stored here: the caller keeps what comes back.
"""

import asyncio
import math
from collections.abc import Callable, Sequence
from concurrent.futures import BrokenExecutor, Executor
from dataclasses import dataclass, field, fields, replace
from datetime import UTC, datetime

from gpf_desktop.domain.articles import Document, Dropped, Harvest, Item
from gpf_desktop.domain.errors import SourceError
from gpf_desktop.domain.text import tr, trn
from gpf_desktop.engine.collect.allowance import Allowance, AllowanceShare
from gpf_desktop.engine.collect.fetching import Caps, Fetched, fetch
from gpf_desktop.engine.collect.reading import FeedReading, read_document

ITEM_LIMIT = 2_000
FOLLOW_LIMIT = 50
"""Parts of an index that are fetched, the newest first."""
FOLLOW_DEPTH = 2
LARGE = 256 * 1024
"""Bytes from which a document is parsed in another process, so that the window does not stutter."""

_AT_ONCE = 100
_PARTS_AT_ONCE = 8
_PARTS_SECONDS = 60.0
"""After which no further part of an index is begun."""
_PART_CAPS = Caps(size=16 * 1024 * 1024, seconds=15.0)
_NOTHING = Harvest(title="", items=())


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """One source to fetch, with what was kept from the last time."""

    address: str = ""
    etag: str = ""
    last_modified: str = ""
    document: Document | None = None
    """Pasted text or a dropped file, read as it is; nothing is fetched then."""
    typed: bool = True
    """The user gave the address himself; what pages and indexes name is held to stricter rules (`fetch`)."""
    inside: bool = False
    """Where not typed: whether the address that led here lay in the user's own network."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Collected(Fetched):
    """The result for one target: a harvest, "unchanged", "gone", or an error in words. *document* is set even if it
    could not be read."""

    target: Target
    title: str = ""
    kind: str = ""
    """Name of the source plug-in that read it; empty where nothing was read."""
    kind_title: str = ""
    harvest: Harvest = field(default=_NOTHING, repr=False)
    error: SourceError | None = None
    parts: tuple["Collected", ...] = field(default=(), repr=False)
    """Where the document is an index: what became of each part that it names, without their documents."""
    missed: tuple[Dropped, ...] = ()
    """Where the document is an index: the parts that could not be read, each with its reason."""


async def collect(
    targets: Sequence[Target],
    on_result: Callable[[Collected], None],
    *,
    parse_in: Executor | None = None,
    caps: Caps | None = None,
    limit: int = ITEM_LIMIT,
) -> None:
    """Fetch all *targets* at once; call *on_result* on this loop for each as soon as it is ready.

    A source that fails yields its error and stops no other. Cancelling cancels all that are under way; no
    result is announced after that. Documents above `LARGE` are parsed in *parse_in*, a process pool of the
    caller's, where there is one.
    """
    places = asyncio.Semaphore(_AT_ONCE)
    collector = Collector(parse_in=parse_in, caps=caps or Caps(), limit=limit, allowance=Allowance())

    async def one(target: Target) -> None:
        async with places:
            on_result(await collector.collect(target, depth=0))

    async with asyncio.TaskGroup() as group:
        for target in targets:
            group.create_task(one(target))


async def collect_one(target: Target, *, parse_in: Executor | None = None, caps: Caps | None = None) -> Collected:
    """Collect one target, the parts of an index included. Never raises for what a source does."""
    collector = Collector(parse_in=parse_in, caps=caps or Caps(), limit=ITEM_LIMIT, allowance=Allowance())
    return await collector.collect(target, depth=0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Collector:
    """Fetches and reads targets within one allowance."""

    parse_in: Executor | None
    caps: Caps
    limit: int
    allowance: Allowance
    ends: float = math.inf
    """The loop's time after which nothing is fetched or read any more."""

    async def collect(self, target: Target, *, depth: int) -> Collected:
        fetched: Fetched | None = None
        try:
            # Held until the document is read: its bytes are in memory as long.
            with self.allowance.share() as share:
                self._in_time()
                fetched = await self._fetched(target, share)
                if fetched.document is None:
                    return _answered(target, fetched)
                self._in_time()
                reading = await self._read(fetched.document)
        except SourceError as error:
            known = _answered(target, fetched) if fetched is not None else Collected(target=target)
            # An error page may stand at the end of a redirect: only what could be read is worth remembering.
            return replace(known, etag="", last_modified="", moved_to="", error=error)
        result = replace(
            _answered(target, fetched),
            title=reading.harvest.title,
            kind=reading.kind,
            kind_title=reading.kind_title,
            harvest=reading.harvest,
        )
        if not reading.harvest.follow:
            return result
        # An index may stay as it is while its parts change: it is asked for in full each time.
        return replace(await self._with_parts(result, depth=depth), etag="", last_modified="")

    def _in_time(self) -> None:
        if asyncio.get_running_loop().time() > self.ends:
            raise SourceError(
                tr(
                    "It was not read: the others of its list took more than {n} seconds together.",
                    n=round(_PARTS_SECONDS),
                ),
                tr("Add it by its own address."),
            )

    async def _fetched(self, target: Target, share: AllowanceShare) -> Fetched:
        if target.document is not None:
            document = target.document
            if document.retrieved is None:
                document = replace(document, retrieved=datetime.now(UTC))
            return Fetched(document=document, inside=True)
        return await fetch(
            target.address,
            etag=target.etag,
            last_modified=target.last_modified,
            caps=self.caps,
            typed=target.typed,
            inside=target.inside,
            share=share,
        )

    async def _read(self, document: Document) -> FeedReading:
        if self.parse_in is None or len(document.body) <= LARGE:
            return await asyncio.to_thread(read_document, document, self.limit)
        loop = asyncio.get_running_loop()
        try:
            return await loop.run_in_executor(self.parse_in, read_document, document, self.limit)
        except BrokenExecutor as error:
            raise SourceError(tr("Reading the source took more memory than there is."), details=repr(error)) from error
        except TimeoutError as error:
            raise SourceError(
                tr("Reading the source took so long that it was given up."),
                tr("It is tried again at the next fetch; another address of the same publisher may be simpler."),
                details=repr(error),
            ) from error

    async def _with_parts(self, index: Collected, *, depth: int) -> Collected:
        """*index* with the items of the parts that it names, each part's failure among the dropped."""
        harvest = index.harvest
        if depth >= FOLLOW_DEPTH:
            over = Dropped(headline="", url=index.target.address, reason=tr("too many indexes lead to each other"))
            return replace(index, harvest=replace(harvest, dropped=(*harvest.dropped, over)))
        places = asyncio.Semaphore(_PARTS_AT_ONCE)
        ends = min(self.ends, asyncio.get_running_loop().time() + _PARTS_SECONDS)
        caps = Caps(
            size=min(self.caps.size, _PART_CAPS.size),
            seconds=min(self.caps.seconds, _PART_CAPS.seconds),
            redirects=self.caps.redirects,
        )
        collector = replace(self, caps=caps, ends=ends)

        async def part(address: str) -> Collected:
            async with places:
                target = Target(address=address, typed=False, inside=index.inside)
                # Its share of the allowance is given back by now: documents that were kept would be held beyond it.
                return replace(await collector.collect(target, depth=depth + 1), document=None)

        followed = harvest.follow[:FOLLOW_LIMIT]
        parts = tuple(await asyncio.gather(*(part(address) for address in followed)))
        missed = _missed(parts, left=len(harvest.follow) - len(followed))
        merged = _merged(harvest, parts, missed, limit=self.limit)
        return replace(index, harvest=merged, parts=parts, missed=(*harvest.dropped, *missed))


def _answered(target: Target, fetched: Fetched) -> Collected:
    return Collected(target=target, **{each.name: getattr(fetched, each.name) for each in fields(fetched)})


def _missed(parts: Sequence[Collected], *, left: int) -> list[Dropped]:
    """The parts that failed or are gone, and how many were *left* out."""
    missed = []
    for part in parts:
        if part.error is not None or part.gone:
            reason = str(part.error) if part.error else tr("it is no longer published (HTTP 410)")
            missed.append(Dropped(headline="", url=part.target.address, reason=reason))
    if left:
        reason = trn(
            "{n} further part of the index was not fetched", "{n} further parts of the index were not fetched", left
        )
        missed.append(Dropped(headline="", url="", reason=reason))
    return missed


def _merged(index: Harvest, parts: Sequence[Collected], missed: Sequence[Dropped], *, limit: int) -> Harvest:
    dropped = [*index.dropped]
    found: dict[str, Item] = {}
    uncounted = index.uncounted
    everything = [*index.items, *(item for part in parts for item in part.harvest.items)]
    # Stable in reverse too: undated items stay behind the dated ones, in the order of their parts.
    everything.sort(key=lambda item: item.published.timestamp() if item.published else 0.0, reverse=True)
    for item in everything:
        if item.key in found:
            # Bounded too: the parts of an index may repeat each other.
            if len(dropped) < limit:
                reason = tr("it stands in several parts of the source")
                dropped.append(Dropped(headline=item.headline, url=item.url, reason=reason))
        elif len(found) < limit:
            found[item.key] = item
        else:
            uncounted += 1
    for part in parts:
        dropped += part.harvest.dropped
        uncounted += part.harvest.uncounted
    return replace(index, items=tuple(found.values()), dropped=(*dropped, *missed), uncounted=uncounted)
