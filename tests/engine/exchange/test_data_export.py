"""Data as files, read back by other programs."""

import csv
import json
from collections.abc import Iterator
from pathlib import Path

import duckdb
import pandas as pd
import pytest
from openpyxl import load_workbook
from openpyxl.utils.escape import unescape

from gpf_desktop.documents.csv_cells import STARTERS, unguarded
from gpf_desktop.domain.conclusions.conclusion import ConclusionOutcome
from gpf_desktop.domain.errors import StoppedError, UserError
from gpf_desktop.domain.events import TaskCancelled
from gpf_desktop.domain.reports import ReportWishes
from gpf_desktop.domain.text import printable
from gpf_desktop.engine.engine import Engine
from gpf_desktop.engine.exchange import data_export
from gpf_desktop.engine.exchange.data_export import EXPORT_TASK, DataWishes, exported_names
from gpf_desktop.engine.open_audit import OpenAudit
from gpf_desktop.engine.reporting.conclusions_file import conclusions_document
from tests.support.filled_audit import fill
from tests.support.hostile_audit import LONG, TEXTS, fill_hostile

pytestmark = pytest.mark.slow


@pytest.fixture
def events() -> list:
    return []


@pytest.fixture
def empty(tmp_path: Path, events: list) -> Iterator[OpenAudit]:
    engine = Engine(events.append)
    yield engine.create(tmp_path / "a.gpf", title="Evening news")
    engine.close()


@pytest.fixture
def hostile(empty: OpenAudit) -> OpenAudit:
    fill_hostile(empty.context.audit)
    return empty


def stored_answers(audit: OpenAudit) -> list[str]:
    return audit.context.audit.read(
        lambda c: [row[0] for row in c.execute("SELECT text FROM response ORDER BY cell_id")]
    )


def test_that_every_format_holds_every_answer_of_a_hostile_audit_word_for_word(hostile, tmp_path):
    folder = tmp_path / "out"
    done = hostile.data.write(DataWishes(folder=folder))
    answers = stored_answers(hostile)
    assert set(TEXTS) <= set(answers)
    assert dict(done.rows)["answers"] == len(answers)
    lines = [json.loads(line) for line in (folder / "answers.jsonl").read_text("utf-8").split("\n") if line]
    assert [line["answer"] for line in lines] == answers
    table = duckdb.sql(f"SELECT cell_id, answer FROM '{folder / 'answers.parquet'}' ORDER BY cell_id").fetchall()
    assert [row[1] for row in table] == answers
    frame = pd.read_parquet(folder / "answers.parquet")
    assert list(frame["answer"]) == answers
    with (folder / "answers.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [unguarded(row["answer"]) for row in rows] == answers
    assert max(map(len, answers)) == len(LONG)


def test_that_no_cell_of_a_hostile_audit_is_a_formula_in_a_spreadsheet(hostile, tmp_path):
    hostile.data.write(DataWishes(folder=tmp_path / "out", formats=("csv",)))
    csv.field_size_limit(2**20)
    for path in (tmp_path / "out").rglob("*.csv"):
        with path.open(encoding="utf-8", newline="") as file:
            for row in csv.reader(file):
                texts = [cell for cell in row if not _is_number(cell)]
                assert not [cell for cell in texts if cell[:1] and cell[0] in STARTERS], path


def _is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True


def test_that_relations_join_and_tables_carry_their_sentences(hostile, tmp_path):
    hostile.data.write(DataWishes(folder=tmp_path / "out", formats=("parquet",)))
    out = tmp_path / "out"
    joined = duckdb.sql(
        f"SELECT count(*), count(DISTINCT b.bundle_id), bool_and(contains(p.user, n.headline))"
        f" FROM '{out}/answers.parquet' a JOIN '{out}/bundles.parquet' b USING (bundle_id)"
        f" JOIN '{out}/prompts.parquet' p USING (prompt_id)"
        f" JOIN '{out}/news.parquet' n ON n.batch_id = a.batch_id AND n.item_id = a.item_id"
    ).fetchall()
    (answers, bundles) = hostile.context.audit.read(
        lambda c: c.execute("SELECT (SELECT count(*) FROM cell), (SELECT count(*) FROM bundle)").fetchone()
    )
    assert joined == [(answers, bundles, True)]
    notes = pd.read_parquet(out / "tables" / "notes.parquet")
    tables = {path.stem for path in (out / "tables").iterdir()} - {"notes", "conclusions"}
    told = json.loads((out / "tables" / "conclusions.json").read_text("utf-8"))
    assert told == conclusions_document(hostile.results)
    assert {each["outcome"] for each in told["conclusions"]} <= {*map(str, ConclusionOutcome)}
    assert set(notes[notes["kind"] == "reading"]["table"]) == tables
    annotation = pd.read_parquet(out / "annotations.parquet").iloc[0]
    assert (annotation["reviewer"], annotation["severity"]) == ("=Reviewer\u202e", 2)
    levels = duckdb.sql(f"SELECT DISTINCT dimension FROM '{out}/bundles.parquet' WHERE arm = 'main'").fetchall()
    assert len(levels) == 6


def test_that_a_column_of_every_file_is_described(hostile, tmp_path):
    done = hostile.data.write(DataWishes(folder=tmp_path / "out", formats=("jsonl",)))
    with (tmp_path / "out" / "dictionary.csv").open(encoding="utf-8", newline="") as file:
        described = {(row["file"], row["column"]) for row in csv.DictReader(file) if row["words"]}
    for name, rows in done.rows:
        lines = (tmp_path / "out" / f"{name}.jsonl").read_text("utf-8").split("\n")
        assert len([line for line in lines if line]) == rows
        for line in lines[:1] if rows else []:
            assert {(name, column) for column in json.loads(line)} <= described


@pytest.mark.parametrize("within", [True, False])
def test_that_every_file_of_a_former_export_is_told_before_it_is_replaced(empty, tmp_path, within):
    wishes = DataWishes(folder=tmp_path, formats=("csv",), tables_within=within)
    done = empty.data.write(wishes)
    standing = {path.relative_to(tmp_path).as_posix() for path in empty.data.standing(wishes)}
    assert {file for file in done.files if file.endswith("conclusions.json")} <= standing
    assert standing <= set(done.files)


def test_that_the_same_audit_gives_the_same_bytes(empty, tmp_path):
    fill(empty.context.audit)
    for name in ("one", "two"):
        empty.data.write(DataWishes(folder=tmp_path / name, formats=("csv", "jsonl")))
    files = [path.relative_to(tmp_path / "one") for path in (tmp_path / "one").rglob("*.*")]
    assert len(files) > 30
    for file in files:
        assert (tmp_path / "one" / file).read_bytes() == (tmp_path / "two" / file).read_bytes(), file


def test_that_an_empty_audit_is_written_with_heads_and_no_rows(empty, tmp_path):
    done = empty.data.write(DataWishes(folder=tmp_path / "out"))
    assert {name for name, _ in done.rows} == set(exported_names()) - {"tables"}
    assert len(pd.read_parquet(tmp_path / "out" / "answers.parquet")) == 0
    assert (tmp_path / "out" / "news.csv").read_text("utf-8").startswith("batch_id,batch,")


def test_that_stopping_leaves_the_folder_as_it_was(hostile, tmp_path, events, monkeypatch):
    monkeypatch.setattr(data_export, "_STEP", 10)
    folder = tmp_path / "out"
    folder.mkdir()
    (folder / "answers.csv").write_text("of before")

    def tell(done: int, _of: int) -> None:
        if done > 100:
            raise StoppedError

    with pytest.raises(StoppedError):
        hostile.data.write(DataWishes(folder=folder), tell)
    assert [path.name for path in folder.iterdir()] == ["answers.csv"]
    assert (folder / "answers.csv").read_text() == "of before"


def test_that_stopping_need_not_wait_for_a_table_of_all_answers(hostile, tmp_path):
    hostile.results.forget()
    told: list[tuple[int, int]] = []

    def tell(done: int, of: int) -> None:
        if told and told[-1][0] == done:
            raise StoppedError
        told.append((done, of))

    with pytest.raises(StoppedError):
        hostile.data.write(DataWishes(folder=tmp_path / "out", what=("tables", "scores")), tell)
    assert 0 < told[-1][0] < told[-1][1] // 2, "within the tables, at one that reads answers"
    assert not (tmp_path / "out").exists()


def test_that_a_cancelled_export_is_told_as_cancelled(hostile, tmp_path, events, monkeypatch):
    monkeypatch.setattr(data_export, "_STEP", 1)
    started = hostile.data.start(DataWishes(folder=tmp_path / "out"))
    hostile.data.cancel()
    assert started.cancelled()
    hostile.data.close()
    assert TaskCancelled(task=EXPORT_TASK) in events
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("wishes", "words"),
    [
        ({"what": ("answrs",)}, "nothing called “answrs”.*answers"),
        ({"formats": ("xls",)}, "cannot be written as “xls”.*parquet"),
    ],
)
def test_that_a_wish_that_cannot_be_met_is_named(empty, tmp_path, wishes, words):
    with pytest.raises(UserError, match=words):
        empty.data.write(DataWishes(folder=tmp_path / "out", **wishes))
    assert not (tmp_path / "out").exists()


def test_that_without_pyarrow_the_other_formats_are_written_and_it_is_said(empty, tmp_path, monkeypatch):
    monkeypatch.setattr(data_export, "has_parquet", lambda: False)
    done = empty.data.write(DataWishes(folder=tmp_path / "out"))
    assert "pyarrow is not installed" in done.left_out
    assert "gpf-desktop add parquet" in done.left_out
    assert not list((tmp_path / "out").glob("*.parquet"))


def test_that_a_workbook_holds_every_bundle_answer_and_annotation_of_a_hostile_audit(hostile, tmp_path):
    report = hostile.reports.report(ReportWishes())
    hostile.reports.export(report, tmp_path / "r.xlsx")
    book = load_workbook(tmp_path / "r.xlsx", read_only=True)
    counts = hostile.context.audit.read(
        lambda c: c.execute("SELECT (SELECT count(*) FROM bundle), (SELECT count(*) FROM cell)").fetchone()
    )
    found = {
        name: list(book[f"all {name}"].iter_rows(values_only=True))
        for name in ("bundles", "answers", "scores", "annotations")
    }
    heads = {name: rows[0] for name, rows in found.items()}
    assert len(found["bundles"]) == counts[0] + 1
    key, answer = heads["answers"].index("cell_id"), heads["answers"].index("answer")
    texts: dict[int, str] = {}
    for row in found["answers"][1:]:
        texts[row[key]] = texts.get(row[key], "") + unescape(row[answer] or "")
    assert len(texts) == counts[1]
    assert list(texts.values()) == [printable(text) for text in stored_answers(hostile)]
    assert len(found["annotations"]) == 2
    # In each sheet, so that a row that is taken out of it says of itself whether it is made up.
    marks = {name: {row[heads[name].index("synthetic")] for row in rows[1:]} for name, rows in found.items()}
    assert all(marked == {1} for marked in marks.values()), marks
    assert not [cell for sheet in book for row in sheet.iter_rows() for cell in row if cell.data_type == "f"]
