"""Counts of answers before anything is scored, by model, item and coordinates: declined, canned, cut off, long.

The one table that reads the texts of all answers; counts of a run are kept until one of its cells changes, or a rule by
which they were counted.
"""

import sqlite3
from collections import Counter
from collections.abc import Collection
from hashlib import blake2b
from typing import Final

from gpf_desktop.domain.flags import Flag
from gpf_desktop.numerics import answer_diagnostics, speaking_of_tests
from gpf_desktop.numerics.answer_diagnostics import deflects, plain_words
from gpf_desktop.numerics.speaking_of_tests import speaks_of_a_test
from gpf_desktop.numerics.spelling import SIGNS, one_spelling
from gpf_desktop.storage.cell_counts import FROM_CELLS, PLACE, SETS, CountedCells, Row, counted_by_run
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
SAID_COLUMNS: Final = (*PLACE, "article_id", "coordinates", *SAID_COUNTS)
_FLAGS: Final = {Flag.REFUSAL: 2, Flag.TRUNCATED: 5, Flag.LEAKAGE: 6}
_KEY: Final = f"c.model_id, t.stratum, c.item_id, {SETS}"
_TEXTS: Final = (
    f"SELECT {_KEY}, c.bundle_id, coalesce(p.missing, ''), p.text,"
    " (SELECT group_concat(f.name, char(10)) FROM flag f WHERE f.cell_id = c.id)"
    f" FROM cell c{FROM_CELLS} JOIN response p ON p.cell_id = c.id"
    " WHERE c.run_id = ? AND c.stage = 0 AND (c.state = 'answered' OR c.state = 'missing' AND p.missing = 'refused')"
)


def said_counts(
    connection: sqlite3.Connection, only: Collection[int] | None = None, beside: Beside = nowhere
) -> CountedCells:
    """The counts of the first stage's cells that their model decided; of the bundles *only*, where they are given.
    Whether words stand under several items is seen within a round, over all of its answers."""

    def count(run_id: int) -> list[Row]:
        return _of_run(connection, run_id, None if only is None else frozenset(only))

    return counted_by_run(connection, SAID, len(SAID_COLUMNS), count, only, rules=_rules(), beside=beside)


def _rules() -> str:
    """Another one for each change of a rule by which texts are read here."""
    every = (answer_diagnostics.rules(), speaking_of_tests.rules(), sorted(SIGNS.items()))
    return blake2b(repr(every).encode(), digest_size=8).hexdigest()


def _of_run(connection: sqlite3.Connection, run_id: int, only: frozenset[int] | None) -> list[Row]:
    counts: dict[Row, list[int]] = {}
    under: dict[tuple[int, int], set[int]] = {}
    """The items under which a model's words stand; words by their hash, within one process."""
    seen: Counter[tuple[Row, tuple[int, int]]] = Counter()
    for model, stratum, item, fixed, varying, bundle, missing, text, flags in connection.execute(_TEXTS, (run_id,)):
        spelled = "" if missing else one_spelling(text or "")
        plain = plain_words(spelled)
        words = (model, hash(tuple(plain)))
        if plain:
            under.setdefault(words, set()).add(item)
        if only is not None and bundle not in only:
            continue
        key: Row = (model, stratum, item, fixed, varying)
        its = counts.setdefault(key, [0] * len(SAID_COUNTS))
        its[0] += 1
        if missing:
            its[1] += 1
            continue
        flagged = set((flags or "").split("\n"))
        for flag, place in _FLAGS.items():
            its[place] += str(flag) in flagged
        its[6] += str(Flag.LEAKAGE) not in flagged and speaks_of_a_test(text or "")
        its[3] += str(Flag.REFUSAL) not in flagged and deflects(spelled)
        its[7] += len(plain)
        if plain:
            seen[key, words] += 1
    for (where, told), n in seen.items():
        if len(under[told]) > 1:
            counts[where][4] += n
    return [(*key, *its) for key, its in counts.items()]
