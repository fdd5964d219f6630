"""The document read back."""

from dataclasses import replace

import pytest
from docx import Document

from gpf_desktop.domain.errors import StorageError
from gpf_desktop.domain.options import NoOptions
from gpf_desktop.domain.text import printable
from gpf_desktop.exporters.docx import EXPORTER
from tests.support.reports import HOSTILE, report, written_report

pytestmark = pytest.mark.slow


def document(made, tmp_path):
    target = tmp_path / "r.docx"
    EXPORTER.export(made, target, NoOptions())
    return Document(str(target))


def paragraphs(made, tmp_path):
    return [paragraph.text for paragraph in document(made, tmp_path).paragraphs]


@pytest.mark.parametrize("text", HOSTILE)
def test_that_an_answer_comes_back_word_for_word(text, tmp_path):
    assert paragraphs(written_report(text), tmp_path).count(printable(text)) >= 3, "answer, summary, finding"


def test_that_a_40000_character_answer_is_whole(tmp_path):
    long = "word " * 8000
    assert long in paragraphs(report(long), tmp_path)


def test_that_reading_limits_reviews_and_scope_are_in_it(tmp_path):
    said = "\n".join(paragraphs(report(), tmp_path))
    for words in ("What may be claimed.", "tf-idf sees words.", "fitting context", "Scores: gpf 1."):
        assert words in said


def test_that_a_heat_map_is_a_shaded_table_with_its_values(tmp_path):
    made = document(report(), tmp_path)
    heat = made.tables[0]
    assert [cell.text for cell in heat.rows[0].cells] == ["", "Family 0", "Family 1"]
    assert [cell.text for cell in heat.rows[1].cells] == ["plain words", "0.20 (n 40)", "0.20 (n 40)"]
    assert "w:shd" in heat.rows[1].cells[1]._tc.xml


def test_that_every_estimate_has_its_interval_and_n(tmp_path):
    made = document(report(), tmp_path)
    assert any("made by t: Student's t; and n" in paragraph.text for paragraph in made.paragraphs)
    table = made.tables[1]
    assert table.rows[1].cells[2].text == "0.200\n0.100 to 0.300 t\nn 40"
    assert table.rows[1].cells[4].text == "–\nnothing asked"


def test_that_a_synthetic_report_says_so_on_every_page(tmp_path):
    made = document(report(synthetic=True), tmp_path)
    assert made.sections[0].header.paragraphs[0].text == "All answers synthetic"
    assert any("▲" in paragraph.text for paragraph in made.paragraphs)


def test_that_it_has_a_contents_field_numbered_captions_and_heads_that_repeat(tmp_path):
    read = document(report(), tmp_path)
    body = read.element.body.xml
    assert 'TOC \\o "1-2"' in body
    captions = [each.text for each in read.paragraphs if each.style.name == "Caption"]
    assert captions[0].startswith("Table 1. ")
    assert captions[-1] == "Table 2. Models"
    contents = next(each for each in read.paragraphs if "What these numbers cannot show" in each.text)
    headings = [each.text for each in read.paragraphs if each.style.name == "Heading 1"]
    assert contents.text.split("\n") == [each.removesuffix(" ▲") for each in headings]
    assert "<w:tblHeader" in body


def test_that_rows_stay_whole_and_columns_are_as_wide_as_what_they_hold(tmp_path):
    table = document(report("a-very-long-vendor/model"), tmp_path).tables[1]
    assert all("w:cantSplit" in row._tr.xml for row in table.rows)
    across = {cell.text: cell.width for row in table.rows[:2] for cell in row.cells}
    assert across["a-very-long-vendor/model"] > across["Family 0"] > across["1,204"]
    assert across["0.200\n0.100 to 0.300 t\nn 40"] > 1.5 * across["1,204"]


def test_that_a_table_too_wide_for_the_page_is_whole_on_a_page_on_its_side(tmp_path):
    made = report()
    (table,) = made.findings
    more = [replace(table.columns[2], key=f"s{n}", title=f"S{n}") for n in range(6)]
    rows = [replace(row, values={**row.values, **{each.key: row.values["s"] for each in more}}) for row in table.rows]
    wide = replace(table, columns=(*table.columns, *more), rows=tuple(rows))
    read = document(replace(made, findings=(wide,)), tmp_path)
    heads = [[cell.text for cell in each.rows[0].cells] for each in read.tables[1:]]
    assert [head for head in heads if {each.title for each in more} <= set(head)]
    sides = [each.page_width > each.page_height for each in read.sections]
    assert sides == [False, True, False]
    across = read.sections[1].page_width - read.sections[1].left_margin - read.sections[1].right_margin
    assert max(sum(cell.width for cell in table.rows[0].cells) for table in read.tables) <= across * 1.001


def test_that_figures_are_pictures_with_words_for_who_does_not_see_them_and_numbered_captions(tmp_path):
    read = document(written_report("a/b"), tmp_path)
    drawn = [shape._inline for shape in read.inline_shapes if shape._inline.docPr.get("descr")]
    told = [each.docPr.get("descr").partition(". ")[0] for each in drawn]
    assert told == ["Dots"], "of a table two figures, the heat map among them; the workbook has all"
    assert any("further figure" in each.text for each in read.paragraphs)
    captions = [each.text for each in read.paragraphs if each.style.name == "Caption" and each.text.startswith("Fig")]
    assert captions == [f"Figure {n}. {title}" for n, title in enumerate(told, start=1)]
    across = read.sections[0].page_width - read.sections[0].left_margin - read.sections[0].right_margin
    assert {each.extent.cx for each in drawn} == {across}
    assert "SEQ Figure" in read.element.body.xml


def test_that_a_template_of_the_library_that_is_missing_is_named(tmp_path, monkeypatch):
    monkeypatch.setattr("docx.__file__", str(tmp_path / "docx" / "__init__.py"))
    with pytest.raises(StorageError, match=r"templates.default\.docx, which it is made with, cannot be used"):
        EXPORTER.export(report("Words"), tmp_path / "r.docx", NoOptions())
    assert not (tmp_path / "r.docx").exists()
