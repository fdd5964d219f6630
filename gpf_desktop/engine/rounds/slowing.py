"""The latest slowing down of an account: the pace before it, and how bad it was. Pure, and without a clock."""

from typing import Final

from gpf_desktop.engine.rounds.refusals import are_likely

_SLIGHT: Final = 0.2
"""Up to this share of refusals above the floor a pace was hardly too fast."""
_USELESS_CUTS: Final = 4
"""Cuts, to a sixtieth of the pace or less, after which it is time that helped and not the last of them."""
_BETWEEN_TRUSTS: Final = 60.0
"""Seconds until that is believed again, in case a limit fell so far indeed."""


class Slowing:
    """The latest slowing down: one alarm, and the cuts of the pace that follow it."""

    def __init__(self) -> None:
        self.before: tuple[float, float | None] = (0.0, None)
        """Calls in flight and calls a second that a slowing down which does not help is undone to."""
        self.cuts = 0
        self.at = 0.0
        """When the latest cut was."""
        self.share = 0.0
        """Refusals before it, as far as they had come."""
        self.measured: float | None = None
        """Calls a second that were allowed before it, where that was measured."""
        self._epoch = -1
        """The epoch before it: what its calls still meet tells how bad it was."""
        self._ended = 0
        self._refused = 0
        self._trusted_at = -_BETWEEN_TRUSTS
        self.doubtful = False
        """It stands, and may yet turn out to have been for luck alone."""
        self._raised_by = (0, 0)
        """Refused and ended calls that the alarm was raised by."""

    def begin(
        self,
        epoch: int,
        *,
        before: tuple[float, float | None],
        share: float,
        ended: int,
        refused: int,
        measured: float | None,
    ) -> None:
        """Begin with an alarm, raised when so many calls of *epoch* had *ended*, *refused* of them with a refusal."""
        self.before, self.share, self.cuts, self.measured = before, share, 0, measured
        self._epoch, self._ended, self._refused = epoch, ended, refused
        self._raised_by = (refused, ended)
        self.doubtful = True

    def was_luck(self, expected: float) -> bool:
        """Whether there would have been no alarm, had *expected* been known as the share that raises no doubt."""
        return are_likely(expected, *self._raised_by)

    def seen(self, epoch: int, *, refused: bool) -> None:
        """A call of *epoch* ended."""
        if epoch == self._epoch:
            self._ended += 1
            self._refused += refused

    @property
    def share_in_all(self) -> float:
        """Refusals before it, with what the calls that were out at the alarm have met since."""
        # Never by 0: no alarm is raised before a call has ended.
        return self._refused / self._ended

    def was_slight(self, floor: float) -> bool:
        """Whether one cut was enough, and few calls were refused above a share of *floor*."""
        return self.cuts == 1 and self._refused <= 3 + (_SLIGHT + floor) * self._ended

    def was_outlasted(self, now: float) -> bool:
        """Whether an outage of a part of the calls has passed, rather than the pace become slow enough."""
        if self.cuts < _USELESS_CUTS or now - self._trusted_at < _BETWEEN_TRUSTS:
            return False
        self._trusted_at = now
        return True
