"""What every provider promises, asked of each against a loopback server that is strict about its API."""

import dataclasses
import json

import pytest

from gpf_desktop.domain.cells import Prompt
from gpf_desktop.domain.errors import ProviderError
from gpf_desktop.domain.options import shown_in
from gpf_desktop.domain.protocol import Decoding
from gpf_desktop.domain.responses import Miss, Missing, Reply
from gpf_desktop.domain.retries import NoRetry
from gpf_desktop.engine.core.catalogue import providers
from tests.providers.rigs import ALL, ON_THE_WIRE, UNTESTED, Rig, list_with, send_with
from tests.support import http_server as http
from tests.support.http_server import LoopbackServer
from tests.support.provider_servers import DIALECTS, KEY, MODEL, serve_models


@pytest.mark.parametrize("name", ALL)
def test_that_every_provider_says_what_the_port_asks(name: str) -> None:
    provider = providers()[name]
    assert provider.name == name
    assert provider.version
    assert provider.title
    assert provider.needs_key <= bool(provider.key_url)
    assert provider.parameters <= {*(entry.name for entry in dataclasses.fields(Decoding)), "top_logprobs"}
    provider.options()
    assert all(shown.help for shown in shown_in(provider.options).values())


def test_that_every_provider_on_the_wire_is_tested_against_its_own_api() -> None:
    assert not UNTESTED, f"add a dialect for {', '.join(UNTESTED)} to DIALECTS in tests/support/provider_servers.py"


def test_that_a_question_is_asked_to_the_letter_and_its_answer_kept(rig: Rig) -> None:
    outcome = rig.ask(rig.answered("The river rises."))
    assert isinstance(outcome, Reply), outcome
    assert outcome.text == "The river rises."
    assert not outcome.truncated
    assert outcome.usage.prompt == 11
    assert outcome.usage.completion == 22
    assert outcome.finish
    assert outcome.not_supported == ()


def test_that_decoding_is_sent_and_recorded_by_the_api_s_own_names(rig: Rig) -> None:
    outcome = rig.ask(rig.answered("Yes."), rig.question(Decoding(temperature=0.2, top_p=0.9, max_tokens=77)))
    assert isinstance(outcome, Reply)
    values = {"temperature": 0.2, "top_p": 0.9, "max_tokens": 77, "seed": 17}
    sent = json.dumps(rig.body)
    for ours, wire in rig.dialect.parameters.items():
        assert outcome.sent[wire] == values[ours]
        assert f'"{wire}": {values[ours]}' in sent
    assert outcome.sent["model"] == MODEL
    assert "River" not in str(outcome.sent)


def test_that_nothing_unset_is_sent(rig: Rig) -> None:
    nothing = Decoding(temperature=None, top_p=None, max_tokens=None, seed=False)
    question = rig.question(nothing, seed=None, prompt=Prompt(system="", user="Why?"))
    outcome = rig.ask(rig.answered("Yes."), question)
    assert isinstance(outcome, Reply), outcome
    body = json.dumps(rig.body)
    assert "Be brief" not in body
    assert not any(f'"{wire}"' in body for wire in rig.dialect.parameters.values())
    assert not {"options", "generationConfig", "system", "systemInstruction"} & rig.body.keys()


@pytest.mark.parametrize(
    ("name", "parameter"), [(name, parameter) for name in ON_THE_WIRE for parameter in DIALECTS[name].parameters]
)
def test_that_a_refused_parameter_is_named_then_left_out_and_recorded(
    name: str, parameter: str, http_server: LoopbackServer
) -> None:
    rig = Rig(name, http_server)
    wire = rig.dialect.parameters[parameter]
    refusal = f"Unsupported parameter: '{wire}' is not supported with this model."
    refused = rig.fails(400, refusal)
    assert refused.refused_parameter == parameter
    assert isinstance(refused.retry, NoRetry)
    outcome = rig.ask(rig.answered("Yes."), rig.question(not_supported=frozenset({parameter})))
    assert isinstance(outcome, Reply)
    assert outcome.not_supported == (parameter,)
    assert wire not in outcome.sent
    assert f'"{wire}"' not in json.dumps(rig.body)


FORM = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"], "additionalProperties": False}


def test_that_a_reply_is_held_to_a_form_by_the_api_s_own_name_and_asked_in_words_where_that_is_refused(
    rig: Rig,
) -> None:
    names = {"anthropic": "output_config", "gemini": "responseJsonSchema", "ollama": "format"}
    wire = names.get(rig.provider.name, "response_format")
    assert '"additionalProperties"' not in json.dumps(rig.ask(rig.answered("1")) and rig.body)
    outcome = rig.ask(rig.answered('{"n": 1}'), rig.question(form=FORM))
    assert isinstance(outcome, Reply), outcome
    assert json.dumps(FORM) in json.dumps(rig.body)
    assert wire in outcome.sent
    refusal = f"Unsupported parameter: '{wire}' is not supported with this model."
    refused = rig.ask(http.Reply.of_json(rig.dialect.error(400, refusal), status=400), rig.question(form=FORM))
    assert isinstance(refused, Miss)
    assert refused.refused_parameter == "form"
    plain = rig.ask(rig.answered("1"), rig.question(form=FORM, not_supported=frozenset({"form"})))
    assert isinstance(plain, Reply)
    assert plain.not_supported == ("form",)
    assert '"additionalProperties"' not in json.dumps(rig.body)
    assert "responseMimeType" not in json.dumps(rig.body)


def test_that_a_refused_value_names_its_parameter(rig: Rig) -> None:
    words = "`temperature` must be 1 for this model: only the default value is accepted."
    assert rig.fails(400, words).refused_parameter == "temperature"


def test_that_an_ordinary_complaint_names_no_parameter(rig: Rig) -> None:
    assert rig.fails(400, "The picture in it cannot be decoded.").refused_parameter == ""


def test_that_a_long_prompt_is_no_refused_parameter(rig: Rig) -> None:
    limit = rig.dialect.parameters.get("max_tokens", "max_tokens")
    words = f"The context is too long: lower {limit}; the value is not supported."
    miss = rig.fails(400, words, "context_length_exceeded")
    assert isinstance(miss.retry, NoRetry)


def test_that_the_key_travels_in_a_header_alone(rig: Rig) -> None:
    rig.ask(rig.answered("Yes."))
    request = rig.server.requests[-1]
    assert KEY not in request.path
    assert KEY not in str(request.query)
    assert KEY.encode() not in request.body


def test_that_without_a_key_none_is_sent(rig: Rig) -> None:
    outcome = rig.ask(rig.answered("Yes."), key="")
    assert isinstance(outcome, Reply), outcome
    assert not {"authorization", "x-api-key", "x-goog-api-key"} & rig.server.requests[-1].headers.keys()


def test_that_an_echoed_key_is_removed_from_the_details(rig: Rig) -> None:
    miss = rig.fails(401, f"Incorrect API key provided: {KEY}. Header 'Authorization: Bearer {KEY}'\r\n\x1b[31m")
    assert KEY not in miss.detail
    assert miss.detail.isprintable()
    assert miss.status == 401
    assert isinstance(miss.retry, NoRetry)


def test_that_an_answer_cut_at_its_limit_is_kept_and_marked(rig: Rig) -> None:
    outcome = rig.ask(rig.answered("The river", finish="length"))
    assert isinstance(outcome, Reply)
    assert outcome.truncated
    assert outcome.text == "The river"


@pytest.mark.parametrize("name", [name for name in ON_THE_WIRE if name != "ollama"])
def test_that_a_refusal_is_a_reason_and_its_words_are_kept(name: str, http_server: LoopbackServer) -> None:
    rig = Rig(name, http_server)
    outcome = rig.ask(rig.answered("I would rather not.", finish="refused"))
    assert isinstance(outcome, Miss)
    assert outcome.reason is Missing.REFUSED
    assert outcome.text == "I would rather not."
    assert outcome.usage.completion == 22
    assert isinstance(outcome.retry, NoRetry)


def test_that_an_empty_answer_is_a_reason_and_is_paid_for(rig: Rig) -> None:
    outcome = rig.ask(rig.answered(""))
    assert isinstance(outcome, Miss)
    assert outcome.reason is Missing.EMPTY
    assert outcome.usage.prompt == 11


def test_that_reasoning_is_kept_apart(rig: Rig) -> None:
    outcome = rig.ask(rig.answered("Yes.", reasoning="Let me see."))
    assert isinstance(outcome, Reply)
    assert (outcome.text, outcome.reasoning) == ("Yes.", "Let me see.")


def test_that_thinking_in_the_text_is_kept_apart(rig: Rig) -> None:
    outcome = rig.ask(rig.answered("<think>\nLet me see.\n</think>\n\nYes."))
    assert isinstance(outcome, Reply)
    assert (outcome.text, outcome.reasoning) == ("Yes.", "Let me see.")


@pytest.mark.parametrize("text", ["<think>I wonder", ""])
def test_that_reasoning_alone_is_no_answer(rig: Rig, text: str) -> None:
    outcome = rig.ask(rig.answered(text, reasoning="" if text else "I wonder", finish="length"))
    assert isinstance(outcome, Miss)
    assert outcome.reason is Missing.REASONING_ONLY
    assert outcome.reasoning == "I wonder"


def test_that_an_unreachable_server_is_a_miss(rig: Rig) -> None:
    question = rig.question()
    rig.server.close()
    outcome = send_with(rig.provider, question)
    assert isinstance(outcome, Miss)
    assert outcome.reason is Missing.UNREACHABLE
    assert outcome.sent["model"] == MODEL


def test_that_models_are_listed_over_all_pages(rig: Rig) -> None:
    serve_models(rig.server, rig.dialect, ["b", "a", "d", "c"])
    assert list(list_with(rig)) == ["a", "b", "c", "d"]


def test_that_a_refused_list_is_a_sentence_without_the_key(rig: Rig) -> None:
    wrong = http.Reply.of_json(rig.dialect.error(401, f"Incorrect API key: {KEY}"), status=401)
    rig.server.route(rig.dialect.models_path, wrong)
    with pytest.raises(ProviderError, match="does not take this key") as caught:
        list_with(rig)
    assert KEY not in str(caught.value)
    assert caught.value.remedy


def test_that_a_list_that_is_none_is_a_sentence(rig: Rig) -> None:
    rig.server.route(rig.dialect.models_path, http.Reply(body="<html>"))
    with pytest.raises(ProviderError, match="web page"):
        list_with(rig)
