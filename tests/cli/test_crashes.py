"""What nobody expected has an exit code of its own, a sentence and a file; what a bad audit file holds is bad input."""

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from gpf_desktop.__main__ import main
from gpf_desktop.engine.commands import sample
from gpf_desktop.engine.methods.gpf_livenews.instrument import InstrumentCheck
from gpf_desktop.settings import crash_notes
from gpf_desktop.storage.audit_file import AuditFile

KEY = "canary0123456789juniper"


def crash(monkeypatch: pytest.MonkeyPatch, words: str) -> int:
    def broken(_self: InstrumentCheck) -> None:
        raise ZeroDivisionError(words)

    monkeypatch.setattr(InstrumentCheck, "run", broken)
    return main(["check"])


@pytest.fixture
def notes(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.setattr(crash_notes, "folder", lambda: tmp_path / "log")
    return tmp_path / "log"


def test_that_a_crash_is_70_one_sentence_and_a_file_without_keys(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], notes: Path
) -> None:
    monkeypatch.setenv("SOME_VARIABLE", KEY)
    assert crash(monkeypatch, f"sent {KEY} and Bearer abcdefghijkl") == 70
    said = capsys.readouterr()
    (kept,) = notes.iterdir()
    assert said.err.startswith("gpf-desktop: Something went wrong inside the program (ZeroDivisionError)")
    assert said.err.endswith(f" {kept}\n")
    assert said.err.count("\n") == 1
    details = kept.read_text(encoding="utf-8")
    assert "ZeroDivisionError: sent [removed] and Bearer [removed]" in details
    assert "Traceback" in details
    assert KEY not in details
    assert kept.stat().st_mode & 0o077 == 0


def test_that_a_crash_is_told_where_nothing_can_be_written(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], notes: Path
) -> None:
    notes.write_text("a file stands where the folder should be")
    assert crash(monkeypatch, "") == 70
    assert "could not be written to the disk" in capsys.readouterr().err


def test_that_old_crashes_are_not_kept_for_ever(monkeypatch: pytest.MonkeyPatch, notes: Path) -> None:
    notes.mkdir()
    for number in range(30):
        (notes / f"crash-2020010{number % 10}-{number:06}-1.txt").touch()
    assert crash(monkeypatch, "") == 70
    assert len(list(notes.iterdir())) == 20
    assert any("crash-2020" not in path.name for path in notes.iterdir())


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return sample.unpack_sample(tmp_path_factory.mktemp("sample") / "a.gpf")


@pytest.mark.slow
@pytest.mark.parametrize(
    "change",
    [
        "UPDATE run SET state = 'flying'",
        "UPDATE run SET created_at = 'yesterday'",
        "UPDATE run_model SET endpoint = '{'",
        "UPDATE run_model SET endpoint = '[]'",
        'UPDATE run_model SET endpoint = \'{"provider": "x"}\'',
        "UPDATE run_model SET not_supported = 'no list'",
        "UPDATE audit SET title = CAST(x'ff00fe' AS TEXT)",
        "UPDATE run SET name = CAST(x'80' AS TEXT)",
        "DELETE FROM coordinate_set WHERE id = 1",
        "DELETE FROM batch_item",
        "UPDATE run SET created_at = '2026-11-20T08:00:00'",
    ],
)
def test_that_bad_words_in_an_audit_file_are_bad_input(
    change: str, unpacked: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    audit = shutil.copy(unpacked, tmp_path)
    with closing(sqlite3.connect(audit)) as connection:
        connection.execute(change)
        connection.commit()
    assert main(["demo", str(audit), "--no-window"]) == 2
    said = capsys.readouterr().err
    assert "is damaged" in said
    assert said.count("\n") == 1


def test_that_an_audit_that_is_whole_is_not_blamed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], notes: Path, tmp_path: Path
) -> None:
    audit = tmp_path / "a.gpf"
    AuditFile.create(audit, title="Whole").close()

    def broken(*_given: object) -> None:
        raise KeyError("ours")

    monkeypatch.setattr("gpf_desktop.engine.commands.assign_command.assign", broken)
    assert main(["assign", str(audit)]) == 70
    assert str(notes) in capsys.readouterr().err
    with closing(sqlite3.connect(audit)) as connection:
        connection.execute("UPDATE audit SET created_at = 'long ago'")
        connection.commit()
    assert main(["assign", str(audit)]) == 2
    assert "audit.created_at holds what cannot be read" in capsys.readouterr().err
