"""Bundles by names that hold on every machine with the same run: what a sealed entry is about."""

import json
import sqlite3

from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.ids import BundleId
from gpf_desktop.domain.reviews import BundleKey
from gpf_desktop.domain.text import tr

_KEY = (
    "SELECT r.plan_hash || ' ' || r.created_at, m.provider || '/' || m.model, m.base_url, a.key, b.condition,"
    " b.dimension, b.family, b.paraphrase, b.extra FROM bundle b JOIN run r ON r.id = b.run_id"
    " JOIN model m ON m.id = b.model_id JOIN article a ON a.id = b.article_id WHERE b.id = ?"
)


def key_of(connection: sqlite3.Connection, bundle_id: BundleId) -> BundleKey:
    """The bundle's name in words that hold on other machines. Raises `UserError` where there is no such bundle."""
    row = connection.execute(_KEY, (bundle_id,)).fetchone()
    if row is None:
        raise UserError(tr("There is no bundle {number} in this audit.", number=bundle_id))
    return BundleKey(
        run=row[0],
        model=row[1],
        base_url=row[2],
        article=row[3],
        condition=row[4],
        dimension=row[5],
        family=row[6],
        paraphrase=row[7],
        extra=row[8],
    )


def bundle_called(connection: sqlite3.Connection, subject: str) -> BundleId | None:
    """The bundle that *subject* (the text of a `BundleKey`) names here, if this audit holds it."""
    key = BundleKey(**json.loads(subject))
    row = connection.execute(
        "SELECT b.id FROM bundle b JOIN run r ON r.id = b.run_id JOIN model m ON m.id = b.model_id"
        " JOIN article a ON a.id = b.article_id"
        " WHERE a.key = ? AND m.provider || '/' || m.model = ? AND m.base_url = ?"
        " AND r.plan_hash || ' ' || r.created_at = ? AND b.condition = ? AND b.dimension = ? AND b.family = ?"
        " AND b.paraphrase = ? AND b.extra = ?",
        (
            key.article,
            key.model,
            key.base_url,
            key.run,
            key.condition,
            key.dimension,
            key.family,
            key.paraphrase,
            key.extra,
        ),
    ).fetchone()
    return None if row is None else BundleId(row[0])
