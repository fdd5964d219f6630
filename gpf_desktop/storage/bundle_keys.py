"""Bundles by names that hold on every machine with the same run: what a sealed entry is about."""

import sqlite3
from dataclasses import replace

from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.ids import BundleId
from gpf_desktop.domain.reviews import BundleKey
from gpf_desktop.domain.text import tr
from gpf_desktop.storage import assignments, stored
from gpf_desktop.storage.rows import records

_RUN, _MODEL = "r.plan_hash || ' ' || r.created_at", "coalesce(m.provider || '/' || m.model, '')"
_FROM = (
    "FROM bundle b JOIN run r ON r.id = b.run_id JOIN coordinate_set x ON x.id = b.coordinates_id"
    " LEFT JOIN model m ON m.id = b.model_id LEFT JOIN item a ON a.id = b.item_id"
)


def key_of(connection: sqlite3.Connection, bundle_id: BundleId) -> BundleKey:
    """The bundle's name in words that hold on other machines. Raises `UserError` where there is no such bundle."""
    rows = connection.execute(
        f"SELECT {_RUN} AS run, r.method, {_MODEL} AS model, coalesce(m.base_url, '') AS base_url,"
        f" coalesce(a.key, '') AS item, b.arm, x.text AS coordinates {_FROM} WHERE b.id = ?",
        (bundle_id,),
    )
    found = records(BundleKey, rows)
    if not found:
        raise UserError(tr("There is no bundle {number} in this audit.", number=bundle_id))
    return found[0]


def bundle_called(connection: sqlite3.Connection, subject: str) -> BundleId | None:
    """The bundle that *subject* (the text of a `BundleKey`) names here, if this audit holds it."""
    key = BundleKey(**stored.structure(subject))
    found = _called(connection, key)
    # At the first slash: names of models have some of their own, names of providers none.
    provider, _, name = key.model.partition("/")
    if found is not None or provider != assignments.PROVIDER:
        return found
    # Said of an assignment that was cut from this audit, where models and plans have names that say nothing.
    secret = assignments.secret(connection)
    if not secret:
        return None
    run = _run_called(connection, secret, key.run)
    for provider, model, base_url in connection.execute("SELECT provider, model, base_url FROM model"):
        # Assignments show the beginning of the digest alone.
        if assignments.hidden(secret, provider, model, base_url).startswith(name):
            return _called(connection, replace(key, run=run, model=f"{provider}/{model}", base_url=base_url))
    return None


def _run_called(connection: sqlite3.Connection, secret: str, hidden: str) -> str:
    """The name of the run that an assignment calls *hidden*; *hidden* itself where there is none."""
    for plan_hash, created_at in connection.execute("SELECT plan_hash, created_at FROM run"):
        if f"{assignments.hidden(secret, plan_hash)} {created_at}" == hidden:
            return f"{plan_hash} {created_at}"
    return hidden


def _called(connection: sqlite3.Connection, key: BundleKey) -> BundleId | None:
    row = connection.execute(
        f"SELECT b.id {_FROM} WHERE coalesce(a.key, '') = ? AND {_MODEL} = ? AND coalesce(m.base_url, '') = ?"
        f" AND {_RUN} = ? AND r.method = ? AND b.arm = ? AND x.text = ?",
        (key.item, key.model, key.base_url, key.run, key.method, key.arm, key.coordinates),
    ).fetchone()
    return None if row is None else BundleId(row[0])
