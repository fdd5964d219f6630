"""What may have happened to a file: its bytes, and the values in it, changed at random."""

import json
import random
import sqlite3
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, Final

TEXTS: Final = (
    *("", " ", "x" * 300, "-1", "1e999", "NaN", "Infinity", "null", "\ud800", "a\x00b", "../../x", "\u202e", "ق"),
    *("{", "[]", "{}", "[[1]]", '{"a": Infinity}', '{"a": "\\ud800"}', "[" * 5000, "9" * 5000, "2026-13-45T99:99:99"),
    *("9999-12-31T23:59:59+00:00", "0001-01-01T00:00:00+14:00", "unheard-of"),
)
WHOLE: Final = (0, -1, 1, 2, 7, 999_999, 2**31, 2**62, -(2**63))
REAL: Final = (0.0, -1.0, 0.5, 1e308, 1e-308, float("inf"), float("-inf"))
VALUES: Final = (*TEXTS, *WHOLE, *REAL, float("nan"), None, True, False, [], {}, [[]], {"a": None})
"""For a place in JSON, whatever stood there."""


def bytes_changed(content: bytes, chance: random.Random, *, first: int = 0, last: int | None = None) -> bytes:
    """*content* with some bytes between *first* and *last* turned, set, taken out or put in."""
    changed = bytearray(content)
    end = min(len(changed), len(changed) if last is None else last)
    if end <= first:
        return content
    for _ in range(chance.choice((1, 1, 2, 8, 40))):
        at = chance.randrange(first, end)
        match chance.randrange(4):
            case 0:
                changed[at % len(changed)] ^= 1 << chance.randrange(8)
            case 1:
                changed[at % len(changed)] = chance.choice((0, 0xFF, 0x80, 0x22, 0x2C, 0x7B, chance.randrange(256)))
            case 2:
                length = chance.choice((1, 4, 64))
                changed[at : at + length] = bytes(chance.randrange(256) for _ in range(length))
            case 3:
                changed[at : at + 16] = bytes(len(changed[at : at + 16]))
    return bytes(changed)


def text_changed(content: bytes, chance: random.Random) -> bytes:
    """*content*, a text of lines, with lines and signs lost, doubled and put in the wrong place."""
    lines = content.split(b"\n")
    for _ in range(chance.choice((1, 1, 2, 5))):
        at = chance.randrange(len(lines))
        match chance.randrange(6):
            case 0:
                del lines[at : at + chance.choice((1, 3))]
            case 1:
                lines.insert(at, lines[chance.randrange(len(lines))])
            case 2:
                lines[at] = lines[at][: chance.randrange(len(lines[at]) + 1)]
            case 3:
                text = chance.choice(TEXTS).encode("utf-8", "surrogatepass")
                cut = chance.randrange(len(lines[at]) + 1)
                lines[at] = lines[at][:cut] + text + lines[at][cut + chance.choice((0, 1, 5)) :]
            case 4:
                lines[at] = lines[at].replace(b",", b";") if b"," in lines[at] else lines[at] + b'"'
            case 5:
                lines[at] = bytes_changed(lines[at], chance)
        lines = lines or [b""]
    return b"\n".join(lines)


def value_changed(data: Any, chance: random.Random) -> Any:
    """*data*, as of JSON, with one value of it replaced, taken out or doubled."""
    places: list[tuple[Any, Any]] = []

    def walk(value: Any) -> None:
        inner: Sequence[Any] = ()
        if isinstance(value, dict):
            inner = tuple(value)
        elif isinstance(value, list):
            inner = range(len(value))
        for key in inner:
            places.append((value, key))
            walk(value[key])

    walk(data)
    if not places:
        return chance.choice(VALUES)
    holder, key = chance.choice(places)
    match chance.randrange(5):
        case 0:
            del holder[key]
        case 1 if isinstance(holder, dict):
            holder[chance.choice(TEXTS)] = holder.pop(key)
        case 2 if isinstance(holder, list):
            holder.append(holder[key])
        case 3 if isinstance(holder[key], str):
            text = holder[key]
            cut = chance.randrange(len(text) + 1)
            holder[key] = text[:cut] + chance.choice(TEXTS)
        case _:
            holder[key] = chance.choice(VALUES)
    return data


def json_changed(text: str, chance: random.Random) -> str:
    """*text* with a value in it changed; whatever it is where it holds no JSON."""
    try:
        data = json.loads(text)
    except ValueError:
        return chance.choice(TEXTS)
    return json.dumps(value_changed(data, chance), ensure_ascii=chance.random() < 0.5)


def audit_changed(path: Path, chance: random.Random) -> str:
    """Change the audit at *path* in one way; what was done, for whoever reads of a failure."""
    ways: Sequence[Callable[[Path, random.Random], str]] = (*[_row_changed] * 8, _row_gone, _bytes, _cut)
    return chance.choice(ways)(path, chance)


def _bytes(path: Path, chance: random.Random) -> str:
    content = path.read_bytes()
    name, first, last = chance.choice((("header", 0, 100), ("schema", 100, 60_000), ("pages", 0, len(content))))
    path.write_bytes(bytes_changed(content, chance, first=first, last=last))
    return f"bytes of the {name}"


def _cut(path: Path, chance: random.Random) -> str:
    content = path.read_bytes()
    path.write_bytes(content[: chance.randrange(len(content))])
    return f"cut at {path.stat().st_size}"


def _row_gone(path: Path, chance: random.Random) -> str:
    with closing(_opened(path)) as connection:
        table = chance.choice(_tables(connection))
        key = ", ".join(_keys(connection, table))
        connection.execute(
            f"DELETE FROM {table} WHERE ({key}) IN (SELECT {key} FROM {table} LIMIT ? OFFSET ?)",
            (chance.choice((1, 3, 10_000)), chance.randrange(3)),
        )
        return f"rows of {table} gone"


def _row_changed(path: Path, chance: random.Random) -> str:
    with closing(_opened(path)) as connection:
        table = chance.choice(_tables(connection))
        columns = connection.execute(f"PRAGMA table_info({table})").fetchall()
        _, column, kind, *_ = chance.choice(columns)
        key = ", ".join(_keys(connection, table))
        count = connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0]
        at = chance.randrange(count)
        old = connection.execute(f"SELECT {column} FROM {table} LIMIT 1 OFFSET ?", (at,)).fetchone()[0]
        new = _other(old, kind, chance)
        marked = "CAST(? AS TEXT)" if isinstance(new, bytes) and kind == "TEXT" else "?"
        everywhere = chance.random() < 0.2
        where = "" if everywhere else f" WHERE ({key}) IN (SELECT {key} FROM {table} LIMIT 1 OFFSET {at})"
        try:
            connection.execute(f"UPDATE {table} SET {column} = {marked}{where}", (new,))
        except sqlite3.IntegrityError as error:
            return f"nothing: {error}"
        return f"{table}.{column} = {str(new)[:60]!r}{' everywhere' if everywhere else ''}"


def _other(old: object, kind: str, chance: random.Random) -> object:
    if chance.random() < 0.1:
        return None
    match kind:
        case "INTEGER":
            return chance.choice(WHOLE)
        case "REAL":
            return chance.choice(REAL)
        case "BLOB":
            return bytes_changed(old, chance) if isinstance(old, bytes) and old else b"\xff"
    if isinstance(old, str) and old[:1] in {"{", "["} and chance.random() < 0.7:
        return json_changed(old, chance).encode("utf-8", "surrogatepass")
    return chance.choice(TEXTS).encode("utf-8", "surrogatepass")


def _opened(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("PRAGMA foreign_keys = OFF")
    connection.execute("PRAGMA synchronous = OFF")
    connection.execute("PRAGMA ignore_check_constraints = ON")
    return connection


def _tables(connection: sqlite3.Connection) -> list[str]:
    """Those with rows that are no part of a search index."""
    named = connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table' AND sql LIKE '%STRICT%'").fetchall()
    return [name for (name,) in named if connection.execute(f"SELECT 1 FROM {name} LIMIT 1").fetchone()]


def _keys(connection: sqlite3.Connection, table: str) -> list[str]:
    found = [row[1] for row in connection.execute(f"PRAGMA table_info({table})") if row[5]]
    return found or ["rowid"]
