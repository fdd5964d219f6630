"""What servers say of who answered weakens the conclusions that it touches, of whatever method, and no others."""

import pytest

from gpf_desktop.domain.conclusions.conclusion import (
    Caveat,
    CaveatEffect,
    ConclusionOutcome,
    MeasureReading,
    Standing,
)
from gpf_desktop.domain.conclusions.gates import ModelEvidence, PageEvidence, concluded
from gpf_desktop.domain.conclusions.who_answered import WHO_ANSWERED, with_who_answered, words_of
from gpf_desktop.domain.served import ServedKind, ServedNote


def of(model: str) -> ModelEvidence:
    differs = MeasureReading(name="s", words="how far apart", value=0.5, outcome=ConclusionOutcome.DIFFERS)
    return ModelEvidence(model=model, synthetic=False, standing=Standing(items=9), measures=(differs,))


def note(model: str, kind: ServedKind = ServedKind.OTHER_NAME, *, answering: bool = True) -> ServedNote:
    return ServedNote(kind=kind, model=model, answering=answering, runs=(1,), words=f"Not {model}.")


def weighing(*notes: ServedNote, together: bool = False) -> dict[str, list[str]]:
    """By model, what weighs on it; the outcome stays what it was."""
    page = with_who_answered(PageEvidence(of=(of("a"), of("b")), tests=1), notes, together=together)
    found = [concluded(each, (WHO_ANSWERED,)) for each in page.of]
    assert {each.outcome for each in found} == {ConclusionOutcome.DIFFERS}
    assert {caveat.effect for each in found for caveat in each.caveats} <= {CaveatEffect.WEAKENS}
    return {each.model: [words_of(caveat) for caveat in each.caveats] for each in found}


@pytest.mark.parametrize("kind", [ServedKind.OTHER_NAME, ServedKind.WITHIN_ROUND, ServedKind.BETWEEN_ROUNDS])
def test_that_a_change_weighs_on_its_model_alone(kind: ServedKind) -> None:
    assert weighing(note("a", kind)) == {"a": ["Not a."], "b": []}


def test_that_a_version_of_what_was_asked_for_weighs_on_nobody() -> None:
    assert weighing(note("a", ServedKind.VERSION)) == {"a": [], "b": []}


def test_that_a_change_weighs_on_all_that_are_measured_by_that_model() -> None:
    assert weighing(note("a"), together=True) == {"a": ["Not a."], "b": ["a: Not a."]}
    assert weighing(note("judge", answering=False)) == {"a": ["judge: Not judge."], "b": ["judge: Not judge."]}


def test_that_the_first_change_is_told_and_the_others_are_counted() -> None:
    assert weighing(note("a"), note("a"), note("a"))["a"] == ["Not a. 2 more such changes stand under Rounds."]
    assert words_of(Caveat(key="who_answered", effect=CaveatEffect.WEAKENS, numbers={"said": "x.", "more": 1})) == (
        "x. 1 more such change stands under Rounds."
    )
