"""What came back for a cell (method, "Validity")."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from gpf_desktop.domain.retries import NoRetry, RetryDecision


class Missing(StrEnum):
    """Why a cell has no valid answer; exactly one reason each."""

    EMPTY = "empty"
    REFUSED = "refused"
    REASONING_ONLY = "all tokens spent on reasoning"
    HTTP_ERROR = "HTTP error"
    TIMED_OUT = "timed out"
    UNREACHABLE = "unreachable"
    UNREADABLE = "unreadable"
    UNKNOWN = "outcome unknown"
    NOT_RUN = "not yet run"


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """Tokens as the provider counted them; None where it did not say."""

    prompt: int | None = None
    completion: int | None = None
    """Includes reasoning tokens, which are paid for like any other."""
    reasoning: int | None = None


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
    """Parameters left out because this model refuses them."""


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
    """The parameter that the provider named as unsupported; the call is repeated once without it."""
    sent: Mapping[str, object] = field(default_factory=dict)
    not_supported: tuple[str, ...] = ()


Outcome = Reply | Miss
