"""The lead figure: every conclusion with its marks on one scale, in every palette, without a window."""

import subprocess
import sys
from dataclasses import replace
from xml.etree import ElementTree

import pytest

from gpf_desktop.domain.conclusions.conclusion import ConclusionOutcome, ConclusionTag
from gpf_desktop.domain.conclusions.lead import LeadPanel, LeadPoint, PointShape, measures_lead
from gpf_desktop.figures.axes import Scale, head
from gpf_desktop.figures.files import FigureFile, figure_bytes
from gpf_desktop.figures.lead import NARROW, WIDE, lead_figure, lead_strips
from gpf_desktop.figures.lead_key import chip_words, key
from gpf_desktop.figures.lead_table import figure_table, lead_table
from gpf_desktop.figures.lead_words import finding
from gpf_desktop.figures.marks import mark, row_marks, sample
from gpf_desktop.figures.palette import palette
from gpf_desktop.figures.shapes import Disc, Figure, Line, Polygon, Rectangle, Words
from gpf_desktop.figures.svg import svg
from gpf_desktop.figures.text_widths import balanced, fitted, middle_fitted, width_of, wrapped
from tests.figures.pages import EARLY, FAILED, D, N, conclusion, measure, noisy, told

SVG = "{http://www.w3.org/2000/svg}"


def words(figure: Figure) -> list[str]:
    return [each.text for each in figure.shapes if isinstance(each, Words)]


def ranges(figure: Figure) -> list[Line]:
    return [each for each in figure.shapes if isinstance(each, Line) and each.width > 2.5 and each.x2 - each.x1 > 20]


def test_that_the_title_is_the_finding_and_every_model_has_a_row_with_its_number() -> None:
    figure = lead_figure(told(conclusion("a/elm", outcome=D), conclusion("b/oak")))
    assert figure.title == "1 of 2 differ"
    said = words(figure)
    assert {"Does it differ?", "elm", "oak", "Differs", "Not settled", "0.50", "0.30 to 0.70"} <= set(said)
    assert len(figure.spots) == 2
    assert figure.spots[0].says.startswith("elm, By words. Differs.")


@pytest.mark.parametrize("width", [NARROW - 180, WIDE])
def test_that_numbers_stand_under_each_other_beyond_all_ranges_and_their_own_beside_or_below_them(width: float) -> None:
    far = conclusion("a/elm", (measure("words", value=40.0, low=-300.0, high=900.0), measure("judge", value=0.9)))
    for page in (told(far), told(far, conclusion("b/oak"))):
        figure = lead_figure(page, width)
        said = [each for each in figure.shapes if isinstance(each, Words)]
        numbers = [each for each in said if each.text in {"40.00", "0.90", "0.50"}]
        reaches = [each for each in said if each.text in {"−300.00 to 900.00", "0.30 to 0.70"}]
        assert len(numbers) == len(reaches) == len(page.lead.rows)
        assert {(each.x, each.anchor) for each in numbers} == {(numbers[0].x, "end")}
        assert len({(each.x, each.anchor) for each in reaches}) == 1
        assert {round(reach.y - number.y, 3) for number, reach in zip(numbers, reaches, strict=True)} <= {0.0, 13.5}
        assert all(reach.size < number.size for number, reach in zip(numbers, reaches, strict=True))
        left = min(each.x - width_of(each.text, each.size, bold=True) for each in numbers)
        assert max(line.x2 for line in ranges(figure)) < left


@pytest.mark.parametrize("width", [NARROW - 180, WIDE])
def test_that_no_words_and_no_mark_leave_the_picture(width: float) -> None:
    long = conclusion(
        "maker/a-model-with-a-very-long-name-0.7",
        (measure("words", others=(("oak", -0.4), ("ash", 0.2))), measure("judge", value=40.0, low=-300.0, high=900.0)),
        tags=(ConclusionTag.HANGS_ON_ONE, ConclusionTag.SOME_MISSING),
        caveats=(noisy("judge"),),
    )
    for page in (told(long), told(long, conclusion("b/oak"))):
        figure = lead_figure(page, width)
        for each in figure.shapes:
            match each:
                case Words():
                    wide = width_of(each.text, each.size, bold=each.bold)
                    left = each.x - {"start": 0.0, "middle": wide / 2, "end": wide}[each.anchor]
                    assert left > -1, each
                    assert left + wide < width + 1, each
                case Line():
                    assert min(each.x1, each.x2) >= 0, each
                    assert max(each.x1, each.x2) <= width, each
                case Rectangle():
                    assert each.x >= 0, each
                    assert each.x + each.width <= width, each
                case Disc() | Polygon():
                    pass


def test_that_what_a_check_voids_is_drawn_broken_and_hollow_in_amber() -> None:
    held = measure("words")
    failed = measure("judge", outcome=FAILED, voided_by="noisy")
    figure = lead_figure(told(conclusion(measures=(held, failed), caveats=(noisy("judge"),))))
    solid, broken = ranges(figure)[:2]
    assert (solid.dash, broken.ink) == (None, "warning")
    assert broken.dash is not None
    assert any("The judge is noisy." in line for line in words(figure))
    assert "a check failed: not counted" in words(figure)
    few = measure("words", outcome=ConclusionOutcome.TOO_FEW, voided_by="few_items")
    figure = lead_figure(told(conclusion(measures=(few,))))
    assert "too few: not counted" in words(figure)
    figure = lead_figure(told(conclusion(measures=(few, failed), caveats=(noisy("judge"),))))
    assert "too few, or a check failed: not counted" in words(figure)


def test_that_marks_before_the_first_look_are_hollow_and_say_so() -> None:
    early = lead_figure(told(conclusion(outcome=EARLY, so_far=D)))
    later = lead_figure(told(conclusion(outcome=D)))

    def filled(figure: Figure) -> set[str]:
        return {each.fill for each in figure.shapes if isinstance(each, Disc) and each.edge_width == 2.0}

    assert filled(early) == {"surface"}
    assert filled(later) == set()
    assert "Hollow: before the first planned look." in words(early)
    assert "So far" in words(early)


def test_that_the_key_says_what_a_pale_bar_is_and_what_is_shown_neither_way() -> None:
    page = told(conclusion())
    (row,) = page.lead.rows
    barred = replace(row, cells=(replace(row.cells[0], back_to=0.1),))
    keyed = [said for _, said in key(replace(page, lead=replace(page.lead, rows=(barred,), back="added")))]
    assert "added" in keyed
    assert not any("added" in said for _, said in key(told(conclusion(outcome=D))))
    meant = "Not settled: a difference was neither shown nor ruled out."
    assert (chip_words(page), chip_words(told(conclusion(outcome=D)))) == (meant, "")
    assert meant in words(lead_figure(page))
    assert meant not in words(lead_figure(page, with_title=False)), "who shows rows alone says it around them"


def test_that_made_up_answers_are_triangles_and_said_before_all() -> None:
    figure = lead_figure(told(conclusion(synthetic=True)))
    assert words(figure)[0].startswith("Synthetic: made-up answers")
    real = lead_figure(told(conclusion()))
    one_of_two = "synthetic: a built-in test model"
    assert one_of_two not in (*words(figure), *words(real)), "said above of all of them"
    assert one_of_two in words(lead_figure(told(conclusion("a/elm", synthetic=True), conclusion("b/oak"))))
    marks = [each for each in real.shapes if isinstance(each, Polygon)]
    assert marks == []


def test_that_a_range_far_wider_than_what_it_is_held_against_is_cut_with_an_arrow_and_no_mark_is_squeezed() -> None:
    figure = lead_figure(told(conclusion(measures=(measure(value=0.5, low=-400.0, high=400.0),))))
    arrows = [each for each in figure.shapes if isinstance(each, Polygon)]
    # One at each end of the range, and one that says what they mean.
    assert len(arrows) == 3
    assert "goes on beyond the picture" in words(figure)
    assert "goes on beyond the picture" not in words(lead_figure(told(conclusion())))
    (band,) = [
        each for each in figure.shapes if isinstance(each, Rectangle) and each.fill == "border" and each.height > 20
    ]
    assert band.width > 100


def test_that_the_key_of_groups_shows_a_dot_and_neither_a_range_nor_a_mark_that_no_row_has() -> None:
    groups = measure(value=0.6, low=0.2, high=1.0, others=(("Haiti", 0.0), ("Kenya", 0.58), ("Norway", 0.6)))
    page = told(conclusion("a/elm", (groups,), synthetic=True), conclusion("b/oak", (groups,)))
    lead = measures_lead(page.page.conclusions, point=PointShape.DOT)
    (shapes, said), *others = key(replace(page, lead=replace(lead, mark="a country")))
    assert (said, [type(each) for each in shapes]) == ("a country", [Disc])
    ranges_said = [each for each, words in others if "true value" in words]
    assert ranges_said == [], "what is not drawn has no sample"
    assert any("true value" in words for _, words in key(page))


def test_that_the_key_has_the_mark_in_each_colour_that_the_figure_has_it_in() -> None:
    for made, inks in (
        ((("a/elm", D), ("b/oak", N)), {"accent", "text_secondary"}),
        ((("a/elm", N),), {"text_secondary"}),
    ):
        page = told(*(conclusion(name, (measure(outcome=outcome),), outcome=outcome) for name, outcome in made))
        (shapes, _), *_ = key(replace(page, lead=replace(page.lead, mark="a model")))
        assert {each.fill for each in shapes if isinstance(each, Disc)} == inks
        assert len({each.x for each in shapes if isinstance(each, Disc)}) == len(inks)


def test_that_the_table_of_a_figure_of_two_scales_has_the_numbers_that_stand_on_them() -> None:
    page = told(conclusion("a/elm", outcome=D), conclusion("b/oak"))
    (row, other), (panel,) = page.lead.rows, page.lead.panels
    two = [replace(each, cells=(*each.cells, replace(each.cells[0], text="9.00", reach=""))) for each in (row, other)]
    table = figure_table(
        replace(page, lead=replace(page.lead, panels=(panel, panel), rows=tuple(two), by_measure=False))
    )
    assert [list(each.values.values())[:2] for each in table.rows] == [["elm", "Differs"], ["oak", "Not settled"]]
    assert {tuple(each.values.values())[-2:] for each in table.rows} == {("0.50 (0.30 to 0.70)", "9.00")}
    assert figure_table(page) == lead_table(page), "of one scale the table has its very rows already"


def test_that_names_of_groups_stand_beside_their_dots_and_a_control_above_the_mark_it_lies_on() -> None:
    groups = measure(value=0.1, others=(("Haiti", 0.0), ("Norway", 0.1)))
    made = measures_lead(told(conclusion("a/elm", (groups,))).page.conclusions, point=PointShape.DOT).rows[0].cells[0]
    shapes = row_marks(
        replace(made, band=(0.0, 0.5)), Scale(low=0.0, high=1.0, left=0.0, right=400.0), 20.0, hollow=False
    )
    (band,) = (each for each in shapes if isinstance(each, Rectangle))
    (name,) = (each for each in shapes if isinstance(each, Words) and each.text == "Norway")
    (*_, dot) = (each for each in shapes if isinstance(each, Disc) and each.fill == "text_secondary")
    assert 0 < name.x - dot.x < 12, "beyond a longer band it would be read as another group's"
    assert name.x < band.x + band.width
    alone = replace(made, points=(LeadPoint(value=0.1, words="asked again", shape=PointShape.SQUARE),))
    shapes = row_marks(alone, Scale(low=0.0, high=1.0, left=0.0, right=400.0), 20.0, hollow=False)
    kinds = [type(each) for each in shapes if isinstance(each, Disc | Rectangle)]
    assert kinds == [Disc, Rectangle]


def test_that_marks_and_controls_are_told_apart_by_their_outline_whether_filled_or_hollow() -> None:
    outlines = [
        tuple((type(each), len(each.points) if isinstance(each, Polygon) else 0) for each in shapes)
        for shapes in (
            mark(0, 0, "accent", hollow=True),
            *(sample(shape, 0, 0) for shape in PointShape if shape is not PointShape.DOT),
        )
    ]
    assert len(set(outlines)) == len(outlines)


def test_that_no_two_names_of_groups_and_no_line_of_the_scale_share_a_place() -> None:
    names = ("Aboriginal peoples of Australia", "Bosnia and Herzegovina", "Chad", "Denmark", "Eritrea")
    groups = measure(value=0.1, others=tuple((name, 0.025 * at) for at, name in enumerate(names)))
    page = told(conclusion("a/elm", (groups,)), conclusion("b/oak", (groups,)))
    shapes = lead_figure(replace(page, lead=measures_lead(page.page.conclusions, point=PointShape.DOT)), 720).shapes
    named = [each for each in shapes if isinstance(each, Words) and each.text in names]
    assert [each.text for each in named] == [names[0], names[-1]] * 2, "the table names those between them"
    wide = [width_of(each.text, each.size) for each in named]
    places = [
        (each.y, each.x - (each.anchor == "end") * its, each.x + (each.anchor != "end") * its)
        for each, its in zip(named, wide, strict=True)
    ]
    assert all(left > 0 and right < 720 for _, left, right in places)
    for at, (y, left, right) in enumerate(places):
        assert not any(y == other and left < end and begin < right for other, begin, end in places[at + 1 :])
        crossing = [each for each in shapes if isinstance(each, Line) and each.x1 == each.x2 and left < each.x1 < right]
        assert not any(min(each.y1, each.y2) < y - 2 < max(each.y1, each.y2) for each in crossing)


def test_that_a_measure_without_a_value_keeps_its_row() -> None:
    page = told(conclusion(measures=(measure("words"), measure("judge", value=None, low=None, high=None))))
    assert len(lead_figure(page).spots) == 2


@pytest.mark.parametrize("theme", ["light", "dark", "high_contrast"])
def test_that_the_drawing_is_well_formed_in_the_colours_of_the_theme(theme: str) -> None:
    page = told(conclusion('a/<elm> & "oak"', outcome=D))
    drawn = ElementTree.fromstring(svg(lead_figure(page), theme, link=lambda row: f"#set-{row}"))
    colors = {value for each in drawn.iter() for name, value in each.items() if name in ("fill", "stroke")}
    assert colors - {"none", "#000000"} <= set(palette(theme).values())
    assert [each.get("href") for each in drawn.iter(f"{SVG}a")] == ["#set-0"]
    assert "<elm>" in "".join(drawn.itertext())


@pytest.mark.parametrize("kind", FigureFile)
def test_that_it_is_saved_as_every_kind_of_file(kind: FigureFile) -> None:
    data = figure_bytes(lead_figure(told(conclusion(outcome=D))), kind)
    assert data.startswith({"png": b"\x89PNG", "svg": b"<svg", "pdf": b"%PDF", "slide": b"%PDF"}[kind])


def test_that_a_slide_is_sixteen_to_nine_and_holds_its_finding_as_text() -> None:
    from io import BytesIO

    from pypdf import PdfReader

    (page,) = PdfReader(BytesIO(figure_bytes(lead_figure(told(conclusion(outcome=D))), FigureFile.SLIDE))).pages
    assert float(page.mediabox.width / page.mediabox.height) == pytest.approx(16 / 9, rel=0.001)
    assert "elm differs" in page.extract_text()


def test_that_what_else_the_headline_says_stands_under_the_title() -> None:
    page = told(conclusion())
    assert finding(page)[0] == "Not settled: elm"
    early = replace(page, headline="Too early to tell: 4 articles are in. Two of six point to yes.")
    assert finding(early)[0] == "Too early to tell: 4 articles are in"
    assert finding(early)[1].startswith("Two of six point to yes.")


def test_that_lines_break_between_words_and_no_line_is_wider_than_its_room() -> None:
    text = "Judged again they would agree at 0.53 (from −0.53), and 0.67 is needed " + "x" * 80
    for room in (60.0, 120.0, 400.0):
        assert all(width_of(line, 12) <= room for line in wrapped(text, 12, room))
    assert wrapped(text, 12, 120, most=2)[-1].endswith("…")


def test_that_words_of_any_length_are_cut_without_measuring_all_of_them() -> None:
    endless = "word " * 200_000
    for cut in (fitted(endless, 12, 200), middle_fitted(endless, 12, 200)):
        assert "…" in cut
        assert 150 < width_of(cut, 12) <= 200


def test_that_figures_are_made_without_a_window() -> None:
    code = "import sys, gpf_desktop.figures.lead, gpf_desktop.figures.files; assert 'PySide6' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize(
    ("panel", "said"),
    [
        (LeadPanel(title="", ends=("less often", "more often"), null=0.0), {"← less often", "more often →"}),
        (LeadPanel(title="", ends=("", "further apart"), null=0.0), {"further apart →"}),
        (LeadPanel(title="", ends=("same words", "no shared"), low=0.0, high=1.0), {"same words", "no shared"}),
        (LeadPanel(title="", ends=("lowest group", "warmer"), low=0.0), {"lowest group", "warmer →"}),
    ],
)  # fmt: skip
def test_that_an_arrow_stands_where_a_scale_goes_on(panel: LeadPanel, said: set[str]) -> None:
    scale = Scale(low=-1.0, high=1.0, left=0.0, right=400.0)
    shapes = [each for each in head(panel, scale, 40.0) if isinstance(each, Words) and not each.text[-1].isdigit()]
    assert {each.text for each in shapes} == said
    narrow = Scale(low=-1.0, high=1.0, left=0.0, right=120.0)
    (*_, last) = (each.text for each in head(panel, narrow, 40.0) if isinstance(each, Words))
    assert last.removeprefix("1: ") in said


@pytest.mark.parametrize(("low", "high"), [(-0.36, 0.75), (-70.0, 80.0), (0.0, 1.0), (-0.4, 1.6)])
def test_that_a_scale_has_two_numbers_however_narrow_it_is(low: float, high: float) -> None:
    ticks = Scale(low=low, high=high, left=0.0, right=90.0).ticks
    assert len(ticks) > 1


def test_that_a_pale_bar_begins_at_the_control_that_stands_on_its_line() -> None:
    page = told(conclusion())
    points = tuple(
        LeadPoint(value=0.1, words=shape, shape=shape)
        for shape in (PointShape.SQUARE, PointShape.DIAMOND, PointShape.CROSS)
    )
    (row,) = page.lead.rows
    cell = replace(row.cells[0], back_to=0.1, points=points)
    scale = Scale(low=0.0, high=1.0, left=0.0, right=100.0)
    shapes = row_marks(cell, scale, 50.0, hollow=False)
    bar, square = shapes[0], next(each for each in shapes if isinstance(each, Rectangle))
    assert isinstance(bar, Line)
    assert (bar.x1, bar.y1) == (square.x + square.width / 2, square.y + square.height / 2) == (10.0, 50.0)


def test_that_the_high_end_of_a_narrow_scale_is_told_by_its_number() -> None:
    panel = LeadPanel(title="", ends=("the same words", "nothing shared"), low=0.0, high=1.0)
    narrow = Scale(low=0.0, high=1.0, left=0.0, right=100.0, column=60.0)
    said = {each.text for each in head(panel, narrow, 40.0) if isinstance(each, Words)}
    assert said == {"0", "1", "1: nothing shared"}, "alone it would read as the low end's"


def test_that_groups_that_all_lie_together_have_no_lowest_and_no_highest() -> None:
    page = told(conclusion("a/elm", (measure(value=0.0, others=(("Norway", 0.0), ("Egypt", 0.0))),)), conclusion("b"))
    lead = measures_lead(page.page.conclusions, point=PointShape.DOT)
    assert not {"Norway", "Egypt"} & set(words(lead_figure(replace(page, lead=lead))))


def test_that_a_scale_with_all_its_numbers_on_one_side_of_nothing_has_one_at_its_low_end_too() -> None:
    assert [Scale(low=-0.46, high=1.7, left=0.0, right=200.0).tick_text(-0.4)] == ["−0.4"]
    assert Scale(low=-0.46, high=1.7, left=0.0, right=150.0).ticks[0] == pytest.approx(-0.4)
    assert Scale(low=-0.46, high=1.7, left=0.0, right=60.0).ticks[0] == 0, "there is no room for it"


@pytest.mark.parametrize("synthetic", [False, True])
def test_that_the_key_of_what_a_check_voids_has_the_shape_of_its_mark(synthetic: bool) -> None:
    page = told(conclusion(synthetic=synthetic, measures=(measure(outcome=FAILED, voided_by="noisy"),)))
    (shapes,) = (shapes for shapes, said in key(page) if "check failed" in said)
    assert [type(each) for each in shapes[1:]] == [Disc], "▲ stands before the name of a synthetic model alone"


def test_that_marks_keep_room_for_themselves_where_numbers_with_ranges_would_take_it() -> None:
    page = told(conclusion("a/elm", (measure(value=40.0, low=-300.0, high=900.0),)))
    narrow, wide = lead_figure(page, 420), lead_figure(page, WIDE)
    assert {"40.00", "−300.00 to 900.00"} <= set(words(wide))
    assert "40.00" in words(narrow)
    assert "−300.00 to 900.00" not in words(narrow)


def test_that_no_line_of_what_weighs_holds_a_lone_word_and_words_keep_off_their_tags() -> None:
    said = "Readers add 0.62 without the words that name them and so 0.69."
    room = next(each for each in range(150, 400) if wrapped(said, 12, each)[-1] == "0.69.")
    lines = balanced(said, 12, room)
    assert len(lines) == len(wrapped(said, 12, room))
    assert len(lines[-1].split()) > 1
    first, *others = wrapped(said, 12, 160, first=100)
    assert width_of(first, 12) <= 60
    assert " ".join((first, *others)) == said
    assert wrapped(said, 12, 160, first=159)[0] == ""


def test_that_words_of_a_scale_never_reach_into_the_scale_before_it() -> None:
    panel = LeadPanel(title="Tone", ends=("", "much further apart"), null=0.0)
    narrow = Scale(low=0.0, high=1.0, left=300.0, right=340.0, column=90.0)
    said = {each.text: each for each in head(panel, narrow, 60.0) if isinstance(each, Words)}
    assert (said["much further apart →"].x, said["much further apart →"].anchor) == (300.0, "start")
    tight = Scale(low=0.0, high=1.0, left=300.0, right=340.0, column=20.0)
    assert "much further apart →" not in {each.text for each in head(panel, tight, 60.0) if isinstance(each, Words)}


@pytest.mark.parametrize("synthetic", [False, True])
def test_that_no_mark_has_the_shape_that_stands_before_names(synthetic: bool) -> None:
    (row,) = [
        each for each in lead_strips(told(conclusion(synthetic=synthetic, measures=(measure(),))), WIDE) if each.says
    ]
    before = [each for each in row.shapes if isinstance(each, Polygon)]
    assert [each.fill for each in before] == (["synthetic"] if synthetic else [])


def test_that_a_number_that_is_not_shown_is_no_stronger_than_one_that_is() -> None:
    page = told(
        conclusion(measures=(measure(value=0.41, outcome=N), measure("meaning", value=0.62, outcome=D)), outcome=D)
    )
    drawn = lead_figure(replace(page, lead=measures_lead(page.page.conclusions, of_one=True)))
    numbers = {each.text: (each.bold, each.ink) for each in drawn.shapes if isinstance(each, Words)}
    assert (numbers["0.41"], numbers["0.62"]) == ((False, "text"), (True, "accent"))
    inks = [each.ink for each in drawn.shapes if isinstance(each, Line) and each.round]
    assert inks[:2] == ["text_secondary", "accent"], "colour is for what differs, of the model under study too"


@pytest.mark.parametrize("width", [WIDE, 420.0])
def test_that_rows_of_a_low_window_are_lower_and_keep_all_that_they_say(width: float) -> None:
    places = (("Norway", 0.0), ("Italy", 0.1), ("Japan", 0.102), ("Egypt", 0.9))
    page = told(conclusion("a/elm", (measure(value=0.9, others=places),)), conclusion("b/oak"))
    page = replace(page, lead=measures_lead(page.page.conclusions, point=PointShape.DOT))
    usual, dense = (lead_strips(page, width, dense=dense) for dense in (False, True))
    assert sum(each.height for each in dense) < (0.9 if width == WIDE else 1.0) * sum(each.height for each in usual)
    for high, low in zip(usual, dense, strict=True):
        said = [each for each in low.shapes if isinstance(each, Words)]
        assert [each.text for each in said] == [each.text for each in high.shapes if isinstance(each, Words)]
        assert all(0.8 * each.size <= each.y <= low.height for each in said), "nothing is cut off"
