"""The method's table of calibration models: what is planted is what the instrument shows, at a fixed seed."""

from itertools import pairwise
from statistics import fmean, stdev

import pytest
from scipy import stats

from gpf_desktop.domain.flags import Flag
from gpf_desktop.domain.responses import Miss, Missing, Reply
from gpf_desktop.domain.scores import (
    COUNTERFACTUAL_FRAMING,
    NOISE,
    SEMANTIC_DISPERSION,
    SENTIMENT_RANGE,
    SENTIMENT_RANGE_RAREFIED,
)
from gpf_desktop.engine.rounds.faults import is_passing
from gpf_desktop.methods.gpf_livenews.calibration_models.corpus import corpus
from gpf_desktop.methods.gpf_livenews.calibration_models.planted import (
    EMPTY_RATE,
    ERROR_RATE,
    LEAK_RATE,
    REFUSAL_RATE,
    REFUSAL_RATE_SOME,
    TRUNCATED_RATE,
    Fault,
    fault,
    has_identity,
    leaked_identity,
    refused_more,
)
from gpf_desktop.methods.gpf_livenews.calibration_models.writer import anchor_text
from gpf_desktop.methods.gpf_livenews.cells import Condition
from gpf_desktop.methods.gpf_livenews.flags import FlaggedAnswer, flag_answers
from gpf_desktop.methods.gpf_livenews.protocol import Controls
from tests.providers.rounds import Asked, asked, protocol, sample_anchors, scores

pytestmark = pytest.mark.slow

ARTICLES = 6


def article_means(model: str, score: str, articles: int = ARTICLES) -> list[float]:
    return [fmean(scores(cells)[score]) for cells in asked(model, articles)]


def interval(values: list[float], level: float) -> tuple[float, float]:
    half = stats.t.ppf((1 + level) / 2, len(values) - 1) * stdev(values) / len(values) ** 0.5
    return fmean(values) - half, fmean(values) + half


def test_that_neutral_shows_no_framing_beyond_its_noise() -> None:
    low, high = interval(article_means("neutral", COUNTERFACTUAL_FRAMING), 0.90)
    assert -0.02 < low < high < 0.02


def test_that_neutral_has_noise_like_a_language_model() -> None:
    assert min(article_means("neutral", NOISE)) > 0.05


def test_that_tones_of_neutral_spread_without_saturating() -> None:
    from vaderSentiment.vaderSentiment import SentimentIntensityAnalyzer

    tone = SentimentIntensityAnalyzer()
    compounds = sorted(
        tone.polarity_scores(cell.text)["compound"]
        for cells in asked("neutral", 2)
        for cell in cells
        if cell.factors.repeat == 0
    )
    assert compounds[0] > -0.98
    assert compounds[-1] < 0.98
    assert compounds[len(compounds) // 10] < 0.0 < compounds[len(compounds) // 2] < 0.8


def test_that_more_tailoring_means_more_dispersion_and_framing() -> None:
    steps = ("neutral", *(f"tailoring-0.{tenth}" for tenth in range(1, 10)))
    dispersion = [fmean(article_means(model, SEMANTIC_DISPERSION, 2)) for model in steps]
    framing = [fmean(article_means(model, COUNTERFACTUAL_FRAMING, 2)) for model in steps]
    assert all(less < more for less, more in pairwise(dispersion))
    assert all(less < more for less, more in pairwise(framing))


def test_that_more_tone_means_a_wider_range_and_no_more_framing() -> None:
    steps = ("neutral", "tone-0.1", "tone-0.3", "tone-0.5", "tone-0.7", "tone-0.9")
    ranges = [fmean(article_means(model, SENTIMENT_RANGE)) for model in steps]
    assert all(less < more for less, more in pairwise(ranges))
    for model in steps[1:]:
        low, high = interval(article_means(model, COUNTERFACTUAL_FRAMING), 0.90)
        assert -0.02 < low < high < 0.02, model


def test_that_tailoring_on_random_labels_and_without_identity_is_as_low_as_neutral() -> None:
    controls = Controls(repeat_share=0.0, paraphrase_share=0.0)
    main, labels, free = (
        [fmean(scores(cells, condition)[SEMANTIC_DISPERSION]) for cells in asked("tailoring-0.5", 2, controls)]
        for condition in (Condition.IDENTITY, Condition.RANDOM_LABEL, Condition.IDENTITY_FREE)
    )
    neutral = fmean(article_means("neutral", SEMANTIC_DISPERSION, 2))
    assert fmean(main) > neutral + 0.1
    assert fmean(labels) == pytest.approx(neutral, abs=0.05)
    assert fmean(free) == pytest.approx(neutral, abs=0.05)


def test_that_tone_on_random_labels_is_as_calm_as_neutral() -> None:
    controls = Controls(repeat_share=0.0, paraphrase_share=0.0)
    cells = asked("tone-0.9", 2, controls)
    labels = [fmean(scores(one, Condition.RANDOM_LABEL)[SENTIMENT_RANGE_RAREFIED]) for one in cells]
    assert fmean(labels) < 1.0 < fmean(fmean(scores(one)[SENTIMENT_RANGE_RAREFIED]) for one in cells)


def flagged(cell: Asked) -> set[str]:
    """Identities of the protocol for which the leakage flag fires on the cell's answer."""
    identities = [identity for dimension in protocol().dimensions for identity in dimension.identities]
    anchor = next(anchor for anchor in sample_anchors() if anchor.headline in cell.question.prompt.user)
    answer = FlaggedAnswer(text=cell.text, identity=cell.factors.identity)
    (found,) = flag_answers([answer], identities=identities, anchor=anchor)
    return {each.detail.partition(":")[0] for each in found if each.flag is Flag.LEAKAGE}


def planted_leak(cell: Asked) -> str | None:
    assert cell.question.coordinates is not None
    assert cell.question.seed is not None
    return leaked_identity(cell.question.coordinates, cell.question.seed, anchor_text(cell.question.prompt.user))


def test_that_the_leakage_flag_fires_on_just_the_planted_answers_of_leaky() -> None:
    cells = [cell for article in asked("leaky", len(sample_anchors()), Controls.none()) for cell in article]
    planted = {row: leak for row, cell in enumerate(cells) if (leak := planted_leak(cell)) is not None}
    fired = {row: labels for row, cell in enumerate(cells) if (labels := flagged(cell))}
    assert fired.keys() == planted.keys()
    assert all(leak in fired[row] for row, leak in planted.items())
    assert all(leak != cells[row].factors.identity for row, leak in planted.items())
    assert len(planted) / len(cells) == pytest.approx(LEAK_RATE, abs=0.02)


def test_that_a_leak_never_names_an_identity_that_the_news_names() -> None:
    coordinates = {"condition": "identity", "dimension": "Religion", "identity": "Hindu"}
    news = "Muslims and Catholics meet"
    leaks = {leaked_identity({**coordinates, "repeat": number}, 1, news) for number in range(900)}
    assert leaks == {None, "Jewish", "Protestant", "Buddhist", "Atheist"}


def test_that_leaks_need_an_identity() -> None:
    coordinates = {"dimension": "Religion", "identity": "Hindu"}
    for condition in (Condition.RANDOM_LABEL, Condition.IDENTITY_FREE):
        drawn = {leaked_identity({**coordinates, "condition": condition, "repeat": n}, 1, "") for n in range(300)}
        assert drawn == {None}


@pytest.mark.parametrize("model", ["neutral", "tailoring-0.9", "tone-0.9"])
def test_that_the_leakage_flag_fires_on_no_answer_of_other_models(model: str) -> None:
    assert not any(flagged(cell) for article in asked(model, 4) for cell in article)


def test_that_faulty_fails_in_just_the_planted_cells() -> None:
    expected = {
        Fault.EMPTY: Missing.EMPTY,
        Fault.ERROR: Missing.HTTP_ERROR,
        Fault.REFUSED: Missing.REFUSED,
    }
    for cell in (cell for article in asked("faulty", 2) for cell in article):
        assert cell.question.coordinates is not None
        planted = fault(cell.question.coordinates, cell.question.seed or 0)
        match cell.outcome:
            case Miss(reason=reason) as miss:
                assert reason is expected[planted]
                assert not is_passing(miss), "or three in a row would stop the model"
            case Reply(truncated=truncated):
                assert planted is (Fault.TRUNCATED if truncated else Fault.NONE)


def test_that_planted_faults_come_at_their_rates() -> None:
    cells = [cell for article in asked("faulty", ARTICLES) for cell in article]
    faults = [fault(cell.question.coordinates or {}, cell.question.seed or 0) for cell in cells]
    assert faults.count(Fault.EMPTY) / len(cells) == pytest.approx(EMPTY_RATE, abs=0.015)
    assert faults.count(Fault.ERROR) / len(cells) == pytest.approx(ERROR_RATE, abs=0.015)
    assert faults.count(Fault.TRUNCATED) / len(cells) == pytest.approx(TRUNCATED_RATE, abs=0.015)
    for more, rate in ((False, REFUSAL_RATE), (True, REFUSAL_RATE_SOME)):
        some = [kind for cell, kind in zip(cells, faults, strict=True) if refused_more(cell.factors.identity) is more]
        assert some.count(Fault.REFUSED) / len(some) == pytest.approx(rate, abs=0.03)


def test_that_some_identities_are_refused_more_and_most_are_not() -> None:
    labels = [identity.label for dimension in protocol().dimensions for identity in dimension.identities]
    assert 4 <= sum(map(refused_more, labels)) <= 20


def test_that_every_identity_of_the_default_protocol_has_a_persona_of_its_own() -> None:
    for dimension in protocol().dimensions:
        personas = [corpus().personas[dimension.name][identity.label] for identity in dimension.identities]
        assert all(len(persona.own) >= 8 and persona.people for persona in personas)
        assert {min(persona.tone for persona in personas), max(persona.tone for persona in personas)} == {-1.0, 1.0}


def test_that_a_leak_never_goes_to_an_identity_that_the_flag_passes_over() -> None:
    for dimension in protocol().dimensions:
        labels = {identity.label for identity in dimension.identities}
        for identity in dimension.identities:
            persona = corpus().personas[dimension.name][identity.label]
            assert labels & set(identity.overlaps) <= persona.overlaps, identity.label


def test_that_only_the_identity_condition_names_an_identity() -> None:
    conditions = {condition: has_identity({"condition": condition, "identity": "x"}) for condition in Condition}
    named = {Condition.IDENTITY, Condition.BY_NAME}
    assert conditions == {each: each in named for each in Condition}


def test_that_the_sample_news_is_enough_for_these_tests() -> None:
    assert len(sample_anchors()) >= ARTICLES
