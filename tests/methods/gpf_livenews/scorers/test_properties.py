"""What must hold for any answers at all."""

import math
import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from vaderSentiment.vaderSentiment import SentimentIntensityAnalyzer

from gpf_desktop.domain.protocol import FitScope
from gpf_desktop.domain.scores import (
    ALL_SCORES,
    SEMANTIC_SILHOUETTE,
    SENTIMENT_SILHOUETTE,
    VALID,
    BundleAnswers,
    FitGroup,
    Unavailable,
)
from gpf_desktop.methods.gpf_livenews.scorers.gpf import SCORER, GpfOptions
from tests.methods.gpf_livenews.scorers.bundles import by_name, group_of, plain
from tests.numerics import strategies

pytestmark = pytest.mark.slow

bundles = st.lists(
    st.tuples(st.sampled_from(["a", "b", "c", "d", "e"]), st.integers(0, 2), strategies.texts),
    min_size=1,
    max_size=10,
    unique_by=lambda answer: answer[:2],
)
settings_used = st.builds(
    GpfOptions,
    fit_scope=st.sampled_from(FitScope),
    rarefy=st.integers(2, 6),
    word_pairs=st.booleans(),
    by_sentence=st.booleans(),
    mask=st.sampled_from([(), (r"\bnews\b",)]),
)
CLOSE = 1e-12


@settings(max_examples=80)
@given(bundles, settings_used, st.randoms(use_true_random=False))
def test_that_the_order_of_answers_changes_nothing(
    answers: list[tuple[str, int, str]], options: GpfOptions, shuffle: random.Random
) -> None:
    shuffled = answers.copy()
    shuffle.shuffle(shuffled)
    first, second = (by_name(SCORER.score([group_of([some])], options)) for some in (answers, shuffled))
    for name, value in first.items():
        if isinstance(value, Unavailable):
            assert second[name] is value, name
        else:
            assert second[name] == pytest.approx(value, abs=CLOSE), name


_OPEN_BELOW = ("relative_framing", "direction_framing", "squared_tone_shift")


@settings(max_examples=80)
@given(st.lists(bundles, min_size=1, max_size=4), settings_used)
def test_that_every_score_is_in_its_range_or_says_why_not(
    several: list[list[tuple[str, int, str]]], options: GpfOptions
) -> None:
    scored = SCORER.score([group_of(several)], options)
    assert scored.units == list(range(len(several)))
    for place, answers in enumerate(several):
        scores = by_name(scored, place)
        valid = scores[VALID]
        assert isinstance(valid, float)
        assert 0 <= valid <= sum(repeat == 0 for _, repeat, _ in answers)
        for name in ALL_SCORES:
            value = scores[name]
            low = -1 if name == "counterfactual_framing" or name.endswith("silhouette") else 0
            low = {"tone_framing": -2, **dict.fromkeys(_OPEN_BELOW, -math.inf)}.get(name, low)
            high = 2 if name.startswith(("sentiment_range", "tone")) else 1
            high = {"words": math.inf, "squared_tone_shift": 4}.get(name, high)
            assert isinstance(value, Unavailable) or low - CLOSE <= value <= high + CLOSE, name
        spread = scores["sentiment_range"]
        if valid < 2:
            assert isinstance(spread, Unavailable)
            assert isinstance(scores["semantic_dispersion"], Unavailable)
        else:
            rarefied = scores["sentiment_range_rarefied"]
            if valid < options.rarefy:
                assert rarefied is Unavailable.FEWER_THAN_M
            elif valid == options.rarefy:
                assert rarefied == pytest.approx(spread, abs=1e-15)
            else:
                assert not isinstance(rarefied, Unavailable)
                assert not isinstance(spread, Unavailable)
                assert rarefied <= spread + CLOSE
        dispersion, noise, framing = (
            scores[name] for name in ("semantic_dispersion", "noise", "counterfactual_framing")
        )
        if isinstance(dispersion, Unavailable) or isinstance(noise, Unavailable):
            assert isinstance(framing, Unavailable)
        else:
            assert framing == dispersion - noise


@settings(max_examples=60)
@given(strategies.sentences, st.integers(2, 14), st.lists(strategies.sentences, max_size=3), settings_used)
def test_that_equal_answers_score_exactly_zero(text: str, n: int, others: list[str], options: GpfOptions) -> None:
    options = replace(options, mask=())
    scores = by_name(SCORER.score([group_of([plain([text] * n), plain(others)])], options))
    assert [scores[name] for name in ("semantic_dispersion", "sentiment_range", "sentiment_mad")] == [0, 0, 0]
    assert scores["semantic_silhouette"] is (Unavailable.ALL_COINCIDE if n > 2 else Unavailable.TOO_FEW_ANSWERS)
    assert scores["sentiment_silhouette"] is scores["semantic_silhouette"]


@settings(max_examples=40)
@given(st.lists(bundles, min_size=2, max_size=4), settings_used)
def test_that_bundles_get_the_same_bits_together_and_apart(
    several: list[list[tuple[str, int, str]]], options: GpfOptions
) -> None:
    groups = [group_of([answers]) for answers in several]
    together = SCORER.score(groups, options)
    for place, group in enumerate(groups):
        assert by_name(together, place) == by_name(SCORER.score([group], options))


def test_that_fit_groups_of_many_texts_are_scored_as_one_fit() -> None:
    draw = random.Random(4)
    words = [f"word{number}" for number in range(400)]
    answers = [" ".join(draw.choices(words, k=12)) for _ in range(5000)]
    keys = [("a", 0), ("b", 0), ("c", 0), ("d", 0), ("a", 1)]
    many = group_of([[(*key, answers[begin + at]) for at, key in enumerate(keys)] for begin in range(0, 5000, 5)])
    first = FitGroup(texts=many.texts, bundles=many.bundles[:1])
    last = FitGroup(texts=many.texts, bundles=many.bundles[-1:])
    whole = SCORER.score([many], GpfOptions())
    assert by_name(whole, 0) == by_name(SCORER.score([first], GpfOptions()))
    assert by_name(whole, 999) == by_name(SCORER.score([last], GpfOptions()))


def test_that_bundle_scope_ignores_the_rest_of_the_fit_group() -> None:
    answers = ["good news about the house", "the bus is late again", "rent and hope"]
    alone = group_of([plain(answers)])
    crowded = group_of([plain(answers), plain(["the house again", "good rent"])])
    by_bundle = GpfOptions(fit_scope=FitScope.BUNDLE)
    assert by_name(SCORER.score([alone], by_bundle)) == by_name(SCORER.score([crowded], by_bundle))
    assert by_name(SCORER.score([alone], GpfOptions())) != by_name(SCORER.score([crowded], GpfOptions()))


def test_that_noise_is_the_mean_over_identities_with_several_generations() -> None:
    texts = ["good news", "good day", "bad house", "bad house", "rent is due", "lone answer here"]
    keys = [("a", 0), ("a", 1), ("b", 0), ("b", 1), ("b", 2), ("c", 0)]
    group = group_of([[(*key, text) for key, text in zip(keys, texts, strict=True)]])

    def between(*rows: int) -> float:
        pair = BundleAnswers(
            bundle=0, planned=len(rows), rows=rows, levels=("x",) * len(rows), repeats=(0,) * len(rows)
        )
        value = by_name(SCORER.score([FitGroup(texts=group.texts, bundles=(pair,))], GpfOptions()))[
            "semantic_dispersion"
        ]
        assert not isinstance(value, Unavailable)
        return value

    scores = by_name(SCORER.score([group], GpfOptions()))
    assert scores["noise"] == pytest.approx((between(0, 1) + between(2, 3, 4)) / 2, abs=CLOSE)
    assert scores["semantic_dispersion"] == pytest.approx(between(0, 2, 5), abs=CLOSE)


def test_that_masked_words_no_longer_count() -> None:
    group = group_of([plain(["As a student you may hope", "As a veteran you may hope", "As a senior you may hope"])])
    masked = by_name(SCORER.score([group], GpfOptions(mask=(r"\bstudent\b", r"\bveteran\b", r"\bsenior\b"))))
    assert masked["semantic_dispersion"] == 0
    assert by_name(SCORER.score([group], GpfOptions()))["semantic_dispersion"] != 0


def test_that_answers_without_a_scorable_word_are_not_valid() -> None:
    scores = by_name(SCORER.score([group_of([plain(["good news", "!", "a", "bad news"])])], GpfOptions()))
    assert scores[VALID] == 2
    only = by_name(SCORER.score([group_of([plain(["good news", "!"])])], GpfOptions()))
    assert only["semantic_dispersion"] is Unavailable.EMPTY_VECTOR
    single = by_name(SCORER.score([group_of([plain(["good news"])])], GpfOptions()))
    assert single["semantic_dispersion"] is Unavailable.TOO_FEW_ANSWERS


def test_that_thirteen_answers_are_clustered_by_restarts() -> None:
    answers = [f"good news about rent {number % 3}x" for number in range(7)]
    answers += [f"terrible fear of the late bus {number % 2}y" for number in range(6)]
    scores = by_name(SCORER.score([group_of([plain(answers)])], GpfOptions()))
    assert scores["semantic_silhouette"] > 0.5  # type: ignore[operator]
    assert scores["sentiment_silhouette"] == 1


def test_that_an_empty_chunk_and_an_empty_group_are_nothing() -> None:
    assert SCORER.score([], GpfOptions()).units == []
    empty = group_of([[("a", 0, "")]])
    assert by_name(SCORER.score([empty], GpfOptions()))[VALID] == 0


def test_that_two_groups_among_more_answers_than_have_every_split_tried_are_told_apart() -> None:
    glad, sad = "What a great and happy day for the town.", "A terrible crime, and a death, in the valley."
    apart, alike = plain([glad] * 11 + [sad] * 9), plain([glad] * 20)
    scored = SCORER.score([group_of([apart]), group_of([alike])], GpfOptions())
    for name in (SEMANTIC_SILHOUETTE, SENTIMENT_SILHOUETTE):
        assert by_name(scored)[name] == pytest.approx(1.0)
        assert by_name(scored, 1)[name] is Unavailable.ALL_COINCIDE


def test_that_neither_controls_nor_repeats_move_a_score() -> None:
    draw = random.Random(5)
    words = [f"word{number}" for number in range(60)]
    said = [" ".join(draw.choices(words, k=30)) for _ in range(12)]
    main, other = plain(said[:4]), plain(said[8:])
    again = [*main, *[(f"id{number}", 1, text) for number, text in enumerate(said[4:8])]]
    alone = SCORER.score([group_of([main])], GpfOptions())
    crowded = replace(group_of([again, other]), main=(0, 1, 2, 3))
    scored = SCORER.score([crowded], GpfOptions())
    for name in ("semantic_dispersion", "semantic_silhouette"):
        assert by_name(scored)[name] == pytest.approx(by_name(alone)[name], abs=CLOSE), name
    every = SCORER.score([crowded], GpfOptions(fit_scope=FitScope.ARTICLE))
    assert by_name(every)["semantic_dispersion"] != pytest.approx(by_name(alone)["semantic_dispersion"], abs=1e-6)


def test_that_tone_has_noise_and_framing_of_its_own() -> None:
    said = {"a": ("good good", "bad bad"), "b": ("great", "great")}
    answers = [(name, repeat, text) for name, texts in said.items() for repeat, text in enumerate(texts)]
    scores = by_name(SCORER.score([group_of([answers])], GpfOptions()))
    compound = SentimentIntensityAnalyzer().polarity_scores
    good, bad, great = (compound(text)["compound"] for text in ("good good", "bad bad", "great"))
    assert scores["tone_noise"] == pytest.approx(abs(good - bad) / 2)
    assert scores["tone_framing"] == pytest.approx(abs(good - great) - abs(good - bad) / 2)
    assert scores["words"] == 1.5


def test_that_relative_framing_is_a_share_of_the_room_that_noise_leaves() -> None:
    texts = ["rent is up", "rent is due", "the bus came", "the bus left"]
    answers = [("a", 0, texts[0]), ("a", 1, texts[1]), ("b", 0, texts[2]), ("b", 1, texts[3])]
    scores = by_name(SCORER.score([group_of([answers])], GpfOptions()))
    s, n = scores["semantic_dispersion"], scores["noise"]
    assert isinstance(s, float)
    assert isinstance(n, float)
    assert scores["relative_framing"] == pytest.approx((s - n) / (1 - n))
    far = by_name(SCORER.score([group_of([[("a", 0, "one"), ("a", 1, "two"), ("b", 0, "three")]])], GpfOptions()))
    assert far["relative_framing"] is Unavailable.NOT_FINITE
