"""Commands that are killed while they write: the same command again ends; nothing is lost, damaged or left about."""

import random
import sys
from pathlib import Path
from zipfile import ZipFile

import pytest

from tests.benchmarks.bench_kills_of_commands import Tally, Victim, stock

SHAPES = ("judges", "import", "artifact", "migration", "archive", "restore")


@pytest.fixture(scope="module")
def stocked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("stock")
    stock(folder, SHAPES)
    return folder


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL")
@pytest.mark.parametrize("shape", SHAPES)
def test_that_a_command_that_was_killed_ends_at_its_next_start(shape: str, stocked: Path, tmp_path: Path) -> None:
    tally, draw = Tally(), random.Random(shape)
    victim = Victim(shape, stocked, tmp_path, tally)
    before = victim.answers()
    victim.dies(changes=draw.randint(1, 8))
    for archive in tmp_path.glob("out/[!.]*.zip"):
        assert ZipFile(archive).testzip() is None
    now = victim.answers()
    assert all(now[name].items() >= stored.items() for name, stored in before.items())
    victim.ends()
    victim.looked_over()
    assert not tally.faults
