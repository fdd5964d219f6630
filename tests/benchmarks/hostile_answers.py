"""Answers that no honest server gives, for `bench_hostile_answers`."""

import json
import zlib
from collections.abc import Callable
from dataclasses import dataclass

from tests.support.http_server import Mode, Reply

KEY = "sk-canary-0815-walnut"
_MEGA = 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One hostile answer; made when it is needed, since some are large."""

    name: str
    reply: Callable[[], Reply]
    provider: str = "openai-compatible"
    at_once: int = 1


def answer(text: str, **more: object) -> dict[str, object]:
    message = {"role": "assistant", "content": text}
    return {"id": "c-1", "choices": [{"message": message, "finish_reason": "stop"}], **more}


def chat(text: str, **more: object) -> bytes:
    return json.dumps(answer(text, **more)).encode()


def raw_text(inner: bytes, *, whole: bool = True) -> bytes:
    return b'{"choices":[{"message":{"content":"' + inner + (b'"}}]}' if whole else b"")


def bomb(megabytes: int, *, wbits: int = 31) -> bytes:
    packer = zlib.compressobj(9, wbits=wbits)
    zeros = bytes(_MEGA)
    return b"".join((*(packer.compress(zeros) for _ in range(megabytes)), packer.flush()))


def packed(body: bytes, coding: str = "gzip") -> Reply:
    return Reply(body=body, headers={"Content-Encoding": coding})


def empty_blocks() -> bytes:
    return zlib.compress(b"", wbits=31)[:10] + b"\0\0\0\xff\xff" * 2 * _MEGA


def told(status: int, message: str, **headers: str) -> Reply:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Reply.of_json({"error": {"message": message}}, status=status, headers=named)


def raw(head: str, body: bytes = b"") -> Reply:
    return Reply(mode=Mode.RAW, body=head.replace("\n", "\r\n").encode("latin-1") + b"\r\n\r\n" + body)


def quota(delay: str) -> Reply:
    return Reply.of_json({"error": {"code": 429, "message": "wait", "details": [{"retryDelay": delay}]}}, status=429)


def after(value: str) -> Reply:
    return told(429, "wait", Retry_After=value)


_BREAK = "HTTP/1.1 200 OK\nContent-Type: application/json"
CASES = (
    Case(
        name="16 MB, broken off",
        reply=lambda: Reply(body=raw_text(b"a" * 32 * _MEGA, whole=False), mode=Mode.TRUNCATED),
    ),
    Case(
        name="7 MB, broken off, escapes only",
        reply=lambda: Reply(body=raw_text(b'\\"' * 7 * _MEGA, whole=False), mode=Mode.TRUNCATED),
    ),
    Case(name="16 MB, whole", reply=lambda: Reply(body=raw_text(b"a" * 16 * _MEGA))),
    Case(name="7.9 MB, whole", reply=lambda: Reply(body=raw_text(b"a " * (7_900_000 // 2)))),
    Case(name="7.9 MB of line breaks", reply=lambda: Reply(body=raw_text(b"\\n" * (7_900_000 // 2)))),
    Case(name="7.9 MB of \\u escapes", reply=lambda: Reply(body=raw_text(b"\\u00e9" * (7_900_000 // 6)))),
    Case(name="7.9 MB of <think>", reply=lambda: Reply(body=raw_text(b"<think>" * (7_900_000 // 7)))),
    Case(name="endless text", reply=lambda: Reply(body=raw_text(b"a" * 100_000, whole=False), mode=Mode.ENDLESS)),
    Case(name="endless blanks", reply=lambda: Reply(body=b" " * 100_000, mode=Mode.ENDLESS)),
    Case(name="endless event stream", reply=lambda: Reply(body=b'data: {"choices":[]}\n\n' * 5000, mode=Mode.ENDLESS)),
    Case(name="gzip bomb of 512 MB", reply=lambda: packed(bomb(512))),
    Case(name="deflate bomb of 512 MB", reply=lambda: packed(bomb(512, wbits=15), "deflate")),
    Case(name="gzip in gzip", reply=lambda: packed(zlib.compress(bomb(512), wbits=31))),
    Case(
        name="padding without end after gzip",
        reply=lambda: Reply(
            body=zlib.compress(chat("Yes."), wbits=31) + bytes(100_000),
            headers={"Content-Encoding": "gzip"},
            mode=Mode.ENDLESS,
        ),
    ),
    Case(
        name="gzip of nothing without end",
        reply=lambda: packed(empty_blocks()),
    ),
    Case(name="says gzip and is not", reply=lambda: packed(chat("Yes."))),
    Case(name="says br", reply=lambda: packed(chat("Yes."), "br")),
    Case(name="2.6 million empty objects", reply=lambda: Reply(body=b"[" + b"{}," * 2_600_000 + b"1]")),
    Case(name="3.9 million numbers", reply=lambda: Reply(body=b"[" + b"1," * 3_900_000 + b"1]")),
    Case(name="400,000 names", reply=lambda: Reply(body=json.dumps({str(n): n for n in range(400_000)}).encode())),
    Case(name="7.9 MB of opening brackets", reply=lambda: Reply(body=b"[" * 7_900_000)),
    Case(name="a number of 7.9 million digits", reply=lambda: Reply(body=b'{"choices": ' + b"9" * 7_900_000 + b"}")),
    Case(name="7.9 MB web page under 200", reply=lambda: Reply(body=b"<html>" + b"<p>x" * (7_900_000 // 4))),
    Case(name="400 with 7.9 MB of words", reply=lambda: told(400, "unsupported temperature " * (7_900_000 // 24))),
    Case(name="400 with 7.9 MB of word characters", reply=lambda: told(400, "unsupported " + "x" * 7_900_000)),
    Case(
        name="400 with an object of 4 MB for a message",
        reply=lambda: Reply.of_json({"error": {"message": {"a": "b" * 4 * _MEGA}}}, status=400),
    ),
    Case(
        name="tokens beyond belief",
        reply=lambda: Reply(body=chat("Yes.", usage={"prompt_tokens": 10**30, "completion_tokens": -5})),
    ),
    Case(
        name="4 MB of request id with half a character",
        reply=lambda: Reply(body=chat("Yes.", id="\ud800" + "x" * 4 * _MEGA)),
    ),
    Case(
        name="4 MB of finish reason",
        reply=lambda: Reply.of_json({"choices": [{"message": {"content": "Yes."}, "finish_reason": "s" * 4 * _MEGA}]}),
    ),
    Case(name="the key said back", reply=lambda: Reply(body=chat(f"Yes, {KEY}.", id=KEY))),
    Case(name="half characters and NUL", reply=lambda: Reply(body=chat("a\ud800b\x00c"))),
    Case(name="a header of 8 MB", reply=lambda: raw(f"{_BREAK}\nX-Long: {'x' * 8 * _MEGA}\nContent-Length: 2", b"{}")),
    Case(
        name="100,000 headers",
        reply=lambda: raw(_BREAK + "".join(f"\nX-{n}: y" for n in range(100_000)) + "\nContent-Length: 2", b"{}"),
    ),
    Case(name="a length below nothing", reply=lambda: raw(f"{_BREAK}\nContent-Length: -5", b"{}")),
    Case(name="two lengths", reply=lambda: raw(f"{_BREAK}\nContent-Length: 2\nContent-Length: 9", b"{}")),
    Case(
        name="chunks of a billion bytes", reply=lambda: raw(f"{_BREAK}\nTransfer-Encoding: chunked", b"3b9aca00\r\n{}")
    ),
    Case(name="redirect to a file", reply=lambda: Reply(status=307, headers={"Location": "file:///etc/hostname"})),
    Case(name="Retry-After: -5", reply=lambda: after("-5")),
    Case(name="Retry-After: NaN", reply=lambda: after("NaN")),
    Case(name="Retry-After: inf", reply=lambda: after("inf")),
    Case(name="Retry-After: 1e300", reply=lambda: after("1e300")),
    Case(name="Retry-After in the year 9999", reply=lambda: after("Fri, 31 Dec 9999 23:59:59 -2359")),
    Case(name="“try again in” 6,000 digits", reply=lambda: told(429, f"try again in {'9' * 6000}m9s")),
    Case(name="Google's delay of nans", reply=lambda: quota("nans"), provider="gemini"),
    Case(name="Google's delay of -1e99s", reply=lambda: quota("-1e99s"), provider="gemini"),
    Case(name="silence", reply=lambda: Reply(mode=Mode.HANG)),
    Case(name="a byte every 0.2 s", reply=lambda: Reply(body=chat("Yes."), mode=Mode.SLOW, piece=1, pace=0.2)),
    Case(
        name="50 at once: endless text",
        reply=lambda: Reply(body=raw_text(b"a" * 100_000, whole=False), mode=Mode.ENDLESS),
        at_once=50,
    ),
    Case(name="50 at once: gzip bombs", reply=lambda: packed(bomb(512)), at_once=50),
    Case(name="50 at once: 7.9 MB, whole", reply=lambda: Reply(body=raw_text(b"a " * (7_900_000 // 2))), at_once=50),
)
