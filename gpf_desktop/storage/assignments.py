"""Reading plans, and what makes an audit one reader's assignment: a few bundles, read blind, of another audit."""

import hashlib
import hmac
import json
import secrets
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from gpf_desktop.domain.ids import BundleId
from gpf_desktop.domain.models import Endpoint
from gpf_desktop.domain.reading_plans import PlannedReader, ReadingPlan
from gpf_desktop.storage import archived_texts, audits, endpoints, examples, moving_texts
from gpf_desktop.storage.rows import insert
from gpf_desktop.storage.times import now

PROVIDER: Final = "assigned"
"""Stands where a model's provider would, in an assignment."""
_PLAN: Final = "review.plan"
_ASSIGNMENT: Final = "review.assignment"
_GUIDELINE: Final = "review.guideline"
_BESIDE: Final = "review.beside"
_HIDES: Final = "review.hides"
_KEPT: Final = frozenset(
    {
        "schema_history", "audit", "setting", "source", "batch", "item", "batch_item", "protocol", "model", "run",
        "run_model", "coordinate_set", "coordinate", "fit_group", "bundle", "cell", "response", "flag", "reviewer",
        "study_entry",
    }
)  # fmt: skip
"""Tables that an assignment has rows in. All others are emptied, those that a later schema adds too."""
# The order counts: each statement goes by what those before it have left.
_CUT: Final = (
    "DELETE FROM flag WHERE cell_id NOT IN (SELECT id FROM cell WHERE bundle_id IN (SELECT id FROM wanted))",
    "DELETE FROM response WHERE cell_id NOT IN (SELECT id FROM cell WHERE bundle_id IN (SELECT id FROM wanted))",
    "DELETE FROM cell WHERE bundle_id NOT IN (SELECT id FROM wanted)",
    "DELETE FROM bundle WHERE id NOT IN (SELECT id FROM wanted)",
    "DELETE FROM fit_group WHERE id NOT IN (SELECT fit_group_id FROM bundle)",
    "DELETE FROM run WHERE id NOT IN (SELECT run_id FROM bundle)",
    "DELETE FROM model WHERE id NOT IN (SELECT model_id FROM cell)",
    "DELETE FROM run_model WHERE run_id NOT IN (SELECT id FROM run) OR model_id NOT IN (SELECT id FROM model)",
    "DELETE FROM item WHERE id NOT IN (SELECT item_id FROM cell)",
    (
        "DELETE FROM batch_item WHERE item_id NOT IN (SELECT id FROM item)"
        " OR batch_id NOT IN (SELECT batch_id FROM run WHERE batch_id IS NOT NULL)"
    ),
    "DELETE FROM batch WHERE id NOT IN (SELECT batch_id FROM batch_item)",
    # NOT IN a list with a NULL in it is never true, and nothing would go.
    "DELETE FROM source WHERE id NOT IN (SELECT source_id FROM item WHERE source_id IS NOT NULL)",
    "DELETE FROM protocol WHERE id NOT IN (SELECT protocol_id FROM run)",
    (
        "DELETE FROM coordinate WHERE set_id NOT IN"
        " (SELECT coordinates_id FROM bundle UNION SELECT coordinates_id FROM cell)"
    ),
    (
        "DELETE FROM coordinate_set WHERE id NOT IN"
        " (SELECT coordinates_id FROM bundle UNION SELECT coordinates_id FROM cell)"
    ),
    "UPDATE cell SET parent_cell_id = NULL WHERE parent_cell_id NOT IN (SELECT id FROM cell)",
    # Providers are told apart by their words for why an answer stopped, and models by how fast they answer.
    (
        "UPDATE response SET reasoning = '', detail = '', status = NULL, finish = '', request_id = '',"
        " sent = '{}', seconds = NULL, prompt_tokens = NULL, completion_tokens = NULL, reasoning_tokens = NULL,"
        " cached_tokens = NULL, served_id = NULL, account = NULL, received_at = (SELECT created_at FROM audit)"
    ),
    "DELETE FROM served",
    # Plans name models, and names of rounds and batches do where answers were imported from a file called after one.
    "UPDATE run SET plan = '{}', name = 'Round ' || id, spend_cap = NULL, started_by = ''",
    "UPDATE batch SET name = 'Batch ' || id",
    "DELETE FROM reviewer",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Assignment:
    """The facts that an audit tells about itself where it is one reader's assignment."""

    reviewer: str
    """Their uuid."""
    name: str
    audit: str
    """The title of the audit that it was cut from."""
    bundles: int
    made: str


def keep_plan(connection: sqlite3.Connection, plan: ReadingPlan) -> None:
    audits.set_setting(connection, _PLAN, json.dumps(asdict(plan), ensure_ascii=False))


def plan(connection: sqlite3.Connection) -> ReadingPlan | None:
    """The plan that was drawn last; None where there is none."""
    return audits.kept(connection, _PLAN, _plan, None)


def _plan(data: Any) -> ReadingPlan | None:
    return ReadingPlan(
        **{
            **data,
            "readers": tuple(PlannedReader(**each) for each in data["readers"]),
            "bundles": tuple(BundleId(each) for each in data["bundles"]),
        }
    )


def assignment(connection: sqlite3.Connection) -> Assignment | None:
    """None in an audit that was not cut from another."""
    return audits.kept(connection, _ASSIGNMENT, lambda data: Assignment(**data), None)


def is_one(connection: sqlite3.Connection) -> bool:
    return bool(audits.setting(connection, _ASSIGNMENT))


def beside(connection: sqlite3.Connection) -> set[BundleId]:
    """Bundles of an assignment that are there as the guideline's examples alone: nobody is asked to judge them."""
    return audits.kept(connection, _BESIDE, lambda data: {BundleId(int(each)) for each in data}, set())


def keep_secret(connection: sqlite3.Connection) -> None:
    """Draw, once, what models of this audit are hidden under; no assignment holds it."""
    if not secret(connection):
        audits.set_setting(connection, _HIDES, secrets.token_hex(32))


def secret(connection: sqlite3.Connection) -> str:
    """The secret that `keep_secret` drew; empty before."""
    return audits.setting(connection, _HIDES)


def hidden(secret: str, *told: str) -> str:
    """The name that hides *told* (a model's name and address, a plan's hash) in the assignments of one audit.

    HMAC-SHA-256 under the *secret* of that audit: under anything that an assignment holds, its reader could try the
    names of well-known models one by one.
    """
    return hmac.new(bytes.fromhex(secret), "\n".join(told).encode(), hashlib.sha256).hexdigest()


def cut(path: Path, reader: PlannedReader, bundles: Sequence[BundleId], title: str = "") -> Assignment:
    """Make the copy of an audit at *path*, which nobody has open, the assignment of *reader*.

    What is left are *bundles* with their answers, flags and items, the code book, and the guideline with those of its
    examples that are none of them. Models have names that say nothing (the audit has a secret, `keep_secret`); scores,
    what anybody read, requests and replies, costs and settings are gone, from the file's free pages too. *title* takes
    the place of the audit's own.
    """
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        # Before BEGIN, within which it does nothing. What points at nothing on the way is looked for at the end.
        connection.execute("PRAGMA foreign_keys = OFF")
        connection.execute("BEGIN")
        made = _cut(connection, reader, bundles, title)
        connection.execute("COMMIT")
        problem = connection.execute("PRAGMA foreign_key_check").fetchone()
        if problem is not None:
            raise AssertionError(f"a row of {problem[0]} points at nothing")
        # What was deleted still stands in free pages until they are written over.
        connection.execute("VACUUM")
    return made


def _cut(connection: sqlite3.Connection, reader: PlannedReader, bundles: Sequence[BundleId], title: str) -> Assignment:
    title = title or audits.facts(connection).title
    guideline = audits.setting(connection, _GUIDELINE)
    shown = examples.of_assignment(connection, set(bundles))
    made = Assignment(reviewer=reader.uuid, name=reader.name, audit=title, bundles=len(bundles), made=now())
    connection.execute("CREATE TEMP TABLE wanted (id INTEGER PRIMARY KEY)")
    connection.executemany("INSERT INTO wanted VALUES (?)", ((bundle,) for bundle in bundles))
    connection.executemany("INSERT INTO wanted VALUES (?)", ((each.bundle_id,) for each in shown))
    # Their files do not lie beside the assignment.
    own = {row[0] for row in connection.execute("SELECT run_id FROM bundle WHERE id IN (SELECT id FROM wanted)")}
    for run_id in own & set(archived_texts.rounds(connection)):
        moving_texts.bring_back(connection, run_id)
    for statement in _CUT:
        connection.execute(statement)
    # Codes are what one reads by; memos say what others think. The reader's own history stays whole.
    connection.execute("DELETE FROM study_entry WHERE action <> 'code' AND reviewer <> ?", (reader.uuid,))
    _hide(connection, secret(connection))
    # The index still had the words of all answers. Triggers have put the deleted texts into `search_gone`,
    # which is emptied with the others.
    connection.execute("INSERT INTO answer_index (answer_index) VALUES ('rebuild')")
    for table in _others(connection):
        connection.execute(f"DELETE FROM {table}")
    connection.execute("DELETE FROM setting")
    audits.set_setting(connection, _ASSIGNMENT, json.dumps(asdict(made), ensure_ascii=False))
    if guideline:
        audits.set_setting(connection, _GUIDELINE, guideline)
    if shown:
        examples.write(connection, shown)
        audits.set_setting(connection, _BESIDE, json.dumps([each.bundle_id for each in shown]))
    insert(connection, "reviewer", uuid=reader.uuid, name=reader.name, created_at=made.made)
    audits.rename(connection, f"{title} · {reader.name}")
    connection.execute("DROP TABLE wanted")
    return made


def _hide(connection: sqlite3.Connection, secret: str) -> None:
    for run_id, plan_hash in connection.execute("SELECT id, plan_hash FROM run").fetchall():
        connection.execute("UPDATE run SET plan_hash = ? WHERE id = ?", (hidden(secret, plan_hash), run_id))
    rows = connection.execute("SELECT id, provider, model, base_url FROM model").fetchall()
    for model_id, provider, model, base_url in rows:
        name = hidden(secret, provider, model, base_url)[:16]
        endpoint = endpoints.as_json(Endpoint(provider=PROVIDER, model=name))
        connection.execute(
            "UPDATE model SET provider = ?, model = ?, base_url = '', label = ?, endpoint = ?, not_supported = '[]',"
            " tested_at = NULL, test_result = '' WHERE id = ?",
            (PROVIDER, name, name[:6], endpoint, model_id),
        )
        connection.execute(
            "UPDATE run_model SET endpoint = ?, not_supported = '[]' WHERE model_id = ?", (endpoint, model_id)
        )


def _others(connection: sqlite3.Connection) -> list[str]:
    # Tables of the full-text index are FTS5's own: they are rebuilt, and emptied row by row they would be damaged.
    rows = connection.execute(
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
        " AND name NOT LIKE 'answer_index%'"
    )
    return [name for (name,) in rows if name not in _KEPT]
