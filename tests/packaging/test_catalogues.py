"""What is shipped of other languages fits what the program says."""

import re
from pathlib import Path

import make_catalogues
import pytest
from babel.messages.catalog import Catalog

from gpf_desktop.settings.option import PreferencePart

CATALOGUES = sorted(make_catalogues.LANGUAGES.glob("*/LC_MESSAGES/*.po"))
_FIELD = re.compile(r"\{([a-z_0-9]*)[^}]*\}", re.IGNORECASE)


@pytest.fixture(scope="module")
def places() -> list[make_catalogues.Place]:
    return make_catalogues.sentences()


@pytest.fixture(scope="module", params=CATALOGUES, ids=[file.parent.parent.name for file in CATALOGUES])
def file(request: pytest.FixtureRequest) -> Path:
    found: Path = request.param
    return found


@pytest.fixture(scope="module")
def catalogue(file: Path) -> Catalog:
    return make_catalogues.read(file)


def test_that_sentences_are_found_in_calls_options_and_constants(places: list[make_catalogues.Place]) -> None:
    found = {place.message for place in places}
    assert {"Language", "As the system", "finished with gaps", "Every sentence"} & found == {
        "Language",
        "As the system",
        "finished with gaps",
    }
    assert {part.value for part in PreferencePart} <= found
    assert ("{n} source failed", "{n} sources failed") in found
    assert len({message if isinstance(message, str) else message[0] for message in found}) == len(found)


def test_that_a_language_is_nearly_whole(catalogue: Catalog, places: list[make_catalogues.Place]) -> None:
    done, of = make_catalogues.translated(make_catalogues.renewed(catalogue, places))
    assert done > 0.97 * of, "run packaging/make_catalogues.py, and translate what is empty"


def test_that_what_is_read_is_what_was_translated(file: Path, catalogue: Catalog) -> None:
    assert file.with_suffix(".mo").read_bytes() == make_catalogues.compiled(catalogue), "run make_catalogues.py"


def test_that_values_have_their_place_in_every_translation(catalogue: Catalog) -> None:
    for message in catalogue:
        said = message.id if isinstance(message.id, tuple) else (message.id,)
        told = message.string if isinstance(message.string, tuple) else (message.string,)
        for each in told if message.id and all(told) else ():
            theirs, ours = set(_FIELD.findall(each)), set(_FIELD.findall(" ".join(said)))
            # Of the forms of a plural one may say its number in a word.
            needed = ours if len(said) == 1 else set(_FIELD.findall(said[0])) & set(_FIELD.findall(said[1])) - {"n"}
            assert needed <= theirs <= ours, (message.id, each)
            assert each.count("\n") == said[0].count("\n"), (message.id, each)
