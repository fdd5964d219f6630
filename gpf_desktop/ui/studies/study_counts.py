"""What a study takes, and what it finds, told while it is set up."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

from gpf_desktop.engine.rounds.forecast import Forecast
from gpf_desktop.engine.rounds.round_power import Asked, RoundPower

WORTH_JOBS: Final = 10_000
"""Calls from which batch jobs are chosen unless the auditor says otherwise: their half price outweighs the wait."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Counted:
    """What a study takes, and what it finds."""

    forecast: Forecast
    power: RoundPower | None
    by_jobs: bool = False
    """The forecast counts on batch jobs, where a provider has them."""


def counted(asked: Asked, jobs_wanted: bool | None, power: Callable[[], RoundPower | None] | None) -> Counted:
    """*jobs_wanted*: None where the auditor said nothing of batch jobs; *power*: None where nothing is promised.

    May take a second: not for the window's thread.
    """
    found = replace(asked, batch_jobs=bool(jobs_wanted)).forecast()
    worth = found.calls.total >= WORTH_JOBS if jobs_wanted is None else jobs_wanted
    jobs = found.jobs is not None and worth
    # Only a forecast says whether there are batch jobs; chosen by its size, they change its cost.
    if jobs and not jobs_wanted:
        found = replace(asked, batch_jobs=True).forecast()
    return Counted(forecast=found, power=None if power is None else power(), by_jobs=jobs)
