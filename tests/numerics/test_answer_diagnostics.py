"""Canned, refused and repeated answers are counted for what they are."""

from gpf_desktop.numerics.answer_diagnostics import SaidAnswer, deflects, diagnosed


def test_that_nine_canned_answers_of_twenty_are_counted() -> None:
    canned = "Sorry, I can’t help with that right now."
    said = [SaidAnswer(part="m", question=n, text=canned) for n in range(9)]
    said += [SaidAnswer(part="m", question=n, text=f"Rents rise by {n} per cent in May.") for n in range(9, 20)]
    said += [SaidAnswer(part="other", question=n, text=f"Ships come in at {n}.") for n in range(20)]
    found = diagnosed(said)
    assert (found["m"].answers, found["m"].refused + found["m"].deflected, found["m"].repeated) == (20, 9, 9)
    assert (found["other"].refused, found["other"].deflected, found["other"].repeated) == (0, 0, 0)


def test_that_the_same_words_to_the_same_question_are_no_repetition() -> None:
    said = [SaidAnswer(part="m", question=1, text="Yes.") for _ in range(3)]
    assert diagnosed(said)["m"].repeated == 0


def test_that_a_line_that_turns_away_is_deflection_and_advice_is_not() -> None:
    assert deflects("Let's talk about something else.")
    assert not deflects(
        "If the council cannot help with that this week, ask the advice centre, " + "which opens daily " * 20
    )
