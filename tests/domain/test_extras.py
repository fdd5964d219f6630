"""Libraries that not every installation has."""

import sys
import tomllib
from pathlib import Path

import pytest

from gpf_desktop.domain.extras import PARQUET, Extra, extras

ROOT = Path(__file__).parents[2]


def test_that_each_asks_for_what_the_package_asks_for() -> None:
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    assert {each.name: list(each.requirements) for each in extras().values()} == {
        name: declared[name] for name in extras()
    }


def lacking() -> Extra:
    return Extra(name="x", title="Charts", purpose="", requirements=("nobodys-charts>=1",), megabytes=1)


def test_that_what_is_missing_is_named_with_what_adds_it() -> None:
    error = lacking().lacking("Or use tables.")
    assert error.what == "Charts need a library that is not installed: nobodys-charts."
    assert error.remedy == ("Add it under Preferences, “Further libraries”, or with: gpf-desktop add x. Or use tables.")


def test_that_an_installation_that_takes_nothing_in_names_what_serves_as_well(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    assert lacking().remedy("Or use tables.") == "Or use tables."
    assert "cannot take it in" in lacking().remedy()


def test_that_nobody_is_told_to_install_a_name_that_is_not_ours() -> None:
    """An index where nobody holds the name is an invitation to whoever takes it."""
    texts = [*(ROOT / "gpf_desktop").rglob("*.py"), *(ROOT / "docs").rglob("*.md"), ROOT / "README.md"]
    told = [path.name for path in texts if "pip install 'gpf-desktop" in path.read_text(encoding="utf-8")]
    assert told == []
    assert PARQUET in extras()
