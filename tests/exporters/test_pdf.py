"""The document read back: its words, its tags, what stands on each page, and that nothing in it was obeyed."""

import re
from dataclasses import replace

import pytest
from pypdf import PdfReader
from pypdf.generic import Destination

from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.options import NoOptions
from gpf_desktop.domain.report_blocks import Brief, DrawnFigure, Loudness, Paragraph, Section
from gpf_desktop.domain.reports import ReportKind
from gpf_desktop.exporters import pdf
from gpf_desktop.exporters._pdf_view import _said
from gpf_desktop.exporters.pdf import EXPORTER
from tests.support.reports import HOSTILE, finding, report, written_report

pytestmark = pytest.mark.slow

MARKUP = (
    '#image("/etc/passwd")',
    '#read("report.typ")',
    "= heading $x^2$ *bold* @label <label>",
    '#import "@preview/cetz:0.4.0"',
    "\\#panic()",
    '"); #panic("',
)


def written(made, tmp_path):
    target = tmp_path / "r.pdf"
    EXPORTER.export(made, target, NoOptions())
    return PdfReader(target)


def words(reader):
    """All that is said, blanks and places to break left out."""
    return squeezed("".join(page.extract_text() for page in reader.pages))


def squeezed(text):
    return re.sub(r"[\s\u200b\u2066-\u2069]", "", text)


def titles(outline):
    for each in outline:
        if isinstance(each, Destination):
            yield each.title
        else:
            yield from titles(each)


@pytest.fixture(scope="module")
def plain(tmp_path_factory):
    return written(report(), tmp_path_factory.mktemp("plain"))


def test_that_it_is_tagged_and_says_its_title_its_language_and_its_standard(plain):
    root = plain.trailer["/Root"]
    assert root["/MarkInfo"]["/Marked"] is True or root["/MarkInfo"]["/Marked"] == True  # noqa: E712
    assert "/StructTreeRoot" in root
    assert root["/Lang"] == "en"
    assert plain.metadata.title == "plain words"
    assert root["/ViewerPreferences"]["/DisplayDocTitle"] == True  # noqa: E712
    assert b"pdfuaid:part" in root["/Metadata"].get_data()


def test_that_what_people_wrote_comes_first_and_keeps_the_standard_with_a_logo_and_every_evidence(tmp_path):
    reader = written(written_report("A claim"), tmp_path)
    assert b"pdfuaid:part" in reader.trailer["/Root"]["/Metadata"].get_data()
    marks = list(titles(reader.outline))
    order = [marks.index(each) for each in ("1. A claim", "Sign-off", "What was found", "How to read this report")]
    assert order == sorted(order)
    assert "AnnAuditor,headofaudit" in words(reader)


def test_that_a_brief_s_figure_is_as_high_as_the_words_above_it_leave_room_for(tmp_path):
    def drawn(height, said, lower=()):
        svg = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 720 {height}"><text y="9">{said}</text></svg>'
        return DrawnFigure(subtitle="", svg=svg, width=720, height=height, alt=said, lower=lower)

    figure = drawn(700, "whole", (drawn(400, "lower"), drawn(150, "lowest")))
    for paragraphs, expected in ((0, "whole"), (9, "lower"), (16, "lowest")):
        answer = tuple(Paragraph(text="It differs. " * 12, voice=Loudness.LEAD) for _ in range(paragraphs))
        sections = (
            Section(name="answer", title="The answer", blocks=(Paragraph(text="Yes."), *answer)),
            Section(name="done", title="What was done", blocks=(Paragraph(text="Much. " * 900),)),
            Section(name="found", title="What was found", blocks=(figure,)),
        )
        brief = Brief(title="T", head=(), draft="", bands=(), sections=sections, footnote="", day="1 May 2026")
        reader = written(replace(report(), kind=ReportKind.BRIEF, brief=brief), tmp_path)
        first = reader.pages[0].extract_text()
        assert [each for each in ("whole", "lower", "lowest") if re.search(rf"\b{each}\b", first)] == [expected]


def test_that_sections_are_bookmarks_and_stand_in_the_contents(plain):
    marks = list(titles(plain.outline))
    for title in (
        "Contents",
        "How to read this report",
        "Models",
        "Answers side by side",
        "Religion · Impact · set of answers 7",
    ):
        assert title in marks
    contents = plain.pages[0].extract_text()
    assert "Tables" in contents
    assert "What these numbers cannot show" in contents


def test_that_every_page_has_its_number(plain):
    for number, page in enumerate(plain.pages, start=1):
        assert f"{number} / {len(plain.pages)}" in page.extract_text()


def test_that_an_interval_stands_on_one_line_with_how_it_was_made_and_with_n_where_there_is_room(plain):
    assert "0.100 to 0.300 t n 40" in "\n".join(page.extract_text() for page in plain.pages).splitlines()


def test_that_reading_limits_reviews_and_scope_are_in_it(plain):
    said = words(plain)
    for line in ("What may be claimed.", "tf-idf sees words.", "fitting context", "Scores: gpf 1.", "nothing asked"):
        assert squeezed(line) in said


def test_that_how_scores_were_made_is_said_once(tmp_path):
    note = "Scores: gpf 1."
    made = replace(report(), findings=tuple(replace(finding(), name=name, notes=(note,)) for name in "ab"))
    assert note in made.scope
    assert words(written(made, tmp_path)).count(squeezed(note)) == 1


def test_that_a_long_table_repeats_its_head_and_cuts_no_interval(tmp_path):
    tall = replace(finding("a/b\nin many\nlines\nof its own\nto fill\na page", rows=24), figures=())
    reader = written(replace(report(), findings=(tall,), bundles=()), tmp_path)
    pages = [page.extract_text() for page in reader.pages]
    tables = [page for page in pages if "0.100 to 0.300 t n 40" in page.splitlines()]
    assert len(tables) > 1
    assert all("Refused" in page for page in tables)
    assert sum(page.splitlines().count("0.100 to 0.300 t n 40") for page in tables) == 24


def test_that_a_table_too_long_to_print_says_where_its_rows_are(tmp_path):
    made = replace(report(), findings=(replace(finding(rows=120), figures=()),), bundles=())
    said = words(written(made, tmp_path))
    assert squeezed("Its 120 rows: sheet “model_table” of the report as a workbook (.xlsx)") in said
    assert "0.100to0.300" not in said


def test_that_no_page_ends_between_what_is_said_of_a_table_and_the_table(tmp_path):
    numbers = range(16)
    every = tuple(
        replace(finding(rows=1 + each % 4), name=f"f{each}", title=f"T{each}", reading=f"Reading {each}.", figures=())
        for each in numbers
    )
    reader = written(replace(report(), findings=every, bundles=()), tmp_path)
    pages = [squeezed(page.extract_text()) for page in reader.pages]
    below = [page.partition(f"Reading{each}.")[2] for each in numbers for page in pages if f"Reading{each}." in page]
    assert len(below) == len(numbers)
    assert [rest for rest in below if "Family0" not in rest] == []


def wide_table(rows):
    wide = finding(rows=rows)
    many = tuple(replace(wide.columns[2], key=f"s{number}", title=f"S {number}") for number in range(8))
    valued = tuple(
        replace(row, values={**row.values, **{column.key: row.values["s"] for column in many}}) for row in wide.rows
    )
    return replace(
        report(), findings=(replace(wide, columns=wide.columns + many, rows=valued, figures=()),), bundles=()
    )


def on_their_side(reader):
    return [page for page in reader.pages if page.mediabox.width > page.mediabox.height]


def test_that_a_table_too_wide_for_the_page_is_whole_on_its_side_at_the_end(tmp_path):
    reader = written(wide_table(rows=16), tmp_path)
    pages = on_their_side(reader)
    # With n below it: for both on one line twelve columns have no room.
    assert sum(page.extract_text().splitlines().count("0.100 to 0.300 t") for page in pages) == 9 * 16
    upright = [page.extract_text() for page in reader.pages if page not in pages]
    assert any("it stands on a page on its side" in page for page in upright)
    assert not any("0.100 to 0.300 t" in page.splitlines() for page in upright)


def test_that_a_plot_taller_than_half_a_page_stands_in_the_workbook_and_that_is_said(tmp_path):
    made = report()
    first = made.findings[0]
    groups = tuple(
        replace(
            first.rows[0], values={**first.rows[0].values, "model": f"group {group}", "family": f"{group} is {line}"}
        )
        for group in range(4)
        for line in range(10)
    )
    tall = replace(first, rows=groups, reading="What a tall plot shows.", figures=first.figures[2:3])
    said = words(written(replace(made, findings=(tall,)), tmp_path))
    assert squeezed("1 further figure: sheet “Figures” of the report as a workbook (.xlsx).") in said
    assert squeezed("What a tall plot shows.") in said
    assert squeezed("0 is 9") not in said


@pytest.mark.parametrize("text", MARKUP)
def test_that_markup_of_the_typesetter_stays_words(text, tmp_path):
    reader = written(report(text), tmp_path)
    assert squeezed(text) in words(reader)
    assert "root:" not in words(reader)
    assert reader.metadata.title == text


@pytest.mark.parametrize("text", HOSTILE)
def test_that_no_words_from_outside_stop_it_and_an_answer_s_are_those_that_came(text, tmp_path):
    said = words(written(written_report(text), tmp_path))
    assert squeezed(text) in said or not (text.isascii() and text.isprintable())


@pytest.mark.parametrize(
    "text", ["", " ", "שלום לכולם", "مرحبا بالعالم", "新闻对不同的人说不同的话", "🗞️ 👩🏽‍🔬", "\ue000", "x" * 12_000]
)
def test_that_no_script_and_no_length_stops_it(text, tmp_path):
    reader = written(written_report(text), tmp_path)
    assert len(reader.pages) > 3
    assert "/StructTreeRoot" in reader.trailer["/Root"]


def test_that_a_long_answer_goes_on_over_pages_and_is_whole(tmp_path):
    said = words(written(report("word " * 1500), tmp_path))
    assert said.count("word") >= 1500


@pytest.mark.parametrize("everything", [True, False])
def test_that_synthetic_answers_are_named_on_every_page(everything, tmp_path):
    made = replace(written_report(synthetic=True), all_synthetic=everything)
    says = "All answers synthetic" if everything else "Contains synthetic answers"
    for page in written(made, tmp_path).pages:
        assert says in page.extract_text()


def test_that_the_same_report_gives_the_same_bytes(tmp_path):
    for name in ("a.pdf", "b.pdf"):
        EXPORTER.export(report(), tmp_path / name, NoOptions())
    assert (tmp_path / "a.pdf").read_bytes() == (tmp_path / "b.pdf").read_bytes()


def test_that_what_the_typesetter_refuses_is_said_and_leaves_nothing(tmp_path, monkeypatch):
    broken = tmp_path / "reports"
    broken.mkdir()
    (broken / "report.typ").write_text('#panic("no")')
    monkeypatch.setattr(pdf, "resources", lambda: tmp_path)
    with pytest.raises(UserError, match="cannot be set as a PDF") as raised:
        EXPORTER.export(report(), tmp_path / "r.pdf", NoOptions())
    assert "web page" in raised.value.remedy
    assert not list(tmp_path.glob("*.p*"))


def test_that_a_long_name_breaks_at_its_joints():
    pieces = _said("stereoset-calibration/typical").split("\u200b")
    assert pieces == ["stereoset-", "calibration/", "typical"]
    assert max(map(len, _said("x" * 40).split("\u200b"))) <= 14
