"""Sentences beside those that say the like."""

from hypothesis import given
from hypothesis import strategies as st

from gpf_desktop.engine.review.reading_aids.sentence_grid import alignable, gathered, sentence_grid

A = "The lanes open in spring. Your deliveries may take longer to unload. Fares are reviewed in June."
B = "Fares are reviewed in June. The lanes will open in late spring. A monthly ticket costs a tenth of a wage."


def shown(texts: list[str]) -> list[tuple[str | None, ...]]:
    return [
        tuple(None if cell is None else cell.of(text) for cell, text in zip(row.cells, texts, strict=True))
        for row in sentence_grid(texts)
    ]


def test_that_like_sentences_share_a_row_wherever_they_stand() -> None:
    rows = shown([A, B])
    assert ("The lanes open in spring.", "The lanes will open in late spring.") in rows
    assert ("Fares are reviewed in June.", "Fares are reviewed in June.") in rows


def test_that_a_sentence_without_a_like_stays_alone() -> None:
    rows = shown([A, B])
    assert ("Your deliveries may take longer to unload.", None) in rows
    assert (None, "A monthly ticket costs a tenth of a wage.") in rows


def test_that_equal_answers_fill_every_row() -> None:
    assert all(row.filled == 3 for row in sentence_grid([A, A, A]))


def test_that_an_empty_answer_leaves_its_column_empty() -> None:
    assert all(cells[1] is None for cells in shown([A, ""]))


@given(st.lists(st.text(alphabet="ab. \n", max_size=40), max_size=5))
def test_that_every_sentence_stands_in_exactly_one_row(texts: list[str]) -> None:
    rows = sentence_grid(texts)
    for answer, text in enumerate(texts):
        placed = sorted((cell.start, cell.end) for row in rows if (cell := row.cells[answer]) is not None)
        assert placed == [(part.start, part.end) for part in alignable(text)]
    assert all(row.filled for row in rows)


def test_that_list_numbers_and_headings_are_no_sentences_and_leads_stay_with_theirs() -> None:
    text = "What changes for you\n\n1. Parking. Four streets lose it.\n2) Fares stay.\n\u2022 Bring a card\n\nAll said."
    assert [part.of(text) for part in alignable(text)] == [
        "Parking. Four streets lose it.",
        "Fares stay.",
        "\u2022 Bring a card",
        "All said.",
    ]


def test_that_sentences_of_almost_the_same_words_are_told_as_the_same() -> None:
    said = "The council will publish counts of all passengers and cars every quarter of the year"
    rows = sentence_grid([f"{said}.", f"{said}!", said.replace("cars", "buses") + ".", "Nothing at all is like it."])
    assert sorted(row.same for row in rows) == [(-1, -1, -1, 3), (0, 0, 0, -1)]
    assert [row.alike for row in sentence_grid([A, A])] == [True, True, True]


def test_that_sentences_that_stand_alone_share_lines_where_their_answers_differ_and_keep_their_order() -> None:
    shared = "Buses get a lane of their own on Mill Street."
    one = f"{shared} Your accountant may look at the levy. Ask the driver to wait."
    other = f"{shared} Tickets stay cheap for pupils."
    rows = sentence_grid([one, other])
    lines = gathered(rows)
    assert [row.filled for row in rows] == [2, 1, 1, 1]
    assert [(line.filled, line.alone) for line in lines] == [(2, False), (2, True), (1, True)]
    said = [line.cells[0].of(one) for line in lines if line.cells[0] is not None]
    assert said == [shared, "Your accountant may look at the levy.", "Ask the driver to wait."]
    assert lines[1].same == (0, 1)
    assert gathered(sentence_grid([one])) == sentence_grid([one])
