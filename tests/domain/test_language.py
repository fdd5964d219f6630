"""Which language words are shown in."""

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

import gpf_desktop
from gpf_desktop.domain import text
from gpf_desktop.domain.text import decimal, install, language, signed, speaking, tr, trn
from tests.support.pseudo_language import LANGUAGE, pseudo, speak_pseudo

HERE = Path(gpf_desktop.__file__).parent


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("languages")
    speak_pseudo(folder)
    return folder


@pytest.fixture
def catalogues(made: Path) -> Iterator[Path]:
    """A folder with a catalogue of one language."""
    yield made
    install(made, [])


@pytest.mark.parametrize(
    ("wanted", "spoken"),
    [
        ((), "en"),
        ((LANGUAGE,), LANGUAGE),
        ((f"{LANGUAGE}_XX.UTF-8",), LANGUAGE),
        (("fr_FR", LANGUAGE, "en"), LANGUAGE),
        (("en_GB", LANGUAGE), "en"),
        (("C",), "en"),
        (("fr", "fi"), "en"),
    ],
)
def test_that_the_first_language_that_is_known_is_spoken(
    catalogues: Path, wanted: tuple[str, ...], spoken: str
) -> None:
    assert install(catalogues, wanted) == language() == spoken
    assert tr("Language") == ("Language" if spoken == "en" else pseudo("Language"))


def test_that_nothing_stays_nothing_in_every_language(catalogues: Path) -> None:
    install(catalogues, [LANGUAGE])
    assert tr("") == "", "gettext has the catalogue's head there"


def test_that_a_language_is_borrowed_for_a_while(catalogues: Path) -> None:
    install(catalogues, [])
    with speaking(catalogues, LANGUAGE):
        assert tr("Language") == pseudo("Language")
        assert trn("{n} source failed", "{n} sources failed", 2) == pseudo("{n} sources failed").format(n=2)
        with speaking(catalogues, "en"):
            assert tr("Language") == "Language"
    assert tr("Language") == "Language"


@pytest.mark.parametrize("odd", ["", "../../eo", "/tmp", "xx", "eo/LC_MESSAGES"])
def test_that_a_language_of_somebody_elses_file_is_a_name_and_no_path(catalogues: Path, odd: str) -> None:
    with speaking(catalogues / "below", odd):
        assert tr("Language") == "Language"
    assert text.language() == install(catalogues, [])


def test_that_every_number_has_one_rule_of_signs(monkeypatch: pytest.MonkeyPatch) -> None:
    assert [signed(value, 2) for value in (0.824, -0.144, 0.001, -0.001)] == ["+0.82", "−0.14", "0.00", "0.00"]
    monkeypatch.setattr(text, "_spoken", replace(text._spoken, signs=str.maketrans(".,", ",.")))
    assert (signed(-0.144, 2), decimal(0.318, 3)) == ("−0,14", "0,318")
    # Written past that rule, a German card has “0.53” beside “0,75”.
    rooms = (
        each
        for room in ("engine/reporting", "figures", "ui/results", "ui/review")
        for each in HERE.glob(f"{room}/**/*.py")
    )
    past = [
        (each.name, found)
        for each in rooms
        for found in re.findall(r"\{[\w.]+:[+z]?\.[1-9]f\}", each.read_text("utf-8"))
    ]
    assert past == [("svg.py", "{value:.2f}")], "but what no person reads"
