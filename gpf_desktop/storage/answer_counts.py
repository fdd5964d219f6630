"""Counts of answers before anything is scored, by model, item and coordinates: declined, canned, cut off, long.

The one table that reads the texts of all answers; counts of a run are kept, bundle by bundle, until one of its cells
changes, or a rule by which they were counted.
"""

import sqlite3
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from hashlib import blake2b
from typing import Final

from gpf_desktop.domain.flags import Flag
from gpf_desktop.numerics import said_texts
from gpf_desktop.numerics.said_texts import SaidText
from gpf_desktop.storage.archived_texts import TEXT
from gpf_desktop.storage.cell_counts import FROM_CELLS, SETS, CountedCells, Row, counted_by_run
from gpf_desktop.storage.run_tables import SAID, Beside, nowhere

SAID_COUNTS: Final = (
    "decided",
    "refused",
    "worded_refusals",
    "deflected",
    "repeated",
    "truncated",
    "leaked",
    "words",
)
"""Answered or refused; by the provider; in words; by a canned line; in words that stand under another item too; at the
length limit; speaking of the test or of other levels; words of all answers together."""
_FLAGS: Final = {Flag.REFUSAL: 2, Flag.TRUNCATED: 5, Flag.LEAKAGE: 6}
_COLUMNS: Final = ("model_id", "stratum", "article_id", "fixed", "varying", "bundle_id", *SAID_COUNTS)
_TEXTS: Final = (
    f"SELECT c.model_id, t.stratum, c.item_id, {SETS}, c.bundle_id, coalesce(p.missing, ''),"
    f" (SELECT group_concat(f.name, char(10)) FROM flag f WHERE f.cell_id = c.id), {TEXT}"
    f" FROM cell c{FROM_CELLS} JOIN response p ON p.cell_id = c.id"
    " WHERE c.run_id = ? AND c.stage = 0 AND (c.state = 'answered' OR c.state = 'missing' AND p.missing = 'refused')"
)
_AT_ONCE: Final = 4096
"""Answers that are read together."""

Told = Callable[[Iterable[Sequence[str]]], Iterator[Sequence[SaidText]]]
"""What `said_texts` tells of each of some lists of texts, in their order; perhaps told by other processes."""


def here(lists: Iterable[Sequence[str]]) -> Iterator[Sequence[SaidText]]:
    """Told in this process."""
    return map(said_texts.said_texts, lists)


def counted_cells(connection: sqlite3.Connection, beside: Beside = nowhere, told: Told = here) -> CountedCells:
    """The counts of the first stage's cells that their model decided, bundle by bundle (``bundle_id``). Whether words
    stand under several items is seen within a round, over all of its answers."""

    def count(run_id: int) -> list[Row]:
        return _of_run(connection, run_id, told)

    return counted_by_run(connection, SAID, _COLUMNS, SAID_COUNTS, count, None, rules=_rules(), beside=beside)


def _rules() -> str:
    """Another one for each change of a rule by which texts are read here."""
    return blake2b(said_texts.rules().encode(), digest_size=8).hexdigest()


def _of_run(connection: sqlite3.Connection, run_id: int, told: Told) -> list[Row]:
    counts: dict[Row, list[int]] = {}
    under: dict[tuple[object, bytes], set[object]] = {}
    """The items under which a model's words stand."""
    seen: Counter[tuple[Row, tuple[object, bytes]]] = Counter()
    waiting: deque[list[tuple[Row, str, str | None]]] = deque()

    def texts() -> Iterator[list[str]]:
        cursor = connection.execute(_TEXTS, (run_id,))
        while some := cursor.fetchmany(_AT_ONCE):
            waiting.append([(row[:6], row[6], row[7]) for row in some])
            yield [row[8] if not row[6] and row[8] else "" for row in some]

    for several in told(texts()):
        for (key, missing, flags), each in zip(waiting.popleft(), several, strict=True):
            model, _, item, *_ = key
            words = (model, each.same)
            if each.words:
                under.setdefault(words, set()).add(item)
            its = counts.setdefault(key, [0] * len(SAID_COUNTS))
            its[0] += 1
            if missing:
                its[1] += 1
                continue
            flagged = set((flags or "").split("\n"))
            for flag, place in _FLAGS.items():
                its[place] += str(flag) in flagged
            its[6] += str(Flag.LEAKAGE) not in flagged and each.speaks_of_a_test
            its[3] += str(Flag.REFUSAL) not in flagged and each.deflects
            its[7] += each.words
            if each.words:
                seen[key, words] += 1
    for (where, words), n in seen.items():
        if len(under[words]) > 1:
            counts[where][4] += n
    return [(*key, *its) for key, its in counts.items()]
