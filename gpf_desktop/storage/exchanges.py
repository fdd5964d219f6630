"""Requests and replies as they went over the wire, packed: what the file holds anyway is not stored twice.

A request is packed with the item that it is about as its dictionary, a reply with the answer that was read out of it.
"""

import json
import sqlite3
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from gpf_desktop.domain.ids import CellId, ModelId
from gpf_desktop.domain.wire import KEY_MARK, Exchange
from gpf_desktop.storage import stored
from gpf_desktop.storage.archived_texts import TEXT
from gpf_desktop.storage.texts import storable

_SKELETON: Final = (
    b'{"status": 200, "headers": {"content-type": "application/json", "date": "", "x-request-id": "", "retry-after": ""'
    b'}, "body": "{\\"error\\": {\\"message\\": \\"\\", \\"type\\": \\"\\", \\"param\\": null, \\"code\\": \\"\\"}}"'
    b'{\\"id\\": \\"\\", \\"object\\": \\"chat.completion\\", \\"created\\": 0, \\"model\\": \\"\\", \\"choices\\": '
    b'[{\\"index\\": 0, \\"message\\": {\\"role\\": \\"assistant\\", \\"content\\": \\"\\", \\"refusal\\": null}, '
    b'\\"finish_reason\\": \\"stop\\"}], \\"usage\\": {\\"prompt_tokens\\": 0, \\"completion_tokens\\": 0, '
    b'\\"total_tokens\\": 0}}{"method": "POST", "url": "https://", "headers": {"Authorization": "Bearer $API_KEY", '
    b'"Content-Type": "application/json"}, "body": "{\\"model\\": \\"\\", \\"messages\\": [{\\"role\\": \\"user\\", '
    b'\\"content\\": \\"'
)
"""What most exchanges share; a part of every file of this version, never to be changed."""
_LARGEST: Final = 2_000_000
"""Bytes that one side unpacks to at most: a file that somebody else made may hold anything."""

_ITEM: Final = (
    "SELECT c.id, i.title || char(10) || i.text FROM cell c JOIN run r ON r.id = c.run_id"
    " JOIN batch_item i ON i.batch_id = r.batch_id AND i.item_id = c.item_id"
    " WHERE c.id IN (SELECT value FROM json_each(?))"
)
_in_json: Final = json.JSONEncoder(ensure_ascii=False).encode


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptExchange:
    """The request and the reply over the wire at one attempt at a cell."""

    cell_id: CellId
    attempt: int
    exchange: Exchange
    answer: str
    """The stored text of the cell; empty where this call brought none."""


def save(connection: sqlite3.Connection, kept: Sequence[KeptExchange]) -> None:
    """Keep what went over the wire."""
    items = _items(connection, [each.cell_id for each in kept])
    rows = []
    for each in kept:
        exchange = each.exchange
        reply = {"status": exchange.status, "headers": dict(exchange.reply_headers), "body": exchange.reply}
        request = {
            "method": exchange.method,
            "url": exchange.url,
            "headers": dict(exchange.headers),
            "body": exchange.body,
        }
        packed = _pack(request, _words_of_item(items.get(each.cell_id, ""))), _pack(reply, _words(each.answer))
        rows.append((each.cell_id, each.attempt, *packed))
    connection.executemany(
        "INSERT OR REPLACE INTO exchange (cell_id, attempt, request, reply) VALUES (?, ?, ?, ?)", rows
    )


def _items(connection: sqlite3.Connection, cell_ids: Sequence[CellId]) -> dict[int, str]:
    """The text that each of *cell_ids* is about."""
    return dict(connection.execute(_ITEM, (json.dumps(cell_ids),))) if cell_ids else {}


def get(connection: sqlite3.Connection, cell_id: CellId, attempt: int) -> Exchange | None:
    """The exchange over the wire at an attempt; None where nothing was kept. Raises `BadRowError`."""
    row = connection.execute(
        f"SELECT e.request, e.reply, k.outcome, {TEXT} FROM exchange e LEFT JOIN call k USING (cell_id, attempt)"
        " LEFT JOIN response p ON p.cell_id = e.cell_id WHERE e.cell_id = ? AND e.attempt = ?",
        (cell_id, attempt),
    ).fetchone()
    if row is None:
        return None
    item = _items(connection, [cell_id]).get(cell_id, "")
    # The dictionary that it was packed with: a call that brought no answer had none, whatever the cell holds by now.
    answer = row[3] if row[2] == "answered" else ""
    try:
        request, reply = _unpack(row[0], _words(item)), _unpack(row[1], _words(answer or ""))
        return Exchange(
            method=str(request["method"]),
            url=str(request["url"]),
            headers=_headers(request),
            body=str(request["body"]),
            status=None if reply["status"] is None else int(str(reply["status"])),
            reply_headers=_headers(reply),
            reply=str(reply["body"]),
        )
    except (zlib.error, KeyError, ValueError) as error:
        raise stored.BadRowError(f"no exchange: {error}") from error


def last(connection: sqlite3.Connection, cell_ids: Sequence[int]) -> list[Exchange]:
    """The exchange at the last attempt at each of *cell_ids* that has one, in their order. Raises `BadRowError`."""
    newest = dict(
        connection.execute(
            "SELECT cell_id, max(attempt) FROM exchange WHERE cell_id IN (SELECT value FROM json_each(?))"
            " GROUP BY cell_id",
            (json.dumps(list(cell_ids)),),
        )
    )
    kept = (get(connection, CellId(each), newest[each]) for each in cell_ids if each in newest)
    return [exchange for exchange in kept if exchange is not None]


def had_key(connection: sqlite3.Connection, model_id: ModelId) -> bool:
    """Whether a key went along with the newest call of a model that is kept. Raises `BadRowError`."""
    newest = connection.execute(
        "SELECT e.cell_id, e.attempt FROM exchange e JOIN cell c ON c.id = e.cell_id WHERE c.model_id = ?"
        " ORDER BY e.cell_id DESC, e.attempt DESC LIMIT 1",
        (model_id,),
    ).fetchone()
    exchange = None if newest is None else get(connection, CellId(newest[0]), newest[1])
    return exchange is not None and any(KEY_MARK in value for value in exchange.headers.values())


def _headers(side: dict[str, object]) -> dict[str, str]:
    found = side["headers"]
    return {str(name): str(value) for name, value in found.items()} if isinstance(found, dict) else {}


def _pack(side: Mapping[str, object], dictionary: bytes) -> bytes:
    # Raw: without the ten bytes of header, dictionary's number and checksum, twice for each call.
    packer = zlib.compressobj(level=6, wbits=-15, zdict=dictionary)
    return packer.compress(storable(_in_json(side)).encode()) + packer.flush()


def _unpack(packed: bytes, dictionary: bytes) -> dict[str, object]:
    unpacker = zlib.decompressobj(wbits=-15, zdict=dictionary)
    # Bounded while it unpacks: a few bytes can unpack to gigabytes.
    found = stored.structure(unpacker.decompress(packed, _LARGEST).decode(errors="replace"))
    if not isinstance(found, dict):
        raise stored.BadRowError("no exchange")
    return found


def _words(dictionary: str) -> bytes:
    # As it stands in a JSON text inside a JSON text, where quotes and line ends are written differently.
    return _in_json(dictionary).encode(errors="replace") + _SKELETON


@lru_cache(maxsize=8)
def _words_of_item(text: str) -> bytes:
    """The words of an item's text, kept because hundreds of calls are about one item."""
    return _words(text)
