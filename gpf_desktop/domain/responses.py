"""The outcome of a cell: a reply, or why there is none (method, "Validity")."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from enum import StrEnum
from typing import Final, TypeVar

from gpf_desktop.domain.account_faults import AccountFault
from gpf_desktop.domain.key_echoes import without
from gpf_desktop.domain.models import Secret
from gpf_desktop.domain.retries import NoRetry, RetryDecision
from gpf_desktop.domain.served import NOT_SAID, Served
from gpf_desktop.domain.text import tr

NOT_AWAITED: Final = (504, 524)
"""HTTP statuses of gateways that did not wait for the server behind them, which may go on with its answer."""


class Missing(StrEnum):
    """The reason why a cell has no valid answer; exactly one each."""

    EMPTY = "empty"
    REFUSED = "refused"
    REASONING_ONLY = "all tokens spent on reasoning"
    HTTP_ERROR = "HTTP error"
    TIMED_OUT = "timed out"
    UNREACHABLE = "unreachable"
    UNREADABLE = "unreadable"
    TOO_LARGE = "too large"
    UNKNOWN = "outcome unknown"
    NOT_RUN = "not yet run"


def reason_words(reason: str) -> str:
    """*reason*, as it is stored and exported, in the words that people read."""
    said: dict[str, str] = {
        Missing.REFUSED: tr("declined"),
        Missing.HTTP_ERROR: tr("failed at the provider"),
        Missing.NOT_RUN: tr("not asked yet"),
    }
    return said.get(reason) or tr(reason)


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """Tokens as the provider counted them; None where it did not say."""

    prompt: int | None = None
    completion: int | None = None
    """Includes reasoning tokens, which are paid for like any other."""
    reasoning: int | None = None
    cached: int | None = None
    """Of the prompt's tokens those that the provider had in its cache."""

    def __add__(self, other: "Usage") -> "Usage":
        """The tokens of two calls together, as far as they were counted."""
        return Usage(
            prompt=_sum(self.prompt, other.prompt),
            completion=_sum(self.completion, other.completion),
            reasoning=_sum(self.reasoning, other.reasoning),
            cached=_sum(self.cached, other.cached),
        )


def _sum(one: int | None, other: int | None) -> int | None:
    return other if one is None else one if other is None else one + other


@dataclass(frozen=True, slots=True, kw_only=True)
class LetterToken:
    """A token of an answer that is one letter or digit, and which others could have stood in its place."""

    at: int
    """How many tokens stand before it."""
    token: str
    top: Mapping[str, float]
    """Natural log-probability of the likeliest such tokens at this place, by their text; its own is among them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """A usable answer of one call."""

    text: str
    reasoning: str = ""
    """Kept apart and never scored."""
    finish: str = ""
    """The provider's own word for why it stopped."""
    truncated: bool = False
    usage: Usage = field(default_factory=Usage)
    request_id: str = ""
    sent: Mapping[str, object] = field(default_factory=dict)
    """The parameters really sent, without the messages and without any key."""
    not_supported: tuple[str, ...] = ()
    """Parameters left out because this model refuses them, and what else was done otherwise for it."""
    letters: tuple[LetterToken, ...] | None = None
    """Where log-probabilities were asked for and given; empty: no token of the answer is a letter."""
    served: Served = NOT_SAID
    """Who answered, by the server's own word."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Miss:
    """One call without a usable answer; a value, never an exception."""

    reason: Missing
    detail: str
    """The provider's own words, secrets removed, at most some hundred characters."""
    retry: RetryDecision = field(default_factory=NoRetry)
    status: int | None = None
    text: str = ""
    """Paid text there may be all the same (a partial or refused answer); kept, not scored."""
    reasoning: str = ""
    finish: str = ""
    usage: Usage = field(default_factory=Usage)
    request_id: str = ""
    refused_parameter: str = ""
    """What the refusal teaches (`domain.adjustments`), mostly a parameter to leave out; the call is repeated so."""
    sent: Mapping[str, object] = field(default_factory=dict)
    not_supported: tuple[str, ...] = ()
    served: Served = NOT_SAID
    guessed: bool = False
    """Taken for a block because its words speak of nothing else; who says so of every question means something else."""
    account: AccountFault | None = None
    """What of the account or the model is at fault, by the server's words: every other cell would meet the same."""

    @property
    def end_unknown(self) -> bool:
        """Whether nobody knows of the call whether it was answered, and what was billed for it."""
        given_up = self.reason is Missing.HTTP_ERROR and self.status in NOT_AWAITED
        return given_up or self.unread or self.reason in (Missing.TIMED_OUT, Missing.UNKNOWN)

    @property
    def unread(self) -> bool:
        """Whether what came could not be read, or not to its end, and so its count of tokens neither."""
        return self.reason in (Missing.UNREADABLE, Missing.TOO_LARGE)


Outcome = Reply | Miss
Keyed = TypeVar("Keyed", bound=Reply | Miss | Served)


def without_key(outcome: Outcome, key: Secret | None) -> Outcome:
    """*outcome* without *key*, wherever a server put it: in an answer, a request id, a reason for stopping."""
    return replace(_cleared(outcome, key), served=_cleared(outcome.served, key))


def _cleared(told: Keyed, key: Secret | None) -> Keyed:
    texts = {each.name: value for each in fields(told) if isinstance(value := getattr(told, each.name), str)}
    shown = {name: without(value, key, "…") for name, value in texts.items()}
    return replace(told, **{name: value for name, value in shown.items() if value != texts[name]})  # type: ignore[arg-type]
