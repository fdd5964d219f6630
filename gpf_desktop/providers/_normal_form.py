"""A reply in one form, whatever its dialect, and what reads its JSON without trusting it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final

from gpf_desktop.domain.responses import LetterToken, Usage
from gpf_desktop.domain.served import NOT_SAID, Served

_MOST_TOKENS: Final = 10**8


@dataclass(frozen=True, slots=True, kw_only=True)
class NormalReply:
    """A body in one form, whatever its dialect, before it is judged: an answer, an error, or an answer that one broke
    off."""

    answered: bool = False
    """It has a place for an answer, be that empty; without one and without an error it cannot be read."""
    text: str = ""
    reasoning: str = ""
    thought: bool = False
    """It reasoned, whether or not it hands any of it out."""
    finish: str = ""
    """The provider's word for how it ended; `domain.endings` says what it means."""
    refusal: str = ""
    """Why it was refused or blocked, in the provider's words; empty where it was not, or *finish* alone says so."""
    usage: Usage = field(default_factory=Usage)
    request_id: str = ""
    letters: tuple[LetterToken, ...] | None = None
    served: Served = NOT_SAID
    """Who answered, as the server says."""
    message: str = ""
    """Words of an error, whatever *finish* says; empty where nothing went wrong."""
    code: str = ""
    whose: str = ""
    """Whose number *code* is, where its place tells; `domain.error_codes` knows what it means there."""
    kind: str = ""
    further: tuple[str, ...] = ()
    """Codes of errors within it."""
    parameter: str = ""
    """The parameter that the server names, by its wire name."""
    status: int | None = None
    """Where the body states a status of its own (an error under 200)."""
    wait: float | None = None
    """Seconds to wait where the body says so."""

    @property
    def codes(self) -> tuple[str, ...]:
        code = f"{self.whose} {self.code}" if self.whose and self.code.isdecimal() else self.code
        return (code, self.kind, *self.further)

    @property
    def failed(self) -> bool:
        return bool(self.message or self.code)


def mapping(value: object) -> Mapping[str, object]:
    """*value* where it is an object, else an empty one: a missing optional field never breaks an answer."""
    return value if isinstance(value, dict) else MappingProxyType({})


def items(value: object) -> list[object]:
    """*value* where it is a list, else an empty one."""
    return value if isinstance(value, list) else []


def text(value: object) -> str:
    return value if isinstance(value, str) else ""


def word(value: object) -> str:
    """A provider's word for how an answer ended; what is no word is none that anybody knows."""
    return text(value) or text(mapping(value).get("type")) or ("" if value is None else str(value))


def count(value: object) -> int | None:
    """A number of tokens, which some write as text; None where the server gives none that can be true."""
    if isinstance(value, str) and value.isdecimal() and len(value) < len(str(_MOST_TOKENS)):
        value = int(value)
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    # JSON's true is an int to Python.
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= _MOST_TOKENS else None


def first_count(told: Mapping[str, object], *names: str) -> int | None:
    """The number of tokens by the first of *names* that *told* has one by."""
    return next((found for name in names if (found := count(told.get(name))) is not None), None)


def all_written(prompt: int | None, completion: int | None, total: int | None) -> int | None:
    """Tokens of an answer: xAI counts its reasoning in the *total* alone."""
    return completion if prompt is None or total is None else max(completion or 0, total - prompt)
