"""Whether all that stands in an audit is what this program writes.

Asked by `doctor`, of stored counts wherever an audit comes in, and wherever reading one goes wrong in a way that nobody
expected: a file that somebody else wrote, or changed, may hold anything, and is no fault of the program.

    pages         every page and index as SQLite lays them out
    references    every row refers to rows that are there
    values        numbers, moments, words and structures that can be read
    agreements    what is said of one thing in two places is the same
"""

import sqlite3
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any, Final

from gpf_desktop.domain.embeddings import EMBEDDED
from gpf_desktop.domain.models import Role
from gpf_desktop.domain.responses import Missing
from gpf_desktop.domain.reviews import ReviewAction, Verdict, judgement_from_json
from gpf_desktop.domain.runs import NoteKind, RunState
from gpf_desktop.domain.saved_filters import filter_from_json
from gpf_desktop.domain.scopes import Scope
from gpf_desktop.domain.scores import UnitKind
from gpf_desktop.domain.study_entries import StudyAction
from gpf_desktop.domain.text import tr
from gpf_desktop.storage import assignments, endpoints, stored
from gpf_desktop.storage.times import as_moment
from gpf_desktop.storage.writer import Connection

_MOST: Final = 5
"""Faults of one kind that are told."""
Reader = Callable[[Any], object]


def pages(connection: Connection) -> list[str]:
    """The faults that SQLite finds in the file's pages, indexes and types; empty where all is well."""
    found = [" ".join(str(row[0]).split()) for row in connection.execute(f"PRAGMA integrity_check({_MOST})")]
    return [] if found == ["ok"] else found


def references(connection: Connection) -> dict[str, int]:
    """Rows that refer to nothing, counted by table."""
    torn: dict[str, int] = {}
    for table, *_ in connection.execute("PRAGMA foreign_key_check"):
        torn[table] = torn.get(table, 0) + 1
    return dict(sorted(torn.items()))


def values(connection: Connection) -> Iterator[str]:
    """Sentences on values that this program never writes."""
    for table, column, kind in _columns(connection):
        read = _READERS.get(f"{table}.{column}") or (_finite if kind == "REAL" else None)
        if read is None and kind == "TEXT":
            read = _moment if column == "at" or column.endswith("_at") else _text
        if read is not None:
            yield from _unreadable(connection, table, column, read)


def agreements(connection: Connection) -> Iterator[str]:
    """Sentences on two places that should say the same thing and differ."""
    # A reader's assignment holds the counts of what it was cut from, and no scores that could wait for the rest.
    counts = {} if assignments.is_one(connection) else _COUNTS | _OF_SETS
    return _found(connection, counts | _AGREEMENTS)


def miscounted(connection: Connection) -> str:
    """The first stored count that is not the number of what it counts, by which work would go on for ever or end too
    soon; empty where all are. Reads every cell, once."""
    if assignments.is_one(connection) or connection.execute(_MISCOUNTED).fetchone() is None:
        return ""
    return next(_found(connection, _COUNTS), "")


def problem(connection: Connection) -> str:
    """The first thing that is wrong; empty where all is as this program writes it."""
    try:
        if found := pages(connection):
            return found[0]
        if torn := references(connection):
            table, n = next(iter(torn.items()))
            return tr("{n:,} rows of {table} refer to nothing", table=table, n=n)
        return next(values(connection), "") or next(agreements(connection), "")
    except sqlite3.Error as error:
        return str(error)


def _found(connection: Connection, looked_for: Mapping[str, str]) -> Iterator[str]:
    for what, sql in looked_for.items():
        found = connection.execute(f"{sql} LIMIT 1").fetchone()
        if found is not None:
            yield f"{what} ({found[0]})"


def _columns(connection: Connection) -> list[tuple[str, str, str]]:
    """Table, column and type of all that this program itself fills."""
    return connection.execute(
        "SELECT m.name, c.name, c.type FROM pragma_table_list m JOIN pragma_table_info(m.name) c"
        " WHERE m.schema = 'main' AND m.strict ORDER BY m.name, c.cid"
    ).fetchall()


def _unreadable(connection: Connection, table: str, column: str, read: Reader) -> Iterator[str]:
    """One sentence for a *column*, of the first value in it that cannot be read."""
    rows = connection.execute(f"SELECT DISTINCT {column} FROM {table} WHERE {column} IS NOT NULL")
    try:
        for (value,) in rows:
            read(value)
    except (*stored.OF_ODD_SHAPES, sqlite3.OperationalError) as error:
        yield tr(
            "{place} holds what cannot be read: {why}", place=f"{table}.{column}", why=" ".join(str(error).split())
        )


def _text(value: str) -> None:
    """Read a text, for its decoding alone, which reading it does."""


def _finite(value: float) -> None:
    if value - value != 0:
        raise ValueError(f"{value} is no number")


def _not_negative(value: float) -> None:
    _finite(value)
    if value < 0:
        raise ValueError(f"{value} is less than 0")


def _measures(text: str) -> None:
    if not all(isinstance(each["name"], str) for each in list(stored.structure(text))):
        raise ValueError("no list of measures")


def _moment(text: str) -> None:
    # Of what an artifact brought nobody knows when it was added.
    if text:
        as_moment(text)


def _every_text(text: str) -> None:
    if not all(isinstance(each, str) for each in stored.structure(text)):
        raise ValueError("no list of texts")


def _object(text: str) -> None:
    if not isinstance(stored.structure(text), dict):
        raise ValueError("no object")


def _word_or_empty(kind: Any, text: str) -> None:
    if text:
        stored.word(kind, text)


_READERS: Final[dict[str, Reader]] = {
    "batch_item.data": _object,
    "call.at_most": _not_negative,
    "call.microdollars": _not_negative,
    "coordinate_set.text": stored.coordinates,
    "item.data": _object,
    "item.matched": _every_text,
    "item.notes": _every_text,
    "model.endpoint": endpoints.from_json,
    "model.not_supported": _every_text,
    "response.completion_tokens": _not_negative,
    "response.missing": partial(stored.word, Missing),
    "response.prompt_tokens": _not_negative,
    "response.sent": _object,
    "review_draft.judgement": judgement_from_json,
    "review_entry.action": partial(stored.word, ReviewAction),
    "review_entry.judgement": judgement_from_json,
    "review_final.verdict": partial(stored.word, Verdict),
    "review_now.judgement": judgement_from_json,
    "review_now.verdict": partial(stored.word, Verdict),
    "review_sample.content": filter_from_json,
    "run.controls": _object,
    "run.plan": lambda text: Scope.of_plan(stored.structure(text)),
    "run.spend_cap": _not_negative,
    "run.state": partial(stored.word, RunState),
    "run_model.endpoint": endpoints.from_json,
    "run_model.not_supported": _every_text,
    "run_model.role": partial(stored.word, Role),
    "run_note.kind": partial(_word_or_empty, NoteKind),
    "saved_filter.content": filter_from_json,
    "score.unit_kind": partial(stored.word, UnitKind),
    "score_setting.measures": _measures,
    "score_setting.options": _object,
    "study_entry.action": partial(stored.word, StudyAction),
}
"""By column, what reads it; raises where it holds something else."""
_CELLS: Final = "(SELECT count(*) FROM bundle b JOIN cell c ON c.bundle_id = b.id WHERE b.fit_group_id = g.id AND"
_COUNTS: Final = {
    "a fit counts other answers than its cells have": (
        f"SELECT g.id FROM fit_group g WHERE g.answers <> {_CELLS} c.state = 'answered')"
    ),
    "a fit counts other cells without an end than it has": (
        "SELECT g.id FROM fit_group g WHERE g.unended - g.stages_left <>"
        f" {_CELLS} c.state NOT IN ('answered', 'missing'))"
    ),
}
_MISCOUNTED: Final = (
    "SELECT g.id FROM fit_group g LEFT JOIN (SELECT b.fit_group_id AS id,"
    " count(*) FILTER (WHERE c.state = 'answered') AS answers,"
    " count(*) FILTER (WHERE c.state NOT IN ('answered', 'missing')) AS unended"
    # CROSS JOIN keeps the order, by which cells are read in theirs.
    " FROM bundle b CROSS JOIN cell c ON c.bundle_id = b.id GROUP BY b.fit_group_id) n ON n.id = g.id"
    " WHERE g.answers <> coalesce(n.answers, 0) OR g.unended - g.stages_left <> coalesce(n.unended, 0) LIMIT 1"
)
"""Whether any of `_COUNTS` is wrong, in one reading."""
_OF_SETS: Final = {
    "a fit counts other sets of answers than it has": (
        "SELECT g.id FROM fit_group g WHERE g.bundles <>"
        f" (SELECT count(*) FROM bundle b WHERE b.fit_group_id = g.id AND b.arm <> '{EMBEDDED}')"
    ),
    "a set of answers counts other cells than it has": (
        # Further generations of an answer are no answers of their own here.
        "SELECT b.id FROM bundle b WHERE b.planned <>"
        " (SELECT count(*) FROM cell c WHERE c.bundle_id = b.id AND c.repeat = 0)"
    ),
}
_AGREEMENTS: Final = {
    "the file does not say which audit it is, or says it of several": (
        "SELECT named FROM (SELECT count(*) AS named FROM audit) WHERE named <> 1"
    ),
    "a cell is of another round, model or item than its set of answers": (
        "SELECT c.id FROM cell c JOIN bundle b ON b.id = c.bundle_id WHERE c.run_id <> b.run_id"
        " OR c.model_id <> b.model_id OR c.item_id <> b.item_id"
    ),
    "a set of answers is of another round, model or item than its fit": (
        "SELECT b.id FROM bundle b JOIN fit_group g ON g.id = b.fit_group_id WHERE b.run_id <> g.run_id"
        " OR b.model_id <> g.model_id OR b.item_id <> g.item_id"
    ),
    "a cell asks about what is not in its round's batch": (
        "SELECT c.id FROM cell c JOIN run r ON r.id = c.run_id WHERE NOT EXISTS"
        " (SELECT 1 FROM batch_item t WHERE t.batch_id = r.batch_id AND t.item_id = c.item_id)"
    ),
    "an article says something else than when it was asked about": (
        # The text of an article that a round used is never touched.
        "SELECT t.item_id FROM batch_item t JOIN item a ON a.id = t.item_id"
        " WHERE t.title <> a.title OR t.text <> a.text OR t.data <> a.data"
    ),
    "a cell is asked of a model that is not in its round": (
        "SELECT c.id FROM cell c WHERE NOT EXISTS"
        " (SELECT 1 FROM run_model e WHERE e.run_id = c.run_id AND e.model_id = c.model_id)"
    ),
    "a cell that is answered has no answer": (
        "SELECT c.id FROM cell c WHERE c.state = 'answered' AND NOT EXISTS"
        " (SELECT 1 FROM response p WHERE p.cell_id = c.id AND p.missing IS NULL)"
    ),
    "a cell that has an answer is not answered": (
        "SELECT c.id FROM cell c JOIN response p ON p.cell_id = c.id AND p.missing IS NULL WHERE c.state <> 'answered'"
    ),
    "a model is called otherwise than it was asked": (
        "SELECT m.id FROM model m LEFT JOIN run_model r ON r.model_id = m.id WHERE EXISTS (SELECT 1 FROM"
        " (SELECT m.endpoint AS said UNION ALL SELECT r.endpoint WHERE r.endpoint IS NOT NULL) WHERE json_valid(said)"
        " AND (json_extract(said, '$.provider') <> m.provider OR json_extract(said, '$.model') <> m.model))"
    ),
    "a score setting has scores of none of its measures": (
        "SELECT t.id FROM score_setting t WHERE json_valid(t.measures)"
        " AND EXISTS (SELECT 1 FROM score s WHERE s.setting_id = t.id) AND NOT EXISTS (SELECT 1 FROM score s,"
        " json_each(t.measures) m WHERE s.setting_id = t.id AND s.name = json_extract(m.value, '$.name'))"
    ),
    "levels of a set of coordinates stand otherwise in its text": (
        "SELECT x.id FROM coordinate_set x WHERE (SELECT count(*) FROM coordinate o WHERE o.set_id = x.id) <>"
        " (SELECT count(*) FROM json_each(x.text) e JOIN coordinate o ON o.set_id = x.id"
        " AND o.factor = json_extract(e.value, '$[0]') AND o.level = json_extract(e.value, '$[1]'))"
    ),
}
"""By what is wrong, the rows that it is wrong with."""
