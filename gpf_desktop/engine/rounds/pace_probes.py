"""Packets of calls sent faster than an account's pace, to see whether it allows more: pure, with the time handed in."""

from typing import Final

FIRST_GAIN: Final = 1.25
"""What the first packet multiplies the pace by."""
FIRST_GAP: Final = 1.0
"""Seconds until the first packet after one that failed; it doubles with each."""
BOLD_GAIN: Final = 1.5
"""What those after a packet that passed multiply it by."""
BLIND_GAIN: Final = 2.0
"""What all of them multiply it by while the pace rests on nothing but that some of the first calls were refused."""
_LONG: Final = 1.0
"""Seconds that a call may take for packets to become bolder: what a long call tells of a pace comes late."""
_LONGEST_GAP: Final = 7.0
_CALLS_A_PACKET: Final = 160
"""Calls between two failing packets at most, at two seconds or more: a refused probe costs less than 1 % of them."""


class Probes:
    """The packet that is out, if one is, and what those before it came to."""

    def __init__(self) -> None:
        self.next_at = 0.0
        """When the next packet may be sent."""
        self.passed = 0
        """Packets since the first one that were not refused."""
        self.blind = True
        """What the account allows was not measured so far, nor even guessed."""
        self.calls = 0
        """Of the packet."""
        self.noise = 0.0
        """Share of refusals among the calls before it."""
        self.refused = 0
        """Of them, so far."""
        self._unsent = 0
        self.open = 0
        """Calls of the packet that have not ended."""
        self._gap = FIRST_GAP
        self.latency = 0.0
        """Seconds that a call takes, about."""

    @property
    def gain(self) -> float:
        """The factor by which the present packet multiplies the pace."""
        if self.blind:
            return BLIND_GAIN
        return BOLD_GAIN if self.passed and self.latency < _LONG else FIRST_GAIN

    @property
    def bold(self) -> bool:
        """Packets passed that were faster than what the pace is put back to when one is refused."""
        return self.passed > (0 if self.blind else 1)

    @property
    def over(self) -> bool:
        """Whether all calls of the packet have ended."""
        return self.open <= 0

    def answered(self, seconds: float) -> None:
        """A call, of a packet or not, took so long."""
        self.latency += (seconds - self.latency) / 8.0

    def begin(self, saved: float, floor: float) -> None:
        """A packet that uses up *saved* calls, larger where a share of *floor* is refused anyway."""
        self.refused = 0
        self._unsent = self.open = self.calls = int(min(64.0, max(8.0, saved) + 150.0 * floor))

    def withdraw(self) -> None:
        """Send no more of the packet."""
        self._unsent = 0

    def send(self) -> bool:
        """Whether the call that starts now belongs to the packet."""
        if self._unsent == 0:
            return False
        self._unsent -= 1
        return True

    def ended(self) -> None:
        """A call of the packet has ended."""
        self.open -= 1

    def too_bold(self) -> None:
        """Bold packets went too far: it is worth trying again soon."""
        self._gap = FIRST_GAP

    def gap(self, rate: float) -> float:
        """Seconds until the next packet after one that failed, at *rate* calls a second."""
        self._gap = min(_LONGEST_GAP, max(2.0, _CALLS_A_PACKET / rate), 2.0 * self._gap)
        return self._gap
