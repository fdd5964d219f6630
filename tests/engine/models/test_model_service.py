"""Models added, tested and taken away. A real loopback server, a real audit, keys for this session."""

from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest

from gpf_desktop.domain.errors import ProviderError, UserError
from gpf_desktop.domain.events import ModelsChanged, ModelTestProgressed
from gpf_desktop.domain.model_tests import ModelFault, ModelTest, StepState
from gpf_desktop.domain.models import Endpoint, Limits, Price
from gpf_desktop.domain.protocol import Decoding
from gpf_desktop.engine.models.model_service import ModelService
from gpf_desktop.settings.keys import Kept
from tests.support.embedding_servers import EMBEDDINGS, serve_vectors, vector_of
from tests.support.http_server import LoopbackServer, Mode, Reply
from tests.support.open_context import OpenBench
from tests.support.openai_server import OpenAIServer
from tests.support.provider_servers import MODEL

PASSED, FAILED, NOT_TRIED = StepState.PASSED, StepState.FAILED, StepState.NOT_TRIED
KEY = "sk-test-0123456789"


@pytest.fixture
def open_bench(tmp_path: Path) -> Iterator[OpenBench]:
    with OpenBench(tmp_path) as opened:
        yield opened


@pytest.fixture
def service(open_bench: OpenBench) -> Iterator[ModelService]:
    made = ModelService(open_bench.context)
    yield made
    made.close()


def at(base_url: str, model: str = "some-model", **changes: object) -> Endpoint:
    return Endpoint(provider="openai-compatible", model=model, base_url=base_url, **changes)  # type: ignore[arg-type]


def run(service: ModelService, endpoint: Endpoint) -> ModelTest:
    return service.test(endpoint, decoding=Decoding()).result()


def states(test: ModelTest) -> list[StepState]:
    return [step.state for step in test.steps]


def test_that_a_good_model_passes_three_steps_each_announced_as_it_is_known(
    service: ModelService, open_bench: OpenBench, openai_server: OpenAIServer
) -> None:
    test = run(service, at(openai_server.base_url))
    assert states(test) == [PASSED, PASSED, PASSED]
    assert test.passed
    assert test.fault is None
    assert "answered" in test.summary
    told = [states(event.test) for event in open_bench.of(ModelTestProgressed)]
    assert told[0] == [PASSED, StepState.WAITING, StepState.WAITING]
    assert told[-1] == states(test)
    (chat,) = openai_server.chats
    assert chat["max_tokens"] <= 256


def test_that_a_wrong_key_fails_at_the_second_step(service: ModelService) -> None:
    with OpenAIServer(key=KEY) as server:
        endpoint = at(server.base_url)
        service.save_key(endpoint, "sk-another").result()
        test = run(service, endpoint)
    assert states(test) == [PASSED, FAILED, NOT_TRIED]
    assert test.fault is ModelFault.BAD_KEY
    assert "whole key" in test.remedy
    assert "sk-another" not in repr(test)


def test_that_a_missing_key_is_told_from_a_wrong_one(service: ModelService) -> None:
    with OpenAIServer(key=KEY) as server:
        test = run(service, at(server.base_url))
    assert (states(test), test.fault) == ([PASSED, FAILED, NOT_TRIED], ModelFault.NO_KEY)


def test_that_the_right_key_is_used_kept_and_forgotten(service: ModelService) -> None:
    with OpenAIServer(key=KEY) as server:
        endpoint = at(server.base_url)
        assert service.key_kept(endpoint) is Kept.NOWHERE
        assert service.save_key(endpoint, f"  {KEY}\n").result() is Kept.SESSION
        assert run(service, endpoint).passed
        assert service.list_models(endpoint).result() == ["some-model"]
        service.forget_key(endpoint).result()
        assert service.key_kept(endpoint) is Kept.NOWHERE
        with pytest.raises(ProviderError):
            service.list_models(endpoint).result()


def test_that_what_is_no_key_is_refused(service: ModelService, openai_server: OpenAIServer) -> None:
    with pytest.raises(UserError, match="not a key"):
        service.save_key(at(openai_server.base_url), "two\nlines").result()


def test_that_a_model_the_server_has_not_fails_at_the_third_step(
    service: ModelService, openai_server: OpenAIServer
) -> None:
    test = run(service, at(openai_server.base_url, "another-model"))
    assert (states(test), test.fault) == ([PASSED, PASSED, FAILED], ModelFault.UNKNOWN_MODEL)
    assert "another-model" in test.summary


def test_that_a_model_that_gives_vectors_and_no_words_passes_as_an_encoder(
    service: ModelService, http_server: LoopbackServer
) -> None:
    calls = serve_vectors(http_server, EMBEDDINGS["openai-compatible"], key="")
    test = run(service, at(http_server.url("/v1"), MODEL))
    assert test.passed
    assert test.summary == f"It gives vectors of {len(vector_of('ready'))} numbers: an encoder for studies."
    assert calls == [["ready"]]


def test_that_an_encoder_on_this_machine_that_is_not_there_is_named_and_no_server_blamed(service: ModelService) -> None:
    test = run(service, Endpoint(provider="local-encoder", model="nowhere at all"))
    assert states(test) == [PASSED, PASSED, FAILED]
    assert test.fault is ModelFault.UNKNOWN_MODEL
    said = " ".join((*(step.words for step in test.steps), test.remedy))
    assert "“nowhere at all” is no folder" in said
    assert "server" not in said


def test_that_a_server_that_is_not_there_fails_at_the_first_step(
    service: ModelService, http_server: LoopbackServer
) -> None:
    address = http_server.url("/v1")
    http_server.close()
    test = run(service, at(address))
    assert (states(test), test.fault) == ([FAILED, NOT_TRIED, NOT_TRIED], ModelFault.UNREACHABLE)
    assert test.remedy


def test_that_a_server_that_never_answers_is_given_up_in_time(
    service: ModelService, http_server: LoopbackServer
) -> None:
    http_server.route("/v1/*", Reply(mode=Mode.HANG))
    test = run(service, at(http_server.url("/v1"), limits=Limits(timeout=0.2)))
    assert (states(test), test.fault) == ([FAILED, NOT_TRIED, NOT_TRIED], ModelFault.TIMED_OUT)


def test_that_a_web_page_is_no_answer(service: ModelService, http_server: LoopbackServer) -> None:
    http_server.route("/v1/*", Reply(body="<html>Welcome</html>", headers={"Content-Type": "text/html"}))
    test = run(service, at(http_server.url("/v1")))
    assert (states(test), test.fault) == ([FAILED, NOT_TRIED, NOT_TRIED], ModelFault.NO_API)
    assert "address" in test.remedy


@pytest.mark.parametrize(
    "reply",
    [
        Reply(status=302, headers={"Location": "http://login.example/"}),
        Reply(status=200, body="<html>Log in to the network</html>", headers={"Content-Type": "text/html"}),
        Reply(status=200, body='{"login": true}', headers={"Content-Type": "application/json"}),
        Reply(status=200, body='"ready"', headers={"Content-Type": "application/json"}),
        Reply(status=200, body=""),
        Reply(status=511, body="<html>Network login</html>", headers={"Content-Type": "text/html"}),
    ],
)
def test_that_nothing_but_the_api_passes_for_a_server(
    service: ModelService, http_server: LoopbackServer, reply: Reply
) -> None:
    http_server.route("/*", reply)
    test = run(service, at(http_server.url("/v1")))
    assert PASSED not in states(test)
    assert test.fault is ModelFault.NO_API
    assert all(request.path.startswith(("/v1/", "/models")) for request in http_server.requests), "it went elsewhere"


def test_that_a_server_that_fails_says_nothing_of_the_key(service: ModelService, http_server: LoopbackServer) -> None:
    http_server.route("/*", Reply(status=500, body="oh"))
    test = run(service, at(http_server.url("/v1")))
    assert (states(test), test.fault) == ([PASSED, NOT_TRIED, FAILED], ModelFault.OTHER)


def test_that_a_missing_or_needless_v1_is_found_and_offered(service: ModelService, openai_server: OpenAIServer) -> None:
    bare = openai_server.base_url.removesuffix("/v1")
    test = run(service, at(bare))
    assert not test.passed
    assert test.address == openai_server.base_url
    assert test.address in test.remedy
    assert test.fault is ModelFault.NO_API, "its list of models is not there, so nothing is known of the model"
    assert run(service, at(test.address)).passed
    assert run(service, at(openai_server.base_url, "not-there")).address == ""


@pytest.mark.parametrize(
    ("status", "code", "retry_after", "fault", "wait"),
    [
        (429, "rate_limit_exceeded", 7.0, ModelFault.RATE_LIMITED, 7.0),
        (429, "insufficient_quota", None, ModelFault.NO_CREDIT, None),
        (402, "payment_required", None, ModelFault.NO_CREDIT, None),
    ],
)
def test_that_limits_credit_and_faults_are_told_apart(
    service: ModelService,
    openai_server: OpenAIServer,
    status: int,
    code: str,
    retry_after: float | None,
    fault: ModelFault,
    wait: float | None,
) -> None:
    openai_server.fail(".", status=status, code=code, retry_after=retry_after)
    test = run(service, at(openai_server.base_url))
    assert (states(test), test.fault, test.wait) == ([PASSED, PASSED, FAILED], fault, wait)


def test_that_parameters_the_model_refuses_are_found_kept_and_shown(
    service: ModelService, open_bench: OpenBench
) -> None:
    with OpenAIServer(not_supported=("temperature", "seed")) as server:
        endpoint = at(server.base_url)
        model_id = service.add(endpoint).result()
        test = service.test(endpoint, decoding=Decoding(), model_id=model_id).result()
    assert (test.passed, test.not_supported) == (True, ("seed", "temperature"))
    (row,) = service.models()
    assert row.model.not_supported == ("seed", "temperature")
    assert row.tested is not None
    assert "answered" in row.test_words


def test_that_calibration_models_pass_without_network_or_key_and_are_synthetic(
    service: ModelService, open_bench: OpenBench
) -> None:
    added = service.add_calibration(["neutral", "tailoring-0.5"]).result()
    assert open_bench.of(ModelsChanged) == [ModelsChanged(model_ids=tuple(added))], "never half of them"
    rows = service.models()
    assert [(row.model.label, row.model.synthetic) for row in rows] == [
        ("calibration/neutral", True),
        ("calibration/tailoring-0.5", True),
    ]
    assert run(service, rows[0].model.endpoint).passed
    assert "neutral" in service.list_models(Endpoint(provider="calibration", model="neutral")).result()


def test_that_a_model_is_saved_anyway_and_edited_in_place(
    service: ModelService, open_bench: OpenBench, openai_server: OpenAIServer
) -> None:
    endpoint = at(openai_server.base_url)
    model_id = service.add(endpoint).result()
    priced = at(
        openai_server.base_url, price=Price(prompt=1.5, completion=6, entered=date(2026, 11, 20)), vendor="Example"
    )
    assert service.edit(model_id, priced).result() == model_id
    (row,) = service.models()
    assert (row.model.endpoint, row.model.vendor, row.tested) == (priced, "Example", None)
    assert open_bench.of(ModelsChanged) == [ModelsChanged(model_ids=(model_id,))] * 2


def test_that_another_name_makes_another_model_and_hides_the_first(service: ModelService) -> None:
    first = service.add(at("http://127.0.0.1:9/v1", "one")).result()
    second = service.edit(first, at("http://127.0.0.1:9/v1", "two")).result()
    assert second != first
    assert [row.model.endpoint.model for row in service.models()] == ["two"]


def test_that_removing_a_model_can_be_taken_back(service: ModelService) -> None:
    model_id = service.add(at("http://127.0.0.1:9/v1")).result()
    before = service.models()
    service.remove([model_id]).result()
    assert service.models() == []
    service.restore([model_id]).result()
    assert service.models() == before


@pytest.mark.parametrize(
    ("endpoint", "says"),
    [
        (at("http://127.0.0.1:9/v1", " "), "name is missing"),
        (at("ftp://news.example/v1"), "no web address"),
        (at("127.0.0.1:9"), "no web address"),
        (at("http://user:secret@models.example/v1"), "holds a key"),
        (at("https://models.example/v1?api_key=sk-1"), "holds a key"),
        (Endpoint(provider="calibration", model="clever"), "no model called"),
        (Endpoint(provider="nobody", model="x"), "no provider called"),
    ],
)
def test_that_what_cannot_work_or_holds_a_key_is_refused_before_it_is_stored(
    service: ModelService, endpoint: Endpoint, says: str
) -> None:
    with pytest.raises(UserError, match=says):
        service.add(endpoint)
    assert service.models() == []


def test_that_no_key_reaches_the_audit_file(service: ModelService, open_bench: OpenBench) -> None:
    with OpenAIServer(key=KEY) as server:
        endpoint = at(server.base_url)
        service.save_key(endpoint, KEY).result()
        model_id = service.add(endpoint, run(service, endpoint)).result()
        service.test(endpoint, decoding=Decoding(), model_id=model_id).result()
    folder = open_bench.context.audit.path.parent
    assert all(KEY.encode() not in file.read_bytes() for file in folder.iterdir() if file.is_file())


def test_that_closing_ends_a_test_under_way(service: ModelService, http_server: LoopbackServer) -> None:
    http_server.route("/v1/*", Reply(mode=Mode.HANG))
    testing = service.test(at(http_server.url("/v1")), decoding=Decoding())
    http_server.wait_for_requests(1)
    service.close()
    assert testing.cancelled()
