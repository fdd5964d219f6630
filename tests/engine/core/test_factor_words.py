"""What is said of factors, levels and arms follows the method."""

from pathlib import Path

import pytest

from gpf_desktop.domain.coordinates import Coordinates
from gpf_desktop.domain.methods import Factor
from gpf_desktop.engine.core import catalogue
from gpf_desktop.engine.core.factor_words import arm_title, group_title, place_words, telling
from gpf_desktop.methods.gpf_livenews.cells import Condition, Factors
from tests.methods.toy import Toy

GPF = "gpf-livenews"
FREE = Factors(condition=Condition.IDENTITY_FREE, dimension="", identity="", family="Impact")
MAIN = Factors(condition=Condition.IDENTITY, dimension="Religion", identity="", family="Impact")
REWORDED = Factors(condition=Condition.IDENTITY, dimension="Religion", identity="", family="Impact", paraphrase=1)
LABELS = Factors(condition=Condition.RANDOM_LABEL, dimension="Colours", identity="", family="Impact")


class Spoken(Toy):
    """Asked in one voice or another, each with its own bundle."""

    name = "spoken"
    factors = (
        Factor(name="voice", title="Voice", plural="Voices", words=str.upper),
        Factor(name="language", title="Language", plural="Languages", varies=True),
    )


@pytest.fixture
def spoken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setitem(catalogue.methods(), Spoken.name, Spoken(tmp_path))
    return Spoken.name


@pytest.mark.parametrize(
    ("factors", "words"),
    [
        (MAIN, ("Impact", "Religion")),
        (REWORDED, ("Impact", "Religion", "wording 2")),
        (FREE, ("Impact", "No reader named")),
        (LABELS, ("Impact", "Colours")),
    ],
)
def test_that_a_bundles_place_names_what_was_asked_first_and_its_arm_where_a_level_is_missing(
    factors: Factors, words: tuple[str, ...]
) -> None:
    fixed = factors.coordinates.without({"identity"})
    assert place_words(GPF, fixed, factors.arm) == words


def test_that_a_bundle_without_a_factor_of_its_own_goes_by_its_item() -> None:
    asked = Coordinates(())
    assert place_words("contextual-stereoset", asked, "main", "Chess players") == ("Chess players",)
    assert place_words(GPF, MAIN.coordinates.without({"identity"}), "main", "Bridge opens") == ("Impact", "Religion")
    arms = catalogue.method("contextual-stereoset").arms
    assert place_words("contextual-stereoset", asked, "main") == (arms["main"],)
    other = next(arm for arm in arms if arm != "main")
    assert place_words("contextual-stereoset", asked, other, "Chess players") == ("Chess players", arms[other])


def test_that_factors_are_those_that_tell_bundles_apart_and_no_arm_does() -> None:
    assert list(telling((GPF,))) == ["dimension", "family"]
    assert [group_title(name) for name in ("model", "family", "flavour")] == ["Model", "Kind of question", "flavour"]
    assert (arm_title("random-label"), arm_title("placebo")) == ("Made-up labels", "placebo")


def test_that_another_methods_factors_are_worded_by_it(spoken: str) -> None:
    assert [factor.title for factor in telling((GPF, spoken)).values()] == [
        "Group of readers",
        "Kind of question",
        "Voice",
    ]
    assert place_words(spoken, Coordinates.of(voice="warm"), "main") == ("WARM",)
    assert place_words(spoken, Coordinates(), "main") == ("Languages",)
