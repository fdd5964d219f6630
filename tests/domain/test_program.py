"""How the program is started again, from a checkout and from each kind of frozen build."""

import sys
from pathlib import Path

import pytest

from gpf_desktop.domain.program import program


def frozen(monkeypatch: pytest.MonkeyPatch, executable: Path) -> None:
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    monkeypatch.setattr(sys, "executable", str(executable))


def test_that_a_checkout_is_started_by_its_python() -> None:
    assert program() == (sys.executable, "-m", "gpf_desktop")


def test_that_a_frozen_program_is_its_executable(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    frozen(monkeypatch, tmp_path / "gpf-desktop")
    assert program() == (str(tmp_path / "gpf-desktop"),)


@pytest.mark.parametrize("suffix", ["", ".exe"])
def test_that_of_two_executables_the_one_that_prints_is_named(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, suffix: str
) -> None:
    (tmp_path / f"gpf-desktop{suffix}").touch()
    frozen(monkeypatch, tmp_path / f"gpf-desktop-window{suffix}")
    assert program() == (str(tmp_path / f"gpf-desktop{suffix}"),)


def test_that_a_window_whose_printing_fellow_is_gone_still_names_itself(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    frozen(monkeypatch, tmp_path / "gpf-desktop-window.exe")
    assert program() == (str(tmp_path / "gpf-desktop-window.exe"),)
