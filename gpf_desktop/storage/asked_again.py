"""Questions that one model was asked in more than one round, so that tables count them once.

Answers of two rounds to one question are no more independent than repeats: counted as two, they would make every
interval narrower without anything new being known.
"""

import sqlite3
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from gpf_desktop.storage.rows import records


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedAgain:
    """One bundle of a question that stands in several rounds."""

    bundle_id: int
    run_id: int
    question: int
    """One number for the bundles of one model, batch, article, protocol, arm and of the same coordinates."""
    decided: int
    """Cells that were answered or refused, repeats included."""


_ASKED = (
    "iif(b.model_id IS NULL, (SELECT group_concat(o.model_id || o.options) FROM (SELECT model_id,"
    " coalesce(json_extract(endpoint, '$.options'), '') options FROM run_model WHERE run_id = b.run_id"
    " ORDER BY model_id) o), '')"
)
"""SQL: the models of a bundle b in which models vary: another set of them, or one of them told otherwise (an encoder's
instruction), is another question."""


def asked_again(connection: sqlite3.Connection) -> tuple[AskedAgain, ...]:
    """Every bundle that has another in a further round; none in most audits."""
    rows = connection.execute(
        # A coarse sieve first, over the few fit groups: in most audits nothing is left of the bundles to be ranked. A
        # cell that was opened again keeps its former miss, so a refusal counts only while its cell is missing.
        "WITH again AS (SELECT id FROM (SELECT id, count(*) OVER (PARTITION BY model_id, item_id) times"
        " FROM fit_group) WHERE times > 1),"
        " asked AS (SELECT b.id, b.run_id, dense_rank() OVER (ORDER BY b.model_id, r.batch_id, b.item_id,"
        f" r.protocol_id, b.grouping, b.arm, b.coordinates_id, {_ASKED}) question"
        " FROM again a CROSS JOIN bundle b ON b.fit_group_id = a.id JOIN run r ON r.id = b.run_id),"
        " counted AS (SELECT *, count(*) OVER (PARTITION BY question) times FROM asked)"
        " SELECT id AS bundle_id, run_id, question,"
        " (SELECT count(*) FROM cell c LEFT JOIN response p ON p.cell_id = c.id AND c.state = 'missing'"
        " WHERE c.bundle_id = counted.id AND (c.state = 'answered' OR p.missing = 'refused')) AS decided"
        " FROM counted WHERE times > 1"
    )
    return tuple(records(AskedAgain, rows))


def set_aside(asked: Sequence[AskedAgain], runs: Collection[int]) -> frozenset[int]:
    """Bundles that do not enter tables over *runs*.

    Of a question's rounds the one counts in which the model decided most cells, and of equals the first: asking again
    until the answer pleases changes nothing, and a round that broke off gives way to one that did not.
    """
    there = [each for each in asked if each.run_id in runs]
    first: dict[int, AskedAgain] = {}
    for each in sorted(there, key=lambda each: (-each.decided, each.run_id)):
        first.setdefault(each.question, each)
    return frozenset(each.bundle_id for each in there) - {each.bundle_id for each in first.values()}
