"""Who answered, by the words that each API has for it: live, from a batch job's file and from imported rows."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from gpf_desktop.documents.column_maps import WantedColumn
from gpf_desktop.documents.mapped_rows import ended, read_mapped, wanted_endings, wanted_model, wanted_response
from gpf_desktop.domain.models import Secret
from gpf_desktop.domain.responses import Miss, Missing, Reply, without_key
from gpf_desktop.domain.served import NOT_SAID, Served
from gpf_desktop.engine.core.catalogue import providers
from gpf_desktop.providers import _jobs
from tests.providers.test_endings import live, question

CHAT = {"choices": [{"message": {"content": "A park opened."}, "finish_reason": "stop"}]}
CLAUDE = {"content": [{"type": "text", "text": "A park opened."}], "stop_reason": "end_turn"}
GEMINI = {"candidates": [{"content": {"parts": [{"text": "A park opened."}]}, "finishReason": "STOP"}]}
LLAMA = {"message": {"content": "A park opened."}, "done": True, "done_reason": "stop"}
BODIES = [
    ("openai", {**CHAT, "model": "m-2026", "system_fingerprint": "fp_1"}, Served(model="m-2026", fingerprint="fp_1")),
    ("openai-compatible", {**CHAT, "model": "m", "provider": "Azure"}, Served(model="m", host="Azure")),
    ("openai-compatible", CHAT, NOT_SAID),
    ("openai-compatible", {**CHAT, "model": None, "system_fingerprint": 7, "provider": {}}, NOT_SAID),
    ("anthropic", {**CLAUDE, "model": "claude-x-2026"}, Served(model="claude-x-2026")),
    ("gemini", {**GEMINI, "modelVersion": "gemini-x-001"}, Served(model="gemini-x-001")),
    ("ollama", {**LLAMA, "model": "llama:latest"}, Served(model="llama:latest")),
]


@pytest.mark.parametrize(("provider", "body", "told"), BODIES)
def test_that_what_a_server_says_of_who_answered_is_kept(provider: str, body: dict[str, Any], told: Served) -> None:
    outcome = live(provider, 200, json.dumps(body))
    assert isinstance(outcome, Reply)
    assert outcome.served == told
    from_a_job = asyncio.run(_jobs.outcome(providers()[provider], question(provider), None, 200, body))
    assert from_a_job.served == told


def test_that_pieces_of_a_stream_say_it_too() -> None:
    piece = {"model": "m-2026", "system_fingerprint": "fp_1", "choices": [{"delta": {"content": "A park opened."}}]}
    end = {"choices": [{"delta": {}, "finish_reason": "stop"}]}
    body = f"data: {json.dumps(piece)}\n\ndata: {json.dumps(end)}\n\ndata: [DONE]\n\n"
    assert live("openai-compatible", 200, body).served == Served(model="m-2026", fingerprint="fp_1")


def test_that_a_miss_says_who_gave_it() -> None:
    body = {**CHAT, "model": "m-2026", "choices": [{"message": {"content": ""}, "finish_reason": "stop"}]}
    outcome = live("openai", 200, json.dumps(body))
    assert isinstance(outcome, Miss)
    assert outcome.reason is Missing.EMPTY
    assert outcome.served.model == "m-2026"


def test_that_a_key_in_a_model_s_name_is_taken_out() -> None:
    key = Secret("abcdefgh-12345678")
    told = Served(model=f"m {key.reveal()}", fingerprint=key.reveal(), host=key.reveal())
    shown = without_key(Reply(text="x", served=told), key).served
    assert key.reveal() not in f"{shown.model} {shown.fingerprint} {shown.host}"
    body = {**CHAT, "model": "sk-abcdefghijkl", "system_fingerprint": "f" * 5_000}
    outcome = live("openai", 200, json.dumps(body))
    assert outcome.served.model == "…"
    assert len(outcome.served.fingerprint) == 300


def rows_of(path: Path) -> list[dict[str, str]]:
    wanted = (wanted_model(), wanted_response(), *wanted_endings())
    return [row.told for row in read_mapped([path], {}, wanted, lambda *_: None).rows]


def inspect_log(finish: str, **output: Any) -> dict[str, Any]:
    choice = {"message": {"role": "assistant", "content": "A park opened."}, "stop_reason": finish}
    sample = {"id": 1, "epoch": 1, "input": "Why?", "output": {"choices": [choice], **output}}
    return {"eval": {"model": "openai/gpt-4o"}, "samples": [sample]}


def test_that_an_inspect_log_says_who_answered(tmp_path: Path) -> None:
    path = tmp_path / "log.json"
    path.write_text(json.dumps(inspect_log("stop", model="gpt-4o-2024-08-06")))
    (row,) = rows_of(path)
    assert row["model"] == "openai/gpt-4o"
    assert ended(row).served == Served(model="gpt-4o-2024-08-06")


@pytest.mark.parametrize(("finish", "missing"), [("unknown", ""), ("model_length", ""), ("tool_calls", "HTTP error")])
def test_that_an_inspect_log_s_words_for_an_end_are_inspect_s(tmp_path: Path, finish: str, missing: str) -> None:
    path = tmp_path / "log.json"
    path.write_text(json.dumps(inspect_log(finish)))
    (row,) = rows_of(path)
    assert ended(row).missing == missing
    # Of nobody in particular the same word is a fault.
    assert ended({"response": "A park opened.", "finish": "unknown"}).missing == "HTTP error"


@pytest.mark.parametrize("raw", [json.dumps, lambda raw: raw], ids=["as text", "as an object"])
def test_that_promptfoo_s_results_say_who_answered(tmp_path: Path, raw: Any) -> None:
    told = {"model": "gpt-4o-2024-08-06", "system_fingerprint": "fp_1"}
    result = {
        "provider": {"id": "openai:chat:gpt-4o"},
        "prompt": {"raw": "Why?"},
        "response": {"output": "A park opened.", "raw": raw(told)},
    }
    path = tmp_path / "results.json"
    path.write_text(json.dumps({"results": {"results": [result]}}))
    (row,) = rows_of(path)
    assert ended(row).served == Served(model="gpt-4o-2024-08-06", fingerprint="fp_1")


def test_that_a_file_of_openai_s_batch_answers_says_who_answered(tmp_path: Path) -> None:
    body = {**CHAT, "model": "gpt-4o-2024-08-06", "system_fingerprint": "fp_1"}
    blocked = {"error": {"message": "Your input was flagged by our content filter.", "code": "content_filter"}}
    lines = [
        {"id": "b1", "custom_id": "q1", "response": {"status_code": 200, "body": body}, "error": None},
        {"id": "b2", "custom_id": "q2", "model": "gpt-4o", "response": {"status_code": 400, "body": blocked}},
    ]
    path = tmp_path / "batch.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    wanted = (wanted_model(), wanted_response(), WantedColumn(name="q", title="q", known_as=("custom_id",)))
    first, second = (row.told for row in read_mapped([path], {}, (*wanted, *wanted_endings()), lambda *_: None).rows)
    came = ended(first)
    assert (came.text, first["q"], came.missing) == ("A park opened.", "q1", "")
    assert came.served == Served(model="gpt-4o-2024-08-06", fingerprint="fp_1")
    assert ended(second).missing == "refused"


def test_that_columns_of_a_table_say_who_answered(tmp_path: Path) -> None:
    path = tmp_path / "answers.csv"
    path.write_text("model,answer,response_model,system_fingerprint\ngpt-4o,A park.,gpt-4o-mini,fp_1\n")
    (row,) = rows_of(path)
    assert ended(row).served == Served(model="gpt-4o-mini", fingerprint="fp_1")
