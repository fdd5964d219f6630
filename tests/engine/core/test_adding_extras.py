"""Real pip adds a library of the test's own from a folder; it goes beside this installation, not into it."""

import sys
from collections.abc import Iterator
from pathlib import Path
from zipfile import ZipFile

import pytest

from gpf_desktop.domain.errors import StoppedError, UserError
from gpf_desktop.domain.extras import Extra
from gpf_desktop.engine.core.adding_extras import AddingExtra, under_way

EXTRA = Extra(name="trams", title="Trams", purpose="", requirements=("gpf-desktop-test-trams>=1",), megabytes=1)
MODULE = "gpf_desktop_test_trams"


@pytest.fixture
def wheels(tmp_path: Path) -> Path:
    folder = tmp_path / "wheels"
    folder.mkdir()
    info = f"{MODULE}-1.0.dist-info"
    with ZipFile(folder / f"{MODULE}-1.0-py3-none-any.whl", "w") as wheel:
        wheel.writestr(f"{MODULE}.py", "LINES = 3\n")
        wheel.writestr(f"{info}/METADATA", "Metadata-Version: 2.1\nName: gpf-desktop-test-trams\nVersion: 1.0\n")
        wheel.writestr(
            f"{info}/WHEEL", "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
        )
        wheel.writestr(f"{info}/RECORD", "")
    return folder


@pytest.fixture
def beside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Where pip puts what it adds."""
    place = tmp_path / "beside"
    monkeypatch.setenv("PIP_TARGET", str(place))
    monkeypatch.syspath_prepend(str(place))
    yield place
    sys.modules.pop(MODULE, None)


@pytest.mark.slow
def test_that_it_is_here_without_a_new_start(wheels: Path, beside: Path) -> None:
    assert EXTRA.missing == ("gpf-desktop-test-trams",)
    adding = AddingExtra(EXTRA, wheels)
    adding.run()
    assert EXTRA.missing == ()
    assert "Successfully installed" in adding.said
    assert under_way(EXTRA.name) is None


def test_that_a_folder_without_its_files_is_told(tmp_path: Path, beside: Path) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()
    with pytest.raises(UserError) as told:
        AddingExtra(EXTRA, empty).run()
    assert told.value.what == "Trams: the libraries could not be added."
    assert "“empty”" in told.value.remedy
    assert "gpf-desktop-test-trams" in told.value.details


def test_that_it_can_be_stopped_before_it_has_begun(wheels: Path, beside: Path) -> None:
    adding = AddingExtra(EXTRA, wheels)
    adding.cancel()
    with pytest.raises(StoppedError):
        adding.run()
    assert EXTRA.missing


def test_that_a_python_without_pip_says_what_to_add(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A Python that looks for no site packages has none."""
    adding = AddingExtra(EXTRA)
    python, *rest = adding.command()
    monkeypatch.setattr(AddingExtra, "command", lambda self: [python, "-S", "-I", *rest])
    with pytest.raises(UserError, match="could not be added") as told:
        adding.run()
    assert "has no pip" in told.value.remedy
    assert '"gpf-desktop-test-trams>=1"' in told.value.remedy
