"""Inspect's logs as today's Inspect packs them, and tables that number their news."""

import json
import zipfile
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path

import pyarrow
import pytest

from gpf_desktop.documents import answer_files
from gpf_desktop.documents.answer_files import read_answer_rows
from gpf_desktop.documents.tables import TableRow
from gpf_desktop.domain.errors import UserError
from gpf_desktop.methods.gpf_livenews.importing import study_in

ZSTANDARD = 93
HEADER = {"version": 2, "eval": {"task": "news", "model": "mockllm/model"}}


def sample(number: int) -> dict[str, object]:
    answer = {"message": {"role": "assistant", "content": f"Answer {number}. " * 40}, "stop_reason": "stop"}
    return {"id": number, "epoch": 1, "input": f"Question {number}", "output": {"choices": [answer]}}


PARTS = {"header.json": json.dumps(HEADER).encode()} | {
    f"samples/{number}_epoch_1.json": json.dumps(sample(number)).encode() for number in range(3)
}


def deflated(path: Path, spoil: Callable[[zipfile.ZipInfo], None] = lambda part: None) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, body in PARTS.items():
            archive.writestr(name, body)
            spoil(archive.getinfo(name))
    return path


def zstandard(path: Path, spoil: Callable[[zipfile.ZipInfo], None] = lambda part: None) -> Path:
    """Parts packed with Zstandard, which `zipfile` writes from Python 3.14 on only: stored packed, and told so."""
    with zipfile.ZipFile(path, "w") as archive:
        for name, body in PARTS.items():
            archive.writestr(name, pyarrow.compress(body, codec="zstd", asbytes=True))
            part = archive.getinfo(name)
            part.compress_type, part.file_size, part.CRC = ZSTANDARD, len(body), zlib.crc32(body)
            spoil(part)
    return path


def test_that_a_log_packed_with_zstandard_has_the_rows_of_one_packed_by_deflate(tmp_path: Path) -> None:
    rows = list(read_answer_rows(zstandard(tmp_path / "new.eval")))
    assert rows == list(read_answer_rows(deflated(tmp_path / "old.eval")))
    assert [row.values["prompt"] for row in rows] == ["Question 0", "Question 1", "Question 2"]
    assert rows[2].values["response"].startswith("Answer 2. Answer 2.")


@pytest.mark.parametrize("odd", [{}, {"0": 1}, "x", 3, [], [3], [[]], [None], None, True, 1e999])
def test_that_a_log_of_an_odd_shape_is_read_or_refused(odd: object, tmp_path: Path) -> None:
    shapes: list[object] = [
        {"eval": {"model": "m"}, "samples": [{"id": 1, "output": {"choices": odd}}]},
        {"eval": {"model": odd}, "samples": [{"id": odd, "epoch": odd, "input": odd, "messages": odd, "output": odd}]},
        {"results": {"results": [{"provider": odd, "prompt": odd, "vars": odd, "response": odd, "error": odd}, odd]}},
        [{"model": odd, "response": {"text": odd}}],
    ]
    for shape in shapes:
        (tmp_path / "a.json").write_text(json.dumps(shape), encoding="utf-8")
        assert len(list(read_answer_rows(tmp_path / "a.json"))) >= 1
    bad = {"0": "a" * 10}
    (tmp_path / "a.json").write_text(json.dumps(bad), encoding="utf-8")
    with pytest.raises(UserError, match=r"a\.json"):
        list(read_answer_rows(tmp_path / "a.json"))


def test_that_whatever_a_reader_trips_over_is_told_of_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for error in (KeyError("x"), TypeError("x"), RecursionError("x"), OverflowError("x"), AttributeError("x")):

        def trips(_path: Path, _go_on: object, error: Exception = error) -> Iterator[TableRow]:
            yield TableRow(1, {"a": "b"})
            raise error

        monkeypatch.setattr(answer_files, "_reader", lambda _path, _start, trips=trips: trips)
        with pytest.raises(UserError, match=r"a\.csv is not of the shape that it should have, after 1 rows"):
            list(read_answer_rows(tmp_path / "a.csv"))


def shorter(part: zipfile.ZipInfo) -> None:
    part.file_size -= 1


def longer(part: zipfile.ZipInfo) -> None:
    part.file_size += 1


def otherwise(part: zipfile.ZipInfo) -> None:
    part.CRC ^= 1


def elsewhere(part: zipfile.ZipInfo) -> None:
    part.header_offset += 7


@pytest.mark.parametrize("spoil", [shorter, longer, otherwise, elsewhere])
@pytest.mark.parametrize("packed", [deflated, zstandard])
def test_that_a_log_whose_parts_are_not_what_it_says_is_refused(
    tmp_path: Path, spoil: Callable[[zipfile.ZipInfo], None], packed: Callable[..., Path]
) -> None:
    with pytest.raises(UserError, match="cannot be read as Inspect"):
        list(read_answer_rows(packed(tmp_path / "bad.eval", spoil)))


def test_that_news_is_called_by_its_headline_where_the_table_numbers_it_too(tmp_path: Path) -> None:
    rows = [
        {"model": "a/x", "article": f"{article}", "headline": headline, "identity": identity, "response": "Yes."}
        for article, headline in ((1, "Council decides"), (2, "Council decides"), (3, ""))
        for identity in ("Hindu", "Muslim")
    ]
    table = tmp_path / "t.jsonl"
    table.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    study = study_in([table], {}, lambda _doing, _done, _of: None)
    assert [item.title for item in study.items] == ["Council decides", "Council decides", "3"]


def test_that_answers_under_two_system_prompts_are_told_and_can_be_kept_apart(tmp_path: Path) -> None:
    rows = [
        {"model": "a/x", "headline": "Council decides", "identity": who, "response": "Yes.", "system": system}
        for who in ("Hindu", "Muslim")
        for system in ("Be brief.", "Be kind.")
    ]
    table = tmp_path / "t.jsonl"
    table.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    as_one = study_in([table], {}, lambda _doing, _done, _of: None)
    assert "The same questions stand there with 2 system prompts (system)." in as_one.said
    apart = study_in([table], {"by": "system"}, lambda _doing, _done, _of: None)
    assert {each.model for each in apart.answers} == {"a/x · system Be brief.", "a/x · system Be kind."}
    assert not any("system prompts" in said for said in apart.said)
    with pytest.raises(UserError, match="no further column “model”") as error:
        study_in([table], {"by": "model"}, lambda _doing, _done, _of: None)
    assert error.value.remedy == "It has system."


def test_that_half_a_character_in_a_name_or_a_text_is_marked_and_read(tmp_path: Path) -> None:
    (tmp_path / "t.jsonl").write_text('{"model": "a\\ud800", "q\\udfff": "b"}\n', encoding="utf-8")
    (row,) = read_answer_rows(tmp_path / "t.jsonl")
    assert dict(row.values) == {"model": "a?", "q?": "b"}
