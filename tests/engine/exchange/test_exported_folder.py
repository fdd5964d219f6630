"""What goes out as an export comes back as the audit that it was."""

import csv
import json
import shutil
import sqlite3
from collections.abc import Iterable, Sequence
from contextlib import closing
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from gpf_desktop.__main__ import main
from gpf_desktop.domain.codes import Code
from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.ids import BundleId
from gpf_desktop.domain.reviews import Judgement, MarkedPassage, ReviewAction, Verdict
from gpf_desktop.engine.commands.headless import Headless
from gpf_desktop.engine.commands.import_command import import_tables
from gpf_desktop.engine.exchange.data_export import DataWishes
from gpf_desktop.engine.exchange.export_files import exported_folder
from gpf_desktop.engine.exchange.exported_folder import restore_export
from gpf_desktop.engine.exchange.qda_project import _code_name
from gpf_desktop.engine.review.histories import study_chains
from gpf_desktop.storage import reviewers, reviews, study_entries
from gpf_desktop.storage.audit_file import AuditFile
from gpf_desktop.storage.scores import setting_hash
from tests.engine.exchange.artifacts import artifact_of, exported, held, made, reviewed, written
from tests.methods.contextual_stereoset import studies
from tests.methods.relative_bias.tables import HEADER, published

pytestmark = pytest.mark.slow

CONCEPTS = ("norway", "peru", "chad")
WORDS = ("harbour", "stone", "river", "winter", "council", "school")
TABLES: dict[str, tuple[Sequence[str], Iterable[Sequence[str]]]] = {
    "relative-bias": (HEADER, published("Meta")),
    "contextual-stereoset": (
        studies.HEADER,
        studies.rows(studies.planted("typical", 3), items=8, contexts=studies.BUDGETED[:12], model="typical"),
    ),
    "saged": (
        ("model", "domain", "concept", "root", "prompt", "baseline", "response"),
        [
            (
                model,
                "nations",
                concept,
                f"r{root}",
                f"{concept} is",
                f"{concept} is a port.",
                f"{concept} {word} {root}",
            )
            for model, word in (("oak", "shines"), ("elm", "rusts"))
            for concept in CONCEPTS
            for root in range(4)
        ],
    ),
}

SPOKEN: dict[str, tuple[Sequence[str], Iterable[Sequence[str]]]] = {
    "relative-bias": (
        (*HEADER, "judging", "explanation"),
        [
            (
                *(model, f"Theme {at % 3}", f"What of {word}?", f"{WORDS[at * place % 6]} and {WORDS[at - 5]} {end}"),
                *(judge, str(1 + (at * place + judging) % 9), str(judging), f"It says {end}."),
            )
            for place, (model, end) in enumerate(
                {"ash": "often", "elm": "seldom", "fir": "never", "oak": "often"}.items()
            )
            for at, word in enumerate(WORDS)
            for judge, judging in (("jay", 0), ("jay", 1), ("kite", 0))
        ],
    ),
    "contextual-stereoset": (
        studies.HEADER,
        studies.rows(studies.planted("typical", 3), items=3, contexts=studies.BUDGETED[:6], model="typical"),
    ),
}
"""Smaller, and of Relative Bias with answers: its published tables hold levels alone."""


def tables_of(audit: Path, folder: Path) -> dict[str, str]:
    """What analyses came to; notes name the protocol, which goes by the table's name."""
    written(audit, DataWishes(folder=folder, what=("tables",), formats=("csv",)))
    tables = (folder / "tables").glob("*.csv")
    return {table.name: table.read_text("utf-8") for table in tables if table.name != "notes.csv"}


def imported(folder: Path, method: str) -> Path:
    return imported_rows(folder, method, *TABLES[method])


def imported_rows(folder: Path, method: str, header: Sequence[str], rows: Iterable[Sequence[str]]) -> Path:
    with (folder / "answers.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([header, *rows])
    with Headless(quiet=True) as headless:
        import_tables(headless, [folder / "answers.csv"], method, {}, folder / "a.gpf")
    return folder / "a.gpf"


def read_by_two(audit: Path) -> Path:
    """*audit*, in whose first set two people marked the same words and judged them otherwise."""

    def review(connection: sqlite3.Connection) -> None:
        for name, verdict in (("Zoe", Verdict.HARMFUL), ("Ada", Verdict.CONTEXT)):
            (cell,) = connection.execute("SELECT min(id) FROM cell WHERE bundle_id = 1").fetchone()
            marked = (MarkedPassage(cell_id=cell, start=0, end=1),)
            said = Judgement(verdict=verdict, severity=2 if name == "Zoe" else None, passages=marked, note='"A", b;\nc')
            reviews.append(connection, BundleId(1), reviewers.add(connection, name), ReviewAction.SUBMIT, said)

    file = AuditFile.open(audit)
    file.write(review).result()
    file.close()
    return audit


@pytest.mark.parametrize("method", ["gpf-livenews", *TABLES])
def test_that_an_export_becomes_the_audit_again_with_its_scores_and_readings(method: str, tmp_path: Path) -> None:
    """An artifact of it holds the same answers, scores, readings, tables and conclusions, whichever format it is of."""
    audit = made(tmp_path, reviewed) if method == "gpf-livenews" else read_by_two(imported(tmp_path, method))
    written(audit, DataWishes(folder=tmp_path / "out", formats=("csv", "jsonl", "parquet")))
    wanted = held(audit, audit.with_suffix(".zip"))
    for form in ("csv", "jsonl", "parquet"):
        folder, again = tmp_path / form, tmp_path / f"{form}.gpf"
        folder.mkdir()
        for each in (*(tmp_path / "out").glob(f"*.{form}"), *(tmp_path / "out").glob("*.json")):
            shutil.copy(each, folder)
        with Headless(quiet=True) as headless:
            summary = import_tables(headless, [folder], "gpf-livenews", {}, again)
        assert summary.answers > 0
        with closing(sqlite3.connect(again)) as connection:
            for *setting, digest in connection.execute("SELECT scorer, version, options, hash FROM score_setting"):
                assert setting_hash(*setting) == digest
        found = held(again, again.with_suffix(".zip"))
        assert found.keys() == wanted.keys()
        for name in wanted:
            assert found[name] == wanted[name], (form, name)
    quotes = written(again, DataWishes(folder=tmp_path / "q", what=("quotes",), formats=("csv",)))
    assert (quotes / "quotes.csv").read_text("utf-8") == (tmp_path / "out" / "quotes.csv").read_text("utf-8")


@pytest.mark.parametrize("form", ["jsonl", "parquet", "csv"])
def test_that_codes_and_memos_come_back_with_their_seals(form: str, tmp_path: Path) -> None:
    def note(connection: sqlite3.Connection) -> None:
        someone = reviewers.add(connection, "Ána")
        study_entries.keep_code(connection, someone, Code(id="a", name="Talks «down»", examples=("b", "ج")))
        study_entries.keep_memo(connection, someone, "study", 'It "says"\nless.')

    audit = made(tmp_path, reviewed)
    file = AuditFile.open(audit)
    file.write(note).result()
    file.close()
    written(audit, DataWishes(folder=tmp_path / "out", formats=(form,)))
    restore_export(tmp_path / "out", tmp_path / "again.gpf")
    again = AuditFile.open(tmp_path / "again.gpf")
    (chain,) = again.read(study_chains)
    again.close()
    assert (chain.entries, chain.whole) == (2, True)


def test_that_of_two_codes_of_one_name_another_program_is_told_which_is_retired() -> None:
    old, new, other = (
        Code(id="a", name="Talks", retired=True),
        Code(id="b", name="talks"),
        Code(id="c", name="x", retired=True),
    )
    assert [_code_name(each, (old, new, other)) for each in (old, new, other)] == [
        "Talks (not used any more)", "talks", "x",
    ]  # fmt: skip


@pytest.mark.parametrize("method", TABLES)
def test_that_logs_of_inspect_give_the_same_tables_to_the_last_digit(method: str, tmp_path: Path) -> None:
    header, rows = {**TABLES, **SPOKEN}[method]
    audit = imported_rows(tmp_path, method, header, rows)
    written(audit, DataWishes(folder=tmp_path / "out", what=("runs",), formats=("inspect",)))
    with Headless(quiet=True) as headless:
        summary = import_tables(headless, [tmp_path / "out" / "inspect"], method, {}, tmp_path / "again.gpf")
    assert not summary.problems
    found, wanted = (tables_of(each, each.with_suffix("")) for each in (tmp_path / "again.gpf", audit))
    assert wanted
    assert found == wanted


def test_that_any_file_of_an_export_stands_for_it_and_a_part_of_one_is_said_to_be_a_part(tmp_path: Path) -> None:
    folder = exported(imported(tmp_path, "saged"), tmp_path / "out")
    assert exported_folder(folder) == exported_folder(folder / "answers.csv") == folder
    own = folder / "mine" / "table.csv"
    own.parent.mkdir()
    for table in (own, folder / "table.csv"):
        table.write_text("model,item,response\n")
        assert exported_folder(table) is None, "a table of one's own that lies below an export is none of it"
    for form in ("jsonl", "csv"):
        (folder / f"news.{form}").unlink()
    with pytest.raises(UserError, match="not whole: it lacks news"):
        restore_export(folder, tmp_path / "b.gpf")
    assert not (tmp_path / "b.gpf").exists()
    for form in ("jsonl", "csv"):
        (folder / f"fits.{form}").unlink()
    assert exported_folder(folder) is None


@pytest.mark.parametrize(
    ("name", "row"), [("answers", "{"), ("answers", "[]"), ("news", "{}"), ("scores", '{"unit_id": 7}')]
)
def test_that_a_spoilt_export_is_told_by_file_and_leaves_nothing(name: str, row: str, tmp_path: Path) -> None:
    folder = exported(imported(tmp_path, "saged"), tmp_path / "out")
    with (folder / f"{name}.jsonl").open("a", encoding="utf-8") as file:
        file.write(f"{row}\n")
    with pytest.raises(UserError, match=name):
        restore_export(folder, tmp_path / "b.gpf")
    assert not (tmp_path / "b.gpf").exists()


def test_that_a_change_of_an_answer_comes_along_and_its_score_is_found_wanting(tmp_path: Path) -> None:
    folder = exported(imported(tmp_path, "saged"), tmp_path / "out")
    path = folder / "answers.jsonl"
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    rows[0]["answer"] = "Quite another answer, warm and splendid."
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    shutil.rmtree(folder / "tables")
    restore_export(folder, tmp_path / "b.gpf")
    assert artifact_of(tmp_path / "b.gpf", tmp_path / "b.zip") != artifact_of(tmp_path / "a.gpf", tmp_path / "a.zip")


def test_that_one_file_of_an_export_is_told_by_its_columns(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    row = {"cell_id": 1, "bundle_id": 1, "run_id": 1, "model": "elm", "item_id": 4, "answer": "It is so."}
    lines, table, packed = (tmp_path / f"answers.{each}" for each in ("jsonl", "csv", "parquet"))
    pq.write_table(pa.Table.from_pylist([row]), packed)
    lines.write_text(json.dumps(row) + "\n", encoding="utf-8")
    table.write_text(f"{','.join(row)}\n{','.join(map(str, row.values()))}\n", encoding="utf-8")
    for file in (lines, table, packed):
        for command in (("import", "-o", tmp_path / "a.gpf"), ("score", "-o", tmp_path / "s.csv")):
            assert main([command[0], str(file), *map(str, command[1:])]) == 2
            assert "is one file of an export" in capsys.readouterr().err
    assert sorted(each.name for each in tmp_path.iterdir()) == ["answers.csv", "answers.jsonl", "answers.parquet"]
