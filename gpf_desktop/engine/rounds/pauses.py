"""The rests of an account as a whole, when and for how long: pure, with the time handed in."""

from typing import Final

LONGEST_PAUSE: Final = 60.0
"""Seconds between two calls at most, where refusals name no time."""


class Pauses:
    """The account-wide pause, and a clock that stands still while it lasts."""

    def __init__(self) -> None:
        self.until = 0.0
        self.dark_for = 0.0
        """Seconds for which there had been no answer, when there was one again."""
        self._dark_since: float | None = None
        self._in_all = 0.0

    def active(self, now: float) -> float:
        """*now* by a clock that stands still while the account is paused."""
        # A pause is counted as a whole when it begins; what is still to come of it is given back here.
        return now - self._in_all + max(0.0, self.until - now)

    @property
    def dark(self) -> bool:
        """Whether everything has been refused for a while."""
        return self._dark_since is not None

    def answered(self, now: float) -> None:
        if self._dark_since is not None:
            self.dark_for, self._dark_since = now - self._dark_since, None

    def darken(self, now: float) -> None:
        """Count everything as refused from now on, if not already."""
        self._dark_since = now if self._dark_since is None else self._dark_since

    def begin(self, after: float | None, in_a_row: int, now: float) -> None:
        """Wait as asked; without a word longer with each refusal in a row, but in proportion to the trouble so far."""
        if after is None:
            trouble = 0.0 if self._dark_since is None else now - self._dark_since
            after = min(LONGEST_PAUSE, 0.25 * 2.0**in_a_row, max(1.0, 0.1 * trouble))
        until = max(self.until, now + after)
        # Only by what it adds to a pause that lasts already.
        self._in_all += until - max(self.until, now)
        self.until = until
