"""What a round will take, from what a model's answers took before."""

from dataclasses import replace

from gpf_desktop.domain.ids import ModelId
from gpf_desktop.domain.items import StudyItem
from gpf_desktop.domain.models import Endpoint, TargetModel
from gpf_desktop.engine.core import catalogue
from gpf_desktop.engine.core.protocols import load_protocol
from gpf_desktop.engine.rounds.forecast import forecast
from gpf_desktop.storage.models import AnswersSeen
from tests.support.rounds import small_protocol


def test_that_without_a_limit_long_answers_of_before_are_reckoned_with_as_long_as_they_were() -> None:
    method, protocol = catalogue.method("gpf-livenews"), small_protocol()
    model = TargetModel(
        id=ModelId(1), endpoint=Endpoint(provider="openai-compatible", model="m"), label="m", synthetic=False
    )
    seen = {model.id: AnswersSeen(answers=20, tokens_low=900, tokens_high=2_500, seconds_low=1.0, seconds_high=9.0)}
    item = StudyItem(kind="news article", key="k", title="Ferry", text="It stays.")

    def tokens(most: int | None) -> tuple[float, float]:
        limited = replace(protocol, decoding=replace(protocol.decoding, max_tokens=most))
        told = forecast(method, [item], [model], limited, method.no_controls(), 1, seen)
        return told.completion_tokens.low / told.calls.total, told.completion_tokens.high / told.calls.total

    assert tokens(None) == (900, 2_500)
    assert tokens(1_000) == (900, 1_000)


def test_that_models_of_one_account_share_its_time_and_those_of_others_do_not_wait_for_them() -> None:
    method, protocol = catalogue.method("gpf-livenews"), small_protocol()
    item = StudyItem(kind="news article", key="k", title="Ferry", text="It stays.")
    models = [
        TargetModel(
            id=ModelId(n),
            endpoint=Endpoint(provider="openai-compatible", model=f"m{n}", key_account=account),
            label=f"m{n}",
            synthetic=False,
        )
        for n, account in enumerate(("lab", "lab", "another"))
    ]
    answers = AnswersSeen(answers=20, tokens_low=10, tokens_high=20, seconds_low=1.0, seconds_high=9.0)
    seen = {model.id: answers for model in models}

    def high(*chosen: TargetModel) -> float:
        return forecast(method, [item], chosen, protocol, method.no_controls(), 1, seen).seconds.high

    alone = high(models[0])
    assert high(models[0], models[1]) == 2 * alone
    assert high(*models) == 2 * alone
    assert high(models[0], models[2]) == alone


def test_that_a_model_asked_for_a_letter_is_not_reckoned_to_write_a_page() -> None:
    method = catalogue.method("contextual-stereoset")
    protocol = load_protocol(method.default_protocol, method=method.name)
    endpoint = Endpoint(provider="openai-compatible", model="m", base_url="https://models.example/v1")
    model = TargetModel(id=ModelId(1), endpoint=endpoint, label="m", synthetic=False)
    seen = {model.id: AnswersSeen(answers=0, tokens_low=0, tokens_high=0, seconds_low=0.0, seconds_high=0.0)}
    items = method.items(protocol)[:2]
    told = forecast(method, items, [model], protocol, method.controls_of(protocol), 1, seen)
    assert told.completion_tokens.low == told.calls.total
    assert told.completion_tokens.high <= 15 * told.calls.total
    assert told.seconds.high < 2 * told.calls.total


def test_that_a_server_on_this_machine_may_be_slow_until_it_has_answered() -> None:
    method, protocol = catalogue.method("gpf-livenews"), small_protocol()
    item = StudyItem(kind="news article", key="k", title="Ferry", text="It stays.")

    def high(address: str, answers: int) -> float:
        endpoint = Endpoint(provider="openai-compatible", model="m", base_url=address)
        model = TargetModel(id=ModelId(1), endpoint=endpoint, label="m", synthetic=False)
        of_before = AnswersSeen(
            answers=answers, tokens_low=10, tokens_high=20, seconds_low=0.0, seconds_high=answers / 10
        )
        told = forecast(method, [item], [model], protocol, method.no_controls(), 1, {model.id: of_before})
        return told.seconds.high / told.calls.total

    near, far = "http://127.0.0.1:8080/v1", "https://models.example/v1"
    # One core writes some nine tokens a second of a small model, and reads twice as many.
    assert 20 < high(near, 0) < 120
    assert high(far, 0) < 4
    assert high(near, 20) == 2.0
