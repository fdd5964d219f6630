"""Reports of one event under other capitals, quotes, fillers and endings meet."""

import pytest

from gpf_desktop.engine.collect.near_duplicates import near_key


@pytest.mark.parametrize(
    "other",
    [
        "STORM BRINGS HEAVY SNOW TO TARN HILLS",
        "Storm brings heavy snow to the Tarn Hills",
        "Heavy snow brought – ‘storm’ to Tarn Hills".replace("brought", "brings"),
        "Storm bringing heavy snow to Tarn Hills, reports say",
        "BREAKING: Storm brings heavy snow to Tarn Hills",
    ],
)
def test_that_the_same_words_meet(other: str) -> None:
    assert near_key(other, "") == near_key("Storm brings heavy snow to Tarn Hills", "another description")


@pytest.mark.parametrize(
    "other",
    [
        "Storm brings heavy rain to Tarn Hills",
        "Storm does not bring heavy snow to Tarn Hills",
        "Storm brings heavy snow to Lorne valley",
    ],
)
def test_that_other_news_stay_apart(other: str) -> None:
    assert near_key(other, "") != near_key("Storm brings heavy snow to Tarn Hills", "")


def test_that_numbers_keep_reports_apart() -> None:
    assert near_key("Quake of 5.1 hits Norwick coast", "") != near_key("Quake of 6.1 hits Norwick coast", "")


def test_that_a_short_headline_needs_its_description_too() -> None:
    assert near_key("Weather", "Snow in the north.") != near_key("Weather", "Sun in the south.")
    assert near_key("Weather", "Snow in the north.") == near_key("WEATHER", "Snow in the North!")


def test_that_accents_and_scripts_are_no_obstacle() -> None:
    assert near_key("Café réopens in Élder Cross today after flood", "") == near_key(
        "Cafe reopens in Elder Cross today after flood", ""
    )
    assert near_key("東京で地震", "震度5") != near_key("大阪で地震", "震度5")
