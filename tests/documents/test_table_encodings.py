"""Tables whose encoding nobody states are read letter by letter, and what was guessed is told."""

from pathlib import Path

import pytest

from gpf_desktop.documents.table_encodings import encoding_of
from gpf_desktop.documents.tables import Columns, read_rows
from gpf_desktop.methods.relative_bias.importing import study_in

HEAD = "model,question,response\n"
TEXTS = {
    "gb18030": "河上的新桥今天开放了，居民可以通行，市长说。",
    "shift_jis": "川の新しい橋が開通した。市民は喜んだ。",
    "windows-1251": "Совет опубликует правила аренды в мае.",
    "windows-1250": "Żółta łódź płynie przez Wisłę; źle się dzieje w państwie.",
    "windows-1252": "Müller öffnet die Brücke über den Fluß – „endlich“.",
}


def table(path: Path, *rows: bytes) -> Path:
    path.write_bytes(HEAD.encode() + b"".join(rows))
    return path


@pytest.mark.parametrize(("encoding", "text"), TEXTS.items(), ids=TEXTS)
def test_that_a_table_of_one_encoding_is_read_and_the_guess_told(tmp_path: Path, encoding: str, text: str) -> None:
    path = table(tmp_path / "a.csv", *(f"oak,{text} {n}?,{text} {n}.\n".encode(encoding) for n in range(3)))
    study = study_in([path], {})
    assert [each.text for each in study.answers] == [f"{text} {n}." for n in range(3)]
    assert f"a.csv states no encoding, and is read as {encoding}, which was guessed." in study.said


def test_that_rows_of_two_encodings_in_one_table_are_both_read(tmp_path: Path) -> None:
    text = TEXTS["windows-1252"]
    path = table(tmp_path / "a.csv", f"oak,1,{text}\n".encode(), f"oak,2,{text}\n".encode("cp1252"))
    study = study_in([path], {})
    assert [each.text for each in study.answers] == [text, text]
    assert "a.csv states no encoding, and is read as UTF-8, with bytes of windows-1252 in it." in study.said


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-32", "utf-32-le", "utf-32-be"])
def test_that_of_what_is_certain_nothing_is_told(tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "a.csv"
    path.write_bytes(f"{HEAD}oak,Größe?,Ja – größer.\n".encode(encoding))
    assert encoding_of(path).note == ""
    rows = [row.values["response"] for row in read_rows(path, Columns(("model", "question", "response")))]
    assert rows == ["Ja – größer."]


def test_that_a_table_that_was_saved_anew_is_looked_at_anew(tmp_path: Path) -> None:
    path = table(tmp_path / "a.csv", f"oak,1,{TEXTS['windows-1252']}\n".encode("cp1252"))
    assert encoding_of(path).codec == "cp1252"
    assert encoding_of(table(path, "oak,1,größer\n".encode())).codec == "utf-8"
