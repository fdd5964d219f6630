"""Cells that a spreadsheet would take for formulas."""

import csv
import io
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpf_desktop.documents import csv_cells
from gpf_desktop.documents.csv_cells import STARTERS, CsvWriter, guarded, unguarded


@pytest.mark.parametrize("start", STARTERS)
def test_that_no_cell_begins_like_a_formula(start):
    assert guarded(f"{start}1+1")[0] == "'"


def test_that_plain_words_stay_as_they_are():
    assert guarded("openai/gpt-x") == "openai/gpt-x"
    assert guarded("") == ""


@given(st.text(alphabet=st.characters(exclude_categories=("Cs",))))
def test_that_every_text_comes_back_through_a_csv_file(text):
    out = io.StringIO()
    csv.writer(out, quoting=csv.QUOTE_ALL).writerow([guarded(text)])
    (row,) = csv.reader(io.StringIO(out.getvalue(), newline=""))
    assert unguarded(row[0]) == text


@given(st.text(min_size=1))
def test_that_a_guarded_cell_never_starts_like_a_formula(text):
    assert guarded(text)[0] not in STARTERS


def test_that_a_row_keeps_text_as_text_and_numbers_in_full():
    out = io.StringIO(newline="")
    CsvWriter(out).row(["=cmd|' /C calc'!A0", -0.1234567890123456, 3, None, "one\rtwo"])
    assert out.getvalue() == "'=cmd|' /C calc'!A0,-0.1234567890123456,3,,\"one\rtwo\"\r\n"


def test_that_every_csv_file_is_written_by_the_one_writer():
    package = Path(csv_cells.__file__).parents[1]
    ways = ("csv.writer", "DictWriter", "to_csv")
    others = [
        path.name for path in package.rglob("*.py") if any(way in path.read_text(encoding="utf-8") for way in ways)
    ]
    assert others == ["csv_cells.py"]
