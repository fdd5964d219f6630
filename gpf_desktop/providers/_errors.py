"""Errors as servers, gateways and web frameworks write them, whatever dialect they speak otherwise."""

import ast
import json
import re
import time
from collections.abc import Iterator, Mapping
from http import HTTPStatus
from typing import Final

from gpf_desktop.domain.endings import codes_within
from gpf_desktop.domain.wire import WireReply
from gpf_desktop.providers import _bodies
from gpf_desktop.providers._normal_form import NormalReply, items, mapping, text

_DEEPEST: Final = 3
"""So deep are errors looked for that gateways wrap into their own."""
_ANSWERS: Final = frozenset({"choices", "candidates", "content"})
"""Fields of an answer, beside which words are none of an error."""
_WORDS: Final = (
    # Most; FastAPI; Zhipu; AWS; Baidu; Oracle and others; OAuth.
    *("message", "detail", "msg", "Message", "error_msg", "error_message", "errorMessage", "error_description"),
    # Apigee; MiniMax; RAGFlow and others of China.
    *("faultstring", "status_msg", "description", "retmsg", "errmsg", "err_msg"),
)
_CODES: Final = (
    "code",
    "error_code",
    "errorCode",
    "__type",
    "status_code",
    "Code",
    "key",
    "reason",
    "error_type",
    "retcode",
    "errcode",
)
_STATES: Final = ("code", "retcode", "errcode")
_REASONS: Final = frozenset(each.phrase.lower() for each in HTTPStatus)
_WELL: Final = (0, "0", 200, "200", "20000")
_ZHIPUS: Final = 4
"""Figures of its codes, which are texts."""
_READ: Final = 4_000
_BODY_WITHIN: Final = re.compile(r"""\{\s*["'](?:errors?|message|msg|detail|code|type|status|object)["']\s*:""")
"""Where the body of an error begins within the words of another."""


def error_in(body: object, request_id: str) -> NormalReply | None:
    """The error in *body* in any of the shapes that servers use, under whatever status."""
    whole = _opened(mapping(body))
    error = whole.get("error")
    # As versions of vLLM have it: the body is the error itself.
    if error is None and text(whole.get("object")) == "error":
        error = body
    # Cloudflare and watsonx list them; Apigee calls one a fault.
    error = error or next(iter(items(whole.get("errors"))), None) or whole.get("fault")
    # Naver and iFlytek tell code and words in a place of their own.
    places = (mapping(whole.get(name)) for name in ("status", "header"))
    error = error or next((each for each in places if _words(each) and each.get("code") not in _WELL), None)
    # Google puts some errors into a list of one.
    error = error[0] if isinstance(error, list) and error and isinstance(error[0], dict) else error
    # MiniMax says under 200, in a place of its own, how the call went: 0 is well.
    base = mapping(whole.get("base_resp"))
    if not error and base.get("status_code"):
        error = base
    # Gateways wrap answers into one that says by a code of its own that all is well, some of them as an error.
    if (not error and any(whole.get(name) in _WELL for name in _STATES)) or (
        _ANSWERS & whole.keys() and mapping(error).get("code") in _WELL
    ):
        return None
    # Web frameworks report errors beside a mark or without any, under names of their own.
    if (error is None or error is True) and not _ANSWERS & whole.keys():
        error = _words(whole) or whole.get("detail") or error
    if not error:
        return None
    # Some name the kind of error beside its words (xAI, DashScope).
    beside = _code(whole)
    if isinstance(error, str) and (inside := _parsed(error)):
        error = {**inside, "message": _words(inside) or error}
    elif isinstance(error, str) and _held(error):
        error = {"message": error}
    if not isinstance(error, Mapping):
        # Spring and others write HTTP's reason there, or a code, and what is wrong beside it.
        told = dict.fromkeys(filter(None, (_words(whole), str(error) if str(error).lower() not in _REASONS else "")))
        kind = beside or (str(error) if str(error).isidentifier() else "")
        return NormalReply(
            message=" · ".join(told) or str(error),
            code=kind,
            whose=_whose(whole),
            request_id=request_id,
            wait=_wait(whole),
        )
    code = error.get("code")
    within = list(_within(error))
    inner = [each for each, _ in within if each]
    # What is nothing but the body of another error is said by its words.
    own = _words(error)
    if inner and (body := _BODY_WITHIN.search(own)) is not None and _held(own):
        own = own[: body.start()].rstrip()
    return NormalReply(
        message=" · ".join(dict.fromkeys(filter(None, (own, *inner)))) or str(dict(error)),
        code=_code(error) or beside,
        whose=_whose(whole),
        kind=text(error.get("type")),
        further=tuple(filter(None, (name for _, name in within))),
        parameter=text(error.get("param")),
        # OpenRouter states an error's status here, also in replies under 200.
        status=code if isinstance(code, int) and 400 <= code < 600 else None,
        wait=_reset(mapping(mapping(error.get("metadata")).get("headers"))) or _wait(error) or _wait(whole),
        request_id=request_id,
    )


def _opened(whole: Mapping[str, object]) -> Mapping[str, object]:
    """*whole* without the envelope that Tencent puts around it, whose names begin with capitals, or SageMaker around
    the error of a server in its container."""
    if contained := _parsed(whole.get("OriginalMessage")):
        return contained
    inside = mapping(whole.get("Response"))
    return {**inside, "error": inside["Error"]} if inside.get("Error") else whole


def _whose(whole: Mapping[str, object]) -> str:
    """The name of the service whose codes stand in *whole*, by their place in it; empty: none that is known."""
    marks = {
        "minimax": mapping(whole.get("base_resp")).get("status_code"),
        "baidu": whole.get("error_msg"),
        "cloudflare": whole.get("success") is False,
        "mistral": text(whole.get("object")) == "error",
        "naver": mapping(whole.get("status")).get("code"),
        "zhipu": len(text(mapping(whole.get("error")).get("code"))) == _ZHIPUS,
    }
    return next((name for name, mark in marks.items() if mark), "")


def _reset(headers: Mapping[str, object]) -> float | None:
    """Seconds until OpenRouter, which keeps headers in its body, counts anew; it gives milliseconds since 1970."""
    moment = text(headers.get("X-RateLimit-Reset"))
    wait = int(moment) / 1000.0 - time.time() if moment.isdecimal() and len(moment) == len("1700000000000") else -1.0
    return wait if wait > 0 else None


def _wait(told: Mapping[str, object]) -> float | None:
    """Seconds to wait by a field of their own, as chat services and Hugging Face's server for a model in loading."""
    for name in ("retry_after", "retryAfter", "estimated_time"):
        seconds = told.get(name)
        if isinstance(seconds, int | float) and not isinstance(seconds, bool):
            return float(seconds)
    return None


def told_by_status(reply: WireReply, request_id: str) -> NormalReply | None:
    """The error in a *reply* whose status is an error's, in a shape that nobody foresaw; None of a web page."""
    start = reply.body[:_READ].decode("utf-8", "replace").strip()
    if reply.status < 400 or not start or start[0] == "<" or reply.broken or not _bodies.is_text(start):
        return None
    body = _bodies.parsed(reply.body[: _bodies.SUSPECT])
    told = list(_texts(body))
    # What a field that stands alone is called is all that there is of a code: Zhipu's “contentFilter”.
    names = (name for name, each in mapping(body).items() if each)
    codes = tuple(dict.fromkeys((*codes_within(start), *names)))
    return NormalReply(message=" · ".join(told) or start, further=codes, request_id=request_id)


def _words(error: Mapping[str, object]) -> str:
    return next((words for name in _WORDS if (words := text(error.get(name)))), "")


def _code(error: Mapping[str, object]) -> str:
    for name in _CODES:
        code = error.get(name)
        # JSON's true is an int to Python.
        if code and isinstance(code, str | int) and not isinstance(code, bool):
            # AWS writes a name space before it.
            return str(code).rpartition("#")[2]
    return ""


def _parsed(told: object) -> Mapping[str, object]:
    """The object that text *told* is, as gateways keep what they were told; of a list of them, the first."""
    if not isinstance(told, str) or told.lstrip()[:1] not in ("{", "["):
        return {}
    found = _bodies.parsed(told.encode("utf-8", "replace")[: _bodies.SUSPECT])
    return mapping(found[0] if isinstance(found, list) and found else found)


def _held(told: object) -> Mapping[str, object]:
    """The error that text *told* holds as JSON, or as Python prints it, as gateways pass on what they were told."""
    if not isinstance(told, str) or (start := _BODY_WITHIN.search(told[:_READ])) is None:
        return {}
    found = mapping(_read(told[start.start() : _READ]))
    # What a question holds is no error: whoever says it back says so in fields of its own.
    return {} if {"role", "content"} & found.keys() else found


def _read(body: str) -> object:
    try:
        return json.JSONDecoder(strict=False).raw_decode(body)[0]
    except (ValueError, RecursionError):
        pass
    try:
        return ast.literal_eval(body[: body.rfind("}") + 1])
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return None


def _within(error: Mapping[str, object], depth: int = 0) -> Iterator[tuple[str, str]]:
    """Words and code of errors within *error*: Azure's inner one, and that of a provider behind a gateway, as text."""
    # Google's list of details, each with a reason that is a code.
    for detail in filter(None, (text(mapping(each).get("reason")) for each in items(error.get("details")))):
        yield "", detail
    details = mapping(error.get("metadata"))
    # OpenRouter's own moderation: why it flagged the question.
    for reason in filter(None, map(text, items(details.get("reasons")))):
        yield reason, "moderation"
    raw = details.get("raw")
    raw = raw[0] if isinstance(raw, list) and raw else raw
    raw = (_parsed(raw) or {"message": raw}) if isinstance(raw, str) else raw
    wrapped = _held(error.get("message"))
    for inner in (
        *(error.get("innererror"), error.get("detail"), mapping(raw).get("error") or raw),
        *(error.get("error"), wrapped.get("error") or wrapped, mapping(error.get("message"))),
    ):
        said = {"message": inner} if isinstance(inner, str) else mapping(inner)
        if not said or depth == _DEEPEST:
            continue
        yield _words(said), _code(said)
        yield "", text(said.get("errorcode") or said.get("type") or said.get("status"))
        yield from _within(said, depth + 1)


def _texts(found: object, depth: int = 0) -> Iterator[str]:
    """Texts in JSON, as they stand."""
    inner = found.values() if isinstance(found, dict) else found if isinstance(found, list) else ()
    if isinstance(found, str):
        yield found
    elif depth < _DEEPEST:
        for each in inner:
            yield from _texts(each, depth + 1)
