"""Logs of Inspect: what one sample (`EvalSample`) says."""

from typing import Any, Final

from gpf_desktop.documents.programs.chat_messages import content, said_by
from gpf_desktop.documents.programs.flat_records import first_of, flat, mapping, words

DIALECT: Final = "inspect"
"""As `domain.endings` calls its words for why a model stopped."""


def sample_row(sample: Any, header: Any) -> dict[str, str]:
    """One sample of a log whose ``eval`` is *header*."""
    if not isinstance(sample, dict):
        return {}
    output = mapping(sample.get("output"))
    first = first_of(output.get("choices"))
    message = mapping(first.get("message"))
    row = flat({"metadata": sample["metadata"]} if isinstance(sample.get("metadata"), dict) else {})
    epoch = sample.get("epoch")
    error = sample.get("error") or output.get("error")
    return {
        **row,
        "model": words(mapping(header).get("model") or output.get("model")),
        "id": words(sample.get("id")),
        # Inspect counts epochs from 1, repeats here are counted from 0.
        "repeat": words(epoch - 1 if isinstance(epoch, int) and epoch > 0 else epoch),
        "prompt": said_by(sample.get("input"), "user"),
        "system": said_by(sample.get("messages"), "system") if isinstance(sample.get("messages"), list) else "",
        "response": content(message.get("content")) or words(output.get("completion")),
        "finish": words(first.get("stop_reason")),
        # The model's name above is the one that was asked for.
        "served_model": words(output.get("model")),
        "error": words(error.get("message") if isinstance(error, dict) else error),
    }
