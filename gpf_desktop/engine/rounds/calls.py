"""Calls as the pace of an account learns from them: one that has started, and how it ended."""

from dataclasses import dataclass
from enum import Enum, auto


class Ended(Enum):
    """The end of a call, as it matters to the pace."""

    ANSWERED = auto()
    REFUSED = auto()
    """Too many requests, or a server that does not manage."""
    LATE = auto()
    """No answer in the time that is waited for one."""
    NEITHER = auto()
    """A wrong key, a login page: no reason to ask faster, none to ask slower."""


class Phase(Enum):
    """The state of an account's pace, by which outcomes are judged."""

    CRUISING = auto()
    SLOWED = auto()
    PROBING = auto()
    WATCHING = auto()


@dataclass(frozen=True, slots=True)
class Sent:
    """A call that has started."""

    number: int
    """In the order in which calls were sent."""
    epoch: int
    """Outcomes of an earlier epoch tell nothing of the present pace."""
    probe: bool
    at: float
