"""One encoder's way through a run: many answers in one call, and no text asked about twice."""

from collections import deque
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from gpf_desktop.domain.embeddings import Embedded, EmbeddingOrder, Vector, digest_of, prefixed, vector_words
from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.ids import CellId
from gpf_desktop.domain.responses import Miss, Missing, Outcome, Reply, Usage
from gpf_desktop.domain.retries import NoRetry
from gpf_desktop.domain.text import tr
from gpf_desktop.domain.wire import Send
from gpf_desktop.engine.core import catalogue
from gpf_desktop.engine.core.context import EngineContext
from gpf_desktop.engine.rounds.faults import is_in_doubt, is_passing
from gpf_desktop.engine.rounds.limits import Closed, Slot
from gpf_desktop.engine.rounds.model_runner import ModelRunner
from gpf_desktop.engine.rounds.model_task import ModelTask, longest_prompt
from gpf_desktop.engine.rounds.spend_guard import Leave
from gpf_desktop.storage import vectors
from gpf_desktop.storage.cells import OpenCell
from gpf_desktop.storage.responses import CellResult

_TOO_MUCH = frozenset({400, 413, 422})
"""HTTP statuses with which a call is refused for one of its texts."""


class EmbeddingRunner(ModelRunner):
    """The runner of an encoder, like `ModelRunner`; *line* is what that is made with.

    Cells with one text are asked about once: by the first of them, or not at all where the audit has its vector.
    """

    def __init__(self, context: EngineContext, task: ModelTask, **line: Any) -> None:
        super().__init__(context, task, **line)
        self._embedder = catalogue.embedders()[task.provider.name]
        self._per_call = self._embedder.most_texts
        self._fingerprint: str | None = None
        self._digests: dict[CellId, bytes] = {}
        self._waiting_for: dict[bytes, list[OpenCell]] = {}
        """Cells with the text of a digest behind the one that is asked about it."""
        self._words: dict[bytes, str] = {}
        """What stands for vectors that came in this execution: they may not be stored yet."""
        self._came: dict[CellId, bytes] = {}

    @property
    def in_flight(self) -> int:
        # Calls, as the limit counts them; `flying` has their cells, many to a call.
        return len(self._tasks) - len(self._resting)

    def _worst(self) -> float:
        # A call has many texts within the bound, or a single one beyond it.
        most = catalogue.embedders()[self.task.provider.name].most_characters
        return self._price(max(most, longest_prompt(self.task)))

    def at_most_each(self) -> float:
        return self._price(longest_prompt(self.task))

    def _enough(self, ready: deque[OpenCell]) -> bool:
        return len(ready) >= self._per_call

    def _next(self, ready: deque[OpenCell]) -> Sequence[OpenCell]:
        together = [ready.popleft()]
        room = self._embedder.most_characters - len(self._text(together[0]))
        while ready and len(together) < self._per_call and len(self._text(ready[0])) <= room:
            room -= len(self._text(ready[0]))
            together.append(ready.popleft())
        return together

    async def _take(self) -> list[OpenCell]:
        """The next cells that must be asked; those whose vector is there already end with it."""
        if not await self._can_be_used():
            return []
        # Where all that was taken has vectors the next cells are read: an empty answer means that none are left.
        while taken := await super()._take():
            for cell in taken:
                self._digests[cell.id] = digest_of(
                    self._words_of(cell), self.task.model.endpoint, self._fingerprint or ""
                )
            digests = list({self._digests[cell.id] for cell in taken})
            known = await self._context.read(partial(vectors.known, model_id=self.task.model.id, digests=digests))
            fresh = [cell for cell in taken if not self._is_known(cell, known)]
            if fresh:
                return fresh
        return []

    async def _can_be_used(self) -> bool:
        """Whether the model's fingerprint can be read; that is done once, on another thread: for a local model it
        covers all of its weights."""
        if self._fingerprint is None:
            loop, endpoint = self._context.loop.loop, self.task.model.endpoint
            try:
                self._fingerprint = await loop.run_in_executor(
                    self._context.threads, self._embedder.fingerprint, endpoint
                )
            except UserError as error:
                self.halted = tr(
                    "{model} was not asked: {what} {remedy}",
                    model=self.task.model.label,
                    what=error.what,
                    remedy=error.remedy,
                )
        return self._fingerprint is not None

    def _is_known(self, cell: OpenCell, known: dict[bytes, str]) -> bool:
        digest = self._digests[cell.id]
        words = known.get(digest) or self._words.get(digest)
        if words:
            self._land_later(cell, Reply(text=words), digest)
        elif digest in self._waiting_for:
            self._waiting_for[digest].append(cell)
        else:
            self._waiting_for[digest] = []
            return False
        return True

    async def _ask(self, together: Sequence[OpenCell], leave: Leave) -> None:
        try:
            await super()._ask(together, leave)
        finally:
            for cell in together:
                # Where the cell stays open those behind it do too: of them nothing was recorded.
                self._waiting_for.pop(self._digests.pop(cell.id), None)

    def _landed(self, cell: OpenCell, ended: CellResult) -> None:
        super()._landed(cell, ended)
        digest = self._digests[cell.id]
        if isinstance(ended.outcome, Reply):
            self._words[digest] = ended.outcome.text
        for other in self._waiting_for.get(digest, ()):
            # Without usage: the call's tokens are counted with the cell that was asked.
            self._land_later(other, replace(ended.outcome, usage=Usage()), digest)

    def _land_later(self, cell: OpenCell, outcome: Outcome, digest: bytes) -> None:
        self._digests.pop(cell.id, None)
        # Without data: the cell that was asked about the text brings the vector, and this one refers to its digest.
        vector = Vector(digest=digest, data=b"") if isinstance(outcome, Reply) else None
        ended = CellResult(
            cell_id=cell.id,
            # Closes the start that `_take` recorded of a calibration model; of others no such call exists, and none is
            # closed.
            attempt=cell.attempts + 1,
            outcome=outcome,
            seconds=None,
            microdollars=0.0,
            vector=vector,
        )
        self._land((self.task.model.id, cell.fit_group_id), ended)

    async def _insist(self, together: Sequence[OpenCell], leave: Leave) -> list[CellResult]:
        """A call that is refused for one of its texts is made again in halves, until that text stands alone."""
        ended = await super()._insist(together, leave)
        if len(ended) < 2 or not isinstance(ended[0].outcome, Miss) or not _is_for_a_text(ended[0].outcome):
            return ended
        for each in ended:
            await self._close_call(each, ended[0].outcome)
        # Attempts go on counting: a call's key in the store is its cell and its attempt.
        later = [replace(cell, attempts=each.attempt) for cell, each in zip(together, ended, strict=True)]
        found: list[CellResult] = []
        for half in (later[: len(later) // 2], later[len(later) // 2 :]):
            # No money is asked for: what `_ask` holds back for the whole call covers its halves.
            again = await self.limiter.acquire(self.task.model.id)
            if isinstance(again, Closed):
                self._give_up(again)
                break
            leave.slot = again
            found += await self._insist(half, leave)
        return found

    async def _call(self, together: Sequence[OpenCell], before: int, slot: Slot) -> list[CellResult]:
        ended = await super()._call(together, before, slot)
        return [
            replace(each, vector=Vector(digest=self._digests[each.cell_id], data=self._came.pop(each.cell_id)))
            if each.cell_id in self._came
            else each
            for each in ended
        ]

    async def _put(self, together: Sequence[OpenCell], send: Send) -> Sequence[Outcome]:
        texts = [self._text(cell) for cell in together]
        order = EmbeddingOrder(
            texts=texts, endpoint=self.task.model.endpoint, not_supported=frozenset(self._not_supported)
        )
        found = await self._embedder.embed(order, self.task.key, send)
        if isinstance(found, Miss):
            # What a refused call cost is counted once.
            return [found, *(replace(found, usage=Usage()) for _ in texts[1:])]
        self._came |= {cell.id: vector for cell, vector in zip(together, found.vectors, strict=True)}
        return _shared(found, texts)

    def _price(self, characters: int) -> float:
        price = self.task.model.endpoint.price
        return 0.0 if price is None else price.microdollars(characters // 2, 0) / 1e6

    def _words_of(self, cell: OpenCell) -> str:
        item = self.task.items[cell.article_id]
        return self.task.method.compose(self.task.protocol, cell.coordinates, item, cell.given).user

    def _text(self, cell: OpenCell) -> str:
        return prefixed(self._words_of(cell), self.task.model.endpoint)


def _is_for_a_text(miss: Miss) -> bool:
    if miss.reason is Missing.EMPTY:
        return True
    own = is_in_doubt(miss) or not is_passing(miss)
    return miss.status in _TOO_MUCH and isinstance(miss.retry, NoRetry) and own


def _shared(found: Embedded, texts: Sequence[str]) -> list[Outcome]:
    """The reply of each text; the call's tokens are shared out by length, to the token.

    Where the provider counts none, half the characters are reckoned: more than any tokeniser makes of prose, so that
    no cap is passed.
    """
    tokens = sum(map(len, texts)) // 2 if found.usage.prompt is None else found.usage.prompt
    whole, done, given = sum(map(len, texts)), 0, 0
    replies: list[Outcome] = []
    for text, vector in zip(texts, found.vectors, strict=True):
        done += len(text)
        # By running totals, so that the rounded shares add up to the call's tokens.
        own, given = tokens * done // whole - given, tokens * done // whole
        replies.append(
            Reply(
                text=vector_words(vector),
                usage=Usage(prompt=own),
                request_id=found.request_id,
                sent=found.sent,
                not_supported=found.not_supported,
                served=found.served,
            )
        )
    return replies
