"""The choices of a reader of the boards beside the groups: what is selected, how near is near, which percentiles."""

from enum import StrEnum

from gpf_desktop.domain.text import percent, tr
from gpf_desktop.methods.saged.group_statistics import Selection, Selects, Standard


class HeldAgainst(StrEnum):
    """The standard of the selection rate, over all groups."""

    MEAN = "mean"
    MEDIAN = "median"
    MODE = "mode"
    LOWEST_QUARTER = "quantile=0.25"
    HIGHEST_QUARTER = "quantile=0.75"
    HIGHEST_TENTH = "quantile=0.9"
    ZERO = "fixed=0"
    HALF = "fixed=0.5"
    ONE = "fixed=1"

    @property
    def words(self) -> str:
        name, _, number = self.value.partition("=")
        match Standard(name):
            case Standard.MEAN:
                return tr("mean")
            case Standard.MEDIAN:
                return tr("median")
            case Standard.MODE:
                return tr("mode")
            case Standard.QUANTILE:
                return tr("what {share} do not pass", share=percent(float(number)))
            case Standard.FIXED:
                return tr("the value {number}", number=number)


class Selecting(StrEnum):
    """The side of the standard on which values are selected."""

    LARGER = "larger"
    SMALLER = "smaller"
    WITHIN = "within range"
    WITHIN_SHARE = "within percentage"

    @property
    def words(self) -> str:
        match self:
            case Selecting.LARGER:
                return tr("at or above it")
            case Selecting.SMALLER:
                return tr("at or below it")
            case Selecting.WITHIN:
                return tr("within 0.1 of it")
            case Selecting.WITHIN_SHARE:
                return tr("within 10% of it")


class Within(StrEnum):
    """How near to its baseline's value an answer is precise."""

    TENTH = "0.1"
    HUNDREDTH = "0.01"
    TWENTIETH = "0.05"
    FIFTH = "0.2"
    HALF = "0.5"
    ONE = "1"

    @property
    def words(self) -> str:
        return self.value


class Percentiles(StrEnum):
    """The percentiles between which a spread is told."""

    TENTHS = "10"
    QUARTERS = "25"
    TWENTIETHS = "5"

    @property
    def words(self) -> str:
        return tr("{low}% and {high}%", low=self.value, high=100 - int(self.value))

    @property
    def low(self) -> float:
        return int(self.value) / 100

    @property
    def high(self) -> float:
        return 1 - self.low


def selection(held_against: HeldAgainst, selecting: Selecting) -> Selection:
    """The selection, as `gpf-desktop score` takes it in words."""
    name, _, number = held_against.value.partition("=")
    return Selection(
        standard=Standard(name), selects=Selects(selecting.value), parameter=float(number) if number else 0.5
    )
