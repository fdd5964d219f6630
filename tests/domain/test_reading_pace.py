"""What is left of a pile, and how long it takes."""

from datetime import UTC, datetime, timedelta

from gpf_desktop.domain.reading_pace import reading_pace

NOW = datetime(2026, 11, 28, 14, 0, tzinfo=UTC)


def at(*minutes: float) -> list[datetime]:
    """Minutes before `NOW`, the earliest first."""
    return [NOW - timedelta(minutes=each) for each in minutes]


def test_that_the_pace_is_the_median_and_a_break_is_none_of_it() -> None:
    found = reading_pace(at(200, 24, 20, 15, 10, 9), NOW)
    assert found.today == 6
    assert found.each == timedelta(minutes=4.5)
    assert found.minutes(18) == 81


def test_that_yesterday_tells_the_pace_but_not_what_was_read_today() -> None:
    found = reading_pace(at(24 * 60 + 9, 24 * 60 + 6, 24 * 60 + 3, 24 * 60), NOW)
    assert (found.today, found.minutes(10)) == (0, 30)


def test_that_sets_submitted_together_tell_no_pace() -> None:
    assert reading_pace(at(10, 10, 10, 10, 10), NOW).each is None


def test_that_too_few_readings_tell_no_pace() -> None:
    assert reading_pace(at(6, 4, 2), NOW).minutes(5) is None
    assert reading_pace([], NOW).today == 0
