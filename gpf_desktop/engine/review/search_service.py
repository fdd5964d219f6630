"""Looks for words in all answers, items and reviews of an audit; a blind reader finds nothing that is hidden."""

import threading
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass

from gpf_desktop.domain.errors import GpfError
from gpf_desktop.domain.ids import BundleId, CellId
from gpf_desktop.engine.core import catalogue
from gpf_desktop.engine.core.context import EngineContext
from gpf_desktop.engine.core.protocols import frozen_protocol
from gpf_desktop.engine.review.reading_aids import markdown
from gpf_desktop.engine.review.reading_aids.masking import masked
from gpf_desktop.engine.review.reading_aids.words import words as split
from gpf_desktop.engine.review.reviewer_session import ReviewerSession
from gpf_desktop.storage import archived_texts, bundles, responses, search
from gpf_desktop.storage.writer import Connection

Covers = tuple[tuple[str, ...], tuple[str, ...]]
MOST_BLIND = 100
"""Answers that are looked at while one reads blind: each has to be read with its covers."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchFound:
    """Counts of the places where words were found."""

    answers: int
    """Answers with the words."""
    more: bool
    """There are more than were looked at."""
    news: int
    """Bundles about an item that has them."""
    notes: int
    """Bundles of which a reviewer's note, tag or comment has them."""
    bundles: tuple[BundleId, ...]
    """All of them."""
    waiting: int
    """Answers that are not searched yet."""
    moved: int = 0
    """Answers whose texts lie beside the audit, and are not searched."""


class SearchService:
    """Search in one open audit. `find` blocks: call it from a worker thread."""

    def __init__(self, context: EngineContext, session: ReviewerSession) -> None:
        self._context = context
        self._session = session
        self._indexing = threading.Lock()

    def catch_up(self) -> None:
        """Index what came since, on a worker thread, a little at a time between other writes."""
        with suppress(RuntimeError):  # the program is ending
            self._context.spawn(self.index_all)

    def index_all(self) -> None:
        """Index every answer that waits; returns at once where that is under way. Blocks."""
        # Who is at it already looks again after each chunk.
        if not self._indexing.acquire(blocking=False):
            return
        try:
            # The audit may be closed or write-protected meanwhile: what waits is indexed when it is opened again.
            with suppress(GpfError, RuntimeError):
                while self._context.audit.read(search.behind):
                    # One chunk at a time, each awaited: what a round saves meanwhile goes in between.
                    self._context.audit.write(search.index_some).result()
        finally:
            self._indexing.release()

    def find(self, sought: str, *, blind: bool) -> SearchFound:
        """Find where the words of *sought* stand one after the other; the last may be the beginning of a longer one.

        *blind*: only in words that a blind reader sees, whole ones, and in their own notes.
        """
        said = [word.folded for word in split(sought)]
        if not said:
            return SearchFound(answers=0, more=False, news=0, notes=0, bundles=(), waiting=0)
        return self._context.audit.read(lambda c: self._find(c, said, sought.split(), blind=blind))

    def _find(self, connection: Connection, said: Sequence[str], typed: Sequence[str], *, blind: bool) -> SearchFound:
        most = MOST_BLIND if blind else search.MOST
        hits = search.answers(connection, said, begun=not blind, limit=most + 1)
        more, hits = len(hits) > most, hits[:most]
        if blind:
            seen = _in_sight(connection, [(hit.cell_id, hit.bundle_id) for hit in hits], said)
            hits = [hit for hit in hits if hit.cell_id in seen]
        news = search.items(connection, typed)
        notes = search.reviews(connection, typed, self._session.me(connection), own=blind)
        return SearchFound(
            answers=len(hits),
            more=more,
            news=len(news),
            notes=len(notes),
            bundles=tuple(dict.fromkeys([hit.bundle_id for hit in hits] + news + notes)),
            waiting=search.waiting(connection),
            moved=sum(each.rows for each in archived_texts.rounds(connection).values()),
        )


def _in_sight(connection: Connection, hits: Sequence[tuple[CellId, BundleId]], said: Sequence[str]) -> set[CellId]:
    """The answers among *hits* in which *said* can be read although names are covered."""
    texts = search.texts(connection, [cell for cell, _ in hits])
    covers: dict[BundleId, Covers] = {}
    seen: set[CellId] = set()
    for cell, bundle in hits:
        if bundle not in covers:
            covers[bundle] = _covers(connection, bundle)
        shown = masked(markdown.shown(texts.get(cell, "")), *covers[bundle]).text
        words = [word.folded for word in split(shown)]
        if any(words[at : at + len(said)] == list(said) for at in range(len(words))):
            seen.add(cell)
    return seen


def _covers(connection: Connection, bundle: BundleId) -> Covers:
    """The words covered in the answers of *bundle*: the method's patterns, and the levels that vary within it."""
    row = bundles.get(connection, bundle)
    own = tuple({answer.level for answer in responses.of_bundle(connection, bundle)})
    if row is None:
        return (), own
    return tuple(catalogue.method(row.method).names_to_cover(frozen_protocol(row.method, row.protocol))), own
