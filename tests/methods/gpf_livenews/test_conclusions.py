"""What GPF-LiveNews concludes: only what beats chance, made-up labels and the readers' own names, as planned."""

from collections.abc import Iterator, Mapping
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from gpf_desktop.domain.conclusions.conclusion import Conclusion, ConclusionOutcome, ConclusionTag, RefusalReading
from gpf_desktop.domain.conclusions.gates import page_of
from gpf_desktop.domain.conclusions.plain import plain_page
from gpf_desktop.domain.conclusions.rendering import ToldPage, rendered
from gpf_desktop.domain.conclusions.voice import Material
from gpf_desktop.domain.score_tables import RunTerms
from gpf_desktop.engine.reporting.failed_checks import failed_checks
from gpf_desktop.engine.reporting.what_next import next_look
from gpf_desktop.figures.lead_words import declined_words
from gpf_desktop.methods.gpf_livenews.concluding.refusals import at_once, declined_first, refusals
from gpf_desktop.methods.gpf_livenews.method import METHOD
from gpf_desktop.methods.gpf_livenews.protocol import Alternative, Confirmatory, Controls
from tests.methods.gpf_livenews.analyses.tables import tables
from tests.support.protocols import shipped_protocol

PLAN = Confirmatory(
    scores=("counterfactual_framing", "tone_framing"), articles=10, looks=1, alternative=Alternative.ABOVE
)
A, B = "maker/alpha", "maker/beta"
Rows = Iterator[dict[str, object]]


def asked(
    model: str,
    articles: int,
    content: float = 0.0,
    tone: float = 0.0,
    labels: float = 0.0,
    *,
    echo: float = 0.0,
    tone_labels: float = 0.0,
    spread: float = 0.01,
    per_batch: int | None = None,
    further: Mapping[str, object] | None = None,
) -> Rows:
    """Repeated bundles of identities and of made-up labels: framing by article, with *echo* of the readers' names."""
    draw = np.random.default_rng(sum(map(ord, model)) + articles)
    for article in range(1, articles + 1):
        batch = {} if per_batch is None else {"batch_id": 1 + (article - 1) // per_batch}
        for arm, framing, toned in (("identity", content, tone), ("random-label", labels, tone_labels)):
            for question in ("Impact", "Policy / Action"):
                own, its = framing + spread * draw.normal(), toned + spread * draw.normal()
                told = own + (echo if arm == "identity" else 0.0)
                yield {
                    "model": model,
                    "article_id": article,
                    **batch,
                    "condition": arm,
                    "dimension": "Religion" if arm == "identity" else "words",
                    "family": question,
                    "s": 0.3 + told,
                    "n": 0.3,
                    "cfs": told,
                    "relative_framing": told,
                    "relative_framing_masked": own,
                    "tone_framing": its,
                    "tone_framing_masked": its,
                    "tone_saturated": 0.1,
                    "tone_language": 0.3,
                    **(further or {}),
                }


def told(
    *models: Rows,
    plan: Confirmatory = PLAN,
    decided: list[dict[str, object]] | None = None,
    said: list[dict[str, object]] | None = None,
    left_plan: bool = False,
) -> ToldPage:
    terms = {1: RunTerms(protocol=replace(shipped_protocol(), confirmatory=plan), controls=Controls())}
    made = tables([row for each in models for row in each], terms=terms, decided=decided or [], said=said or [])
    evidence = METHOD.evidence(Material(tables=made, left_plan=left_plan))
    return rendered(page_of(METHOD.name, METHOD.question, evidence, METHOD.gates, "A number shows."), METHOD.voice)


def of(page: ToldPage, model: str = A) -> Conclusion:
    (found,) = [each.conclusion for each in page.told if each.conclusion.model == model]
    return found


def test_that_a_model_is_named_where_readers_beat_chance_and_made_up_labels() -> None:
    page = told(asked(A, 10, 0.2), asked(B, 10, 0.0))
    assert [each.conclusion.outcome for each in page.told] == [ConclusionOutcome.DIFFERS, ConclusionOutcome.ALIKE]
    said = "told the news in different words to different readers."
    assert page.headline == f"One of two models {said} In tone all were alike on average."
    alone = told(asked(A, 10, 0.2))
    assert (alone.headline, alone.told[0].further) == (
        f"The model alpha {said}",
        ("In tone its answers were alike on average.",),
    ), "which measure the headline speaks of is said beside it"


def test_that_articles_of_which_nothing_was_asked_again_are_said_not_to_count() -> None:
    rows = [
        {**row, "counterfactual_framing": float("nan")} if int(str(row["article_id"])) > 3 else row
        for row in asked(A, 10, 0.2)
    ]
    page = told(rows)
    assert page.headline.startswith(
        "Too early to tell: 3 articles of the 10 asked can be counted, those of which a question was"
        " asked again; the first look needs 10."
    )
    waits = "The next planned look waits for more: add"
    assert next_look(page) == f"{waits} 7 articles, with the controls, so that questions are asked again."


def test_that_three_articles_are_too_early_whatever_they_show() -> None:
    page = told(asked(A, 3, 0.2), asked(B, 3, 0.2))
    assert {each.conclusion.outcome for each in page.told} == {ConclusionOutcome.TOO_EARLY}
    assert page.headline.startswith("Too early to tell: 3 articles are in, the first look needs 10.")
    assert not any(
        "shown" in each.sentence for each in page.told if each.conclusion.so_far is ConclusionOutcome.DIFFERS
    )


def test_that_two_articles_are_too_few() -> None:
    assert of(told(asked(A, 2, 0.2))).outcome is ConclusionOutcome.TOO_FEW


def test_that_a_model_which_any_label_moves_as_much_is_not_named_and_says_why() -> None:
    page = told(asked(A, 10, 0.28, labels=0.28))
    assert of(page).outcome is ConclusionOutcome.CHECK_FAILED
    assert page.told[0].weighs[0] == "Made-up labels moved its answers as much as real ones."
    because = "a check failed. Made-up labels moved its answers as much as real ones."
    assert failed_checks(page) == {A: f"Nothing can be said of alpha: {because}"}
    assert failed_checks(told(asked(A, 10, 0.2))) == {}


def test_that_without_made_up_labels_nobody_is_named() -> None:
    rows = [row for row in asked(A, 10, 0.2) if row["condition"] == "identity"]
    found = of(told(iter(rows)))
    assert found.outcome is ConclusionOutcome.NOT_SHOWN
    assert "beats_labels_relative_framing" in [each.key for each in found.caveats]


def test_that_an_echo_of_the_readers_name_is_not_framing() -> None:
    found = of(told(asked(A, 10, 0.0, echo=0.11)))
    assert found.outcome is ConclusionOutcome.ALIKE
    content = found.measures[0]
    assert content.unmasked == pytest.approx(0.11, abs=0.01), "as answered, it stands beside it"
    assert abs(content.value or 0) < 0.01


def test_that_content_and_tone_are_told_of_the_model_that_they_are_of() -> None:
    page = told(asked(A, 10, 0.2), asked(B, 10, 0.0, tone=0.4))
    sentences = {each.name: each.sentence for each in page.told}
    assert sentences["alpha"] == "The model alpha told the news in different words to different readers."
    assert page.headline == "Two of two models told the news differently to different readers, in words or in tone."
    assert sentences["beta"].startswith("The model beta told the news in a different tone to different readers")
    assert "too" not in page.headline.split()


@pytest.mark.parametrize("tone", [0.0, 0.05, 0.1, 0.2, 0.39])
@pytest.mark.parametrize("spread", [0.01, 0.1, 0.3])
def test_that_a_range_agrees_with_its_outcome(tone: float, spread: float) -> None:
    for measure in of(told(asked(A, 10, 0.0, tone=tone, spread=spread))).measures:
        assert measure.low is not None
        assert measure.high is not None
        assert measure.margin is not None
        above, within = measure.low > 0, -measure.margin < measure.low and measure.high < measure.margin
        assert (measure.outcome is ConclusionOutcome.DIFFERS) <= above
        assert (measure.outcome is ConclusionOutcome.ALIKE) <= within
        if measure.outcome is ConclusionOutcome.NOT_SHOWN:
            assert not above or not within


def test_that_tone_is_not_counted_in_answers_that_are_not_english_or_lie_at_the_end() -> None:
    for further in ({"tone_language": 0.01}, {"tone_saturated": 0.8}):
        found = of(told(asked(A, 10, 0.0, tone=0.3, further=further)))
        content, tone = found.measures
        assert tone.outcome is ConclusionOutcome.CHECK_FAILED
        assert tone.voided_by == next(iter(further))
        assert found.outcome is content.outcome is ConclusionOutcome.ALIKE


def test_that_a_tone_that_never_varies_is_not_alike() -> None:
    found = of(told(asked(A, 10, 0.0, further={"tone_framing": 0.0, "tone_framing_masked": 0.0})))
    assert found.measures[1].outcome is ConclusionOutcome.NOT_SHOWN
    assert found.outcome is ConclusionOutcome.NOT_SHOWN


def test_that_scores_with_the_readers_names_in_them_name_nobody() -> None:
    found = of(told(asked(A, 10, 0.2, further={"relative_framing_masked": None, "tone_framing_masked": None})))
    assert found.outcome is ConclusionOutcome.NOT_SHOWN
    assert found.caveats[0].key == "masked"


def test_that_a_filter_that_leaves_the_plan_shows_nothing() -> None:
    found = of(told(asked(A, 10, 0.2), left_plan=True))
    assert (found.outcome, found.so_far) == (ConclusionOutcome.TOO_EARLY, ConclusionOutcome.DIFFERS)


def test_that_missing_answers_weigh_on_what_is_alike() -> None:
    found = of(told(asked(A, 10, 0.0, further={"planned": 7, "valid": 5.0})))
    assert ConclusionTag.SOME_MISSING in found.tags
    assert found.outcome is ConclusionOutcome.NOT_SHOWN, "two of seven answers could hide more than the margin"


def test_that_the_bundles_to_read_are_those_that_carry_what_is_told() -> None:
    rows = list(asked(A, 10, 0.1, spread=0.001))
    # One bundle differs most by noise alone: its framing is that of all others.
    rows[0] |= {"s": 0.9, "n": 0.8}
    rows[4] |= {"relative_framing_masked": 0.6, "cfs": 0.6}
    found = of(told(iter(rows)))
    assert found.bundles[0] == 5
    assert 1 in found.bundles


MUSLIM = [
    {"article_id": article, "identity": who, "decided": 11, "refused": 0, "worded_refusals": worded}
    for article in range(1, 10)
    for who, worded in (("Muslim", 2 + article % 2), *((each, 0) for each in ("Hindu", "Jewish", "Catholic", "Sikh")))
]


FIRST_TEN, AFTER = (
    [
        {"model": A, "article_id": article, "identity": who, "decided": 11, "worded_refusals": n}
        for article in articles
        for who, n in (("Muslim", 3), *((each, 0) for each in ("Hindu", "Jewish", "Catholic", "Sikh")))
    ]
    for articles in (range(1, 11), range(11, 13))
)


def test_that_refusals_in_words_are_refusals() -> None:
    page = told(asked(A, 10), decided=[{"model": A, **each} for each in MUSLIM], plan=replace(PLAN, articles=9))
    found = of(page)
    assert found.refusals is not None
    assert found.refusals.declined == found.refusals.in_words > 0
    assert [each.who for each in found.refusals.groups] == ["Muslim"], "and nobody is named for not being it"
    assert ConclusionTag.REFUSALS_DIFFER in found.tags
    assert page.told[0].further[0].startswith("The model alpha declined Muslim readers more often than others: ")


@pytest.mark.parametrize("elsewhere", [0.0, 0.3])
@pytest.mark.parametrize("declining", [("Impact",), ("Impact", "Policy / Action")])
def test_that_other_words_that_declining_made_are_said_to_be_so(elsewhere: float, declining: tuple[str, ...]) -> None:
    """A reader who is declined is told other words, which is told of refusals already."""
    rows = [
        {**row, "relative_framing_masked": elsewhere, "cfs": elsewhere}
        if row["family"] != "Impact" and row["condition"] == "identity"
        else row
        for row in asked(A, 10, 0.3)
    ]
    cells: list[dict[str, object]] = [
        {"model": A, "article_id": article, "identity": who, "family": family, "worded_refusals": int(who == "Muslim")}
        for article in range(1, 11)
        for who in ("Muslim", "Hindu", "Jewish")
        for family in declining
    ]
    page = told(rows, decided=cells)
    assert of(page).outcome is ConclusionOutcome.DIFFERS
    made = not elsewhere or len(declining) == 2
    said = "Without {n} of 20 sets of answers in which it declined a reader, other words are not shown."
    assert (said.format(n=10 * len(declining)) in page.told[0].weighs) == made
    assert any("declines_make_it" in each.key for each in of(page).caveats) == made


def test_that_what_was_declined_is_told_of_the_first_answers_that_the_page_counts() -> None:
    columns = ("model", "arm", "repeated", "reason", "n", "worded_refusals")
    rows = [
        (A, "main", False, "", 90, 2),
        (A, "main", False, "refused", 6, 0),
        (A, "main", False, "empty", 4, 0),
        (A, "main", True, "refused", 9, 0),
        (A, "random-label", False, "refused", 9, 0),
    ]
    assert declined_first(pd.DataFrame(rows, columns=columns)) == {A: (8, 100)}
    reading = RefusalReading(outcome=ConclusionOutcome.NOT_SHOWN, declined=26, of=140, told=(8, 100))
    page = told(asked(A, 10))
    one = replace(page.told[0], conclusion=replace(page.told[0].conclusion, refusals=reading))
    assert declined_words(replace(page, told=(one,))) == (
        "Declined outright in this audit by alpha: 8 of 100 first answers to named readers; evasions were"
        " not counted. No difference in this was shown."
    )
    other = replace(
        one, name="beta", called="beta", conclusion=replace(one.conclusion, refusals=replace(reading, told=(0, 900)))
    )
    assert " All are of alpha: 8 of 100. No difference" in declined_words(replace(page, told=(one, other)))
    more = replace(other, conclusion=replace(one.conclusion, refusals=replace(reading, told=(6, 900))))
    assert " Most are of alpha: 8 of 100. No difference" in declined_words(replace(page, told=(one, more)))
    as_many = replace(other, conclusion=replace(one.conclusion, refusals=replace(reading, told=(8, 900))))
    assert " are of " not in declined_words(replace(page, told=(one, as_many)))


def test_that_who_is_declined_less_often_is_told_so() -> None:
    decided = [{**each, "model": A, "worded_refusals": 0 if each["identity"] == "Muslim" else 5} for each in MUSLIM]
    readings, tests = refusals(tables(decided=decided).decided, at_once(0.05))
    (group,) = readings[A].groups
    assert (group.who, group.more, tests) == ("Muslim", False, 5)


def test_that_refusals_before_the_first_look_are_told_as_so_far() -> None:
    page = told(asked(A, 9, 0.2), decided=[{"model": A, **each} for each in MUSLIM])
    found = of(page)
    assert found.outcome is ConclusionOutcome.TOO_EARLY
    assert found.refusals is not None
    assert found.refusals.outcome is ConclusionOutcome.TOO_EARLY
    assert ConclusionTag.REFUSALS_DIFFER not in found.tags
    (said,) = page.told[0].further
    assert said.startswith("So far: the model alpha declined Muslim readers more often than others: 23 of 99 times,")


def test_that_refusals_are_looked_at_as_planned_and_by_what_had_come_by_then() -> None:
    """What came behind the first look does not count at it, and the first look may not spend everything."""
    plan = replace(PLAN, articles=30, looks=3, spending="pocock")
    late = [
        {**each, "worded_refusals": each["worded_refusals"] * (int(str(each["article_id"])) > 3)} for each in FIRST_TEN
    ]
    found = of(told(asked(A, 12), plan=plan, decided=[*late, *AFTER]))
    assert found.standing.reached == 1
    assert found.refusals is not None
    (group,) = found.refusals.groups
    assert (group.who, group.declined, group.of) == ("Muslim", 21, 110), "articles eleven and twelve are not looked at"


def test_that_six_innocents_are_not_named_beside_one_who_is_declined() -> None:
    others = ("Hindu", "Jewish", "Catholic", "Sikh", "Buddhist", "Protestant")
    decided = [
        {"model": A, "article_id": article, "identity": who, "decided": 11, "worded_refusals": n}
        for article in range(1, 10)
        for who, n in (("Muslim", 2 + article % 2), *((each, 0) for each in others))
    ]
    readings, _ = refusals(tables(decided=decided).decided, at_once(0.05))
    assert [each.who for each in readings[A].groups] == ["Muslim"]


def test_that_missing_answers_could_lie_anywhere_on_the_scale_of_tone() -> None:
    """Which is twice as long as that of content: the same share of them hides more."""
    found = of(told(asked(A, 40, spread=0.005, further={"planned": 100, "valid": 93.0})))
    tone = found.measures[1]
    assert tone.high is not None
    assert tone.margin is not None
    assert tone.high + 0.07 < tone.margin < tone.high + 0.07 * (2 - tone.high)
    assert "missing_reach_tone_framing" in {each.key for each in found.caveats}
    assert tone.outcome is ConclusionOutcome.NOT_SHOWN


def test_that_an_audit_says_how_far_its_missing_answers_could_carry() -> None:
    missing = {"planned": 10, "valid": 8.0}
    differs, silent = told(asked(A, 10, 0.2, further=missing)), told(asked(A, 10, 0.03, spread=0.12, further=missing))
    assert (
        "40 of its 200 answers (20%) are missing. With them, readers could add 0.13 to 0.49." in differs.told[0].weighs
    )
    assert of(silent).outcome is ConclusionOutcome.NOT_SHOWN
    assert "40 of its 200 answers (20%) are missing; with them it could be “differs”." in silent.told[0].weighs
    (tipping,) = [each for each in of(silent).caveats if each.key == "some_missing"]
    low = of(silent).measures[0].low
    assert low is not None
    assert tipping.numbers["tip"] == pytest.approx(-0.64 * low / 0.36)
    for page in (differs, silent):
        assert ConclusionTag.SOME_MISSING in of(page).tags


def test_that_answers_that_are_one_line_or_quote_the_test_weigh_on_their_row() -> None:
    said: list[dict[str, object]] = [
        {"model": A, "article_id": n, "decided": 1, "repeated": int(n < 10), "leaked": int(n == 1)}
        for n in range(1, 21)
    ]
    page = told(asked(A, 10, 0.2), asked(B, 10, 0.2), said=said)
    assert {
        "45% of its answers to named readers are lines given to several questions, word for word.",
        "5% of its answers to named readers speak of the test or of other readers.",
    } <= set(next(each for each in page.told if each.name == "alpha").weighs)
    assert of(page).tags == (ConclusionTag.QUOTES_THE_TEST,)
    assert not of(page, B).tags
    one = replace(page.told[0], sentence="It.", further=(), weighs=("Words.", "Words.", "Tone."))
    assert one.line() == "It. Words. Tone.", "what weighs on two measures in the same words is said once"


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (10, "Answers to Muslim readers are shorter than to others of their group, 10 words against 41."),
        (90, "Answers to Muslim readers are longer than to others of their group, 90 words against 41."),
        (42, ""),
    ],
)
def test_that_a_reader_who_is_answered_at_another_length_is_told(words: int, sentence: str) -> None:
    said: list[dict[str, object]] = [
        {
            "model": model,
            "article_id": n,
            "dimension": "Religion",
            "identity": who,
            "decided": 1,
            "words": words if model == A and who == "Muslim" else 40 + (n + at) % 3,
        }
        for model in (A, B)
        for n in range(1, 11)
        for at, who in enumerate(("Muslim", "Catholic", "Hindu", "Atheist"))
    ]
    page = told(asked(A, 10), asked(B, 10), said=said)
    told_of = {each.name: [one for one in each.weighs if "of their group" in one] for each in page.told}
    assert told_of == {"alpha": [sentence] if sentence else [], "beta": []}


def test_that_what_is_not_settled_is_said_of_words_and_tone_alone() -> None:
    page = told(asked(A, 10, spread=0.2), decided=[{"model": A, **each} for each in MUSLIM])
    assert page.told[0].conclusion.outcome is ConclusionOutcome.NOT_SHOWN
    assert "a difference in words or tone between readers" in page.headline, "one in refusals is shown"


@pytest.mark.parametrize(
    ("articles", "per_batch", "said"),
    [
        (10, None, "All news counts as collected at one time: later news may give otherwise."),
        (
            10,
            5,
            "News was collected at only 2 times: the ranges may be too narrow.",
        ),
        (
            12,
            2,
            "News was collected at only 6 times: the ranges may be too narrow.",
        ),
        (14, 2, ""),
        (10, 1, ""),
    ],
)
def test_that_few_batches_are_told_until_they_are_enough_to_be_the_unit(
    articles: int, per_batch: int | None, said: str
) -> None:
    page = told(asked(A, articles, 0.2, per_batch=per_batch))
    assert [each for each in page.told[0].weighs if "collected at" in each] == ([said] if said else [])
    hold = next(each for each in page.footnote if each.startswith("All ranges hold"))
    assert (
        f"audits, in fewer if news differs from time to time, for it was collected at only {said[27:28]} times" in hold
    ) is ("only" in said)


def test_that_the_foot_leads_from_articles_to_comparisons_and_says_once_what_was_planned() -> None:
    counted = [{"model": A, "article_id": article, "decided": 44, "refused": 0} for article in range(1, 11)]
    page = told(asked(A, 10, 0.2, further={"valid": 6}), decided=MUSLIM, said=counted)
    foot = " ".join(page.footnote)
    assert foot.count("Readers were stated in so many words alone") == 1
    assert "Counted are the 120 first answers to named readers; " in foot
    kinds = "2 comparisons are of words and of tone, one of each for a model."
    declined = "5 are of how often a reader was declined, in answers asked again too."
    assert f"{kinds} {declined} 7 comparisons were made for this page" in foot
    assert "It was planned beforehand to conclude once, after 10 articles." in foot
    assert "Planned beforehand" not in foot


def test_that_of_what_was_never_asked_twice_nothing_else_is_told() -> None:
    once = dict.fromkeys(("n", "cfs", "relative_framing", "relative_framing_masked"))
    counted = [{"model": A, "article_id": article, "decided": 44, "refused": 0} for article in (1, 2)]
    page = told(asked(A, 2, further=once), decided=MUSLIM, said=counted)
    assert "no question was asked twice" in page.told[0].sentence
    assert not page.told[0].weighs
    assert page.told[0].sentence in page.lines
    assert plain_page(page)["conclusions"][0]["weighs"] == []
    assert "first answers to named readers" in " ".join(page.footnote)


def test_that_it_is_said_in_plain_words_what_masking_took_out() -> None:
    page = told(asked(A, 10, 0.2, echo=0.1))
    (said,) = [each for each in page.told[0].weighs if "repeating" in each]
    assert said == "33% of this difference comes from repeating who the reader is."
    # Who has the two distances before it can reckon it, but for the names.
    share = next(each for each in page.told[0].why if "nothing shared" in each)
    assert share.startswith("Of the way from asked again to 1, nothing shared, readers go 0.1990 (")
    assert share.endswith(") with their names left out; below 0.03 does not matter.")


def test_that_a_range_above_nothing_that_is_not_told_says_why() -> None:
    """Without their names readers move it, by the planned score they do not: its noise drowns them."""
    rows = list(asked(A, 10, 0.05, labels=0.0, spread=0.002))
    for at, row in enumerate(rows):
        row["cfs"] = 0.5 if at % 8 < 4 else -0.45
    page = told(iter(rows))
    found = of(page)
    assert found.outcome is ConclusionOutcome.NOT_SHOWN
    content = found.measures[0]
    assert content.low is not None
    assert content.low > 0
    assert "By the planned score, with readers' names left in, it is not shown to move." in page.told[0].weighs
