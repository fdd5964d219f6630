"""Answers of other programs as an audit, from every kind of file that is read."""

import csv
import json
import sqlite3
import zipfile
from contextlib import closing
from pathlib import Path

import openpyxl
import pandas as pd
import pypdf
import pytest

from gpf_desktop.domain.errors import GpfError, StoppedError, StorageError, UserError
from gpf_desktop.domain.reports import ReportWishes
from gpf_desktop.domain.review_queue import QueueFilter, QueueOrder, QueueTab
from gpf_desktop.domain.runs import RunState
from gpf_desktop.engine.commands.headless import Headless
from gpf_desktop.engine.commands.import_command import import_tables, make_audit
from gpf_desktop.engine.reporting.results_filter import ResultsFilter
from gpf_desktop.engine.review.review_reading import sent_prompt
from gpf_desktop.storage import run_tables
from gpf_desktop.storage.run_tables import ANSWERS

pytestmark = pytest.mark.slow

HEAD = ("provider", "headline", "body", "group", "axis", "question_family", "answer", "epoch", "refused", "finish")
FAITHS = ("Hindu", "Muslim", "Jewish")


def answered(model: str, article: int, faith: str, *, repeat: int = 0, **changed: str) -> dict[str, str]:
    row = {
        "provider": model,
        "headline": f"Council decides, part {article}",
        "body": "New lanes open in spring.",
        "group": faith,
        "axis": "Faith",
        "question_family": "Impact",
        "answer": f"For {faith} readers part {article} of the plan of {model} changes prayer and school runs.",
        "epoch": str(repeat),
        "refused": "",
        "finish": "stop",
    }
    return {**row, **changed}


ROWS = [
    *(answered(model, article, faith) for model in ("a/x", "b/y") for article in (1, 2) for faith in FAITHS),
    answered("a/x", 1, "Hindu", repeat=1),
    answered("b/y", 3, "Hindu", refused="yes", answer="I cannot help with that."),
    answered("b/y", 3, "Muslim", answer=""),
    answered("b/y", 3, "Jewish", finish="length"),
]


def as_csv(path: Path) -> None:
    with path.open("w", encoding="utf-8-sig", newline="") as file:
        rows = csv.DictWriter(file, HEAD, delimiter=";")
        rows.writeheader()
        rows.writerows(ROWS)


def as_jsonl(path: Path) -> None:
    path.write_text("".join(json.dumps(row) + "\n" for row in ROWS), encoding="utf-8")


def as_xlsx(path: Path) -> None:
    book = openpyxl.Workbook()
    book.active.append(HEAD)
    for row in ROWS:
        book.active.append([row[name] for name in HEAD])
    book.save(path)


def as_parquet(path: Path) -> None:
    pd.DataFrame(ROWS).to_parquet(path)


def as_promptfoo(path: Path) -> None:
    results = [
        {
            "provider": {"id": row["provider"], "label": ""},
            "prompt": {"raw": f"I am {row['group']}. {row['headline']}", "label": row["question_family"]},
            "vars": {name: row[name] for name in ("headline", "body", "group", "axis")},
            "response": {
                "output": row["answer"],
                "isRefusal": bool(row["refused"]),
                "finishReason": row["finish"],
            },
            "repeatIndex": int(row["epoch"]),
            "error": "Expected output to contain “lanes”",
            "success": False,
        }
        for row in ROWS
    ]
    path.write_text(json.dumps({"version": 3, "results": {"version": 3, "results": results}}), encoding="utf-8")


STOPS = {"stop": "stop", "length": "max_tokens"}


def inspect_sample(row: dict[str, str], number: int) -> dict[str, object]:
    return {
        "id": number,
        "epoch": int(row["epoch"]) + 1,
        "input": [{"role": "user", "content": f"I am {row['group']}. {row['headline']}"}],
        "metadata": {name: row[name] for name in ("headline", "body", "group", "axis", "question_family")},
        "output": {
            "model": row["provider"],
            "choices": [
                {
                    "message": {"role": "assistant", "content": [{"type": "text", "text": row["answer"]}]},
                    "stop_reason": "content_filter"
                    if row["refused"]
                    else row["finish"].replace("length", "max_tokens"),
                }
            ],
        },
    }


def as_inspect_json(path: Path) -> None:
    samples = [inspect_sample(row, number) for number, row in enumerate(ROWS)]
    path.write_text(json.dumps({"version": 2, "eval": {"task": "news"}, "samples": samples}), encoding="utf-8")


def as_inspect_eval(path: Path) -> None:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("header.json", json.dumps({"version": 2, "eval": {"task": "news"}}))
        for number, row in enumerate(ROWS):
            archive.writestr(f"samples/{number}_epoch_1.json", json.dumps(inspect_sample(row, number)))


QUERY = (
    "SELECT m.model, t.title, x.level, c.repeat, p.text, p.missing, p.truncated FROM cell c"
    " JOIN response p ON p.cell_id = c.id JOIN model m ON m.id = c.model_id JOIN item t ON t.id = c.item_id"
    " JOIN coordinate x ON x.set_id = c.coordinates_id AND x.factor = 'identity'"
    " ORDER BY m.model, t.title, x.level, c.repeat"
)


@pytest.mark.parametrize(
    ("name", "write"),
    [
        ("t.csv", as_csv),
        ("t.jsonl", as_jsonl),
        ("t.xlsx", as_xlsx),
        ("t.parquet", as_parquet),
        ("promptfoo.json", as_promptfoo),
        ("inspect.json", as_inspect_json),
        ("inspect.eval", as_inspect_eval),
    ],
)
def test_that_every_kind_of_file_becomes_the_same_scored_audit(tmp_path, name, write):
    write(tmp_path / name)
    with Headless(quiet=True) as headless:
        summary = import_tables(headless, [tmp_path / name], "gpf-livenews", {}, tmp_path / "a.gpf")
        assert (summary.answers, summary.problems) == (len(ROWS), ())
        audit = headless.engine.open_audit
        found = audit.context.audit.read(lambda c: c.execute(QUERY).fetchall())
        told = {(m, title, who, repeat): rest for m, title, who, repeat, *rest in found}
        assert told["a/x", "Council decides, part 1", "Hindu", 1][0].startswith("For Hindu readers part 1")
        third = "Council decides, part 3"
        assert told["b/y", third, "Hindu", 0] == ["I cannot help with that.", "refused", 0]
        assert told["b/y", third, "Muslim", 0][1] == "empty"
        assert told["b/y", third, "Jewish", 0][1:] == [None, 1]
        assert len(told) == len(ROWS)
        scored = audit.context.audit.read(lambda c: c.execute("SELECT count(*) FROM score WHERE value > 0").fetchone())
        assert scored[0] > 10
        table = audit.results.findings(ResultsFilter(), ["model_table"])["model_table"]
        assert {(row.values["vendor"], row.values["model"]) for row in table.rows} == {
            ("a", "imported/a/x"),
            ("b", "imported/b/y"),
        }
        (run,) = audit.rounds.runs()
        assert not run.unpriced, "nobody here paid for it"
        assert all(model.priced for model in audit.rounds.progress(run.id).models)
        report = audit.reports.report(ReportWishes())
        assert report.imported == f"Answers imported from {name}"
        assert any(fact.name == "Imported" and "SHA-256" in fact.value for fact in report.facts)
        asked = {fact.value for fact in report.facts if "a/x" in fact.name} - {"its server named the same model"}
        # Not the temperature of a protocol by which nobody asked.
        assert asked == {"asked by another program, with settings that are not told"}


def test_that_nothing_stands_there_before_it_is_scored(tmp_path, monkeypatch):
    """Else a kill just then, or Ctrl+C, left an audit behind that the same command refuses."""
    as_csv(tmp_path / "t.csv")
    target, ask_round, seen = tmp_path / "a.gpf", Headless.ask_round, []

    def stopped(headless, audit, run_id):
        seen.append(target.exists())
        ask_round(headless, audit, run_id)
        return RunState.PAUSED

    monkeypatch.setattr(Headless, "ask_round", stopped)
    with Headless(quiet=True) as headless, pytest.raises(GpfError, match="no audit was made"):
        import_tables(headless, [tmp_path / "t.csv"], "gpf-livenews", {}, target)
    assert seen == [False]
    assert sorted(each.name for each in tmp_path.iterdir()) == ["t.csv"]


def test_that_imported_stands_on_every_page_of_a_report(tmp_path):
    as_csv(tmp_path / "t.csv")
    with Headless(quiet=True) as headless:
        import_tables(headless, [tmp_path / "t.csv"], "gpf-livenews", {}, tmp_path / "a.gpf")
        audit, reports = headless.engine.open_audit.context.audit, headless.engine.open_audit.reports
        # After what the import itself has still to write: a report that only reads finds the table of answers made.
        assert audit.write(lambda c: run_tables.kept(c, ANSWERS, run_tables.stamps(c, ANSWERS))).result()
        report = reports.report(ReportWishes())
        for suffix in ("pdf", "html", "docx", "xlsx"):
            reports.export(report, tmp_path / f"r.{suffix}")
    pages = [page.extract_text() for page in pypdf.PdfReader(tmp_path / "r.pdf").pages]
    assert all("Imported answers" in page for page in pages)
    assert "Answers imported from t.csv" in pages[0]
    assert "Answers imported from" in (tmp_path / "r.html").read_text("utf-8")
    with zipfile.ZipFile(tmp_path / "r.docx") as archive:
        headers = [archive.read(name) for name in archive.namelist() if "header" in name]
    assert any(b"Answers imported from t.csv" in header for header in headers)
    book = openpyxl.load_workbook(tmp_path / "r.xlsx")
    assert any("Answers imported" in str(cell.value) for row in book["model_table"].iter_rows() for cell in row)


def test_that_a_row_without_a_place_is_named_and_left_out(tmp_path):
    rows = [*ROWS, {**ROWS[0], "provider": ""}, {**ROWS[0], "headline": ""}, {**ROWS[0], "epoch": "first"}]
    (tmp_path / "t.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    with Headless(quiet=True) as headless:
        summary = import_tables(headless, [tmp_path / "t.jsonl"], "gpf-livenews", {}, tmp_path / "a.gpf")
    assert summary.answers == len(ROWS)
    first = len(ROWS) + 1
    assert [(each.line, each.why) for each in summary.problems] == [
        (first, "model not said"),
        (first + 1, "news not said"),
        (first + 2, "“first” is no number of a repeat, from 0"),
    ]
    assert any("3 rows were left out" in sentence for sentence in summary.sentences())


def test_that_a_map_says_what_the_names_do_not(tmp_path):
    (tmp_path / "t.csv").write_text("who,what,said,bot\nHindu,News A,Words one two,x\nJewish,News A,Other words,x\n")
    (tmp_path / "map.toml").write_text(
        '[columns]\nmodel = "bot"\narticle = "what"\nresponse = "said"\nidentity = "who"\n'
        '[values]\ndimension = "Faith"\n'
    )
    with pytest.raises(UserError, match=r"Model \(model\), News: .* \(article\), Answer \(response\)\. Its"):
        make_audit([tmp_path / "t.csv"], "gpf-livenews", {}, tmp_path / "b.gpf", lambda _doing, _done, _of: None)
    given = {"map": str(tmp_path / "map.toml")}
    made = make_audit([tmp_path / "t.csv"], "gpf-livenews", given, tmp_path / "a.gpf", lambda _doing, _done, _of: None)
    assert [dimension.name for dimension in made.study.protocol.dimensions] == ["Faith"]
    assert not (tmp_path / "b.gpf").exists()


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("t.csv", b"", "empty"),
        ("t.json", b"{", "is not JSON"),
        ("t.json", b'{"a": 1}', "shape that is not known"),
        ("t.jsonl", b"[1]\n", "Line 1 is JSON, but not an object"),
        ("t.xlsx", b"no workbook", "cannot be read as XLSX"),
        ("t.eval", b"no zip", "cannot be read as Inspect"),
        ("t.parquet", b"no parquet", "cannot be read as Parquet"),
        ("t.docx", b"", "kind of file that is not read"),
        ("t.csv", b"model,article,response\nx,y\n", "Line 2 has 2 fields"),
        ("t.csv", b"model,article,response\nx,y,z\n", "No row of the table can be used; line 2: identity not said"),
        ("t.csv", b"model,article,response,identity\nx,y,z,one\n", "No protocol can be made of the table"),
    ],
)
def test_that_what_cannot_be_imported_is_told_in_a_sentence_and_nothing_is_left(tmp_path, name, content, words):
    (tmp_path / name).write_bytes(content)
    with pytest.raises(UserError, match=words):
        make_audit([tmp_path / name], "gpf-livenews", {}, tmp_path / "a.gpf", lambda _doing, _done, _of: None)
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_that_stopping_leaves_no_audit(tmp_path):
    as_csv(tmp_path / "t.csv")

    def tell(_doing: str, _done: int, of: int | None) -> None:
        if of is not None:
            raise StoppedError

    with pytest.raises(StoppedError):
        make_audit([tmp_path / "t.csv"], "gpf-livenews", {}, tmp_path / "a.gpf", tell)
    assert [path.name for path in tmp_path.iterdir() if not path.name.startswith(".")] == ["t.csv"]


@pytest.mark.parametrize(("name", "write"), [("t.csv", as_csv), ("t.xlsx", as_xlsx), ("p.json", as_promptfoo)])
def test_that_an_import_says_what_it_is_at_from_the_first_byte_on(tmp_path, name, write):
    write(tmp_path / name)
    told = []
    make_audit([tmp_path / name], "gpf-livenews", {}, tmp_path / "a.gpf", lambda doing, *_: told.append(doing))
    assert list(dict.fromkeys(told)) == [
        f"Opening {name}",
        "Reading what the columns say",
        "Telling news and questions apart",
        "Finding each answer's place",
        "Taking the files' SHA-256",
        "Storing what was asked",
        "Storing the answers",
    ]


def test_that_an_audit_is_at_its_place_only_when_all_of_it_is_stored(tmp_path):
    as_csv(tmp_path / "t.csv")
    target, seen = tmp_path / "a.gpf", []
    make_audit([tmp_path / "t.csv"], "gpf-livenews", {}, target, lambda *_: seen.append(target.exists()))
    assert not any(seen)
    with pytest.raises(StorageError, match=r"a\.gpf"):
        make_audit([tmp_path / "t.csv"], "gpf-livenews", {}, target, lambda *_: None)
    assert not list(tmp_path.glob(".*.part*"))
    with closing(sqlite3.connect(target)) as connection:
        assert connection.execute("SELECT count(*) FROM response").fetchone() == (len(ROWS),)
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
        # (cells without an end, answers) as the round counts them, from what the cells say.
        counted = connection.execute("SELECT sum(unended), sum(answers) FROM fit_group").fetchone()
        assert counted == (0, connection.execute("SELECT count(*) FROM cell WHERE state = 'answered'").fetchone()[0])


def test_that_stop_is_heard_while_a_table_is_read(tmp_path):
    rows = "x,News,Hindu,Words\n" * 4000
    (tmp_path / "t.csv").write_text(f"model,headline,identity,response\n{rows}torn\n", encoding="utf-8")
    told = []

    def tell(doing: str, done: int, of: int | None) -> None:
        told.append((doing, done, of))
        if doing.startswith("Reading"):
            raise StoppedError

    # And not `UserError`: its last line, which is torn, was never read.
    with pytest.raises(StoppedError):
        make_audit([tmp_path / "t.csv"], "gpf-livenews", {}, tmp_path / "a.gpf", tell)
    assert told[-1] == ("Reading t.csv", 1000, None)


def test_that_the_shipped_protocol_is_taken_where_every_row_has_a_place_in_it(tmp_path):
    (tmp_path / "t.csv").write_text(
        "model,headline,identity,dimension,family,response\n"
        "x,News A,Hindu,Religion,Impact,Words one\nx,News A,Muslim,Religion,Impact,Words two\n"
    )
    made = make_audit([tmp_path / "t.csv"], "gpf-livenews", {}, tmp_path / "a.gpf", lambda _doing, _done, _of: None)
    assert made.study.protocol.name == "GPF-LiveNews-v1"


@pytest.mark.parametrize(
    ("asked", "first"), [("My name is Asha. What of it?", "My name is Asha. What of it?"), ("", "")]
)
def test_that_what_showed_a_reader_stands_in_the_message_of_an_imported_answer(tmp_path, asked, first):
    ways = {"identity": "I am {}. What of it?", "by-name": asked, "by-history": "", "by-note": "", "asked-if-sure": ""}
    with (tmp_path / "t.csv").open("w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(("model", "headline", "identity", "dimension", "family", "condition", "response", "question"))
        for condition, question in ways.items():
            for faith in FAITHS:
                said = f"Words {condition} {faith}"
                sent = question.format(faith)
                rows.writerow(("x", "Rents rise", faith, "Faith", "Impact", condition, said, sent))
    with Headless(quiet=True) as headless:
        import_tables(headless, [tmp_path / "t.csv"], "gpf-livenews", {}, tmp_path / "a.gpf")
        reviews = headless.engine.open_audit.reviews
        shown = {}
        for number in reviews.queue(QueueFilter(arm=None), QueueOrder()).tabs[QueueTab.TO_DO]:
            bundle = reviews.bundle(number)
            shown[bundle.facts.coordinates["condition"]] = sent_prompt(bundle, bundle.answers[0].answer).prompt
    assert set(shown) == set(ways)
    assert shown["by-name"].user.startswith(first or "[What showed “")
    assert "was not imported" in shown["by-history"].user
    assert "was not imported" in shown["by-note"].system
    assert "was not imported" in shown["asked-if-sure"].user
