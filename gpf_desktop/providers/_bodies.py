"""Reads the bodies of replies within bounds of time and memory, whatever stands in them."""

import json
import re
from typing import Final

from gpf_desktop.domain.wire import WireReply
from gpf_desktop.providers import _streams, _text

SUSPECT: Final = 250_000
"""Bytes below which any JSON is read in some milliseconds."""
_MOST_QUOTES: Final = 100_000
_MOST_COMMAS: Final = 400_000
"""A comma in every twenty bytes: prose has one in sixty."""

_CHARSET: Final = re.compile(r"charset\s*=\s*[\"']?([\w.:-]{1,40})", re.IGNORECASE)
_WITH_TOKENS: Final = 4
"""Room for some 2,000 tokens with 20 log-probabilities each."""


def body_of(reply: WireReply, *, with_tokens: bool = False) -> object:
    """The JSON in *reply*, or None where it holds none, or more of it than an answer or a list of models has.

    Google puts some errors into a list of one, and an answer in pieces into a list of them.

    *with_tokens*: it was asked to tell of every token, which takes some objects each.
    """
    times = _WITH_TOKENS if with_tokens else 1
    return None if reply.cut or is_swollen(reply.body, times=times) else _streams.of_list(parsed(_in_utf_8(reply)))


def _in_utf_8(reply: WireReply) -> bytes:
    """The body, of a server that declares another encoding in UTF-8."""
    declared = _CHARSET.search(reply.headers.get("content-type", ""))
    if declared is None or declared[1].lower() in ("utf-8", "utf8", "us-ascii"):
        return reply.body
    try:
        return reply.body.decode(declared[1]).encode()
    except (LookupError, ValueError):
        return reply.body


def parsed(body: bytes) -> object:
    """The JSON in *body*, or the answer that its pieces make; None where it holds none."""
    try:
        # Not strict: some servers leave line ends in texts as they are, and the text is whole all the same.
        # A server in C may send the zero behind its text too.
        found: object = json.loads(body.rstrip(b"\x00 \r\n"), strict=False)
    except (ValueError, RecursionError):
        # Brackets nested too deeply are a `RecursionError`, numbers of more than 4,300 digits a `ValueError`.
        return _streams.joined(body)
    # Some servers write the JSON down as a text once more.
    return parsed(found.encode()) if isinstance(found, str) and found.lstrip()[:1] == "{" else found


def is_swollen(body: bytes, *, times: int = 1) -> bool:
    """Whether it has more parts, or *times* as many, than any answer of a model.

    Millions of empty objects take a hundred times their size in memory, and Python's lock for a second."""
    return len(body) > SUSPECT and (
        # Escaped quotation marks stand within texts and make no parts: an answer that quotes code is not swollen.
        body.count(b'"') - body.count(b'\\"') > times * _MOST_QUOTES
        or body.count(b"{") + body.count(b"[") > times * _MOST_QUOTES
        or body.count(b",") > times * _MOST_COMMAS
    )


def is_text(start: str) -> bool:
    """Whether *start*, of a body read as UTF-8, is text: few of its letters could not be read."""
    return 20 * sum(each == "\ufffd" or not (each.isprintable() or each.isspace()) for each in start) <= len(start)


def salvaged(body: bytes, name: str) -> str:
    """The text of JSON field *name* in a body that ends too early; no more of it than is kept."""
    begin = re.search(rb'"%b"\s*:\s*"' % re.escape(name.encode()), body)
    if begin is None:
        return ""
    # Escapes are masked by bytes of the same length: a pattern that steps over them needs 250 bytes of memory each.
    # An escape such as \u00e9 takes six bytes for one character.
    inner = body[begin.end() : begin.end() + 6 * _text.TEXT_CAP]
    masked = inner.replace(b"\\\\", b"..").replace(b'\\"', b"..")
    end = masked.find(b'"')
    whole = (inner if end < 0 else inner[:end]).decode("utf-8", "ignore")
    # An escape that the end cut in two; an even number of backslashes before it are escapes of their own.
    halved = re.search(r"(?<!\\)(?:\\\\){0,9}(\\(?:u[0-9a-fA-F]{0,3})?)$", whole[-32:])
    if halved is not None:
        whole = whole[: len(whole) - len(halved[1])]
    try:
        # Not strict: for one raw line break in the text all its escapes would be kept as they are written.
        return str(json.loads(f'"{whole}"', strict=False))
    except ValueError:
        return whole
