"""What a program that keeps answer, reason to stop and error in columns writes down of a server's reply."""

import json
from typing import Any


def told_in_a_row(case: dict[str, Any]) -> dict[str, str]:
    """Cells ``response``, ``finish`` and ``error`` of *case*, a reply of the corpus."""
    body = case["body"][0] if isinstance(case["body"], list) else case["body"]
    choice = (body.get("choices") or body.get("candidates") or [{}])[0]
    message = _mapping(choice.get("message") or body.get("message"))
    answered = "content" in message or "content" in choice or "stop_reason" in body
    error = choice.get("error") or body.get("error") or ("" if answered else body)
    if any(body.get(name) for name in ("input_sensitive", "output_sensitive")):
        error = "output_sensitive"
    words = (choice.get("finish_reason"), choice.get("finishReason"), body.get("stop_reason"), body.get("done_reason"))
    return {
        "response": _text(
            message.get("content") or _mapping(choice.get("content")).get("parts") or body.get("content")
        ),
        "finish": _written(next(filter(None, words), "")),
        "error": _written(error),
    }


def _mapping(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _text(content: object) -> str:
    if isinstance(content, list):
        texts = (part.get("text") for part in content if not part.get("thought"))
        return "".join(each for each in texts if isinstance(each, str))
    return content if isinstance(content, str) else ""


def _written(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
