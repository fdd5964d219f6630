"""Inputs that no command can use: a sentence, and the exit code that tells them from what passes."""

import os
from pathlib import Path

import pytest

from gpf_desktop import cli
from gpf_desktop.cli.exits import code_of
from gpf_desktop.domain.errors import StorageError, StorageFault


def run(*arguments: object) -> int:
    return cli.main([str(each) for each in arguments], show_window=lambda _: 0, show_demo=lambda _: 0)


@pytest.mark.skipif(os.name == "nt", reason="Windows deletes no folder that a program runs in")
def test_that_a_folder_that_was_deleted_under_a_command_is_named_as_what_is_wrong(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "gone").mkdir()
    monkeypatch.chdir(tmp_path / "gone")
    (tmp_path / "gone").rmdir()
    for line in (["doctor"], ["plan", "p.toml"], ["tables", tmp_path / "a.gpf", "-o", "tables"], ["a.gpf"]):
        assert run(*line) == 2
        assert "was deleted. Run it again" in capsys.readouterr().err


def test_that_what_passes_is_told_apart_from_what_is_wrong_with_a_file() -> None:
    passes = {StorageFault.LOCKED, StorageFault.FULL, StorageFault.UNREACHABLE, StorageFault.GONE}
    assert {each for each in StorageFault if code_of(StorageError("What.", fault=each)) == 3} == passes


def test_that_an_export_that_no_audit_can_be_made_of_is_not_taken_for_a_zip(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "answers.csv").write_text("cell_id,bundle_id,item_id\n")
    assert run("open", tmp_path, "-o", tmp_path / "made.gpf") == 2
    assert "holds no export" in capsys.readouterr().err


def test_that_texts_of_which_none_can_be_read_are_bad_input(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "text.pdf").write_bytes(b"\x00\x01")
    assert run("sentences", tmp_path / "text.pdf", "--concept", "Velmora", "-o", tmp_path / "s.csv") == 2
    assert "text.pdf was not read" in capsys.readouterr().err
    assert not (tmp_path / "s.csv").exists()


_UNFIT = {
    "empty.xml": b"",
    "marks.xml": b"\xef\xbb\xbf",
    "bytes.xml": bytes(range(256)),
    "broken.xml": b"<rss version='2.0'><channel><item><title>x",
    "page.html": b"<!doctype html><html><body><p>Words.</p></body></html>",
    "deep.json": b"[" * 100_000,
    "packed.xml.gz": b"\x1f\x8b\x08 half",
    "list.opml": b"<opml version='2.0'><body><outline",
}


def test_that_a_file_that_is_no_news_source_is_bad_input(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not what passes: the same command says the same of the same file."""
    plan = tmp_path / "plan.toml"
    for name, body in _UNFIT.items():
        (tmp_path / name).write_bytes(body)
        assert run("fetch", tmp_path / name) == 2, name
        said = capsys.readouterr().err
        assert said.count("\n") == 1
        assert not any(word in said for word in ("again", "Sources page")), said
    plan.write_text(
        "".join(f'[[sources]]\nurl = "{name}"\n' for name in _UNFIT)
        + '[[models]]\nprovider = "calibration"\nmodel = "neutral"\n'
    )
    assert run("run", plan, "--audit", tmp_path / "a.gpf") == 2
    monkeypatch.chdir(tmp_path)
    capsys.readouterr()
    # Nor is it asked for on the network.
    assert run("fetch", "empty.xml/news.xml") == 2
    assert "There is no file empty.xml/news.xml" in capsys.readouterr().err
