"""Files of which a part cannot be read, that hold more than a table, or are not what they are called."""

import csv
import json
from pathlib import Path

import pytest
from openpyxl import Workbook

from gpf_desktop.documents.answer_files import read_answer_rows
from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.imported_endings import as_ended
from gpf_desktop.methods.relative_bias.importing import study_in


def test_that_a_broken_line_is_left_out_by_its_number_and_a_file_of_such_lines_refused(tmp_path: Path) -> None:
    good = json.dumps({"model": "elm", "question": "What?", "response": "A boat."})
    table = tmp_path / "t.jsonl"
    table.write_text("\n".join((good, good[:30], "[1]", good.replace("elm", "oak"))), encoding="utf-8")
    study = study_in([table], {})
    assert [each.model for each in study.answers] == ["elm", "oak"]
    assert [(each.line, each.why) for each in study.problems] == [
        (2, "the line is not read as a JSON object: character 30: Unterminated string starting at"),
        (3, "the line is not read as a JSON object: JSON, but not an object"),
    ]
    table.write_text(good[:30] + "\n" + good[:20], encoding="utf-8")
    with pytest.raises(UserError, match="Line 1 is not a JSON object"):
        study_in([table], {})


def test_that_a_list_within_objects_is_read_with_what_is_said_of_all_of_it(tmp_path: Path) -> None:
    rows = [{"question": "What?", "answer": "A boat."}, {"question": "Why?", "answer": "For water."}]
    table = tmp_path / "t.json"
    table.write_text(json.dumps({"run": {"model": "elm", "by": {"name": "Ann"}, "items": rows}, "version": 2}))
    assert [(each.model, each.text) for each in study_in([table], {}).answers] == [
        ("elm", "A boat."),
        ("elm", "For water."),
    ]
    table.write_text(json.dumps({"one": rows, "other": rows}))
    with pytest.raises(UserError, match=r"say: Model.* columns are name, question, answer.* model = \"name\""):
        study_in([table], {})


@pytest.mark.parametrize(
    ("name", "body", "said"),
    [
        ("t.xlsx", b"%PDF-1.7", "it is a PDF"),
        ("t.parquet", b"PK\x03\x04", "it is a workbook or another archive"),
        ("t.ods", b"%PDF-1.7", "it is a PDF"),
        ("t.json", b"", "t.json is empty"),
    ],
)
def test_that_a_file_under_another_kind_s_name_is_told_by_what_it_is(
    tmp_path: Path, name: str, body: bytes, said: str
) -> None:
    (tmp_path / name).write_bytes(body)
    with pytest.raises(UserError, match=said):
        list(read_answer_rows(tmp_path / name))


def test_that_scores_that_no_judge_can_have_given_are_no_marks(tmp_path: Path) -> None:
    table = tmp_path / "t.csv"
    table.write_text("model,question,answer,score\nelm,What?,A boat.,0.5\noak,What?,A ship.,\n", encoding="utf-8")
    study = study_in([table], {})
    assert [each.model for each in study.answers] == ["elm", "oak"]
    assert (
        "Marks that were not read: no judge model is named, and not all are whole numbers from 1 to 10." in study.said
    )
    table.write_text("model,question,answer,score\nelm,What?,A boat.,1\noak,What?,A ship.,1\n", encoding="utf-8")
    assert len(study_in([table], {}).answers) == 2, "a test that was passed, and no mark"
    # Marks they may be, so that somebody has to say whose.
    table.write_text("model,question,answer,score\nelm,What?,A boat.,5\n", encoding="utf-8")
    with pytest.raises(UserError, match="no judge model") as refused:
        study_in([table], {})
    assert "“judge”" in refused.value.remedy
    assert [each.model for each in study_in([table], {"judge": "fir"}).answers] == ["elm", "fir"]


def test_that_a_gateway_s_page_is_the_error_that_it_tells_and_a_page_that_was_written_is_an_answer() -> None:
    for page in (
        "<html>\r\n<head><title>502 Bad Gateway</title></head>\r\n<body><center><h1>502 Bad Gateway</h1>",
        "<!DOCTYPE html><html><head><title>api.example.org | 504: Gateway time-out</title></head></html>",
        "<html><body>\n503 Service Temporarily Unavailable</body></html>",
    ):
        came = as_ended(page)
        assert (came.text, came.missing, came.detail) == ("", "HTTP error", page)
    for page in ("<html><body>500 people met.</body></html>", "A 502 Bad Gateway is <html>, says <title>502 Bad"):
        assert as_ended(page).text == page


@pytest.mark.parametrize("name", ["a.jsonl", "a.csv"])
def test_that_a_page_in_an_answer_s_place_makes_no_page_of_its_table(name: str, tmp_path: Path) -> None:
    page = "<!doctype html><html><body>502 Bad Gateway</body></html>"
    path = tmp_path / name
    lines = [json.dumps({"model": "elm", "question": "So?", "response": page})]
    path.write_text("\n".join(lines if name.endswith("l") else ["model,question,response", f"elm,So?,{page}"]))
    (row,) = read_answer_rows(path)
    assert row.values["response"] == page


def test_that_questions_with_their_answers_may_stand_under_who_answered(tmp_path: Path) -> None:
    table = tmp_path / "a.json"
    asked = [{"question": "So?", "answer": "Yes."}, {"question": "And now?", "answer": "No."}]
    nested = [{"q": {"question": each["question"]}, "a": {"answer": each["answer"]}} for each in asked]
    for entries in (asked, nested):
        table.write_text(json.dumps({"run": {"by": [{"model": name, "items": entries} for name in ("elm", "oak")]}}))
        rows = [row.values for row in read_answer_rows(table)]
        assert [row["model"] for row in rows] == ["elm", "elm", "oak", "oak"]
        assert [next(text for name, text in row.items() if name.endswith("answer")) for row in rows] == [
            "Yes.", "No.", "Yes.", "No.",
        ]  # fmt: skip


def test_that_a_list_of_answers_is_texts_and_no_list_is_an_answer(tmp_path: Path) -> None:
    records = (
        {"question": "One?", "response": ["Yes, «he» may."]},
        {"question": "Two?", "response": ["Yes.", {"text": "Не."}]},
        {"question": "Three?", "response": [{"turns": ["Так.", "No."]}]},
        {"question": "Four?", "response": "So.", "outputs": ["So", "."]},
    )
    path = tmp_path / "t.jsonl"
    path.write_text("".join(json.dumps({"model": "oak", **each}) + "\n" for each in records), "utf-8")
    study = study_in([path], {})
    assert [(each.text, each.answer.repeat, each.missing) for each in study.answers] == [
        ("Yes, «he» may.", 0, ""),
        ("Yes.", 0, ""),
        ("Не.", 1, ""),
        ("", 0, "unreadable"),
        ("So.", 0, ""),
    ]
    assert study.answers[3].detail.startswith("a list or an object stands where a text should: [{")


def test_that_messages_that_python_printed_are_not_taken_for_a_question(tmp_path: Path) -> None:
    asked = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": 'Чому ж "it\'s" so?'}]
    with (tmp_path / "t.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([("model", "messages", "output"), ("oak", str(asked), "Так.")])
    study = study_in([tmp_path / "t.csv"], {})
    assert [item.title for item in study.items] == ['Чому ж "it\'s" so?']


def test_that_a_formula_without_a_value_is_told_beside_words_of_another_script(tmp_path: Path) -> None:
    book = Workbook()
    for row in (("model", "question", "response"), ("oak", "Чому?", "=A1"), ("elm", "Чому?", "Так.")):
        book.active.append(row)
    book.save(tmp_path / "t.xlsx")
    told = {each.model: (each.text, each.missing) for each in study_in([tmp_path / "t.xlsx"], {}).answers}
    assert told == {"elm": ("Так.", ""), "oak": ("", "unreadable")}
