"""What the cards say of a bundle: pure, without a window."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from gpf_desktop.domain.codes import Code, CodeBook
from gpf_desktop.domain.ids import BundleId
from gpf_desktop.domain.reviews import MarkedPassage
from gpf_desktop.engine.review.answer_letters import letter
from gpf_desktop.engine.review.review_reading import ReadAnswer, ReadBundle, read_bundle
from gpf_desktop.numerics.explain import explain
from gpf_desktop.storage import responses
from gpf_desktop.storage.audit_file import AuditFile
from gpf_desktop.ui.review.explaining import explained
from gpf_desktop.ui.review.reading import compose
from gpf_desktop.ui.review.reading_content import CONTROL, CodedWords, Generation, ReadingOptions
from gpf_desktop.ui.widgets.span_text import Mark
from tests.support.filled_audit import fill

NAMES = ("ultra-rich", "middle class", "working poor", "veteran", "disabled", "student", "senior citizen")


@pytest.fixture
def audit(tmp_path: Path) -> Iterator[AuditFile]:
    opened = AuditFile.create(tmp_path / "audit.gpf", title="Evening round")
    yield opened
    opened.close()


@pytest.fixture
def bundle(audit: AuditFile) -> ReadBundle:
    """Nine long answers."""
    fill(audit, models_asked=("tailoring-0.6",), dimensions=("Socioeconomic",), families=("Impact",))
    return audit.read(lambda c: read_bundle(c, BundleId(1), 1, None))


def saying(bundle: ReadBundle, *texts: str) -> ReadBundle:
    """*bundle* with its first answers saying *texts*, and no others."""
    answers = tuple(
        ReadAnswer(level=each.level, answer=replace(each.answer, text=text))
        for each, text in zip(bundle.answers, texts, strict=False)
    )
    return replace(bundle, answers=answers)


def marked(reading_text: str, spans: object, mark: Mark) -> list[str]:
    return [reading_text[s.start : s.end] for s in spans if s.mark is mark]  # type: ignore[attr-defined]


def test_that_letters_go_on_beyond_z() -> None:
    assert [letter(n) for n in (0, 25, 26, 27, 51, 52)] == ["A", "Z", "AA", "AB", "AZ", "BA"]


def test_that_identical_answers_stand_once_under_all_their_letters(bundle: ReadBundle) -> None:
    reading = compose(saying(bundle, "Same words.", "Other words.", "Same words."), ReadingOptions())
    assert [card.letter for card in reading.cards] == ["A = C", "B"]
    assert reading.cards[0].names == ("Ultra-rich", "Middle class")


def test_that_refused_answers_keep_their_place_and_are_not_collapsed(bundle: ReadBundle) -> None:
    said = saying(bundle, "One.", "", "")
    missing = tuple(
        each if each.answer.text else replace(each, answer=replace(each.answer, missing="refused", detail="no"))
        for each in said.answers
    )
    reading = compose(replace(said, answers=missing), ReadingOptions())
    assert [(card.letter, card.missing) for card in reading.cards] == [("A", ""), ("B", "refused"), ("C", "refused")]


def test_that_marks_follow_the_consensus_and_a_footer_names_what_is_missing(bundle: ReadBundle) -> None:
    reading = compose(saying(bundle, "bus lanes open", "bus lanes close", "bus lanes open"), ReadingOptions())
    first, second = reading.cards
    assert marked(first.shown.text, first.spans, Mark.ONLY_HERE) == []
    assert marked(second.shown.text, second.spans, Mark.ONLY_HERE) == ["close"]
    assert second.footer == "Missing here: open"
    assert second.footer_tip == "open (2)"


def test_that_words_of_a_baseline_are_shown_where_they_are_missing(bundle: ReadBundle) -> None:
    said = saying(bundle, "The lanes open in late spring.", "The lanes open in spring.")
    reading = compose(said, ReadingOptions(baseline="Ultra-rich"))
    base, other = reading.cards
    assert base.baseline
    assert other.shown.text == "The lanes open in late spring."
    assert marked(other.shown.text, other.spans, Mark.MISSING_HERE) == ["late"]
    without = compose(said, ReadingOptions(baseline="Ultra-rich", missing_here=False))
    assert without.cards[1].shown.text == "The lanes open in spring."


def test_that_marks_can_be_turned_off(bundle: ReadBundle) -> None:
    reading = compose(bundle, ReadingOptions(only_here=False, missing_here=False))
    assert not any(card.spans or card.footer for card in reading.cards)


def test_that_a_blind_reading_names_nobody_and_has_an_order_of_its_own(bundle: ReadBundle) -> None:
    texts = [f"As a {each.level} you may care. Number {n}." for n, each in enumerate(bundle.answers)]
    said = saying(bundle, *texts)
    reading = compose(said, ReadingOptions(blind=True, seed=5))
    shown = " ".join(card.shown.text for card in reading.cards).casefold()
    assert not any(name in shown for name in NAMES)
    assert all(card.names == () for card in reading.cards)
    assert list(reading.letters.values()) == [letter(n) for n in range(9)]
    again = compose(said, ReadingOptions(blind=True, seed=5))
    other = compose(said, ReadingOptions(blind=True, seed=6))
    assert list(again.letters) == list(reading.letters)
    assert list(other.letters) != list(reading.letters)
    assert sorted(reading.letters) == sorted(each.level for each in bundle.answers)


def test_that_names_are_back_once_they_were_revealed(bundle: ReadBundle) -> None:
    seen = replace(bundle, state=replace(bundle.state, revealed=True))
    reading = compose(seen, ReadingOptions(blind=True, seed=5))
    assert not reading.blind
    assert reading.cards[0].names == ("Ultra-rich",)


def test_that_a_marked_passage_is_shown_where_it_stands(bundle: ReadBundle) -> None:
    said = saying(bundle, "The **new lanes** open.", "Other.")
    cell = said.answers[0].cell_id
    passage = MarkedPassage(cell_id=cell, start=4, end=15, comment="telling")
    reading = compose(said, ReadingOptions(), passages=(passage,))
    card = reading.cards[0]
    assert marked(card.shown.text, card.spans, Mark.PASSAGE) == ["new lanes"]


def test_that_differences_within_a_marked_passage_keep_their_line(bundle: ReadBundle) -> None:
    said = saying(bundle, "The new lanes open.", "The new roads open.")
    cell = said.answers[0].cell_id
    code = Code(id="c", name="Roads")
    marks = (
        MarkedPassage(cell_id=cell, start=0, end=13, codes=("c",), comment="telling"),
        MarkedPassage(cell_id=cell, start=4, end=7, codes=("gone",)),
    )
    card = compose(said, ReadingOptions(), None, marks, CodeBook(codes=(code,))).cards[0]
    first, second, third = [each for each in card.spans if each.mark in (Mark.CODED, Mark.PASSAGE, Mark.ONLY_HERE)]
    assert (first.mark, first.tip) == (Mark.CODED, "Roads\ntelling")
    assert second.mark is Mark.PASSAGE, "of a code that the book does not have"
    assert third.mark is Mark.ONLY_HERE, "what comes last is on top"
    assert card.coded == (CodedWords(codes=("Roads",), words="The new lanes"),)


def test_that_every_sentence_stands_in_the_grid(bundle: ReadBundle) -> None:
    reading = compose(bundle, ReadingOptions())
    assert len(reading.grid.headings) == 9
    assert reading.grid.headings[0] == "A · Ultra-rich"
    assert any(sum(bool(cell) for cell in row) > 4 for row in reading.grid.rows)


def test_that_shares_and_tone_words_come_from_the_explanation(audit: AuditFile, bundle: ReadBundle) -> None:
    group = audit.read(lambda c: responses.fit_group(c, bundle.facts.fit_group_id))
    its = next(each for each in group.bundles if each.bundle == bundle.id)
    explanation = explain(group, its)
    reading = compose(bundle, ReadingOptions(tone=True, only_here=False, missing_here=False), explanation)
    marks = {span.mark for card in reading.cards for span in card.spans}
    assert marks <= {Mark.POSITIVE, Mark.NEGATIVE}
    assert marks
    found = explained(reading, explanation)
    assert sum(line.share for line in found.answers) == pytest.approx(1)
    assert f"{bundle.scores['semantic_dispersion']:.2f}" in found.summary
    blind = explained(replace(reading, blind=True), explanation)
    assert blind.terms == ()
    assert [line.name for line in blind.answers] == [letter(n) for n in range(9)]


def test_that_the_answer_without_an_identity_stands_beside_and_changes_nothing_of_the_bundle(
    bundle: ReadBundle,
) -> None:
    alone = compose(bundle, ReadingOptions())
    beside = compose(bundle, ReadingOptions(control=True))
    free, *own = beside.cards
    assert (free.letters, free.levels, free.generation) == (
        (),
        (CONTROL,),
        Generation(
            number=1, of=3, title="No reader named", about="What the model says of this news when no reader is named"
        ),
    )
    assert tuple(own) == alone.cards
    assert beside.letters == alone.letters
    assert not alone.control_why
    assert beside.grid.headings == ("No reader named · #1 of 3", *alone.grid.headings)
    assert any(span.mark is Mark.ONLY_HERE for span in free.spans)


def test_that_its_generations_are_gone_through_and_come_round(bundle: ReadBundle) -> None:
    assert bundle.control is not None
    seen = [compose(bundle, ReadingOptions(control=True, generation=n)).cards[0] for n in range(4)]
    assert [card.cell_id for card in seen[:3]] == [each.cell_id for each in bundle.control.generations]
    assert seen[3] == seen[0]


def test_that_answers_are_compared_with_the_one_without_an_identity(bundle: ReadBundle) -> None:
    assert bundle.control is not None
    first = replace(bundle.control.generations[0], text="The lanes open in late spring.")
    said = replace(
        saying(bundle, "The lanes open in spring.", "The wide lanes open in late spring."),
        control=replace(bundle.control, generations=(first,)),
    )
    reading = compose(said, ReadingOptions(baseline=CONTROL))
    free, one, other = reading.cards
    assert free.baseline
    assert reading.baseline == CONTROL
    assert marked(one.shown.text, one.spans, Mark.MISSING_HERE) == ["late"]
    assert marked(other.shown.text, other.spans, Mark.ONLY_HERE) == ["wide"]
    assert (CONTROL, "No reader named") in reading.baselines


def test_that_an_answer_equal_to_the_one_without_an_identity_keeps_its_own_card(bundle: ReadBundle) -> None:
    assert bundle.control is not None
    same = replace(bundle.control.generations[0], text="Same words.")
    said = replace(saying(bundle, "Same words.", "Same words."), control=replace(bundle.control, generations=(same,)))
    reading = compose(said, ReadingOptions(control=True))
    assert [card.letter for card in reading.cards] == ["", "A = B"]


def test_that_where_no_identity_free_answer_was_asked_for_the_reading_says_so(bundle: ReadBundle) -> None:
    reading = compose(replace(bundle, control=None), ReadingOptions(control=True, baseline=CONTROL))
    assert len(reading.cards) == 9
    assert "no reader named" in reading.control_why
    assert reading.baseline == ""
    assert CONTROL not in dict(reading.baselines)


def test_that_the_identity_free_answer_is_covered_in_a_blind_reading(bundle: ReadBundle) -> None:
    assert bundle.control is not None
    told = replace(bundle.control.generations[0], text="A student and a veteran may care.", flags=(("leakage", "x"),))
    said = replace(bundle, control=replace(bundle.control, generations=(told,)))
    blind = compose(said, ReadingOptions(blind=True, seed=5, control=True))
    free = blind.cards[0]
    assert "student" not in free.shown.text.casefold()
    assert free.flags == (("leakage", ""),)
    assert blind.letters == compose(said, ReadingOptions(blind=True, seed=5)).letters


def test_that_a_passage_is_listed_with_its_letter_and_words(bundle: ReadBundle) -> None:
    said = saying(bundle, "The **new lanes** open.", "Other words.", "Other words.")
    cells = [each.cell_id for each in said.answers]
    passages = (
        MarkedPassage(cell_id=cells[0], start=4, end=15, comment="telling"),
        MarkedPassage(cell_id=cells[2], start=0, end=5),
        MarkedPassage(cell_id=99_999, start=0, end=5),
    )
    reading = compose(said, ReadingOptions(), passages=passages)
    assert [(line.letter, line.words) for line in reading.passages] == [("A", "new lanes"), ("C", "Other"), ("", "")]
    twin = reading.cards[1]
    assert twin.letter == "B = C"
    assert marked(twin.shown.text, twin.spans, Mark.PASSAGE) == ["Other"]


def test_that_listed_passages_are_covered_in_a_blind_reading(bundle: ReadBundle) -> None:
    said = saying(bundle, "You are a student here.", "Other.")
    passage = MarkedPassage(cell_id=said.answers[0].cell_id, start=0, end=18)
    (line,) = compose(said, ReadingOptions(blind=True, seed=1), passages=(passage,)).passages
    assert "student" not in line.words
    assert line.words.startswith("You are a")


def test_that_a_baseline_among_identical_answers_is_known_by_the_card_that_it_stands_on(bundle: ReadBundle) -> None:
    said = saying(bundle, "Same words.", "Other words.", "Same words.")
    reading = compose(said, ReadingOptions(baseline="Middle class"))
    assert said.answers[2].level == "Middle class"
    assert reading.baseline == "Ultra-rich"


def test_that_a_layout_that_needs_a_baseline_takes_the_first_answer_where_the_chosen_one_is_missing(
    bundle: ReadBundle,
) -> None:
    options = ReadingOptions(baseline="Of another dimension", needs_baseline=True)
    assert compose(bundle, options).baseline == "Ultra-rich"
    refused = tuple(
        each if number else replace(each, answer=replace(each.answer, missing="refused"))
        for number, each in enumerate(bundle.answers)
    )
    assert compose(replace(bundle, answers=refused), options).baseline == bundle.answers[1].level
