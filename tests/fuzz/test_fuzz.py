"""No file, however damaged or made up, ends a command otherwise than by its documented codes and a sentence.

Bounded by how many are tried. Further seeds by hand: ``python -m tests.fuzz --first 1000 --count 5000``.
"""

import sqlite3
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path

import pytest

from tests.fuzz import bases
from tests.fuzz.complaints import complaints
from tests.fuzz.running import DOCUMENTED, ran
from tests.fuzz.targets import Target, without_audits

pytestmark = pytest.mark.slow
SEEDS = 15
"""Damaged files of each kind that needs an audit; others take a tenth of the time."""
KNOWN = without_audits()


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Target]:
    return bases.targets_in(tmp_path_factory.mktemp("bases"))


@pytest.mark.parametrize("name", list(KNOWN))
def test_that_the_sound_file_is_read(name: str, tmp_path: Path) -> None:
    target = KNOWN[name]
    place, out = tmp_path / "in", tmp_path / "out"
    place.mkdir()
    out.mkdir()
    for argv in dict.fromkeys(target.commands(target.file(place), out)):
        done = ran(argv)
        assert done.code in (0, 1), done.said


def test_that_no_damaged_file_of_answers_or_settings_is_a_bug(tmp_path: Path) -> None:
    names = list(KNOWN)
    found = [each for seed in range(SEEDS * 10) for each in complaints(KNOWN[names[seed % len(names)]], tmp_path, seed)]
    assert found == []


@pytest.mark.parametrize("name", ["an audit", "an artifact", "a review pack"])
def test_that_no_damaged_audit_or_what_leaves_one_is_a_bug(
    name: str, made: Mapping[str, Target], tmp_path: Path
) -> None:
    found = [each for seed in range(SEEDS) for each in complaints(made[name], tmp_path, seed)]
    assert found == []


@pytest.mark.parametrize("command", ["export", "tables", "verify"])
def test_that_answers_at_no_place_of_the_grid_are_told(command: str, small_audit: Path, tmp_path: Path) -> None:
    """Every answer at the coordinates of one message, which lack what the others' have."""
    with closing(sqlite3.connect(small_audit)) as connection, connection:
        connection.execute("UPDATE cell SET coordinates_id = 1")
    ways = {"export": ("-o", tmp_path / "data"), "tables": ("-o", tmp_path / "tables"), "verify": ()}
    done = ran((command, str(small_audit), *map(str, ways[command])))
    assert (done.code in DOCUMENTED, done.details) == (True, ""), done.said
