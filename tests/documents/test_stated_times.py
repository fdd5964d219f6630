"""Times as sources write them."""

import locale
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpf_desktop.documents.stated_times import EARLIEST, read_time

NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)
MORNING = datetime(2026, 11, 20, 7, 40, tzinfo=UTC)


@pytest.mark.parametrize(
    "stated",
    [
        "Fri, 20 Nov 2026 07:40:00 GMT",
        "Fri, 20 Nov 2026 08:40:00 +0100",
        "Fri, 20 Nov 2026 02:40:00 EST",
        "20 Nov 2026 08:40 BST",
        "2026-11-20T07:40:00Z",
        "2026-11-20T09:40:00.000+02:00",
        "2026-11-20 07:40 UTC",
        "20261120T074000Z",
        "1795160400",
        "1795160400000",
        "Nov 20, 2026 7:40 AM GMT",
        "November 20th, 2026 at 7:40 a.m. UTC",
        "Friday, 20 November 2026 07:40:00 GMT",
    ],
)
def test_that_a_full_time_is_read(stated: str) -> None:
    found = read_time(stated, now=NOW)
    assert (found.when, found.note) == (MORNING, "")


@pytest.mark.parametrize(
    ("stated", "hour", "day"),
    [
        ("2 hours ago", 10, 20),
        ("an hour ago", 11, 20),
        ("yesterday", 12, 19),
        ("today at 07:00", 7, 20),
        ("3 days ago", 12, 17),
    ],
)
def test_that_relative_times_count_from_the_retrieval(stated: str, hour: int, day: int) -> None:
    assert read_time(stated, now=NOW).when == datetime(2026, 11, day, hour, tzinfo=UTC)
    assert read_time(stated, now=None).when is None


@pytest.mark.parametrize(
    "stated", ["2026-11-20", "20/11/2026", "11/20/2026", "20.11.2026", "Nov 20, 2026", "20 November 2026"]
)
def test_that_a_time_without_a_zone_is_utc_and_says_so(stated: str) -> None:
    found = read_time(stated, now=NOW)
    assert found.when == datetime(2026, 11, 20, tzinfo=UTC)
    assert found.note == "publication time without a zone: UTC assumed"


@pytest.mark.parametrize(
    ("stated", "note"),
    [
        ("", "no publication time"),
        ("soon", "not understood"),
        ("Fri, 32 Nov 2026 07:40:00 GMT", "not understood"),
        ("1970-01-01T00:00:00Z", "too old"),
        ("2027-01-01T00:00:00Z", "in the future"),
        ("1 " * 100_000, "not understood"),
    ],
)
def test_that_an_unusable_time_leaves_a_note(stated: str, note: str) -> None:
    found = read_time(stated, now=NOW)
    assert found.when is None
    assert note in found.note
    assert len(found.note) < 200


def test_that_month_names_are_english_whatever_the_locale() -> None:
    before = locale.setlocale(locale.LC_TIME)
    for name in ("de_DE.UTF-8", "fr_FR.UTF-8", "C.UTF-8"):
        try:
            locale.setlocale(locale.LC_TIME, name)
        except locale.Error:
            continue
        assert read_time("December 1, 2025 7:40 PM UTC", now=NOW).when == datetime(2025, 12, 1, 19, 40, tzinfo=UTC)
    locale.setlocale(locale.LC_TIME, before)


@pytest.mark.slow
@given(st.text(max_size=90))
def test_that_any_text_is_read_or_noted(stated: str) -> None:
    found = read_time(stated, now=NOW)
    assert found.when is None or (found.when.tzinfo is UTC and found.when >= EARLIEST)
    assert found.when is not None or found.note


@given(st.datetimes(datetime(1990, 1, 2), datetime(2026, 11, 20)))  # noqa: DTZ001 - hypothesis wants bare bounds
def test_that_what_isoformat_writes_is_read_back(when: datetime) -> None:
    assert read_time(when.replace(tzinfo=UTC).isoformat(), now=NOW).when == when.replace(tzinfo=UTC)
