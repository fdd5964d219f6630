"""What the cards say of a bundle: pure, without a window."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from gpf_desktop.domain.ids import BundleId
from gpf_desktop.domain.reviews import MarkedPassage
from gpf_desktop.engine.review.review_reading import ReadAnswer, ReadBundle, read_bundle
from gpf_desktop.numerics.explain import explain
from gpf_desktop.storage import responses
from gpf_desktop.storage.audit_file import AuditFile
from gpf_desktop.ui.review.explaining import explained
from gpf_desktop.ui.review.reading import ReadingOptions, compose, letter
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
        ReadAnswer(identity=each.identity, answer=replace(each.answer, text=text))
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
    texts = [f"As a {each.identity} you may care. Number {n}." for n, each in enumerate(bundle.answers)]
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
    assert sorted(reading.letters) == sorted(each.identity for each in bundle.answers)


def test_that_names_are_back_once_they_were_revealed(bundle: ReadBundle) -> None:
    seen = replace(bundle, standing=replace(bundle.standing, revealed=True))
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


def test_that_every_sentence_stands_in_the_grid(bundle: ReadBundle) -> None:
    reading = compose(bundle, ReadingOptions())
    assert len(reading.grid.headings) == 9
    assert reading.grid.headings[0] == "A · Ultra-rich"
    assert any(sum(bool(cell) for cell in row) > 4 for row in reading.grid.rows)


def test_that_shares_and_tone_words_come_from_the_explanation(audit: AuditFile, bundle: ReadBundle) -> None:
    group = audit.read(lambda c: responses.fit_group(c, bundle.run_id, bundle.model_id, bundle.article_id))
    its = next(each for each in group.bundles if each.bundle == bundle.id)
    explanation = explain(group, its)
    reading = compose(bundle, ReadingOptions(tone=True, only_here=False, missing_here=False), explanation)
    marks = {span.mark for card in reading.cards for span in card.spans}
    assert marks <= {Mark.POSITIVE, Mark.NEGATIVE}
    assert marks
    found = explained(reading, explanation)
    assert sum(line.share for line in found.answers) == pytest.approx(1)
    assert f"{bundle.scores['semantic_dispersion']:.3f}" in found.summary
    blind = explained(replace(reading, blind=True), explanation)
    assert blind.terms == ()
    assert [line.name for line in blind.answers] == [letter(n) for n in range(9)]
