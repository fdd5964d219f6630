"""Cells that hold more than an answer: whole replies, printed objects, errors, a program's word for nothing."""

import json
from pathlib import Path
from typing import Any

import pytest

from gpf_desktop.documents.mapped_rows import ended
from gpf_desktop.documents.programs.whole_replies import reply_in
from gpf_desktop.methods.relative_bias.importing import study_in

TEXT = "The council will publish rent rules in May. Tenants' advice is free."
SAID = {"role": "assistant", "content": TEXT}
PART = {"type": "text", "text": TEXT}
WHOLE, CUT, REFUSED, FAILED = (TEXT, "", False), (TEXT, "", True), ("", "refused", False), ("", "HTTP error", False)


def chat(message: Any, finish: str = "stop", **beside: Any) -> dict[str, Any]:
    return {"choices": [{"index": 0, "message": message, "finish_reason": finish}], **beside}


REPLIES: dict[str, tuple[Any, tuple[str, str, bool]]] = {
    "chat": (chat(SAID), WHOLE),
    "chat, cut": (chat(SAID, "length"), CUT),
    "chat, filtered": (chat({"content": ""}, "content_filter"), REFUSED),
    "chat, refused": (chat({"content": None, "refusal": "No."}), ("No.", "refused", False)),
    "chat, tools": (chat({"content": None, "tool_calls": []}, "tool_calls"), FAILED),
    "chat, error": (chat({"content": ""}, "stop", error={"message": "gone"}), FAILED),
    "chat, error of the choice": ({"choices": [{"message": {"content": ""}, "error": {"code": 502}}]}, FAILED),
    "chat, parts": (chat({"role": "assistant", "content": [PART]}), WHOLE),
    "chat, second first": (
        {"choices": [{"index": 1, "message": {"content": "?"}}, {"index": 0, "message": SAID}]},
        WHOLE,
    ),
    "chat, thoughts alone": (
        chat({"content": "", "reasoning_content": "They ask"}, "length"),
        ("", "all tokens spent on reasoning", False),
    ),
    "chat, thoughts counted": (
        chat({"content": None}, "length", usage={"completion_tokens_details": {"reasoning_tokens": 9}}),
        ("", "all tokens spent on reasoning", False),
    ),
    "Amazon's guardrail": (
        chat({"content": "Sorry."}, **{"amazon-bedrock-guardrailAction": "INTERVENED"}),
        ("Sorry.", "refused", False),
    ),
    "completion": ({"choices": [{"text": TEXT, "index": 0, "finish_reason": "stop"}]}, WHOLE),
    "responses": (
        {"output": [{"type": "reasoning"}, {"type": "message", "content": [PART]}], "status": "completed"},
        WHOLE,
    ),
    "responses, cut": (
        {"output": [{"type": "message", "content": [PART]}], "incomplete_details": {"reason": "max_output_tokens"}},
        CUT,
    ),
    "Anthropic": ({"type": "message", "role": "assistant", "content": [PART], "stop_reason": "end_turn"}, WHOLE),
    "Anthropic, cut": ({"type": "message", "role": "assistant", "content": [PART], "stop_reason": "max_tokens"}, CUT),
    "Anthropic, refused": ({"content": [], "stop_reason": "refusal"}, REFUSED),
    "Anthropic, blocks": ([{"type": "thinking", "thinking": "hm"}, PART], WHOLE),
    "Gemini": ({"candidates": [{"content": {"parts": [{"text": TEXT}]}, "finishReason": "STOP"}]}, WHOLE),
    "Gemini, blocked": ({"candidates": [{"finishReason": "SAFETY"}]}, REFUSED),
    "Gemini, no prompt": ({"promptFeedback": {"blockReason": "OTHER"}}, REFUSED),
    "Gemini, parts": ({"role": "model", "parts": [{"text": TEXT}]}, WHOLE),
    "Ollama": ({"message": SAID, "done": True, "done_reason": "length"}, CUT),
    "Ollama, generated": ({"response": TEXT, "done": True, "done_reason": "stop"}, WHOLE),
    "Converse": ({"output": {"message": {"content": [{"text": TEXT}]}}, "stopReason": "end_turn"}, WHOLE),
    "Converse, guarded": (
        {"output": {"message": {"content": [{"text": "Sorry."}]}}, "stopReason": "guardrail_intervened"},
        ("Sorry.", "refused", False),
    ),
    "Titan": ({"results": [{"outputText": TEXT, "completionReason": "FINISH"}]}, WHOLE),
    "Cohere": ({"message": {"role": "assistant", "content": [PART]}, "finish_reason": "COMPLETE"}, WHOLE),
    "LangChain": ({"generations": [[{"text": TEXT}]]}, WHOLE),
    "LangChain, flat": ({"generations": [{"text": TEXT}]}, WHOLE),
    "transformers": ([{"generated_text": TEXT}], WHOLE),
    "transformers, chat": ([{"generated_text": [{"role": "user", "content": "?"}, SAID]}], WHOLE),
    "lm-eval": ([[TEXT]], WHOLE),
    "conversation": ([{"role": "user", "content": "?"}, SAID], WHOLE),
    "Dify": ({"event": "message", "answer": TEXT}, WHOLE),
    "LangChain's message": ({"content": TEXT, "response_metadata": {"finish_reason": "length"}, "type": "ai"}, CUT),
    "LangChain's constructor": ({"lc": 1, "kwargs": {"content": TEXT, "additional_kwargs": {}}}, WHOLE),
    "LlamaIndex": ({"response": TEXT, "source_nodes": []}, WHOLE),
    "Vercel": ({"text": TEXT, "finishReason": "length", "usage": {}}, CUT),
    "Vertex": ({"predictions": [{"content": TEXT, "safetyAttributes": {"blocked": False}}]}, WHOLE),
    "Vertex, blocked": ({"predictions": [{"content": "", "safetyAttributes": {"blocked": True}}]}, REFUSED),
    "Replicate": ({"status": "succeeded", "output": [TEXT[:9], TEXT[9:]]}, WHOLE),
    "TGI": ({"generated_text": TEXT, "details": {"finish_reason": "length"}}, CUT),
    "llama.cpp": ({"content": TEXT, "tokens_predicted": 5, "stopped_limit": True}, CUT),
    "Kobold": ({"results": [{"text": TEXT, "finish_reason": "stop"}]}, WHOLE),
    "DashScope": ({"output": {"text": TEXT, "finish_reason": "length"}, "usage": {}}, CUT),
    "DashScope, choices": ({"output": {"choices": [{"message": SAID, "finish_reason": "length"}]}}, CUT),
    "Baidu": ({"result": TEXT, "need_clear_history": False, "is_truncated": True}, CUT),
    "watsonx": ({"results": [{"generated_text": TEXT, "stop_reason": "max_tokens"}]}, CUT),
    "Titan's list": ([{"outputText": TEXT}], WHOLE),
    "choices alone": ([{"index": 0, "message": SAID, "finish_reason": "length"}], CUT),
    "candidates alone": ([{"content": {"parts": [{"text": TEXT}]}, "finishReason": "STOP"}], WHOLE),
    "output alone": ([{"type": "reasoning"}, {"type": "message", "content": [PART]}], WHOLE),
    "error": ({"error": {"message": "slow", "code": 429}}, FAILED),
    "error that blocks": ({"error": {"message": "no", "code": "content_filter"}}, REFUSED),
    "error of vLLM": ({"object": "error", "message": "The model is gone", "code": 404}, FAILED),
    "error in a list": ([{"error": {"code": 503, "message": "busy"}}], FAILED),
}


@pytest.mark.parametrize(("reply", "expected"), REPLIES.values(), ids=REPLIES)
@pytest.mark.parametrize("written", [json.dumps, str], ids=["JSON", "Python"])
def test_that_of_a_whole_reply_its_text_is_the_answer(
    written: Any, reply: Any, expected: tuple[str, str, bool]
) -> None:
    came = ended({"response": written(reply)})
    assert (came.text, came.missing, came.truncated) == expected


@pytest.mark.parametrize("written", [json.dumps, "```json\n{}\n```".format])
def test_that_a_reply_written_as_json_twice_or_in_a_fence_is_one(written: Any) -> None:
    assert ended({"response": written(json.dumps(chat(SAID)))}).text == TEXT


PRINTED = {
    f"content={TEXT!r} additional_kwargs={{}} response_metadata={{'finish_reason': 'length'}} id='r'": CUT,
    f"AIMessage(content={TEXT!r}, additional_kwargs={{}}, response_metadata={{'stop_reason': 'end_turn'}})": WHOLE,
    f"ChatCompletion(id='c', choices=[Choice(finish_reason='stop', message=Message(content={TEXT!r}))])": WHOLE,
    f"openai.types.ChatCompletionMessage(content={TEXT!r}, refusal=None)": WHOLE,
    "ChatCompletionMessage(content=None, refusal='No.', role='assistant')": ("No.", "refused", False),
    "Choice(finish_reason='content_filter', message=ChatCompletionMessage(content=''))": REFUSED,
    f"Message(id='m', content=[TextBlock(text={TEXT!r}, type='text')], stop_reason='max_tokens')": CUT,
    f"[TextBlock(citations=None, text={TEXT!r}, type='text')]": WHOLE,
    "ModelResponse(id='m')": ("", "unreadable", False),
    "<openai.types.chat.ChatCompletion object at 0x7f0b1c>": ("", "unreadable", False),
    "<coroutine object ask at 0x7f8e>": ("", "unreadable", False),
    "[object Object]": ("", "unreadable", False),
    'data: {"choices": [{"delta": {"content": "The"}}]}': ("", "unreadable", False),
    "<Response [200]>": ("", "unreadable", False),
    "<Response [429]>": FAILED,
}


@pytest.mark.parametrize(("cell", "expected"), PRINTED.items(), ids=[each[:30] for each in PRINTED])
def test_that_a_printed_object_is_never_taken_for_its_text(cell: str, expected: tuple[str, str, bool]) -> None:
    came = ended({"response": cell})
    assert (came.text, came.missing, came.truncated) == expected


@pytest.mark.parametrize(
    ("cell", "missing"),
    [
        ("Request timed out.", "HTTP error"),
        ("Connection error.", "HTTP error"),
        ("Traceback (most recent call last):\n  File", "HTTP error"),
        ("HTTPSConnectionPool(host='api', port=443): Max retries exceeded", "HTTP error"),
        ("Client error '400 Bad Request' for url 'https://api'", "HTTP error"),
        ("An error occurred (ThrottlingException) when calling the InvokeModel operation: slow", "HTTP error"),
        ("litellm.ContentPolicyViolationError: The response was filtered", "refused"),
        ("429 Resource has been exhausted (e.g. check quota).", "HTTP error"),
        ("400 INVALID_ARGUMENT. {'error': {'code': 400}}", "HTTP error"),
        ("ERROR: rate limit", "HTTP error"),
        ("[ERROR] Request failed with status code 500", "HTTP error"),
        ("The `response.text` quick accessor failed. The candidate's [finish_reason](https://x.y) is 3.", "refused"),
        ("<html><head><title>502 Bad Gateway</title></head></html>", "HTTP error"),
        ("HTTP/1.1 429 Too Many Requests\r\n\r\n{}", "HTTP error"),
        ("nan", "empty"),
        ("None", "empty"),
        ("undefined", "empty"),
    ],
)
def test_that_what_a_program_wrote_in_an_answer_s_place_is_no_answer(cell: str, missing: str) -> None:
    came = ended({"response": cell})
    assert (came.text, came.missing) == ("", missing)
    assert came.detail


@pytest.mark.parametrize(
    "cell",
    [
        '{"answer": "B"}',
        '{"text": "B", "why": "It says so."}',
        '{"answer": "B", "details": "It says so.", "event": "a vote"}',
        '```json\n{"answer": "B"}\n```',
        '"{not JSON"',
        '["role"]',
        "[1, 2]",
        '{"role": "captain"',
        "{'a': 1}",
        f'"{TEXT}"',
        "[['a', 'b']]",
        "None of them is right.",
        "Null results are results.",
        "Error 404 is a film. I liked it.",
        "Error: the plan has none. The council erred.",
        "content='x' is how Python prints it.",
        "Message (for tenants): ask for advice.",
        "<p>An answer in markup</p>",
    ],
)
def test_that_an_answer_that_only_looks_so_stays_as_it_is(cell: str) -> None:
    assert reply_in(cell) == {}
    came = ended({"response": cell})
    assert (came.text, came.missing) == (cell, "")


@pytest.mark.parametrize(
    "finish", ["['stop']", '["stop"]', "<FinishReason.STOP: 1>", "nan", "None", "StopReason.end_turn"]
)
def test_that_a_printed_word_for_an_ending_is_the_word(finish: str) -> None:
    assert ended({"response": TEXT, "finish": finish, "error": "nan", "missing": "NaN"}).missing == ""


def test_that_what_a_column_says_stands_beside_a_whole_reply() -> None:
    came = ended({"response": json.dumps(chat(SAID)), "finish": "length", "served_model": "oak-2"})
    assert came.truncated
    assert came.served.model == "oak-2"


def test_that_a_whole_reply_in_a_record_is_read_beside_what_was_asked(tmp_path: Path) -> None:
    asked = [{"role": "system", "content": "Be kind."}, {"role": "user", "content": "May a cat ride?"}]
    path = tmp_path / "calls.jsonl"
    path.write_text(json.dumps({"model": "oak", "messages": asked, "response": chat(SAID, "length")}) + "\n")
    study = study_in([path], {})
    assert [item.title for item in study.items] == ["May a cat ride?"]
    assert [(each.text, each.truncated) for each in study.answers] == [(TEXT, True)]
