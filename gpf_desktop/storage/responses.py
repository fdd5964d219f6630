"""Responses: saved the moment they are there; answers read back for scoring and for reading."""

import json
import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, NamedTuple, assert_never

from gpf_desktop.domain.coordinates import MAIN, Coordinates
from gpf_desktop.domain.embeddings import EMBEDDED, Vector
from gpf_desktop.domain.ids import ArticleId, BundleId, CellId, FitGroupId
from gpf_desktop.domain.judging import INJECTED
from gpf_desktop.domain.models import Role
from gpf_desktop.domain.responses import Miss, Missing, Outcome, Reply
from gpf_desktop.domain.scores import AnswerFacts, BundleAnswers, FitGroup
from gpf_desktop.domain.unknown_refusals import is_unknown
from gpf_desktop.domain.wire import Exchange
from gpf_desktop.storage import batches, corrections, exchanges, fit_groups, letters, served, stored, vectors
from gpf_desktop.storage.archived_texts import REASONING, TEXT
from gpf_desktop.storage.coordinate_sets import COORDINATES, LABEL, SETS, label
from gpf_desktop.storage.earlier_answers import given
from gpf_desktop.storage.exchanges import KeptExchange
from gpf_desktop.storage.rows import records
from gpf_desktop.storage.texts import storable
from gpf_desktop.storage.times import now


@dataclass(frozen=True, slots=True, kw_only=True)
class CellResult:
    """How one cell ended."""

    cell_id: CellId
    attempt: int
    outcome: Outcome
    seconds: float | None
    """None where it waited in a batch job: the wait says nothing of the model."""
    microdollars: float
    at_most: float = 0.0
    """Millionths of a dollar that a call of unknown end may have cost, where its start was recorded with less."""
    exchange: Exchange | None = None
    """What went over the wire, without keys; None for calibration models and batch jobs."""
    vector: Vector | None = None
    """Of a cell that asked an embedder."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """One cell of a bundle as a reader sees it."""

    cell_id: CellId
    item_id: ArticleId
    model: str
    given: tuple[str, ...]
    """Of a later stage, the answers that it was asked with, as `OpenCell.given`."""
    level: str
    coordinates: Coordinates
    """On the factors that vary in its bundle."""
    repeat: int
    text: str
    missing: str
    """The reason in the vocabulary's words; empty for an answer, "not yet run" while there is none."""
    detail: str
    status: int | None
    reasoning: str
    truncated: bool
    finish: str
    flags: tuple[tuple[str, str], ...]
    """(flag, what it found)."""
    request_id: str
    sent: dict[str, Any]
    prompt_tokens: int | None
    completion_tokens: int | None
    seconds: float | None

    @property
    def refused_unknown(self) -> bool:
        """Whether it was declined by words that no table knows."""
        return is_unknown(self.missing, self.status, self.detail, self.finish)


@dataclass(frozen=True, slots=True, kw_only=True)
class LaterReply:
    """The reply of a model of a later stage about an answer."""

    model: str
    coordinates: Coordinates
    """On every factor."""
    text: str


def later_replies(connection: sqlite3.Connection, bundle_id: BundleId) -> dict[int, list[LaterReply]]:
    """The first reply of each cell that rests on a cell of the bundle and is about it, by the latter."""
    rows = connection.execute(
        # CROSS JOIN keeps the order: from the bundle's few cells to what rests on each, by the index of parents.
        f"SELECT c.parent_cell_id, m.label, {COORDINATES}, {TEXT} FROM cell a"
        " CROSS JOIN cell c ON c.parent_cell_id = a.id JOIN model m ON m.id = c.model_id"
        f" JOIN bundle b ON b.id = c.bundle_id{SETS} JOIN response p ON p.cell_id = c.id"
        " WHERE a.bundle_id = ? AND b.arm NOT IN (?, ?) AND c.repeat = 0 AND c.state = 'answered' ORDER BY c.id",
        (bundle_id, EMBEDDED, INJECTED),
    )
    found: dict[int, list[LaterReply]] = {}
    for about, model, coordinates, text in rows:
        at = stored.joined_coordinates(coordinates)
        found.setdefault(about, []).append(LaterReply(model=model, coordinates=at, text=text))
    return found


def save(connection: sqlite3.Connection, landed: Iterable[CellResult]) -> None:
    """Store how cells ended and close their calls."""
    at = now()
    landed = list(landed)
    who = served.numbers(connection, (one.outcome.served for one in landed))
    answers: list[tuple[Any, ...]] = []
    states: list[tuple[str, CellId]] = []
    calls: list[tuple[Any, ...]] = []
    for one in landed:
        outcome = one.outcome
        match outcome:
            case Reply():
                missing, detail, truncated = None, "", outcome.truncated
                status = None if one.exchange is None else one.exchange.status
            case Miss():
                missing, detail, status, truncated = outcome.reason, outcome.detail, outcome.status, False
            case _:
                assert_never(outcome)
        usage = outcome.usage
        sent = {**outcome.sent, "not_supported": list(outcome.not_supported)} if outcome.sent else {}
        sent |= letters.written(outcome.letters) if isinstance(outcome, Reply) else {}
        detail = storable(detail)
        # `storable` wherever a provider's words go: half a character that UTF-8 cannot hold would fail the whole write.
        answers.append(
            (
                one.cell_id,
                storable(outcome.text),
                storable(outcome.reasoning),
                missing,
                detail,
                status,
                storable(outcome.finish),
                truncated,
                usage.prompt,
                usage.completion,
                usage.reasoning,
                usage.cached,
                storable(outcome.request_id),
                json.dumps(sent) if sent else "{}",
                one.seconds,
                at,
                who[outcome.served],
                outcome.account if isinstance(outcome, Miss) else None,
            )
        )
        states.append(("answered" if missing is None else "missing", one.cell_id))
        ended = "answered" if missing is None else str(missing)
        calls.append((at, ended, status, detail, one.microdollars, one.at_most, one.cell_id, one.attempt))
    # Three statements for all of them: each statement on its own gives Python's lock up and waits to have it back.
    connection.executemany(
        # A cell that was asked again has its former miss here.
        "INSERT OR REPLACE INTO response (cell_id, text, reasoning, missing, detail, status, finish, truncated,"
        " prompt_tokens, completion_tokens, reasoning_tokens, cached_tokens, request_id, sent, seconds, received_at,"
        " served_id, account) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        answers,
    )
    connection.executemany("UPDATE cell SET state = ? WHERE id = ?", states)
    connection.executemany(_CLOSE_CALL, calls)
    vectors.save(connection, [(one.cell_id, one.vector) for one in landed if one.vector is not None])
    exchanges.save(connection, [_kept(one, one.exchange) for one in landed if one.exchange is not None])


def bring(connection: sqlite3.Connection, ended: Iterable[tuple[CellId, Outcome]]) -> None:
    """Store what came of cells that were asked elsewhere, and stored as ended: nobody here called for them."""
    at = now()
    ended = list(ended)
    who = served.numbers(connection, (one.served for _, one in ended))
    connection.executemany(
        "INSERT INTO response (cell_id, text, missing, detail, finish, truncated, received_at, served_id)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        [
            (
                cell_id,
                storable(one.text),
                None if isinstance(one, Reply) else one.reason,
                "" if isinstance(one, Reply) else storable(one.detail),
                storable(one.finish),
                isinstance(one, Reply) and one.truncated,
                at,
                who[one.served],
            )
            for cell_id, one in ended
        ],
    )


def _kept(landed: CellResult, exchange: Exchange) -> KeptExchange:
    answer = storable(landed.outcome.text) if isinstance(landed.outcome, Reply) else ""
    return KeptExchange(cell_id=landed.cell_id, attempt=landed.attempt, exchange=exchange, answer=answer)


_CLOSE_CALL: Final = (
    "UPDATE call SET finished_at = ?, outcome = ?, status = ?, detail = ?, microdollars = ?,"
    " at_most = max(at_most, ?) WHERE cell_id = ? AND attempt = ?"
)


def close_call(
    connection: sqlite3.Connection,
    cell_id: CellId,
    attempt: int,
    *,
    outcome: str,
    status: int | None,
    detail: str,
    microdollars: float,
    at_most: float = 0.0,
    exchange: Exchange | None = None,
) -> None:
    """Record how one call ended and what it cost, *at_most* as in `CellResult`; one that is retried leaves its cell
    open."""
    connection.execute(_CLOSE_CALL, (now(), outcome, status, storable(detail), microdollars, at_most, cell_id, attempt))
    if exchange is not None:
        exchanges.save(connection, [KeptExchange(cell_id=cell_id, attempt=attempt, exchange=exchange, answer="")])


IS_WITHHELD: Final = "p.text GLOB '[[]withheld: * characters, SHA-256 *]'"
"""SQL: an answer of which an artifact held a hash alone; there is nothing to score."""


def fit_group(connection: sqlite3.Connection, group: FitGroupId, *, facts: bool = False) -> FitGroup:
    """The answers of one fit, every arm and repeat; with what is known of each where *facts* are asked for."""
    rows = connection.execute(
        f"SELECT c.bundle_id, b.arm, c.repeat, {TEXT}, {LABEL} FROM bundle b"
        " JOIN cell c ON c.bundle_id = b.id JOIN model m ON m.id = c.model_id"
        # Conditions of the join and not behind WHERE, where they would take bundles without an answer away.
        f" LEFT JOIN response p ON p.cell_id = c.id AND p.missing IS NULL AND NOT {IS_WITHHELD}"
        " WHERE b.fit_group_id = ? ORDER BY b.id, c.id",
        (group,),
    )
    texts: list[str] = []
    members: dict[int, tuple[list[int], list[str], list[int], list[int]]] = {}
    arms: dict[int, str] = {}
    main: list[int] = []
    for bundle_id, arm, repeat, text, *told in rows:
        if arm == EMBEDDED:
            # Counted among the answers of the fit; there is nothing to score in it.
            texts += [] if text is None else [text]
            continue
        arms[bundle_id] = arm
        # Before the text is looked at: a bundle without a single answer is a bundle, whose scores are unavailable.
        numbers, levels, repeats, planned = members.setdefault(bundle_id, ([], [], [], []))
        if repeat == 0:
            planned.append(1)
        if text is not None:
            if arm == MAIN and repeat == 0:
                main.append(len(texts))
            numbers.append(len(texts))
            levels.append(label(*told))
            repeats.append(repeat)
            texts.append(text)
    bundles = tuple(
        BundleAnswers(
            bundle=bundle_id,
            planned=len(planned),
            rows=tuple(numbers),
            levels=tuple(levels),
            repeats=tuple(repeats),
            arm=arms[bundle_id],
        )
        for bundle_id, (numbers, levels, repeats, planned) in members.items()
    )
    if not facts:
        return FitGroup(texts=tuple(texts), bundles=bundles, main=tuple(main))
    return FitGroup(
        texts=tuple(texts),
        bundles=bundles,
        main=tuple(main),
        facts=tuple(_facts(connection, group)),
        items={int(key): item for key, item in batches.items_of(connection, "b.fit_group_id = ?", group).items()},
    )


def _facts(connection: sqlite3.Connection, group: FitGroupId) -> list[AnswerFacts]:
    """The facts of answers, in the order of `fit_group`'s texts."""
    corrected = corrections.of_group(connection, group)
    rows = connection.execute(
        # Filter and order as in `fit_group`: texts and their facts are matched by place alone.
        f"SELECT c.id AS cell, m.label AS model, o.role, c.item_id AS item, {COORDINATES}, c.stage,"
        f" c.parent_cell_id AS parent, c.id AS corrected, {letters.AS_JSON} AS letters FROM bundle b"
        " JOIN cell c ON c.bundle_id = b.id JOIN model m ON m.id = c.model_id"
        f" JOIN run_model o ON o.run_id = c.run_id AND o.model_id = c.model_id{SETS}"
        f" JOIN response p ON p.cell_id = c.id AND p.missing IS NULL AND NOT {IS_WITHHELD}"
        " WHERE b.fit_group_id = ? ORDER BY b.id, c.id",
        (group,),
    )
    return records(
        AnswerFacts,
        rows,
        role=partial(stored.word, Role),
        coordinates=stored.joined_coordinates,
        corrected=lambda cell: corrected[cell].categories if cell in corrected else {},
        letters=lambda text: () if text is None else letters.read(stored.structure(text)),
    )


class AnswerToFlag(NamedTuple):
    """An answer as far as flags ask; every answer of an audit is sent to a worker as one, and tuples are sent fast."""

    cell_id: CellId
    bundle_id: BundleId
    article_id: ArticleId
    level: str
    text: str
    truncated: bool


def to_flag(connection: sqlite3.Connection, group: FitGroupId) -> list[AnswerToFlag]:
    """All answers of one fit, bundle by bundle."""
    rows = connection.execute(
        f"SELECT c.id, c.bundle_id, c.item_id, {TEXT}, p.truncated, {LABEL} FROM bundle b"
        " JOIN cell c ON c.bundle_id = b.id JOIN model m ON m.id = c.model_id"
        " JOIN response p ON p.cell_id = c.id WHERE p.missing IS NULL"
        " AND b.fit_group_id = ? ORDER BY b.id, c.id",
        (group,),
    )
    return [
        AnswerToFlag(
            cell_id=cell, bundle_id=bundle, article_id=item, level=label(*told), text=text, truncated=bool(truncated)
        )
        for cell, bundle, item, text, truncated, *told in rows
    ]


def of_bundle(connection: sqlite3.Connection, bundle_id: BundleId) -> list[Answer]:
    """Every cell of a bundle, in the protocol's order, its repeats behind each other."""
    flags: dict[int, list[tuple[str, str]]] = {}
    for cell_id, name, detail in connection.execute(
        "SELECT f.cell_id, f.name, f.detail FROM flag f JOIN cell c ON c.id = f.cell_id WHERE c.bundle_id = ?",
        (bundle_id,),
    ):
        flags.setdefault(cell_id, []).append((name, detail))
    rows = connection.execute(
        "SELECT c.id AS cell_id, c.item_id, m.label AS model, c.parent_cell_id AS given,"
        f" json_array({LABEL}) AS level, y.text AS coordinates, c.repeat, coalesce({TEXT}, '') AS text,"
        # The text of a response is never NULL: without one there is no response.
        f" iif(p.text IS NULL, '{Missing.NOT_RUN}', coalesce(p.missing, '')) AS missing,"
        f" coalesce(p.detail, '') AS detail, p.status, coalesce({REASONING}, '') AS reasoning, p.truncated,"
        " coalesce(p.finish, '') AS finish, c.id AS flags, coalesce(p.request_id, '') AS request_id,"
        " coalesce(p.sent, '{}') AS sent, p.prompt_tokens, p.completion_tokens, p.seconds"
        f" FROM cell c JOIN bundle b ON b.id = c.bundle_id JOIN model m ON m.id = c.model_id{SETS}"
        " LEFT JOIN response p ON p.cell_id = c.id WHERE c.bundle_id = ? ORDER BY c.repeat, c.id",
        (bundle_id,),
    )
    return records(
        Answer,
        rows,
        given=lambda parent: () if parent is None else given(connection, parent),
        level=lambda told: label(*stored.structure(told)),
        coordinates=stored.coordinates,
        truncated=bool,
        flags=lambda cell: tuple(flags.get(cell, ())),
        sent=stored.structure,
    )


def set_flags(
    connection: sqlite3.Connection, cell_ids: Iterable[CellId], flags: Iterable[tuple[CellId, str, str]]
) -> None:
    """Replace the flags of *cell_ids* by *flags*, each (cell, flag, what it found)."""
    cell_ids, flags = list(cell_ids), list(flags)
    connection.executemany("DELETE FROM flag WHERE cell_id = ?", [(cell_id,) for cell_id in cell_ids])
    connection.executemany("INSERT INTO flag (cell_id, name, detail) VALUES (?, ?, ?)", flags)
    fit_groups.touched(connection, {*cell_ids, *(cell_id for cell_id, _, _ in flags)})
