"""The language that the user chose, or the system's."""

from collections.abc import Iterator
from datetime import date

import pytest

from gpf_desktop.domain.registration import day_words
from gpf_desktop.domain.resources import resources
from gpf_desktop.domain.text import speaking
from gpf_desktop.settings.language import AS_THE_SYSTEM, OPTION_NAME, speak
from gpf_desktop.settings.preferences import HERE, option


@pytest.fixture(autouse=True)
def english_again() -> Iterator[None]:
    yield
    HERE.reset(OPTION_NAME)
    speak(["en"])


def test_that_every_catalogue_can_be_chosen_by_its_own_name() -> None:
    assert ("de", "Deutsch") in option(OPTION_NAME).choices


@pytest.mark.parametrize(
    ("chosen", "of_the_system", "spoken"),
    [
        (AS_THE_SYSTEM, ["de_AT", "en"], "de"),
        (AS_THE_SYSTEM, ["en_GB", "de"], "en"),
        (AS_THE_SYSTEM, [], "en"),
        ("de", ["en"], "de"),
        ("en", ["de"], "en"),
    ],
)
def test_that_a_choice_goes_before_the_system(chosen: str, of_the_system: list[str], spoken: str) -> None:
    HERE.set(OPTION_NAME, chosen)
    assert speak(of_the_system) == spoken


@pytest.mark.parametrize(
    ("variables", "spoken"),
    [
        ({"LANGUAGE": "de:en", "LANG": "en_US.UTF-8"}, "de"),
        ({"LANGUAGE": "", "LC_ALL": "", "LANG": "de_DE.UTF-8"}, "de"),
        ({"LANGUAGE": "", "LC_ALL": "C.UTF-8", "LANG": "de_DE.UTF-8"}, "en"),
    ],
)
def test_that_a_command_follows_the_environment(
    monkeypatch: pytest.MonkeyPatch, variables: dict[str, str], spoken: str
) -> None:
    for name in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.setenv(name, variables.get(name, ""))
    assert speak() == spoken


def test_that_a_day_is_written_as_its_language_writes_it() -> None:
    assert day_words(date(2026, 11, 30)) == "30 November 2026"
    with speaking(resources() / "languages", "de"):
        assert day_words(date(2026, 11, 30)) == "30. November 2026"
