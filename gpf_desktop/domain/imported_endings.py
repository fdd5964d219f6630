"""How answers ended that came in a file: the same verdicts as of live replies, from what a row says."""

from dataclasses import dataclass
from typing import Final

from gpf_desktop.domain.endings import Ending, ending_of, error_status, is_block
from gpf_desktop.domain.reasoning import split_thinking
from gpf_desktop.domain.responses import Missing
from gpf_desktop.domain.served import NOT_SAID, Served

_LONGEST_DETAIL: Final = 500
_BAD_REQUEST: Final = 400


@dataclass(frozen=True, slots=True, kw_only=True)
class EndedAnswer:
    """What is kept of a row's answer."""

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
    """What *text* is by the word for why it stopped, the *error* of its call, and what its table says is *missing*.

    An error that a program wrote into the answer's place is the error: it is kept as the reason, and is no answer.
    """
    status = error_status(text)
    if not error and status is not None:
        text, error = "", text
    reason, detail = _reason(text, finish, error, status, missing, refused=refused, dialect=dialect)
    answer, thought = split_thinking(text)
    return EndedAnswer(
        text=answer,
        reasoning=thought,
        missing="" if reason is None else str(reason),
        detail="" if reason is None else detail[:_LONGEST_DETAIL],
        truncated=reason is None and ending_of(finish, dialect) is Ending.CUT,
    )


def _reason(
    text: str, finish: str, error: str, status: int | None, missing: str, *, refused: bool, dialect: str
) -> tuple[Missing | None, str]:
    ending = ending_of(finish, dialect)
    # What a program wrote of an error mostly leaves the status out: the words decide then, as of a bad request.
    # Beside an answer that came stands what promptfoo says of a failed test.
    blocked = bool(error) and not text.strip() and is_block(status or _BAD_REQUEST, error)
    if refused or missing == Missing.REFUSED or ending is Ending.BLOCKED or blocked:
        return Missing.REFUSED, error or missing or finish
    if missing:
        return (Missing(missing) if missing in set(Missing) else Missing.UNKNOWN), error or missing
    if error and not text.strip():
        return Missing.HTTP_ERROR, error
    if ending is Ending.FAILED:
        return Missing.HTTP_ERROR, error or finish
    answer, thought = split_thinking(text)
    if answer.strip():
        return None, ""
    return (Missing.REASONING_ONLY, "") if thought else (Missing.EMPTY, error)
