"""From evidence to an outcome, a sentence and plain data."""

import json
from dataclasses import replace
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as some

from gpf_desktop.domain.conclusions.conclusion import (
    PRECEDENCE,
    CaveatEffect,
    ConclusionOutcome,
    ConclusionTag,
    MeasureReading,
    RefusalReading,
    Refused,
    Standing,
)
from gpf_desktop.domain.conclusions.counts import count_word, some_of
from gpf_desktop.domain.conclusions.gates import (
    Gate,
    GateReading,
    ModelEvidence,
    PageEvidence,
    concluded,
    measure_key,
    page_of,
)
from gpf_desktop.domain.conclusions.plain import plain_page
from gpf_desktop.domain.conclusions.rendering import ToldPage, rendered
from gpf_desktop.domain.conclusions.voice import Voice

D, A, N = ConclusionOutcome.DIFFERS, ConclusionOutcome.ALIKE, ConclusionOutcome.NOT_SHOWN
TESTED = (D, A, N)
PLANNED = Standing(items=10, reached=1, of=1, planned=True)
EARLY = Standing(items=3, reached=0, of=3, next_at=10, planned=True)
GATES = (
    Gate(key="few", least=3, outcome=ConclusionOutcome.TOO_FEW),
    Gate(key="judge", least=0.667, measures=("tone",), outcome=ConclusionOutcome.CHECK_FAILED),
    Gate(key="labels", above=0.0, outcome=ConclusionOutcome.CHECK_FAILED),
    Gate(key="beaten", above=0.0, bars=frozenset({D}), asked=False),
    Gate(key="one", most=0, tag=ConclusionTag.HANGS_ON_ONE),
    Gate(key="note", most=0, effect=CaveatEffect.INFORMS),
)
HELD = {"beaten": GateReading(value=1.0)}
VOICE = Voice(
    outcomes={
        D: lambda _, m: f"{m} differs.",
        A: lambda _, m: f"{m} is alike.",
        N: lambda _, m: f"Not settled: {m}.",
        ConclusionOutcome.CHECK_FAILED: lambda _, m: f"Nothing can be said of {m}.",
    },
    so_far={D: "So far, it moved.", A: "So far, it stays.", N: "So far, no movement is seen."},
    many={D: lambda some: f"{some.k} of {some.of} differ.", A: lambda some: f"{some.k} of {some.of} are alike."},
    caveats={gate.key: lambda caveat: f"{caveat.key} {caveat.numbers.get('n', '')}".strip() for gate in GATES},
    counted=lambda n: f"{n} articles",
    refusals=lambda _, m: f"{m} declined some more often.",
    parts=lambda each, m: f"{m} differs on {', '.join(each.parts)}.",
    many_parts=lambda some: f"{some.k} of {some.of} differ on a part.",
    many_refusing=lambda some: f"{some.k} of {some.of} declined some more often.",
)


def evidence(
    *outcomes: ConclusionOutcome,
    standing: Standing = PLANNED,
    readings: dict[str, GateReading] | None = None,
    model: str = "maker/a",
    synthetic: bool = False,
) -> ModelEvidence:
    names = ("words", "tone", "length")
    measures = tuple(
        MeasureReading(name=name, words=name, value=0.5, low=0.4, high=0.6, outcome=each)
        for name, each in zip(names, outcomes, strict=False)
    )
    return ModelEvidence(
        model=model,
        synthetic=synthetic,
        standing=standing,
        measures=measures,
        readings={**HELD, **(readings or {})},
    )


def told(*of: ModelEvidence) -> ToldPage:
    return rendered(page_of("toy", "Does it?", PageEvidence(of=of, tests=4), GATES, "A number shows."), VOICE)


def test_that_it_differs_if_one_measure_does_and_is_alike_only_if_all_are() -> None:
    for outcomes in product(TESTED, repeat=2):
        expected = D if D in outcomes else A if set(outcomes) == {A} else N
        assert concluded(evidence(*outcomes), GATES).outcome is expected


def test_that_a_voided_measure_never_votes() -> None:
    bad = {"judge": GateReading(value=0.42, numbers={"n": 0.42})}
    found = concluded(evidence(N, D, readings=bad), GATES)
    assert found.outcome is N
    assert [(each.outcome, each.voided_by) for each in found.measures] == [
        (N, ""),
        (ConclusionOutcome.CHECK_FAILED, "judge"),
    ]
    assert found.caveats[0].effect is CaveatEffect.VOIDS


def test_that_what_no_measure_is_left_to_say_is_a_failed_check() -> None:
    assert (
        concluded(evidence(D, D, readings={"labels": GateReading(value=0.0)}), GATES).outcome
        is ConclusionOutcome.CHECK_FAILED
    )


def test_that_what_was_not_asked_bars_where_the_gate_says_so() -> None:
    asked = evidence(D)
    assert concluded(asked, GATES).outcome is D
    found = concluded(replace(asked, readings={}), GATES)
    assert (found.outcome, [each.key for each in found.caveats]) == (N, ["beaten"])


@pytest.mark.parametrize("tested", TESTED)
def test_that_nothing_is_shown_before_the_first_look_or_where_filters_left_the_plan(tested: ConclusionOutcome) -> None:
    for standing in (EARLY, replace(PLANNED, left_plan=True)):
        page = told(evidence(tested, standing=standing))
        (one,) = page.told
        assert (one.conclusion.outcome, one.conclusion.so_far) == (ConclusionOutcome.TOO_EARLY, tested)
        assert "So far, " in page.headline
        assert "shown" not in page.headline
        (plain,) = plain_page(page)["conclusions"]
        assert (plain["outcome"], plain["measures"][0]["outcome"]) == ("too_early", "too_early")


def test_that_outcomes_take_precedence_in_one_order() -> None:
    few, failed = {"few": GateReading(value=1)}, {"labels": GateReading(value=-1.0)}
    assert concluded(evidence(D, readings={**few, **failed}), GATES).outcome is ConclusionOutcome.TOO_FEW
    assert concluded(evidence(D, standing=EARLY, readings=failed), GATES).outcome is ConclusionOutcome.CHECK_FAILED
    assert concluded(evidence(D, standing=EARLY), GATES).outcome is ConclusionOutcome.TOO_EARLY
    assert concluded(evidence(), GATES).outcome is ConclusionOutcome.TOO_FEW


@given(
    outcomes=some.lists(some.sampled_from(TESTED), max_size=3),
    readings=some.dictionaries(
        some.sampled_from([gate.key for gate in GATES]),
        some.floats(allow_nan=False).map(lambda value: GateReading(value=value)),
    ),
    standing=some.sampled_from([PLANNED, EARLY, Standing(items=4)]),
)
def test_that_every_model_has_an_outcome_and_a_sentence(
    outcomes: list[ConclusionOutcome], readings: dict[str, GateReading], standing: Standing
) -> None:
    page = told(evidence(*outcomes, standing=standing, readings=readings))
    (one,) = page.told
    assert one.conclusion.outcome in PRECEDENCE
    assert one.sentence
    assert page.headline
    assert (one.conclusion.so_far is None) == (one.conclusion.outcome is not ConclusionOutcome.TOO_EARLY)
    assert all(each.outcome is not D or not each.voided_by for each in one.conclusion.measures)
    json.dumps(plain_page(page))


def test_that_what_was_not_planned_says_so() -> None:
    (one,) = told(evidence(D, standing=Standing(items=10))).told
    assert one.sentence == "The model a differs. This was not planned beforehand."


def test_that_the_headline_counts_real_models_and_leaves_test_models_out() -> None:
    page = told(
        evidence(D, model="maker/a"), evidence(N, model="maker/b"), evidence(D, model="calibration/c", synthetic=True)
    )
    assert page.headline == "1 of 2 differ. For the other one, a difference was neither shown nor ruled out."
    of_one_measure = rendered(page.page, replace(VOICE, told_by=lambda _: "In words"))
    assert (
        of_one_measure.headline
        == "1 of 2 differ. In words, a difference was neither shown nor ruled out for the other one."
    )
    assert [each.name for each in page.told] == ["a", "b", "c"]


def test_that_a_page_ends_with_its_tests_and_what_chance_would_write() -> None:
    assert told(evidence(N)).footnote[:2] == (
        "A number shows.",
        (
            "4 comparisons were made for this page and are counted together. If nothing differed, at most 5 in 100 such"
            " audits would still write “differs” by chance."
        ),
    )


def test_that_refusals_that_differ_stand_beside_any_outcome() -> None:
    refused = RefusalReading(
        outcome=D,
        declined=19,
        of=690,
        groups=(Refused(who="Muslim", declined=19, of=99, others=0, others_of=591, p=0.0001),),
    )
    first, second = (replace(evidence(N, model=each), refusals=refused) for each in ("maker/a", "maker/b"))
    page = told(first, second)
    assert page.headline == "2 of 2 declined some more often."
    other = replace(evidence(D, model="maker/c"), refusals=replace(refused, outcome=N, groups=()))
    beside = told(first, second, other).headline
    assert beside.endswith("2 of 3 declined some more often."), "what another model does takes no finding's place"
    adding = replace(VOICE, adds=lambda _: "More of it.")
    differing = PageEvidence(of=(replace(evidence(D), refusals=refused),), tests=4)
    once = rendered(page_of("toy", "Does it?", differing, GATES, "A number shows."), adding).told[0].further
    assert once == ("The model a declined some more often.", "More of it."), "what is added is added once"
    assert page.told[0].conclusion.tags == (ConclusionTag.REFUSALS_DIFFER,)
    assert page.told[0].further == ("The model a declined some more often.",)


def test_that_numbers_below_ten_are_words() -> None:
    assert [count_word(n) for n in (2, 9, 12)] == ["two", "nine", "12"]
    assert [some_of(2, 6), some_of(2, 12), some_of(1, 4, begins=False)] == ["Two of six", "2 of 12", "one of four"]


def test_that_a_gate_by_measure_shuts_on_the_measure_that_its_reading_is_of() -> None:
    gate = Gate(key="judge", least=0.667, by_measure=True, outcome=ConclusionOutcome.CHECK_FAILED)
    readings = {measure_key("judge", name): GateReading(value=at) for name, at in (("words", 0.4), ("tone", 0.9))}
    found = concluded(evidence(D, A, readings=readings), [gate])
    assert [each.voided_by for each in found.measures] == ["judge", ""]
    assert [(each.key, each.measures) for each in found.caveats] == [("judge", ("words",))]
    assert found.outcome is A


def test_that_of_a_measure_that_is_not_counted_nothing_more_is_told() -> None:
    voids = Gate(key="judge", least=0.667, by_measure=True, outcome=ConclusionOutcome.CHECK_FAILED)
    hangs = Gate(key="one", most=0, by_measure=True, tag=ConclusionTag.HANGS_ON_ONE)
    again = Gate(key="labels", above=0, by_measure=True, outcome=ConclusionOutcome.CHECK_FAILED)
    readings = {
        measure_key("judge", "words"): GateReading(value=0.4),
        **{measure_key("one", name): GateReading(value=1) for name in ("words", "tone")},
        measure_key("labels", "words"): GateReading(value=0),
    }
    found = concluded(evidence(D, A, readings=readings), [voids, hangs, again])
    assert [(each.key, each.measures) for each in found.caveats] == [("judge", ("words",)), ("one", ("tone",))]
    del readings[measure_key("one", "tone")]
    assert not concluded(evidence(D, A, readings=readings), [voids, hangs, again]).tags


def test_that_what_weighs_on_every_row_is_said_once() -> None:
    readings = {"note": GateReading(value=1), "one": GateReading(value=1)}
    both = [
        evidence(N, readings=readings, model="maker/a"),
        evidence(N, readings={"note": GateReading(value=1)}, model="maker/b"),
    ]
    told = rendered(page_of("m", "Does it?", PageEvidence(of=tuple(both), tests=2), GATES, ""), VOICE)
    assert told.of_all == ("note",)
    assert list(told.lines).count("note") == 1
    assert "Not settled: a. one" in told.lines
    assert "Not settled: b." in told.lines
    alone = rendered(page_of("m", "Does it?", PageEvidence(of=(both[1],), tests=1), GATES, ""), VOICE)
    assert alone.of_all == ()
    assert "Not settled: b. note" in alone.lines


def test_that_what_voids_every_row_is_said_once_and_of_some_in_each_of_theirs() -> None:
    both = [evidence(N, readings={"labels": GateReading(value=0)}, model=f"maker/{name}") for name in "ab"]
    page = told(*both)
    assert [each.conclusion.outcome for each in page.told] == 2 * [ConclusionOutcome.CHECK_FAILED]
    assert page.of_all == ("labels",)
    assert sum("labels" in line.split() for line in page.lines) == 1
    page = told(*both, evidence(N, model="maker/c"))
    assert page.of_all == ()
    assert sum("labels" in line.split() for line in page.lines) == 2


def test_that_a_look_without_a_number_is_not_said_to_need_none() -> None:
    page = told(evidence(D, standing=Standing(items=3, reached=0, of=1, planned=True)))
    assert page.headline.startswith("Too early to tell: 3 articles are in, and the planned look has not come.")
    assert page.told[0].sentence == page.headline
    paused = told(evidence(D, standing=replace(EARLY, items=10, next_at=10)))
    assert paused.headline == page.headline.replace("3 articles", "10 articles"), (
        "as many as it needs, of a paused round"
    )
    several = told(*(evidence(D, model=m, standing=Standing(items=3, reached=0, of=1, planned=True)) for m in "ab"))
    assert several.told[0].sentence.startswith("Nothing is concluded of a yet. Too early to tell: "), "one colon"


def test_that_refusals_before_the_first_look_are_no_tag_and_are_told_as_so_far() -> None:
    group = Refused(who="Muslim", declined=19, of=99, others=0, others_of=591, p=0.001)
    reading = RefusalReading(outcome=D, declined=19, of=690, groups=(group,))
    early, shown = (told(replace(evidence(N, standing=each), refusals=reading)).told[0] for each in (EARLY, PLANNED))
    assert early.further == ("So far: the model a declined some more often.",)
    assert not early.conclusion.tags
    assert shown.further == ("The model a declined some more often.",)
    assert shown.conclusion.tags == (ConclusionTag.REFUSALS_DIFFER,)
