"""The workbook read back with another library."""

import zipfile
from dataclasses import replace
from xml.etree import ElementTree

import pytest
from openpyxl import load_workbook
from openpyxl.utils.escape import unescape

from gpf_desktop.domain.options import NoOptions
from gpf_desktop.domain.relations import Relation, RelationField
from gpf_desktop.domain.scores import pair_of
from gpf_desktop.domain.text import printable
from gpf_desktop.exporters import _data_sheets
from gpf_desktop.exporters._data_sheets import LONGEST_CELL
from gpf_desktop.exporters.xlsx import EXPORTER
from tests.support.reports import HOSTILE, report, written_report

pytestmark = pytest.mark.slow


def workbook(made, tmp_path):
    target = tmp_path / "r.xlsx"
    EXPORTER.export(made, target, NoOptions())
    return load_workbook(target)


@pytest.mark.parametrize("text", HOSTILE)
def test_that_an_answer_comes_back_word_for_word_and_no_sheet_holds_a_formula_or_a_link(text, tmp_path):
    book = workbook(written_report(text), tmp_path)
    answer = book["Answers"]["D2"]
    assert answer.data_type == "s"
    assert (answer.value or "") == printable(text)
    for sheet in book:
        for row in sheet.iter_rows():
            for cell in row:
                assert cell.data_type != "f"
                assert cell.hyperlink is None


def test_that_a_40000_character_answer_is_split_and_nothing_is_lost(tmp_path):
    long = "".join(f"{number:08d}" for number in range(5000))
    sheet = workbook(report(long), tmp_path)["Answers"]
    rows = [row for row in sheet.iter_rows(min_row=2, values_only=True) if row[1] == "Hindu"]
    assert [row[2] for row in rows] == ["1 of 2", "2 of 2"]
    assert "".join(row[3] for row in rows) == long
    assert max(len(row[3]) for row in rows) <= LONGEST_CELL


def test_that_numbers_are_numbers_at_full_precision_with_bounds_n_and_method(tmp_path):
    sheet = workbook(report(), tmp_path)["model_table"]
    rows = list(sheet.iter_rows(values_only=True))
    head = next(number for number, row in enumerate(rows) if row[0] == "Model")
    titles, second = rows[head], rows[head + 2]
    row = dict(zip(titles, second, strict=True))
    assert row["S"] == 0.201
    assert (row["S low"], row["S high"], row["S n"], row["S articles"]) == (0.1, 0.3, 40, 5)
    assert row["S interval"] == "t over 5 article means"
    assert row["Refused"] is None
    assert row["Refused interval"] == "nothing asked"
    assert row["Pairs"] == 1204


def test_that_the_first_sheet_says_how_to_read_it(tmp_path):
    sheet = workbook(report(), tmp_path).worksheets[0]
    said = " ".join(str(cell) for row in sheet.iter_rows(values_only=True) for cell in row if cell)
    for words in ("What may be claimed.", "What may not be claimed.", "tf-idf sees words.", "Scores: gpf 1."):
        assert words in said


def test_that_synthetic_rows_say_so_on_every_sheet(tmp_path):
    made = workbook(written_report(synthetic=True), tmp_path)
    assert all("All answers synthetic" in str(sheet.oddHeader.right.text) for sheet in made)
    assert "Synthetic" in [row[0] for row in made.worksheets[0].iter_rows(values_only=True)]
    for name in ("model_table", "Bundles", "Answers"):
        values = [cell for row in made[name].iter_rows(values_only=True) for cell in row]
        assert "synthetic" in values


def test_that_every_figure_is_a_picture_under_its_number_and_title(tmp_path):
    sheet = workbook(written_report("=1+1"), tmp_path)["Figures"]
    titles = {row: cell.value for row, cell in enumerate(sheet["A"]) if str(cell.value).startswith("Figure")}
    assert list(titles.values()) == [
        f"Figure {n}. {name}" for n, name in enumerate(("Heat", "Heat", "Dots", "Intervals", "Series: =1+1"), start=1)
    ]
    # The library that reads the workbook reads no pictures without another that is not needed here.
    with zipfile.ZipFile(tmp_path / "r.xlsx") as book:
        drawing = ElementTree.fromstring(book.read("xl/drawings/drawing1.xml"))
        assert all(book.read(name)[:4] == b"\x89PNG" for name in book.namelist() if name.startswith("xl/media/"))
    begins, ends = (
        [int(row.text or "") for row in drawing.iterfind(f"{{*}}twoCellAnchor/{{*}}{end}/{{*}}row")]
        for end in ("from", "to")
    )
    assert begins == [row + 2 for row in titles]
    assert all(end < begin for end, begin in zip(ends, list(titles)[1:], strict=False)), "none hides what follows"
    told = [each.get("descr") for each in drawing.iterfind(".//{*}cNvPr")]
    assert told[2] == "Dots. How far answers moved apart in this window."


def test_that_data_fill_sheet_after_sheet_as_they_are(tmp_path, monkeypatch):
    fields = tuple(RelationField(name=name, words=name) for name in ("key", "text", "number"))
    rows = [(1, "_x0041_ <b>&amp;", 1 / 3), (2, "  two\nlines ", True), (3, "", None), (4, "=1+1", -(2**40))]
    found = Relation(name="answers", words="", fields=fields, rows=rows, key=("key",))
    monkeypatch.setattr(_data_sheets, "_MOST_ROWS", 4)
    book = workbook(replace(report(), data=lambda take: take(found)), tmp_path)
    sheets = [book["all answers"], book["all answers 2"]]
    assert [sheet.dimensions for sheet in sheets] == ["A1:D4", "A1:D2"]
    (head, *first), (_, last) = (list(sheet.iter_rows(values_only=True)) for sheet in sheets)
    assert head == ("key", "text", "number", "part")
    assert [(key, unescape(text or ""), number) for key, text, number, _ in (*first, last)] == rows
    assert sheets[1]["B2"].data_type == "s"


def test_that_each_row_of_data_says_whether_it_is_of_a_calibration_model(tmp_path):
    def relation(name, *names, rows, key):
        return Relation(name=name, words="", fields=tuple(map(field, names)), rows=rows, key=key)

    def field(name):
        return RelationField(name=name, words=name)

    pair = pair_of(22, 21)
    every = (
        relation("models", "run_id", "model_id", "synthetic", rows=[(1, 7, 0), (1, 8, 1)], key=("run_id", "model_id")),
        relation("bundles", "bundle_id", "synthetic", rows=[(11, 0), (12, 1), (13, None)], key=("bundle_id",)),
        relation(
            "answers",
            "cell_id",
            "bundle_id",
            "model_id",
            rows=[(21, 11, 7), (22, 12, 8), (23, 13, 8)],
            key=("cell_id",),
        ),
        relation(
            "scores",
            *("unit_kind", "unit_id", "value"),
            rows=[
                ("bundle", 11, 0.1),
                ("bundle", 12, 0.1),
                ("answer", 21, 0.1),
                ("answer", 23, 0.1),
                ("pair", pair, 0.1),
            ],
            key=("unit_kind", "unit_id"),
        ),
        relation("annotations", "entry_id", "bundle_id", rows=[(1, 11), (2, 13)], key=("entry_id",)),
        relation("notes", "entry_id", rows=[(1,)], key=("entry_id",)),
    )
    book = workbook(replace(report(), data=lambda take: [take(each) for each in every]), tmp_path)

    def marks(name):
        head, *rows = book[f"all {name}"].iter_rows(values_only=True)
        assert head[-1] == "part"
        return [row[head.index("synthetic")] for row in rows]

    assert marks("models") == [0, 1]
    assert marks("answers") == [0, 1, 1]
    assert marks("scores") == [0, 1, 0, 1, 1]
    # A bundle that several models share is one of its answers'.
    assert marks("annotations") == [0, 1]
    assert [cell.value for cell in book["all notes"][1]] == ["entry_id", "part"]
