"""Endings of answers that came in a file: the same verdicts as of live replies, from what a row says."""

import re
from dataclasses import dataclass
from typing import Final

from gpf_desktop.domain.endings import (
    Ending,
    codes_within,
    ending_of,
    error_status,
    is_block,
    is_blocked_reply,
    is_of_a_guard,
    words_within,
)
from gpf_desktop.domain.reasoning import split_thinking
from gpf_desktop.domain.responses import Missing
from gpf_desktop.domain.served import NOT_SAID, Served
from gpf_desktop.domain.text import tr

_LONGEST_DETAIL: Final = 500
_BAD_REQUEST: Final = 400
_NOTHING: Final = frozenset({"nan", "NaN", "NAN", "null", "NULL", "None", "undefined", "NA", "<NA>", "#N/A"})
"""How programs write that there is nothing."""
_MARK: Final = re.compile(
    r"(?P<of_a_sheet>#(?:[A-Z]{3,}[!?]|DIV/0!))|[\[<{*#_]+\s*(?P<in_marks>[\w ]{4,30}?)\s*[\]>}*#_!]+|"
    r"(?P<in_capitals>[A-Z_ ]{5,20})"
)
"""What stands where an answer should, as programs write it: in marks, in capitals, or as the error of a sheet."""
_OF_A_PROGRAM: Final = {
    **dict.fromkeys(("blocked", "filtered", "content filtered", "content filter", "refused"), Missing.REFUSED),
    **dict.fromkeys(("error", "api error", "failed", "request failed", "timeout", "timed out"), Missing.HTTP_ERROR),
    **dict.fromkeys(("no response", "no answer", "empty", "empty response", "missing"), Missing.EMPTY),
}
_NO: Final = frozenset({"", "0", "[]", "{}", "false", "no"}) | {each.casefold() for each in _NOTHING}

_PAGE: Final = re.compile(
    r"\s*(?:<!doctype html[^>]*>\s*)?<html\b.{0,2000}?<(?:title|h1|body)\b[^>]*>\s*(?:[\w.-]+ \| )?(?:error )?"
    r"[45]\d\d[:\s]+(?:error|bad|service|gateway|internal|too many|forbidden|unauthori[sz]ed|not found|request)\b",
    re.DOTALL | re.IGNORECASE,
)
"""A gateway's page that says by a status why there is no answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EndedAnswer:
    """The parts of a row's answer that are kept."""

    text: str
    """Without the model's reasoning."""
    reasoning: str
    missing: str
    """A value of `Missing`; empty where it is an answer."""
    detail: str
    truncated: bool
    served: Served = NOT_SAID
    """Who answered, where the row says it."""


def as_ended(
    text: str, *, finish: str = "", error: str = "", missing: str = "", refused: bool = False, dialect: str = ""
) -> EndedAnswer:
    """The answer that *text* is, by the word for why it stopped, the *error* of its call, and what its table says is
    *missing*.

    An error that a program wrote into the answer's place is the error: it is kept as the reason, and is no answer.
    """
    error, missing, finish = _stated(error), _stated(missing), _stated(finish)
    nothing = text.strip() if text.strip() in _NOTHING else ""
    if not (nothing or error or missing) and (stood := _said_by_a_program(text.strip())) is not None:
        text, error, missing = "", text, stood
    text = "" if nothing else text
    if not error and (error_status(text) is not None or _PAGE.match(text)):
        text, error = "", text
    reason, detail = _reason(text, finish, error, missing, refused=refused, dialect=dialect)
    if nothing and not detail:
        detail = tr("The cell holds “{text}”, a program's word for nothing.", text=nothing)
    answer, thought = split_thinking(text)
    return EndedAnswer(
        text=answer,
        reasoning=thought,
        missing="" if reason is None else str(reason),
        detail="" if reason is None else detail[:_LONGEST_DETAIL],
        truncated=reason is None and ending_of(finish, dialect) is Ending.CUT,
    )


def _said_by_a_program(text: str) -> Missing | None:
    """The reason that stands in an answer's place, where *text* is a mark of a program and nothing else."""
    mark = _MARK.fullmatch(text)
    if mark is None:
        return None
    if mark["of_a_sheet"]:
        return Missing.EMPTY
    return _OF_A_PROGRAM.get((mark["in_marks"] or mark["in_capitals"]).lower().replace("_", " ").strip())


def _stated(cell: str) -> str:
    """*cell*; nothing where a program wrote that there is nothing to state."""
    return "" if cell.strip().casefold() in _NO else cell


def _reason(
    text: str, finish: str, error: str, missing: str, *, refused: bool, dialect: str
) -> tuple[Missing | None, str]:
    ending = ending_of(finish, dialect)
    status, codes = error_status(error), codes_within(error)
    # Beside an answer that came stands what promptfoo says of a failed test, in words alone.
    broke_off = bool(error) and (not text.strip() or status is not None or bool(codes))
    # What a program wrote of an error mostly leaves the status out: the words decide then, as of a bad request.
    blocked = broke_off and (is_block(status or _BAD_REQUEST, words_within(error), codes) or is_blocked_reply(error))
    if refused or is_of_a_guard(text) or missing == Missing.REFUSED or ending is Ending.BLOCKED or blocked:
        return Missing.REFUSED, error or missing or finish or text
    # Beside an answer other words are those of somebody who judged it, in a column called “reason”.
    if missing and (missing in set(Missing) or not text.strip()):
        return (Missing(missing) if missing in set(Missing) else Missing.UNKNOWN), error or missing
    if broke_off:
        return Missing.HTTP_ERROR, error
    if ending is Ending.FAILED:
        return Missing.HTTP_ERROR, error or finish
    answer, thought = split_thinking(text)
    if answer.strip():
        return None, ""
    return (Missing.REASONING_ONLY, "") if thought else (Missing.EMPTY, error)
