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
    "stated",
    [
        "Fri, 20 Nov 2026 14:40:00 GMT+7",
        "Fri, 20 Nov 2026 14:40:00 GMT+07:00",
        "Fri, 20 Nov 2026 03:40:00 UTC-4",
        "Fri, 20 Nov 2026 13:10:00 GMT +0530",
        "Fri, 20 Nov 2026 13:10:00 GMT+5:30",
        "Fri, 20 Nov 2026 13:10:00 UTC+5:30",
        "Fri Nov 20 2026 08:40:00 GMT+0100 (Mitteleuropäische Normalzeit)",
        "Fri, 20 Nov 2026 08:40:00 Europe/Berlin",
        "2026-11-20T08:40:00[Europe/Paris]",
        "2026-11-20T08:40:00+01:00[Europe/Paris]",
        "2026-11-20T07:39:60Z",
        "2026-11-20 07:40:00 AM UTC",
        "20261120074000 UTC",
        "20-11-2026T07:40:00Z",
        "20.11.2026, 08:40 Uhr MEZ",
        "20/11/2026 às 04h40 -0300",
        "20/11/2026 | 08h40 CET",
        "2026. 11. 20. 16:40 KST",
        "le 20 novembre 2026 à 8 h 40 CET",
        "20 ноя 2026 10:40 МСК",
        "יום שישי, 20 בנובמבר 2026 בשעה 9:40 +0200",
        "20 thg 11, 2026 14:40 +0700",
        "2026-11-20 14:40:00 +07",
        "2026-11-20T14:40:00+07",
        "Thứ sáu, 20/11/2026, 14:40 (GMT+7)",
        "Thứ Sáu, 20 tháng 11 2026 14:40 GMT+7",
        "ven, 20 nov 2026 08:40:00 +0100",
        "venerdì 20 novembre 2026 08:40 CET",
        "ven. 20 nov. 2026 08:40 CET",
        "vendredi 20 novembre 2026 à 08h40 +0100",
        "viernes, 20 de noviembre de 2026 08:40 +0100",
        "vie., 20 nov. 2026 7:40 a. m. GMT",
        "sexta-feira, 20 de novembro de 2026 às 04:40 -0300",
        "Fr, 20. November 2026 08:40 Uhr MEZ",
        "vrijdag 20 november 2026 08:40:00 +0100",
        "пятница, 20 ноября 2026 г., 10:40 MSK",
        "Пт, 20 ноя 2026 10:40:00 +0300",
        "п'ятниця, 20 листопада 2026 09:40 EET",
        "pt., 20 lis 2026 08:40:00 +0100",
        "piątek, 20 listopada 2026 08:40 +0100",
        "pá, 20 lis 2026 08:40:00 +0100",
        "2026. november 20., péntek 8:40 CET",
        "20 Kasım 2026 Cuma 10:40 +0300",
        "Παρ, 20 Νοε 2026 09:40:00 +0200",
        "fre, 20 nov 2026 08:40:00 +0100",
        "pe 20 marraskuuta 2026 9.40 +0200",
        "20 نوفمبر 2026 07:40 GMT",
        "٢٠ نوفمبر ٢٠٢٦ 07:40 GMT",
        "الجمعة 20 تشرين الثاني 2026 07:40 GMT",
        "20 नवंबर 2026 13:10 IST",
        "20 พฤศจิกายน 2569 14:40 +0700",
        "20 พ.ย. 2569 14:40 +0700",
        "2026年11月20日 15:40 +0800",
        "2026年11月20日(金) 16時40分 JST",
        "2026년 11월 20일 오후 4:40 KST",
        "Jumat, 20 November 2026 14:40 WIB",
    ],
)
def test_that_times_in_other_languages_and_by_the_hour_of_a_zone_are_read(stated: str) -> None:
    found = read_time(stated, now=NOW)
    assert (found.when, found.note) == (MORNING, "")


@pytest.mark.parametrize(
    ("stated", "day"),
    [
        ("dom, 02 ott 2022 18:55:00 GMT", datetime(2022, 10, 2, 18, 55, tzinfo=UTC)),
        ("ned, 20. listopada 2024. 07:40 GMT", datetime(2024, 10, 20, 7, 40, tzinfo=UTC)),
        ("20 listopada 2024 07:40 GMT", None),
        ("niedziela, 20 października 2024 07:40 GMT", datetime(2024, 10, 20, 7, 40, tzinfo=UTC)),
        ("nedjelja, 20. listopada 2024. 07:40 GMT", datetime(2024, 10, 20, 7, 40, tzinfo=UTC)),
        ("środa, 20 listopada 2024 07:40 GMT", datetime(2024, 11, 20, 7, 40, tzinfo=UTC)),
        ("to, 19 marras 2020 10:00:00 +0200", datetime(2020, 11, 19, 8, tzinfo=UTC)),
        # Tuesday, and the first letters of March.
        ("mar., 17 nov. 2020 08:00:00 +0000", datetime(2020, 11, 17, 8, tzinfo=UTC)),
        ("mar. 17 mars 2020 08:00 GMT", datetime(2020, 3, 17, 8, tzinfo=UTC)),
        ("شنبه 17 اکتبر 2020 08:00 GMT", datetime(2020, 10, 17, 8, tzinfo=UTC)),
        ("Thursday, 19-Nov-20 08:00:00 GMT", datetime(2020, 11, 19, 8, tzinfo=UTC)),
        ("20 novembre", None),
        ("20 and 21 novembre 2025", None),
    ],
)
def test_that_a_month_is_read_only_where_it_is_certain(stated: str, day: datetime | None) -> None:
    assert read_time(stated, now=NOW).when == day


@pytest.mark.parametrize(("language", "month"), [("pl", 11), ("hr", 10), ("", None), ("xx", None), ("th", None)])
def test_that_the_document_s_language_decides_between_two_months(language: str, month: int | None) -> None:
    when = read_time("18 listopada 2025 07:40 GMT", now=NOW, language=language).when
    assert (when and when.month) == month


@pytest.mark.parametrize(
    "stated", ["20-Nov-2026", "20-nov-2026", "令和8年11月20日", "2026. 11. 20.", "2026. 11. 20. 오전 0:00"]
)
def test_that_a_day_is_read_as_offices_write_it(stated: str) -> None:
    assert read_time(stated, now=NOW).when == datetime(2026, 11, 20, tzinfo=UTC)


@pytest.mark.parametrize(
    ("stated", "hour", "day"),
    [
        ("2 hours ago", 10, 20),
        ("an hour ago", 11, 20),
        ("2h ago", 10, 20),
        ("yesterday", 12, 19),
        ("today at 07:00", 7, 20),
        ("3 days ago", 12, 17),
    ],
)
def test_that_relative_times_count_from_the_retrieval(stated: str, hour: int, day: int) -> None:
    assert read_time(stated, now=NOW).when == datetime(2026, 11, day, hour, tzinfo=UTC)
    assert read_time(stated, now=None).when is None


@pytest.mark.parametrize("stated", ["11/02/2026", "11/02/2026 10:00 PM +0000", "Wed 11/2/2026"])
def test_that_a_date_that_can_be_read_in_two_ways_says_how_it_was(stated: str) -> None:
    found = read_time(stated, now=NOW)
    assert found.when is not None
    assert (found.when.month, found.when.day) == (2, 11)
    assert "the day is taken to stand first" in found.note


@pytest.mark.parametrize(
    "stated",
    [
        *("2026-11-20", "20/11/2026", "11/20/2026", "20.11.2026", "Nov 20, 2026", "20 November 2026"),
        "Fri, 20 Nov 2026 00:00:00 +9999",
        "2026-11-20T00:00:00+23:00",
    ],
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
