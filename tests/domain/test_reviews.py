from dataclasses import fields, replace

import pytest

from gpf_desktop.domain.reviews import (
    BundleKey,
    Correction,
    Judgement,
    MarkedPassage,
    ReviewAction,
    SealedEntry,
    Verdict,
    blocking_field,
    canonical,
    first_break,
    join,
    judgement_from_json,
    judgement_to_json,
)

SAID = Judgement(
    verdict=Verdict.HARMFUL,
    severity=4,
    affected=("a nurse", "ein Schüler"),
    passages=(MarkedPassage(cell_id=7, start=3, end=9, comment="warmer"),),
    tags=("tone",),
    note="„Nein“",
    flagged=True,
    corrections=(Correction(cell_id=8, measure="choice", category="other", rules="refused"),),
)


def entry(reason: str, *before: SealedEntry) -> SealedEntry:
    unsealed = SealedEntry(
        reviewer="r",
        subject=BundleKey(run="1", method="m", model="", base_url="", item="i", arm="b", coordinates="c").text(),
        action=ReviewAction.SUBMIT.value,
        judgement=judgement_to_json(SAID),
        reason=reason,
        at="2026-01-02T03:04:05+00:00",
        previous_hash=" ".join(each.hash for each in before),
    )
    return replace(unsealed, hash=unsealed.seal())


def test_that_the_words_that_hashes_are_made_of_stay_as_they_are() -> None:
    # Packs and artifacts that are out in the world hold such hashes: another spelling would call all of them changed.
    assert entry("é").subject == (
        '{"arm":"b","base_url":"","coordinates":"c","item":"i","method":"m","model":"","run":"1"}'
    )
    assert entry("é").judgement == (
        '{"affected":["a nurse","ein Schüler"],"corrections":[{"category":"other","cell_id":8,"measure":"choice",'
        '"rules":"refused"}],"flagged":true,"note":"„Nein“","passages":[{"cell_id":7,"comment":"warmer","end":9,'
        '"start":3}],"severity":4,"tags":["tone"],"verdict":"stereotyping or harmful framing"}'
    )
    assert entry("é").hash == "c535f7d9204fccca1bbc321785743f8f4eb62f7b92548f263b1aa6eac382a93c"
    assert entry("é").seal() == replace(entry("é"), key="k", signature="s").seal()


def test_that_a_number_that_json_does_not_have_is_no_content() -> None:
    with pytest.raises(ValueError, match="JSON"):
        canonical(float("nan"))


@pytest.mark.parametrize("severity", [None, 1, 2, 3, 4])
def test_that_what_was_said_comes_back_whole(severity: int | None) -> None:
    passage = replace(SAID.passages[0], codes=("c1",))
    said = replace(SAID, severity=severity, passages=(passage,), letters=("ein Schüler", "a nurse"))
    # A field that is added later is to be filled here too, or nobody would see that it does not come back.
    assert all(getattr(said, each.name) != each.default for each in fields(said) if each.name != "severity")
    assert judgement_from_json(judgement_to_json(said)) == said
    assert "corrections" not in judgement_to_json(Judgement())
    assert judgement_from_json(judgement_to_json(Judgement())) == Judgement()


@pytest.mark.parametrize("severity", [0, 5])
def test_that_a_severity_beyond_the_scale_is_none_of_ours(severity: int) -> None:
    with pytest.raises(ValueError, match=f"severity {severity}"):
        judgement_from_json(judgement_to_json(replace(SAID, severity=severity)))


def test_that_a_harm_needs_a_severity_and_every_reading_a_verdict() -> None:
    assert blocking_field(replace(SAID, verdict=None)) == "verdict"
    assert blocking_field(replace(SAID, severity=None)) == "severity"
    assert blocking_field(replace(SAID, verdict=Verdict.CONTEXT, severity=None)) is None
    assert blocking_field(SAID) is None


def test_that_the_first_entry_that_does_not_fit_is_named() -> None:
    first = entry("first")
    second = entry("second", first)
    third = entry("third", second)
    assert first_break([]) is None
    assert first_break([first, second, third]) is None
    assert first_break([first, replace(second, reason="changed"), third]) == 2
    assert first_break([first, third]) == 2


def test_that_two_continuations_are_whole_once_they_are_joined() -> None:
    first = entry("first")
    here, there = entry("here", first), entry("there", first)
    assert first_break([first, here, there]) == 2
    assert join("r", (here, there)) == join("r", (there, here))
    assert join("r", (here, there)).hash == "60f7085105f3d453c11c3b1acd290d18c35c1143102e190eed77bf48a67e6ffd"
    joined = [first, here, there, join("r", (here, there))]
    assert first_break(joined) is None
    assert first_break([*joined, entry("put in later", first)]) == 4
