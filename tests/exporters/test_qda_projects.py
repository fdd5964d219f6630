"""Coded passages as QDPX: against the standard's schema, and read back by a program that others wrote."""

import zipfile
from datetime import UTC, datetime
from pathlib import Path

import pytest

from gpf_desktop.exporters.qda_projects import (
    PROJECT,
    QdaCode,
    QdaNote,
    QdaProject,
    QdaSelection,
    QdaSource,
    QdaUser,
    write_project,
)
from tests.support.qda import CodedWords, check_schema, read_project

NOON = datetime(2026, 11, 28, 12, tzinfo=UTC)
ODD = "First\r\nline \U0001f600 \x00 <b>&amp; \ud800 naïve\rend"


def project(*, codes: bool = True) -> QdaProject:
    second = ODD.index("naïve")
    return QdaProject(
        name="Evening <round> & more",
        origin="GPF Desktop",
        made=NOON,
        users=(QdaUser(key="ana", name="Ana"), QdaUser(key="ben", name="Ben \x07")),
        codes=(
            QdaCode(key="a", name="Talks down", description="When it explains.\nExample: see, dear"),
            QdaCode(key="b", name="Ünïcode \U0001f600", description=""),
        )
        if codes
        else (),
        sources=(
            QdaSource(
                key="1",
                name="1 · elm",
                text=ODD,
                values=(("model", "elm"), ("identity", "Student")),
                selections=(
                    QdaSelection(
                        start=second,
                        end=second + 5,
                        user="ana",
                        codes=("a", "b") if codes else (),
                        comment="so <naïve>",
                    ),
                    QdaSelection(start=0, end=5, user="ben", codes=(), comment=""),
                ),
                notes=("m",),
            ),
            QdaSource(key="2", name="2 · elm", text="Nothing marked", values=(), selections=()),
        ),
        notes=(
            QdaNote(key="m", name="Memo", text="About the item", user="ana", at=NOON, of_project=False),
            QdaNote(key="s", name="Memo", text="About the study", user="ben", at=NOON, of_project=True),
        ),
    )


@pytest.mark.parametrize("codes", [True, False])
def test_that_the_project_is_valid_by_the_schema_of_the_standard(tmp_path: Path, codes: bool) -> None:
    write_project(project(codes=codes), tmp_path / "a.qdpx")
    check_schema(tmp_path / "a.qdpx")
    with zipfile.ZipFile(tmp_path / "a.qdpx") as opened:
        assert opened.namelist()[0] == PROJECT


def test_that_another_program_finds_each_passage_with_its_codes_and_its_author(tmp_path: Path) -> None:
    write_project(project(), tmp_path / "a.qdpx")
    read = read_project(tmp_path / "a.qdpx", tmp_path / "out")
    assert read.codes == {"Talks down": "When it explains.\nExample: see, dear", "Ünïcode \U0001f600": None}
    assert read.passages == (
        CodedWords("1 · elm", "naïve", frozenset({"Talks down", "Ünïcode \U0001f600"}), "Ana", "so <naïve>"),
        CodedWords("1 · elm", "First", frozenset(), "Ben ␇", ""),
    )
    assert read.memos == ("About the item", "About the study")
    assert read.sources == ("1 · elm", "2 · elm")


def test_that_equal_projects_are_equal_files(tmp_path: Path) -> None:
    for name in ("a", "b"):
        write_project(project(), tmp_path / name)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()
