import csv
import json
import random
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from openpyxl import Workbook

from gpf_desktop.domain.errors import StorageError, UserError
from gpf_desktop.domain.protocol import FitScope
from gpf_desktop.domain.tables import ScoredAnswers, Table
from gpf_desktop.engine.commands.score_command import score_file
from gpf_desktop.engine.scoring.method_tables import write_table
from gpf_desktop.methods.gpf_livenews.file_tables import OUTPUT_COLUMNS
from gpf_desktop.methods.gpf_livenews.required_reading import SHORT
from tests.methods.gpf_livenews.scorers.bundles import conformance

COLUMNS = (
    *("model", "article", "condition", "dimension", "identity"),
    *("family", "paraphrase", "repeat", "response"),
)
TABLE = conformance("bundles.json")
ROWS: list[dict[str, str]] = [{name: str(value) for name, value in row.items()} for row in TABLE["rows"]]


def write_csv(path: Path, rows: list[dict[str, str]], *, encoding: str = "utf-8", delimiter: str = ",") -> Path:
    with path.open("w", encoding=encoding, newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]), delimiter=delimiter)
        writer.writeheader()
        writer.writerows(rows)
    return path


def score_table(
    rows: Sequence[Mapping[str, str]], *, scope: FitScope = FitScope.ARTICLE, rarefy: int = 5
) -> list[dict[str, Any]]:
    with TemporaryDirectory() as folder:
        source = write_csv(Path(folder) / "answers.csv", [dict(row) for row in rows])
        (table,) = made_of(source, scope=scope, rarefy=rarefy).tables.values()
    return [dict(zip(table.columns, row, strict=True)) for row in table.rows]


def made_of(source: Path, *, scope: FitScope = FitScope.ARTICLE, rarefy: int = 5) -> ScoredAnswers:
    return score_file("gpf-livenews", source, {"scope": scope.value, "rarefy": str(rarefy)})


def scored(source: Path, *, scope: FitScope = FitScope.ARTICLE, rarefy: int = 5) -> list[dict[str, str]]:
    target = source.with_name("scores.csv")
    (table,) = made_of(source, scope=scope, rarefy=rarefy).tables.values()
    write_table(table, target)
    with target.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def assert_conforms(rows: list[dict[str, str]], scope: FitScope) -> None:
    expected = {(row["article"], row["family"], row["dimension"]): row for row in TABLE["expected"][scope]}
    assert len(rows) == len(expected)
    for row in rows:
        wanted = expected[row["article"], row["family"], row["dimension"]]
        assert int(row["valid"]) == wanted["n"]
        for name in OUTPUT_COLUMNS[8:]:
            if wanted[name] is None:
                assert row[name] == "", name
            else:
                assert float(row[name]) == pytest.approx(wanted[name], abs=1e-9, rel=0), name


@pytest.mark.parametrize("scope", [FitScope.ARTICLE, FitScope.BUNDLE])
def test_that_a_table_gets_the_reference_scores(tmp_path: Path, scope: FitScope) -> None:
    assert_conforms(scored(write_csv(tmp_path / "answers.csv", ROWS), scope=scope), scope)


def test_that_rows_may_stand_in_any_order(tmp_path: Path) -> None:
    rows = ROWS.copy()
    random.Random(5).shuffle(rows)
    assert_conforms(scored(write_csv(tmp_path / "answers.csv", rows)), FitScope.ARTICLE)


def test_that_json_lines_give_the_same_scores_as_csv(tmp_path: Path) -> None:
    source = tmp_path / "answers.jsonl"
    source.write_text("\n".join(json.dumps(row) for row in TABLE["rows"]), encoding="utf-8")
    assert scored(source) == scored(write_csv(tmp_path / "answers.csv", ROWS))


def test_that_a_workbook_gives_the_same_scores_as_csv(tmp_path: Path) -> None:
    book = Workbook()
    sheet = book.create_sheet("Answers", 0)
    sheet.append([*ROWS[0], None])
    for row in ROWS:
        sheet.append([int(text) if name in {"paraphrase", "repeat"} else text for name, text in row.items()])
    sheet.append([None, ""])
    book.save(tmp_path / "a.xlsx")
    assert scored(tmp_path / "a.xlsx") == scored(write_csv(tmp_path / "b.csv", ROWS))


@pytest.mark.parametrize("name", ["a.xls", "a.ods", "a.parquet"])
def test_that_a_table_of_another_kind_is_refused_by_name(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(b"PK\x03\x04")
    with pytest.raises(UserError, match=name.partition(".")[2]):
        scored(tmp_path / name)


def test_that_a_workbook_that_is_none_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.xlsx").write_bytes(b"PK\x03\x04 and no more")
    with pytest.raises(UserError, match="cannot be read as XLSX"):
        scored(tmp_path / "a.xlsx")


def test_that_the_written_table_has_the_documented_columns_and_full_precision(tmp_path: Path) -> None:
    target = tmp_path / "scores.csv"
    done = made_of(write_csv(tmp_path / "a.csv", ROWS))
    written = scored(tmp_path / "a.csv")
    assert target.read_text(encoding="utf-8").splitlines()[0] == (
        "model,article,condition,dimension,family,paraphrase,planned,valid,semantic_dispersion,noise,"
        "counterfactual_framing,sentiment_range,sentiment_mad,sentiment_range_rarefied,semantic_silhouette,"
        "sentiment_silhouette"
    )
    for row, wanted in zip(written, score_table(ROWS), strict=True):
        assert [row[name] for name in OUTPUT_COLUMNS[8:]] == [
            "" if wanted[name] is None else repr(wanted[name]) for name in OUTPUT_COLUMNS[8:]
        ]
    counts = {"answers": len(ROWS), "bundles": 7, "unscored": 0}
    assert done.counted == {**counts, "scope": "article", "rarefy": 5}
    assert done.said[0] == "Scored 7 sets of 43 answers."
    assert [path.name for path in tmp_path.iterdir() if path.name.endswith(".part")] == []


def test_that_a_name_like_a_formula_stays_text(tmp_path: Path) -> None:
    source = write_csv(tmp_path / "answers.csv", [{**row, "model": "=cmd|' /C calc'!A0"} for row in ROWS])
    assert {row["model"] for row in scored(source)} == {"'=cmd|' /C calc'!A0"}


def test_that_condition_paraphrase_and_repeat_may_be_missing_or_empty(tmp_path: Path) -> None:
    first = [row for row in ROWS if row["repeat"] == "0"]
    bare = [{name: row[name] for name in row if name not in {"condition", "paraphrase", "repeat"}} for row in first]
    empty = [row | {"condition": "", "paraphrase": " ", "repeat": ""} for row in first]
    full = list(score_table(first))
    assert list(score_table(bare)) == full
    assert list(score_table(empty)) == full
    assert {row["condition"] for row in full} == {"identity"}


def test_that_an_empty_response_is_planned_and_not_valid() -> None:
    (row,) = [row for row in score_table(ROWS) if row["dimension"] == "two answers, one missing"]
    assert (row["planned"], row["valid"]) == (3, 2)


def test_that_a_bundle_without_any_answer_keeps_its_row_and_is_counted(tmp_path: Path) -> None:
    rows = [row | {"response": ""} for row in ROWS[:5]]
    (row,) = score_table(rows)
    assert (row["planned"], row["valid"], row["semantic_dispersion"]) == (5, 0, None)
    source = write_csv(tmp_path / "answers.csv", rows)
    done = made_of(source)
    assert done.said[1] == "1 set has fewer than two valid answers and no scores."


def test_that_the_run_scope_fits_all_answers_of_the_file() -> None:
    by_run = {row["dimension"]: row for row in score_table(ROWS, scope=FitScope.RUN)}
    by_article = {row["dimension"]: row for row in score_table(ROWS)}
    assert by_run.keys() == by_article.keys()
    assert by_run["five answers"]["semantic_dispersion"] != by_article["five answers"]["semantic_dispersion"]
    assert by_run["five answers"]["sentiment_range"] == by_article["five answers"]["sentiment_range"]


def test_that_the_rarefied_size_is_an_option() -> None:
    rows = {row["dimension"]: row for row in score_table(ROWS, rarefy=9)}
    assert rows["nine answers"]["sentiment_range_rarefied"] == rows["nine answers"]["sentiment_range"]
    assert rows["five answers"]["sentiment_range_rarefied"] is None


@pytest.mark.parametrize(
    ("encoding", "delimiter"), [("utf-8-sig", ","), ("utf-16", "\t"), ("cp1252", ";"), ("utf-8", ";")]
)
def test_that_encodings_and_delimiters_of_spreadsheets_are_read(tmp_path: Path, encoding: str, delimiter: str) -> None:
    rows = [row | {"response": f"Café — {row['response']}"} for row in ROWS if row["response"].isascii()]
    source = write_csv(tmp_path / "answers.csv", rows, encoding=encoding, delimiter=delimiter)
    assert scored(source) == scored(write_csv(tmp_path / "plain.csv", rows))


def test_that_odd_bytes_and_very_long_answers_are_scored(tmp_path: Path) -> None:
    rows = [dict(row) for row in ROWS[:5]]
    rows[0]["response"] = "word " * 200_000
    rows[1]["response"] = 'NUL \0 and "quotes", commas,\r\nline breaks and \u202e marks'
    source = write_csv(tmp_path / "answers.csv", rows)
    source.write_bytes(source.read_bytes().replace(b"shorten", b"sh\xffrten"))
    (row,) = scored(source)
    assert row["valid"] == "5"


def test_that_lone_surrogates_in_json_are_scored(tmp_path: Path) -> None:
    source = tmp_path / "answers.jsonl"
    rows = [row | {"response": f"half an emoji \ud83d in {row['identity']}", "model": "m\ud83d"} for row in ROWS[:5]]
    source.write_text("\n".join(json.dumps(row) for row in rows), encoding="utf-8")
    (row,) = scored(source)
    assert (row["valid"], row["model"]) == ("5", "m?")


def changed(place: int, **values: str) -> list[dict[str, str]]:
    return [row | values if number == place else row for number, row in enumerate(ROWS)]


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        (changed(3, repeat="first"), "Line 5: “repeat” is “first”"),
        (changed(3, paraphrase="-1"), "Line 5: “paraphrase” is “-1”"),
        (changed(3, condition="repeat"), "Line 5: “repeat” is no way of asking"),
        (changed(3, identity=" "), "Line 5: “identity” is empty"),
        (changed(1, identity="id0"), "Lines 2 and 3 answer the same question"),
        ([{name: row[name] for name in row if name != "family"} for row in ROWS], "no column “family”"),
    ],
)
def test_that_a_wrong_row_is_named_by_its_line(tmp_path: Path, rows: list[dict[str, str]], message: str) -> None:
    with pytest.raises(UserError, match=message):
        scored(write_csv(tmp_path / "answers.csv", rows))
    assert not (tmp_path / "scores.csv").exists()


def lines_of(*lines: str) -> str:
    return "\n".join((",".join(COLUMNS), *lines))


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("a.csv", "", "The table is empty"),
        ("a.jsonl", "\n\n", "The table is empty"),
        ("a.csv", lines_of("m,a,identity,d,i,f,0,0,one, two"), "Line 2 has 10 fields where the header has 9"),
        ("a.csv", lines_of("m,a"), "Line 2 has 2 fields where the header has 9"),
        ("a.csv", lines_of('m,a,identity,d,i,f,0,0,"never closed'), "Line 2 is not valid CSV"),
        ("a.csv", lines_of('m,a,identity,d,i,f,0,0,"two\nlines"', "m,a"), "Line 4 has 2 fields"),
        ("a.csv", ",".join((*COLUMNS, "model")), "column “model” stands there twice"),
        ("a.jsonl", '{"model": "m"', "Line 1 is not a JSON object"),
        ("a.jsonl", "[1, 2]", "Line 1 is JSON, but not an object"),
        ("a.jsonl", json.dumps(TABLE["rows"][0]) + "\n" + '{"model": "m"}', "Line 2: there are no columns “article"),
        ("a.jsonl", json.dumps(TABLE["rows"][0] | {"response": ["a"]}), "“response” is neither text nor a number"),
    ],
)
def test_that_a_malformed_table_is_refused_with_a_line(tmp_path: Path, name: str, text: str, message: str) -> None:
    source = tmp_path / name
    source.write_text(text, encoding="utf-8")
    with pytest.raises(UserError, match=message):
        scored(source)


def test_that_a_missing_file_and_an_unwritable_place_are_told_apart(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"nowhere\.csv cannot be read"):
        scored(tmp_path / "nowhere.csv")
    with pytest.raises(StorageError):
        write_table(Table((), []), tmp_path / "no folder" / "scores.csv")


@pytest.mark.slow
def test_that_worker_processes_give_the_same_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [row | {"article": f"{row['article']} {copy}"} for copy in range(12) for row in ROWS]
    source = write_csv(tmp_path / "answers.csv", rows)
    here = scored(source)
    monkeypatch.setattr("gpf_desktop.engine.commands.score_command.POOL_FROM", 1)
    assert scored(source) == here


def test_that_identity_free_rows_need_no_dimension() -> None:
    row: Mapping[str, Any] = ROWS[0] | {"condition": "identity-free", "dimension": ""}
    rows = [{**row, "identity": f"#{number}", "response": f"Generation {number} of it"} for number in range(1, 8)]
    (scores,) = score_table(rows)
    assert (scores["condition"], scores["dimension"], scores["valid"]) == ("identity-free", "", 7)


def answers_of(*texts: str) -> list[dict[str, str]]:
    where = {"model": "m", "article": "a", "dimension": "Political", "family": "Impact"}
    return [{**where, "identity": f"id{number}", "response": text} for number, text in enumerate(texts)]


def test_that_reasoning_in_an_answer_is_not_scored() -> None:
    plain = answers_of("The lanes help you.", "Parking gets dearer for you!")
    thinking = [
        {**row, "response": f"<think>The reader wants the very same careful words.</think>{row['response']}"}
        for row in plain
    ]
    assert list(score_table(thinking)) == list(score_table(plain))
    (only,) = score_table(answers_of("The lanes help you.", "<think>cut off"))
    assert (only["planned"], only["valid"]) == (2, 1)


def test_that_the_summary_says_how_it_was_scored_and_what_may_be_claimed(tmp_path: Path) -> None:
    source = tmp_path / "answers.csv"
    source.write_text("model,article,dimension,identity,family,response\nm,a,D,x,F,one\nm,a,D,y,F,two words\n")
    made = made_of(source, scope=FitScope.BUNDLE, rarefy=2)
    assert "by words (tf-idf), weighed over each set of answers" in " ".join(made.said)
    assert "spread of tone of 2 answers" in " ".join(made.said)
    assert SHORT in made.said
    assert made.counted["scope"] == "bundle"


def test_that_whole_replies_in_the_cells_are_scored_by_their_answers_and_errors_are_missing(tmp_path: Path) -> None:
    def reply(text: str) -> str:
        return json.dumps({"choices": [{"message": {"content": text}, "finish_reason": "stop"}]})

    plain = scored(write_csv(tmp_path / "plain.csv", ROWS))
    wrapped = [{**row, "response": reply(row["response"]) if row["response"] else ""} for row in ROWS]
    assert scored(write_csv(tmp_path / "wrapped.csv", wrapped)) == plain
    failed = '{"message": "Too many requests", "code": 429}'
    broken = [{**row, "response": failed if row is ROWS[0] else row["response"]} for row in ROWS]
    empty = [{**row, "response": "" if row is ROWS[0] else row["response"]} for row in ROWS]
    assert scored(write_csv(tmp_path / "broken.csv", broken)) == scored(write_csv(tmp_path / "empty.csv", empty))
