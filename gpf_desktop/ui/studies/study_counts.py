"""What a study takes, and what it finds, told while it is set up."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from gpf_desktop.engine.rounds.forecast import Forecast
from gpf_desktop.engine.rounds.round_power import RoundDesign, RoundPower


@dataclass(frozen=True, slots=True, kw_only=True)
class Counted:
    """What a study takes, and what it finds."""

    forecast: Forecast
    power: RoundPower | None


def counted(asked: RoundDesign, power: Callable[[RoundDesign], RoundPower | None] | None) -> Counted:
    """*asked*: its items are read here; *power*: None where nothing is promised.

    May take seconds: not for the window's thread. Raises `UserError` for items that cannot be read.
    """
    asked = replace(asked, items=asked.method.items(asked.protocol))
    return Counted(forecast=asked.forecast(), power=None if power is None else power(asked))
