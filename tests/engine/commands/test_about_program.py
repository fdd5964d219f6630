"""What Help tells of the program itself."""

from importlib.metadata import distribution
from pathlib import Path

import pytest

from gpf_desktop.domain.resources import resources
from gpf_desktop.engine.commands.about_program import changes, diagnosis, licences, log
from gpf_desktop.settings import crash_notes

KEY = "sk-abcdefghijklmnopqrstuvwx"


def test_that_what_is_new_is_the_list_that_the_project_keeps() -> None:
    kept = (resources().parent / "CHANGELOG.md").read_text(encoding="utf-8")
    assert kept.endswith(changes())
    assert changes().startswith("## ")
    assert "### Help" in changes()


def test_that_the_libraries_that_the_program_needs_are_told_with_terms_and_text() -> None:
    found = {each.name.lower().replace("_", "-"): each for each in licences()}
    assert next(iter(found)) == "gpf desktop"
    assert {"pyside6-essentials", "shiboken6", "numpy", "scipy", "httpx", "inter"} <= set(found)
    assert not {"pytest", "ruff", "mypy", "hypothesis"} & set(found), "tools of developers do not ship"
    for each in found.values():
        assert each.terms, each.name
        assert each.text().startswith(each.name)
    assert found["numpy"].version == distribution("numpy").version
    assert "Redistribution and use in source and binary forms" in found["numpy"].text()


def test_that_the_terms_of_qt_stand_in_full() -> None:
    (qt,) = [each for each in licences() if each.name.lower().startswith("pyside6")]
    said = qt.text()
    assert "you may put other builds of them in their place" in said
    assert "GNU LESSER GENERAL PUBLIC LICENSE" in said
    assert "GNU GENERAL PUBLIC LICENSE" in said


def test_that_a_diagnosis_has_neither_the_home_folder_nor_values_of_the_environment(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("DISPLAY", KEY)
    monkeypatch.chdir(tmp_path)
    said = diagnosis()
    assert "GPF Desktop" in said
    assert "display: DISPLAY=[removed]" in said
    assert KEY not in said
    assert str(tmp_path) not in said
    assert "~" in said


def test_that_the_log_is_told_newest_first_and_redacted(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(crash_notes, "folder", lambda: tmp_path)
    assert log() == ""
    (tmp_path / "crash-20260101-000000-1.txt").write_text("the first", encoding="utf-8")
    (tmp_path / "crash-20260102-000000-1.txt").write_text(f"the second api_key={KEY}", encoding="utf-8")
    said = log()
    assert said.index("the second") < said.index("the first")
    assert KEY not in said
