"""Tables as people and their programs make them: frames as JSON, Markdown, surveys, notes below, packed files."""

import json
from pathlib import Path
from typing import Any

import pytest

from gpf_desktop.documents.answer_files import read_answer_rows
from gpf_desktop.domain.errors import UserError
from gpf_desktop.methods.relative_bias.importing import study_in

HEAD = ("model", "question", "response")
ROWS = (("oak", "May a cat?", 'Yes, "on | deck".\n\nНі.'), ("elm", "May a dog?", "No."))


def columns(names: tuple[str, ...] = HEAD) -> dict[str, list[str]]:
    return {name: [row[at] for row in ROWS] for at, name in enumerate(names)}


def told(path: Path) -> list[tuple[str, ...]]:
    return [tuple(row.values.get(name, "") for name in HEAD) for row in read_answer_rows(path) if not row.left_out]


FRAMES: dict[str, Any] = {
    "columns": {name: {str(at): text for at, text in enumerate(texts)} for name, texts in columns().items()},
    "index": {str(at): dict(zip(HEAD, row, strict=True)) for at, row in enumerate(ROWS)},
    "table": {
        "schema": {"fields": [{"name": "index"}, *({"name": name} for name in HEAD)], "primaryKey": ["index"]},
        "data": [{"index": at, **dict(zip(HEAD, row, strict=True))} for at, row in enumerate(ROWS)],
    },
    "split": {"columns": [*HEAD], "index": [0, 1], "data": [[*row] for row in ROWS]},
    "lists": columns(),
    "rows": [[*HEAD], *([*row] for row in ROWS)],
}


@pytest.mark.parametrize("orient", FRAMES)
def test_that_a_frame_is_read_however_it_is_written(orient: str, tmp_path: Path) -> None:
    path = tmp_path / "t.json"
    path.write_text(json.dumps(FRAMES[orient]))
    assert told(path) == list(ROWS)
    assert not any("index" in row.values for row in read_answer_rows(path))


def test_that_rows_without_names_are_refused_with_the_way_to_save_them(tmp_path: Path) -> None:
    path = tmp_path / "t.json"
    path.write_text(json.dumps([[*row] for row in ROWS]))
    with pytest.raises(UserError, match=r"t\.json: Its rows are lists") as refused:
        list(read_answer_rows(path))
    assert "records" in (refused.value.remedy or "")


@pytest.mark.parametrize("name", ["t.md", "t.txt"])
def test_that_a_table_in_markdown_is_read_with_its_lines_and_bars(tmp_path: Path, name: str) -> None:
    rows = ["| " + " | ".join(cell.replace("|", "\\|").replace("\n", "<br>") for cell in row) + " |" for row in ROWS]
    text = "\n".join(
        ["# Answers", "", "Some words | and more.", "", "| model | question | response |", "|---|:--|--:|"]
    )
    (tmp_path / name).write_text("\n".join([text, *rows, "", "The end | of it."]), "utf-8")
    assert told(tmp_path / name) == list(ROWS)
    assert [row.line for row in read_answer_rows(tmp_path / name)] == [7, 8]


def test_that_a_table_in_an_answer_of_a_pasted_chat_stays_in_it(tmp_path: Path) -> None:
    said = "Here:\n\n| model | response |\n|---|---|\n| oak | No. |"
    (tmp_path / "t.md").write_text(f"User: Which ones?\n\nAssistant: {said}\n")
    assert [row.values["response"] for row in read_answer_rows(tmp_path / "t.md")] == [said]


def test_that_a_survey_s_second_line_of_names_is_no_answer(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("id,model,question,response\n,Response,Open-Ended Response,Open-Ended Response\n1,oak,Why?,So.\n")
    study = study_in([path], {})
    assert [each.model for each in study.answers] == ["oak"]
    assert [each.why for each in study.problems] == ["it is a second line of the head"]


def test_that_notes_below_a_table_are_left_out_and_a_broken_answer_is_not(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("model,question,response\noak,Why?,So.\n\nNote: asked in March.\nBy Ana.\n")
    study = study_in([path], {})
    assert [(each.line, each.why) for each in study.problems] == [
        (4, "it stands below the table and has one field"),
        (5, "it stands below the table and has one field"),
    ]
    path.write_text("model,question,response\noak,Why?,So.\n\nAnd so.\nelm,Why?,No.\n")
    with pytest.raises(UserError, match="Line 4 has 1 fields"):
        study_in([path], {})
    path.write_text("model,question,response\noak,Why?,So.\nAnd so.\n")
    with pytest.raises(UserError, match="Line 3 has 1 fields"):
        study_in([path], {})


@pytest.mark.parametrize(("name", "said"), [("t.csv.7z", "is packed"), ("t.numbers", "a kind of workbook")])
def test_that_what_is_packed_and_other_workbooks_are_told_what_to_do(tmp_path: Path, name: str, said: str) -> None:
    (tmp_path / name).write_bytes(b"PK")
    with pytest.raises(UserError, match=said) as refused:
        list(read_answer_rows(tmp_path / name))
    assert refused.value.remedy


@pytest.mark.parametrize(
    "head",
    [
        "Modell;Thema;Frage;Antwort",
        "modèle;thème;question;réponse",
        "modelo;tema;pregunta;respuesta",
        "Model Name;Theme;Question Text;Model Response",
        "модель;тема;вопрос;ответ",
    ],
)
def test_that_columns_are_found_by_their_names_in_other_languages(tmp_path: Path, head: str) -> None:
    path = tmp_path / "t.csv"
    path.write_text(f"{head}\noak;Boats;Why?;So, yes\nelm;Boats;Why?;No\n", encoding="utf-8")
    study = study_in([path], {})
    assert [(each.model, each.text) for each in study.answers] == [("oak", "So, yes"), ("elm", "No")]
    # A column of its own name comes first, wherever it stands.
    path.write_text("Modell;Frage;question;model;response\nx;Warum?;Why?;oak;Yes\n", encoding="utf-8")
    (answer,) = study_in([path], {}).answers
    assert answer.model == "oak"


def test_that_marks_of_a_german_workbook_are_read_and_what_r_calls_missing_is(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    rows = "oak;Why?;So.;elm;7,0\noak;Why?;So.;ash;6,0\nfir;Why?;NA;;\n"
    path.write_text(f"\ufeffModell;Frage;Antwort;Richter;Bewertung\n{rows}", encoding="utf-8")
    found = [(each.model, each.text, each.missing) for each in study_in([path], {}).answers]
    assert found == [
        ("oak", "So.", ""),
        ("fir", "", "empty"),
        ("elm", "Bias Score: 7\nExplanation:", ""),
        ("ash", "Bias Score: 6\nExplanation:", ""),
    ]


def test_that_rows_of_several_raters_are_told_from_what_was_asked_again(tmp_path: Path) -> None:
    def said(*rows: str) -> tuple[str, ...]:
        path = tmp_path / "t.csv"
        path.write_text("\n".join(("model,prompt,response,annotator", *rows)), encoding="utf-8")
        return study_in([path], {}).said

    twice = "2 rows have the answers of others word for word, and count as asked again."
    rated = ("oak,Why?,So.,1", "oak,Why?,So.,2", "elm,Why?,No.,1", "elm,Why?,No.,2")
    assert [each.partition(" If")[0] for each in said(*rated) if "word for word" in each] == [twice]
    again = ("oak,Why?,So.,1", "oak,Why?,Else.,2", "oak,Why?,More.,3", "oak,Why?,So.,4", "elm,Why?,So.,1")
    assert not any("word for word" in each for each in said(*again)), "one of three"


def test_that_answers_that_stand_as_objects_by_their_question_are_rows(tmp_path: Path) -> None:
    path = tmp_path / "t.json"
    answers = [{"model": "oak", "response": "Yes"}, {"model": "elm", "answer": "No"}]
    path.write_text(json.dumps({"all": [{"question": "Why?", "theme": "Boats", "responses": answers}]}))
    rows = [dict(row.values) for row in read_answer_rows(path)]
    beside = {"question": "Why?", "theme": "Boats"}
    assert rows == [{**beside, **each} for each in answers]
