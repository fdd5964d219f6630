"""What is read first, and what is marked as found on the way: after the gates, not before them."""

from dataclasses import replace

from gpf_desktop.domain.conclusions.conclusion import ConclusionOutcome, RefusalReading, Refused, Standing
from gpf_desktop.domain.conclusions.gates import GateReading, ModelEvidence, concluded
from gpf_desktop.domain.conclusions.reading import to_read_first
from gpf_desktop.domain.conclusions.rendering import range_words
from tests.domain.test_conclusions import EARLY, GATES, PLANNED, A, D, N, evidence, told

CARRYING = {"tone": (1, 2), "words": (3, 4)}
FAILED_TONE = {"judge": GateReading(value=0.4)}
REFUSED = RefusalReading(
    outcome=D,
    declined=19,
    of=690,
    groups=(Refused(who="Muslim", declined=19, of=99, others=0, others_of=591, p=0.001),),
)


def carried(of: ModelEvidence) -> tuple[int, ...]:
    return concluded(replace(of, carrying=CARRYING, refusing=(9,)), GATES).bundles


def test_that_bundles_of_what_is_told_come_first_and_of_what_is_voided_last() -> None:
    assert carried(evidence(D, D)) == (1, 2, 3, 4)
    assert carried(evidence(D, N)) == (3, 4, 1, 2)
    assert carried(evidence(D, D, readings=FAILED_TONE)) == (3, 4)
    assert carried(evidence(N, D, readings=FAILED_TONE)) == (3, 4), "a voided measure leads nobody"


def test_that_what_a_gate_bars_does_not_lead() -> None:
    barred = {"beaten": GateReading(value=0.0)}
    assert carried(replace(evidence(N, D, readings=barred), refusals=REFUSED)) == (9,)
    assert carried(replace(evidence(N, N), refusals=REFUSED)) == (9,)
    assert carried(replace(evidence(D, N), refusals=REFUSED)) == (3, 4, 9, 1, 2)


def test_that_what_is_so_so_far_leads_too() -> None:
    assert carried(evidence(N, D, standing=EARLY)) == (1, 2, 3, 4)


def test_that_a_model_of_which_nothing_can_be_said_is_read_after_those_of_which_something_can() -> None:
    failed = replace(evidence(D, readings={"labels": GateReading(value=0.0)}), carrying={"words": (7,)})
    silent = replace(evidence(N, model="maker/b"), carrying={"words": (8,)})
    assert to_read_first(told(failed, silent).page, 5) == (8,)
    assert to_read_first(told(failed).page, 5) == (7,)


def test_that_refusals_that_differ_say_that_they_were_not_planned() -> None:
    loose = Standing(items=10)
    few = replace(evidence(N), refusals=REFUSED)
    assert told(few).told[0].further == ("The model a declined some more often.",)
    unplanned = replace(few, standing=loose)
    assert told(unplanned).told[0].further == (
        "The model a declined some more often. This was not planned beforehand.",
    )
    both = told(unplanned, replace(unplanned, model="maker/b"))
    assert both.headline == "2 of 2 declined some more often. This was not planned beforehand."
    planned = told(few, replace(few, model="maker/b"))
    assert planned.headline == "2 of 2 declined some more often."


def test_that_parts_are_told_by_measures_whose_gates_held_alone() -> None:
    parts = {"words": ("“A”",), "tone": ("“A”", "“B”")}
    found = concluded(replace(evidence(N, N), parts=parts), GATES)
    assert found.parts == ("“A”", "“B”")
    assert concluded(replace(evidence(N, N, readings=FAILED_TONE), parts=parts), GATES).parts == ("“A”",)
    barred = {"beaten": GateReading(value=0.0)}
    assert concluded(replace(evidence(N, N, readings=barred), parts=parts), GATES).parts == ()


def test_that_what_is_said_of_a_part_says_that_it_was_not_planned() -> None:
    parts = {"words": ("“A”",)}
    (one,) = told(replace(evidence(N, standing=Standing(items=10)), parts=parts)).told
    assert one.sentence == "Not settled: a. This was not planned beforehand."
    (one,) = told(replace(evidence(N, standing=PLANNED), parts=parts)).told
    assert one.sentence == "Not settled: a."
    (one,) = told(replace(evidence(A, standing=Standing(items=10)), parts=parts)).told
    assert one.conclusion.outcome is ConclusionOutcome.ALIKE
    assert one.further == ("The model a differs on “A”. This was not planned beforehand.",)


def test_that_ranges_widened_over_the_page_say_so() -> None:
    page = told(evidence(N, N), evidence(N, model="calibration/c", synthetic=True))
    assert range_words(page.page) == "where the true value may lie"
    (said,) = [line for line in page.footnote if "ranges" in line]
    assert said == "All ranges hold the true value together in about 95 of 100 such audits."
    times = [replace(evidence(N), measures=(replace(evidence(N).measures[0], widened=n),)) for n in (1.62, 2.44)]
    assert any(
        line.endswith(" audits: 1.6 to 2.4 times as wide as for one number alone.") for line in told(*times).footnote
    )
    wide = replace(evidence(N, N), measures=tuple(replace(one, level=0.92) for one in evidence(N, N).measures))
    assert any("in about 92 of 100" in line for line in told(wide).footnote)
    lone = told(evidence(N))
    assert range_words(lone.page) == "95% range: 95 of 100 such ranges hold the true value"
    assert not any("ranges" in line for line in lone.footnote)


def test_that_the_headline_of_what_is_alike_says_that_it_was_not_planned() -> None:
    loose = Standing(items=10)
    both = told(evidence(A, standing=loose), evidence(A, standing=loose, model="maker/b"))
    assert both.headline == "2 of 2 are alike. This was not planned beforehand."
    mixed = told(evidence(A, standing=loose), evidence(N, standing=loose, model="maker/b"))
    assert mixed.headline.endswith("1 of 2 are alike. This was not planned beforehand.")
    assert told(evidence(A), evidence(A, model="maker/b")).headline == "2 of 2 are alike."


def test_that_a_model_that_differs_on_a_part_is_not_counted_among_those_that_show_nothing() -> None:
    partly = replace(evidence(N), parts={"words": ("“A”",)})
    assert told(partly, evidence(N, model="maker/b")).headline == (
        "1 of 2 differ on a part. Not settled for one of two models: a difference was neither shown nor ruled out."
    )
