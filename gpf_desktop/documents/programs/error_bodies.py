"""Bodies of errors that stand whole in an answer's cell, in whatever shape servers and gateways write them.

A model may answer in JSON too: an error is told by fields that errors have and no others, and by a mark of one, or by
words that speak as errors do.
"""

import json
import re
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any, Final

from gpf_desktop.documents.programs.flat_records import first_of, mapping, words
from gpf_desktop.domain.account_faults import account_fault
from gpf_desktop.domain.endings import is_block
from gpf_desktop.domain.error_languages import says_busy
from gpf_desktop.domain.question_faults import is_of_the_question

_SAYS: Final = frozenset(
    {"message", "msg", "detail", "details", "error_msg", "error_message", "errormessage", "error_description", "title"}
    | {"description", "reason", "error", "status_message", "retmsg", "errmsg"}
)
_BESIDE: Final = frozenset(
    {
        "code",
        "errors",
        "error_code",
        "errorcode",
        "error_type",
        "errortype",
        "type",
        "__type",
        "status",
        "status_code",
        "statuscode",
        "retcode",
        "errcode",
    }
    | {
        "success",
        "object",
        "timestamp",
        "path",
        "instance",
        "base_resp",
        "id",
        "tpe",
        "extras",
        "more_info",
        "hint",
        "trace",
    }
    | {
        "request_id",
        "requestid",
        "param",
        "parameter",
        "fault",
        "header",
        "originalstatuscode",
        "documentation_url",
        "url",
    }
    | {"messages", "metadata", "timestamp", "trace_id", "traceid", "log_id", "logs", "created", "model", "hook_results"}
    | {"input_guardrail", "output_guardrail", "name", "provider", "upgradeurl", "external_model_message"}
)
_EMPTY: Final = frozenset(
    {"result", "results", "choices", "output", "data", "response", "reply", "content", "candidates"}
)
"""Fields of an answer, which an error leaves empty."""
_PHRASES: Final = frozenset(each.phrase.lower() for each in HTTPStatus if each >= HTTPStatus.BAD_REQUEST)
_KINDS: Final = re.compile(
    r"error|exception|throttl|denied|invalid|exceed|not_?found|fail|unauthor|forbidden|unavailable|overload|"
    r"time_?out|quota|"
    r"bad_?request|rate_?limit",
    re.IGNORECASE,
)
"""Kinds and codes of errors in words."""
_COMPLAINT: Final = re.compile(
    r"\b(?:bad|invalid|malformed|unsupported) (?:\w+ )?(?:argument|input|parameter|request|value)\b|"
    r"\A[^.!?]{0,40}\btimed out\W*\Z|\brate.?limit|\bnot (?:authenticated|authori[sz]ed|enough)\b|"
    r"\b(?:please )?(?:retry|try again)\b|\b(?:unexpected|unknown|unrecogni[sz]ed) (?:argument|field|parameter)\b|"
    r"\bcannot both be\b|\bthrottled\b",
    re.IGNORECASE,
)
_BAD_REQUEST: Final = 400
_WELL: Final = 20_000
"""Naver's word for success."""


def error_told(body: Mapping[str, Any]) -> str:
    """The *body* as text where it is an error's; empty where it is none, or may be an answer in JSON."""
    inside = mapping(body.get("Response"))
    if inside.get("Error"):
        return _text(inside["Error"])
    # Whatever a gateway calls the number of the call.
    named = {name.lower(): value for name, value in body.items() if not name.lower().endswith("id")}
    filled = {name for name, value in named.items() if value not in (None, "", [], {})}
    if not named or not filled <= _SAYS | _BESIDE or not named.keys() <= _SAYS | _BESIDE | _EMPTY:
        return ""
    if isinstance(named.get("message"), dict) and "content" in named["message"]:
        return ""
    said = " ".join(words(named[name]) for name in sorted(_SAYS & filled | {"errors"} & filled))
    if _marked(named) or (said and (_speaks(said) or said.strip().lower() in _PHRASES)):
        return _text(body)
    return ""


def _marked(named: Mapping[str, Any]) -> bool:
    status, base = mapping(named.get("status")), mapping(named.get("base_resp"))
    codes = [
        named.get(name)
        for name in ("status", "status_code", "statuscode", "code", "error_code", "errorcode", "originalstatuscode")
    ]
    codes += [status.get("code"), mapping(named.get("header")).get("code")]
    return (
        isinstance(named.get("error"), dict)
        or bool(
            {"error", "type", "loc", "message"} & (mapping(named.get("detail")) or first_of(named.get("detail"))).keys()
        )
        or bool(first_of(named.get("errors")) or mapping(named.get("fault")) or base.get("status_code"))
        or any(map(_is_of_an_error, codes))
        or any(named.get(name) for name in ("error_code", "errortype", "error_type", "__type", "retcode", "errcode"))
        or (named.get("success") is False or words(named.get("object")) == "error")
        or any(map(_KINDS.search, map(words, (named.get(each) for each in ("type", "code", "status")))))
    )


def _is_of_an_error(code: object) -> bool:
    """A status of HTTP, or a number of a list of errors: no success has four figures, but Naver's."""
    number = int(code) if isinstance(code, str) and code.isdecimal() and len(code) < 9 else code
    if not isinstance(number, int) or isinstance(number, bool):
        return False
    return 400 <= number < 600 or (number >= 1000 and number != _WELL)


def _speaks(said: str) -> bool:
    return (
        _COMPLAINT.search(said) is not None
        or account_fault(said) is not None
        or is_block(_BAD_REQUEST, said)
        or is_of_the_question(said)
        or says_busy(said)
    )


def _text(error: Any) -> str:
    return json.dumps(error, ensure_ascii=False, default=str)
