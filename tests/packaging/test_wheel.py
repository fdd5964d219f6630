"""The wheel holds the program and its files, and nothing else."""

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True)
    (wheel,) = folder.glob("gpf_desktop-*.whl")
    return wheel


def test_that_every_shipped_file_is_in_the_wheel_and_no_test_is(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
    shipped = {path.relative_to(ROOT) for path in (ROOT / "resources").rglob("*") if path.is_file()}
    assert {f"gpf_desktop/{path.as_posix()}" for path in shipped if "__pycache__" not in path.parts} <= names
    assert "gpf_desktop/resources/CHANGELOG.md" in names
    assert {name.split("/")[0].split("-")[0] for name in names} == {"gpf_desktop"}


def test_that_a_program_installed_from_the_wheel_finds_its_own_files(wheel: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path)
    code = "from gpf_desktop.domain.resources import resources; print(resources())"
    surroundings = os.environ | {"PYTHONPATH": str(tmp_path)}
    command = [sys.executable, "-c", code]
    said = subprocess.run(command, env=surroundings, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert Path(said.stdout.strip()) == tmp_path / "gpf_desktop" / "resources"
