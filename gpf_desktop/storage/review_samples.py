"""Samples that were drawn from the queue, and what they are drawn by."""

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from gpf_desktop.domain.ids import BundleId
from gpf_desktop.domain.queue_samples import MODEL, Drawing
from gpf_desktop.domain.review_queue import QueueFilter
from gpf_desktop.domain.saved_filters import filter_from_json, filter_to_json
from gpf_desktop.storage import coordinate_sets
from gpf_desktop.storage.times import as_moment, now

KEPT = 200
"""Draws that are remembered."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnSample:
    """A sample, how it was drawn, and out of what: `wanted` without its bundles is the filter it was drawn from."""

    wanted: QueueFilter
    drawing: Drawing
    bundles: int
    at: datetime


def strata(
    connection: sqlite3.Connection, bundles: Sequence[BundleId], made_of: Sequence[str]
) -> dict[BundleId, tuple[str, ...]]:
    """The stratum of each of *bundles*, in their order; *made_of*: `MODEL` and names of factors."""
    chosen = set(bundles)
    levels = {
        number: (*(each.get(factor) for factor in made_of if factor != MODEL),)
        for number, each in coordinate_sets.every(connection).items()
    }
    by_model = MODEL in made_of
    rows = connection.execute(
        "SELECT b.id, coalesce(m.label, ''), b.coordinates_id FROM bundle b LEFT JOIN model m ON m.id = b.model_id"
    )
    found = {BundleId(row[0]): ((row[1],) if by_model else ()) + levels[row[2]] for row in rows if row[0] in chosen}
    return {bundle: found[bundle] for bundle in bundles}


def as_drawn(connection: sqlite3.Connection) -> list[dict[str, object]]:
    """Every draw as it is stored, the oldest first."""
    rows = connection.execute("SELECT kind, seed, content, drawn_at FROM review_sample ORDER BY id")
    return [dict(zip(("kind", "seed", "content", "drawn_at"), row, strict=True)) for row in rows]


def record(connection: sqlite3.Connection, wanted: QueueFilter) -> None:
    """Remember the sample that *wanted* holds; drawn again just like the last one, it is not told twice."""
    assert wanted.drawn is not None
    content = filter_to_json(wanted)
    last = connection.execute("SELECT content FROM review_sample ORDER BY id DESC LIMIT 1").fetchone()
    if last is not None and last[0] == content:
        return
    connection.execute(
        "INSERT INTO review_sample (kind, seed, content, drawn_at) VALUES (?, ?, ?, ?)",
        (wanted.drawn.kind, wanted.drawn.seed, content, now()),
    )
    connection.execute(
        "DELETE FROM review_sample WHERE id <= (SELECT id FROM review_sample ORDER BY id DESC LIMIT 1 OFFSET ?)",
        (KEPT,),
    )


def drawn(connection: sqlite3.Connection, limit: int = KEPT) -> list[DrawnSample]:
    """The newest first."""
    found = []
    for content, at in connection.execute(
        "SELECT content, drawn_at FROM review_sample ORDER BY id DESC LIMIT ?", (limit,)
    ):
        wanted, _ = filter_from_json(content)
        assert wanted.drawn is not None
        found.append(
            DrawnSample(wanted=wanted, drawing=wanted.drawn, bundles=len(wanted.bundle_ids or ()), at=as_moment(at))
        )
    return found
