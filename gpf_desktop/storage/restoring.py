"""Puts rows of relations back into an empty audit, under the numbers that they had.

What a row says is believed only as far as the schema goes: text that is no structure, a number that is no number or a
reference to nothing is a `BadRowError`, whatever file it came from.
"""

import json
import sqlite3
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from operator import itemgetter
from typing import Any, Final

from gpf_desktop.domain.embeddings import Vector, is_vector
from gpf_desktop.domain.ids import BundleId, CellId, ReviewerId
from gpf_desktop.domain.reviews import SealedEntry
from gpf_desktop.domain.runs import NoteKind, RunState
from gpf_desktop.domain.saved_filters import filter_from_json
from gpf_desktop.domain.scopes import Scope
from gpf_desktop.domain.served import Served
from gpf_desktop.domain.study_entries import check_content
from gpf_desktop.storage import coordinate_sets, reviewers, reviews, served, stored, study_entries, vectors
from gpf_desktop.storage.responses import IS_WITHHELD
from gpf_desktop.storage.stored import BadRowError
from gpf_desktop.storage.times import as_moment

Connection = sqlite3.Connection
Restored = Mapping[str, Any]
"""A row by column name, structures as the JSON that was stored."""


def put(connection: Connection, name: str, rows: Sequence[Restored]) -> None:
    """Put *rows* of the relation called *name* back. Raises `BadRowError`."""
    try:
        _PUT[name](connection, rows)
    except (KeyError, TypeError, ValueError, AttributeError, RecursionError, OverflowError) as error:
        # A `BadRowError` is a `ValueError` itself and says already what it is.
        if isinstance(error, BadRowError):
            raise
        raise BadRowError(f"{name}: {error!r}") from error
    # The second and third are of values that SQLite has no kind for, a list say. Any other error is the disk's or our
    # own, and no row's.
    except (sqlite3.IntegrityError, sqlite3.ProgrammingError, sqlite3.InterfaceError) as error:
        raise BadRowError(f"{name}: {error}") from error


def put_audit(
    connection: Connection,
    *,
    uuid: str,
    title: str,
    created_at: str,
    sample: bool,
    settings: Mapping[str, str],
    samples: Sequence[Mapping[str, Any]],
) -> None:
    """The audit's own row, settings of it, and how samples for reading were drawn (`review_samples.as_drawn`)."""
    for drawn in samples:
        try:
            filter_from_json(drawn["content"])
            as_moment(drawn["drawn_at"])
            _insert(connection, "review_sample", [_only(drawn, ("kind", "seed", "content", "drawn_at"))])
        except (KeyError, TypeError, ValueError, AttributeError, sqlite3.IntegrityError) as error:
            raise BadRowError(f"a drawn sample: {error!r}") from error
    connection.execute(
        "UPDATE audit SET uuid = ?, title = ?, created_at = ?, sample = ?", (uuid, title, created_at, sample)
    )
    connection.executemany("INSERT OR REPLACE INTO setting (name, value) VALUES (?, ?)", list(settings.items()))


def doubt_scores(connection: Connection, setting_ids: Sequence[int]) -> int:
    """Take away the scores of these settings, so that they are due; returns how many fits keep theirs.

    A fit with an answer that is there as a hash alone (`withheld`) keeps its scores; so does its whole run where a
    setting fits on runs.
    """
    kept = "SELECT DISTINCT b.fit_group_id FROM response p JOIN cell c ON c.id = p.cell_id"
    kept += f" JOIN bundle b ON b.id = c.bundle_id WHERE {IS_WITHHELD}"
    connection.execute(f"CREATE TEMP TABLE kept_fit AS {kept}")
    of_runs = (
        "SELECT g.id FROM fit_group g WHERE g.run_id IN"
        " (SELECT f.run_id FROM fit_group f JOIN temp.kept_fit k ON k.fit_group_id = f.id)"
    )
    for setting_id in setting_ids:
        row = connection.execute(
            "SELECT json_extract(options, '$.fit_scope') FROM score_setting WHERE id = ?", (setting_id,)
        ).fetchone()
        staying = of_runs if row[0] == "run" else "SELECT fit_group_id FROM temp.kept_fit"
        connection.execute(
            "DELETE FROM score WHERE setting_id = ? AND unit_kind = 'bundle'"
            f" AND unit_id IN (SELECT id FROM bundle WHERE fit_group_id NOT IN ({staying}))",
            (setting_id,),
        )
        connection.execute(
            # As in `fit_groups.to_score_again`: no number of answers, so that the scores are due.
            f"UPDATE score_basis SET answers = -1 WHERE setting_id = ? AND fit_group_id NOT IN ({staying})",
            (setting_id,),
        )
    found = int(connection.execute("SELECT count(*) FROM temp.kept_fit").fetchone()[0])
    connection.execute("DROP TABLE temp.kept_fit")
    return found


def _insert(connection: Connection, table: str, rows: Iterable[Mapping[str, Any]], *, again: str = "ABORT") -> None:
    found = list(rows)
    if found:
        names = list(found[0])
        values = itemgetter(*names) if len(names) > 1 else lambda row: (row[names[0]],)
        connection.executemany(
            f"INSERT OR {again} INTO {table} ({', '.join(names)}) VALUES ({', '.join('?' for _ in names)})",
            map(values, found),
        )


def _protocols(connection: Connection, rows: Sequence[Restored]) -> None:
    kept = ("method", "name", "version", "hash", "text", "created_at")
    _insert(connection, "protocol", ({"id": row["protocol_id"], **_only(row, kept)} for row in rows))


def _only(row: Restored, names: Iterable[str]) -> dict[str, Any]:
    return {name: row[name] for name in names}


def _news(connection: Connection, rows: Sequence[Restored]) -> None:
    for row in rows:
        if row["source_id"] is not None:
            address = str(row["source_address"])
            source = {
                "id": row["source_id"],
                "target": _target(connection, row),
                "address": address,
                "kind": row["source_kind"],
                "title": row["source"],
                "active": 0,
                "synthetic": row["synthetic"],
                "added_at": row["retrieved_at"],
            }
            # Every item of a source, and of a batch below, brings them along once more.
            _insert(connection, "source", [source], again="IGNORE")
        batch = {"id": row["batch_id"], "name": row["batch"], "created_at": row["batch_created_at"]}
        _insert(connection, "batch", [batch], again="IGNORE")
        kept = (
            *("source_id", "url", "published_at", "published_stated", "retrieved_at", "stratum", "stratum_by_auditor"),
            *("text", "matched", "notes", "data", "synthetic", "batch_id"),
        )
        item = {
            "id": row["item_id"],
            "kind": row["item_kind"],
            "key": row["item_key"],
            "title": row["headline"],
            **_only(row, kept),
        }
        _insert(connection, "item", [item], again="IGNORE")
        frozen = {
            "title": row["headline"],
            **_only(row, ("batch_id", "item_id", "position", "text", "stratum", "data")),
        }
        _insert(connection, "batch_item", [frozen])


def _target(connection: Connection, row: Restored) -> str:
    """The name of a source; of two files of one name in different folders the second is named by its number too."""
    # An artifact of an earlier program does not say it.
    named = str(row.get("source_target") or row["source_address"] or f"{row['source']} {row['source_id']}")
    others = connection.execute("SELECT 1 FROM source WHERE target = ? AND id <> ?", (named, row["source_id"]))
    return named if others.fetchone() is None else f"{named} {row['source_id']}"


def _runs(connection: Connection, rows: Sequence[Restored]) -> None:
    kept = ("name", "plan_hash", "batch_id", "protocol_id", "method", "method_version", "controls", "seed")
    moments = ("created_at", "started_at", "finished_at")
    for row in rows:
        state = stored.word(RunState, row["state"])
        run = {
            "id": row["run_id"],
            # Nobody asks it here: left as running, it would be taken for one that is being asked.
            "state": RunState.INTERRUPTED if state.active else state,
            # In no relation as a whole: batch, models, protocol, controls and what it left out are, and the hash tells
            # which plan it was.
            "plan": _plan(row),
            **_only(row, (*kept, *moments)),
        }
        _insert(connection, "run", [run])
        notes = (
            # Files of an earlier program do not say of what kind a note is.
            {
                "run_id": row["run_id"],
                **_only(note, ("at", "sentence")),
                "kind": stored.word(NoteKind, note.get("kind", "")),
            }
            for note in _parsed(row, "notes")
        )
        _insert(connection, "run_note", notes)


def _plan(row: Restored) -> str:
    """What is known of a round's plan: what it left out; nothing where it had none, or by an earlier program."""
    if row.get("left_out") is None:
        return "{}"
    scope = Scope.of_plan({"scope": {"left_out": _parsed(row, "left_out")}})
    return json.dumps({"scope": {"left_out": scope.left_out}}, ensure_ascii=False)


def _models(connection: Connection, rows: Sequence[Restored]) -> None:
    for row in rows:
        # No file says which of this machine's variables holds a key that is then sent to an address in the same file.
        endpoint = {**_parsed(row, "endpoint"), "key_env": ""}
        settings = {
            "endpoint": json.dumps(endpoint, ensure_ascii=False, sort_keys=True),
            "not_supported": row["not_supported"],
        }
        own = ("provider", "model", "base_url", "label", "synthetic")
        model = {"id": row["model_id"], "added_at": "", **settings, **_only(row, own)}
        # A model has a row for each of its runs. The first stands for the model itself; its settings in the others are
        # kept with these, in `run_model`.
        _insert(connection, "model", [model], again="IGNORE")
        _insert(connection, "run_model", [{**settings, **_only(row, ("run_id", "model_id", "position", "role"))}])


def _fits(connection: Connection, rows: Sequence[Restored]) -> None:
    kept = ("run_id", "model_id", "item_id", "bundles", "unended", "stages", "stages_left", "answers")
    # With the counts that they had: the trigger that keeps these hears of changes of a cell's state, not of new rows.
    _insert(connection, "fit_group", ({"id": row["fit_group_id"], **_only(row, kept)} for row in rows))


def _bundles(connection: Connection, rows: Sequence[Restored]) -> None:
    number = _numbers(connection)
    kept = ("run_id", "grouping", "model_id", "item_id", "arm", "planned", "fit_group_id")
    _insert(
        connection,
        "bundle",
        ({"id": row["bundle_id"], "coordinates_id": number(row["coordinates"]), **_only(row, kept)} for row in rows),
    )


def _numbers(connection: Connection) -> Callable[[str], int]:
    return lru_cache(maxsize=8192)(lambda text: coordinate_sets.number_of(connection, stored.coordinates(text)))


def _parsed(row: Restored, name: str) -> Any:
    return stored.structure(row[name])


def _answers(connection: Connection, rows: Sequence[Restored]) -> None:
    number = _numbers(connection)
    told = list(map(_served, rows))
    who = served.numbers(connection, told)
    of_cell = ("run_id", "bundle_id", "model_id", "item_id", "repeat", "stage", "parent_cell_id", "seed", "position")
    _insert(
        connection,
        "cell",
        (
            {
                "id": row["cell_id"],
                "coordinates_id": number(row["varying"]),
                # Calls and batch jobs are not restored, so nothing is on its way here.
                "state": "open" if row["state"] in ("asked", "submitted") else row["state"],
                **_only(row, of_cell),
            }
            for row in rows
        ),
    )
    of_response = (
        *("reasoning", "missing", "detail", "status", "finish", "truncated", "prompt_tokens", "completion_tokens"),
        *("reasoning_tokens", "request_id", "sent", "seconds", "received_at"),
    )
    _insert(
        connection,
        "response",
        (
            {
                "cell_id": row["cell_id"],
                "text": row["answer"],
                # Artifacts of earlier versions do not say.
                "cached_tokens": row.get("cached_tokens"),
                "served_id": who[by],
                **_only(row, of_response),
            }
            for row, by in zip(rows, told, strict=True)
            # A cell without a response has nulls in all of these columns.
            if row["received_at"] is not None
        ),
    )
    _insert(
        connection,
        "flag",
        (
            {"cell_id": row["cell_id"], "name": flag["flag"], "detail": flag["found"]}
            for row in rows
            for flag in _parsed(row, "flags")
        ),
    )


def _served(row: Restored) -> Served:
    # Artifacts of earlier versions do not say.
    told = [row.get(f"served_{name}") or "" for name in ("model", "fingerprint", "host")]
    if not all(isinstance(each, str) for each in told):
        raise BadRowError(f"answers: cell {row['cell_id']} was answered by what is no name")
    return Served(model=told[0], fingerprint=told[1], host=told[2])


def _vectors(connection: Connection, rows: Sequence[Restored]) -> None:
    for row in rows:
        digest, data = bytes.fromhex(row["digest"]), bytes.fromhex(row["numbers"])
        if not is_vector(data):
            raise BadRowError(f"vectors: no vector of cell {row['cell_id']}")
        connection.execute(
            "INSERT OR IGNORE INTO vector (model_id, digest, made_at, data) SELECT model_id, ?, ?, ? FROM cell"
            " WHERE id = ?",
            (digest, row["made_at"], data, row["cell_id"]),
        )
        # Without numbers: they were stored just above with the moment that they came, and
        # only the cell's link is missing.
        vectors.save(connection, [(CellId(row["cell_id"]), Vector(digest=digest, data=b""))])


def _settings(connection: Connection, rows: Sequence[Restored]) -> None:
    kept = ("method", "scorer", "version", "options", "hash", "measures", "everywhere")
    _insert(
        connection,
        "score_setting",
        (
            {
                "id": row["setting_id"],
                "created_at": "",
                "place": place,
                **_only(row, kept),
            }
            # They come in their order.
            for place, row in enumerate(rows, start=1)
        ),
    )


def _scores(connection: Connection, rows: Sequence[Restored]) -> None:
    kept = ("setting_id", "unit_kind", "unit_id", "name", "value", "category", "unavailable", "provisional")
    _insert(connection, "score", (_only(row, kept) for row in rows))


def _bases(connection: Connection, rows: Sequence[Restored]) -> None:
    kept = ("setting_id", "fit_group_id", "answers", "of_run", "provisional")
    _insert(connection, "score_basis", (_only(row, kept) for row in rows))
    connection.execute(
        # Scores put back row by row have raised no edition, and runs without one are in no table.
        "INSERT OR IGNORE INTO score_edition (setting_id, run_id, edition)"
        " SELECT DISTINCT u.setting_id, g.run_id, 1 FROM score_basis u JOIN fit_group g ON g.id = u.fit_group_id"
    )


def _annotations(connection: Connection, rows: Sequence[Restored]) -> None:
    for row in rows:
        known = reviewers.by_uuid(connection, row["reviewer_uuid"])
        reviewer = known or reviewers.add(connection, row["reviewer"], known_as=row["reviewer_uuid"])
        texts = ("action", "reason", "at", "previous_hash", "hash", "signature")
        entry = SealedEntry(
            reviewer=reviewer.uuid,
            subject=row["subject"],
            judgement=row["judgement"],
            key=row["public_key"],
            **_only(row, texts),
        )
        # Through `store`, one by one: what stands now follows from the entries and is in no relation.
        reviews.store(connection, BundleId(row["bundle_id"]), ReviewerId(reviewer.id), entry)


def _study_notes(connection: Connection, rows: Sequence[Restored]) -> None:
    for row in rows:
        # An author who never judged a set is in no annotation.
        if row["reviewer"] and reviewers.by_uuid(connection, row["reviewer_uuid"]) is None:
            reviewers.add(connection, row["reviewer"], known_as=row["reviewer_uuid"])
        check_content(row["action"], row["content"])
        as_moment(row["at"])
        texts = ("action", "subject", "at", "previous_hash", "hash", "signature")
        entry = SealedEntry(
            reviewer=row["reviewer_uuid"],
            judgement=row["content"],
            reason="",
            key=row["public_key"],
            **_only(row, texts),
        )
        study_entries.store(connection, entry)


def _groups(connection: Connection, rows: Sequence[Restored]) -> None:
    _insert(connection, "reviewer_group", ({"reviewer": r["reviewer_uuid"], "name": r["group_name"]} for r in rows))


_PUT: Final[Mapping[str, Callable[[Connection, Sequence[Restored]], None]]] = {
    "protocols": _protocols,
    "news": _news,
    "runs": _runs,
    "models": _models,
    "fits": _fits,
    "bundles": _bundles,
    "answers": _answers,
    "vectors": _vectors,
    "settings": _settings,
    "scores": _scores,
    "score_bases": _bases,
    "annotations": _annotations,
    "study_notes": _study_notes,
    "reviewer_groups": _groups,
}
ORDER: Final = tuple(_PUT)
"""In which relations are written: what is referred to first."""
ORDER_OF_PUTTING: Final = (*(name for name in ORDER if name != "score_bases"), "score_bases")
"""In which they are put back: a correction among the annotations makes the scores due that are there, and those that
come with it rest on it already."""
