"""The audit's language models."""

import json
import sqlite3
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Final

from gpf_desktop.domain.ids import ModelId
from gpf_desktop.domain.models import Endpoint, Limits, Role, TargetModel, labels
from gpf_desktop.storage import endpoints, stored
from gpf_desktop.storage.rows import records
from gpf_desktop.storage.times import now


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswersSeen:
    """The tokens and the seconds that a model's earlier answers of this audit took; zeros where there are none."""

    answers: int
    tokens_low: int
    """Tenth percentile of an answer's tokens; 0 where the provider counts none."""
    tokens_high: int
    """Ninetieth percentile."""
    seconds_low: float
    seconds_high: float
    cached: float = 0.0
    """Share of the prompts' tokens that the provider had in its cache."""


UNSEEN: Final = AnswersSeen(answers=0, tokens_low=0, tokens_high=0, seconds_low=0.0, seconds_high=0.0)
"""Of a model that has not answered yet."""

_NEWEST = 500
"""Answers that are looked at."""

_COLUMNS = "id, endpoint, synthetic, not_supported, label"


def keep(connection: sqlite3.Connection, endpoint: Endpoint, *, synthetic: bool) -> ModelId:
    """Add the model at *endpoint*, or take its new settings if it is there; a test of what was asked otherwise goes."""
    key = (endpoint.provider, endpoint.model, endpoint.base_url)
    row = connection.execute(
        "SELECT id, endpoint FROM model WHERE provider = ? AND model = ? AND base_url = ?", key
    ).fetchone()
    # Compared before the settings are taken over; a price or a limit that changed is nothing that the server would
    # notice.
    if row is not None and endpoints.from_json(row[1]).asked != endpoint.asked:
        connection.execute("UPDATE model SET tested_at = NULL, test_result = '' WHERE id = ?", row[:1])
    connection.execute(
        "INSERT INTO model (provider, model, base_url, label, endpoint, synthetic, added_at)"
        " VALUES (?, ?, ?, '', ?, ?, ?)"
        " ON CONFLICT (provider, model, base_url) DO UPDATE SET endpoint = excluded.endpoint, removed = 0",
        (*key, endpoints.as_json(endpoint), synthetic, now()),
    )
    return _named(connection, endpoint)


def get(connection: sqlite3.Connection, model_id: ModelId) -> TargetModel:
    return _models(connection.execute(f"SELECT {_COLUMNS} FROM model WHERE id = ?", (model_id,)))[0]


def every(connection: sqlite3.Connection) -> list[TargetModel]:
    """The models that are not removed, in the order added."""
    return _models(connection.execute(f"SELECT {_COLUMNS} FROM model WHERE NOT removed ORDER BY id"))


def of_run(connection: sqlite3.Connection, run_id: int) -> list[TargetModel]:
    """A run's models as they were frozen with it."""
    rows = connection.execute(
        "SELECT m.id, r.endpoint, m.synthetic, r.not_supported, m.label, r.role"
        " FROM run_model r JOIN model m ON m.id = r.model_id WHERE r.run_id = ? ORDER BY r.position",
        (run_id,),
    )
    return _models(rows, role=partial(stored.word, Role))


def join(connection: sqlite3.Connection, run_id: int, joining: Sequence[TargetModel]) -> None:
    """Add *joining* to a run, behind the models that it has; one of these stays as it is."""
    (last,) = connection.execute(
        "SELECT coalesce(max(position), -1) FROM run_model WHERE run_id = ?", (run_id,)
    ).fetchone()
    connection.executemany(
        "INSERT INTO run_model (run_id, model_id, position, role, endpoint, not_supported)"
        " SELECT ?, id, ?, ?, ?, not_supported FROM model WHERE id = ? ON CONFLICT DO NOTHING",
        [(run_id, last + n, each.role, endpoints.as_json(each.endpoint), each.id) for n, each in enumerate(joining, 1)],
    )


def unpriced(connection: sqlite3.Connection, run_id: int) -> bool:
    """Whether a run asks a model whose price was unknown when it was planned."""
    return not all(model.priced for model in of_run(connection, run_id))


def remove(connection: sqlite3.Connection, model_id: ModelId) -> None:
    """Hide a model; what it answered stays."""
    connection.execute("UPDATE model SET removed = 1 WHERE id = ?", (model_id,))


def restore(connection: sqlite3.Connection, model_id: ModelId) -> None:
    connection.execute("UPDATE model SET removed = 0 WHERE id = ?", (model_id,))


def set_test_result(connection: sqlite3.Connection, model_id: ModelId, result: str) -> None:
    connection.execute("UPDATE model SET tested_at = ?, test_result = ? WHERE id = ?", (now(), result, model_id))


def test_result(connection: sqlite3.Connection, model_id: ModelId) -> tuple[str, str]:
    """When it was last tested (empty: never), and the result in words."""
    row = connection.execute("SELECT tested_at, test_result FROM model WHERE id = ?", (model_id,)).fetchone()
    return row[0] or "", row[1]


def set_limits(connection: sqlite3.Connection, run_id: int, account: str, limits: Limits) -> None:
    """The auditor's new limits for all models of *account* in a run, from its next execution on."""
    change_endpoints(connection, run_id, lambda its: replace(its, limits=limits) if its.account == account else its)


def change_endpoints(connection: sqlite3.Connection, run_id: int, change: Callable[[Endpoint], Endpoint]) -> None:
    """Change the endpoints in a run alone: its models keep their settings for other runs."""
    rows = connection.execute("SELECT model_id, endpoint FROM run_model WHERE run_id = ?", (run_id,)).fetchall()
    for model_id, text in rows:
        endpoint = endpoints.from_json(text)
        changed = change(endpoint)
        if changed != endpoint:
            connection.execute(
                "UPDATE run_model SET endpoint = ? WHERE run_id = ? AND model_id = ?",
                (endpoints.as_json(changed), run_id, model_id),
            )


def set_not_supported(
    connection: sqlite3.Connection, model_id: ModelId, parameters: Iterable[str], *, run_id: int | None = None
) -> None:
    """Record the parameters that a model refuses, with the run that found it too."""
    text = json.dumps(sorted(parameters))
    connection.execute("UPDATE model SET not_supported = ? WHERE id = ?", (text, model_id))
    if run_id is not None:
        connection.execute(
            "UPDATE run_model SET not_supported = ? WHERE run_id = ? AND model_id = ?", (text, run_id, model_id)
        )


def answers_seen(connection: sqlite3.Connection, model_id: ModelId) -> AnswersSeen:
    """Percentiles over the newest answers."""
    rows = connection.execute(
        "SELECT p.completion_tokens, p.seconds, p.prompt_tokens, p.cached_tokens"
        " FROM cell c JOIN response p ON p.cell_id = c.id"
        # By the cell's own number: read backwards from the newest until there are enough.
        " WHERE c.model_id = ? AND p.missing IS NULL ORDER BY c.id DESC LIMIT ?",
        (model_id, _NEWEST),
    ).fetchall()
    tokens = sorted(row[0] for row in rows if row[0] is not None)
    seconds = sorted(row[1] for row in rows if row[1] is not None)
    prompt = sum(row[2] or 0 for row in rows)
    return AnswersSeen(
        answers=len(rows),
        tokens_low=tokens[len(tokens) // 10] if tokens else 0,
        tokens_high=tokens[len(tokens) * 9 // 10] if tokens else 0,
        seconds_low=seconds[len(seconds) // 10] if seconds else 0.0,
        seconds_high=seconds[len(seconds) * 9 // 10] if seconds else 0.0,
        cached=min(1.0, sum(row[3] or 0 for row in rows) / prompt) if prompt else 0.0,
    )


def _named(connection: sqlite3.Connection, added: Endpoint) -> ModelId:
    """Give *added*, and its namesakes at other addresses, labels that tell them apart; the id of *added*."""
    rows = connection.execute(
        "SELECT id, base_url FROM model WHERE provider = ? AND model = ?", (added.provider, added.model)
    )
    ids = {base_url: ModelId(model_id) for model_id, base_url in rows}
    for base_url, label in labels(added.label, list(ids)).items():
        connection.execute("UPDATE model SET label = ? WHERE id = ?", (label, ids[base_url]))
    return ids[added.base_url]


def _models(rows: sqlite3.Cursor, **read: Callable[[Any], Any]) -> list[TargetModel]:
    return records(
        TargetModel,
        rows,
        endpoint=endpoints.from_json,
        synthetic=bool,
        not_supported=lambda text: tuple(stored.structure(text)),
        **read,
    )
