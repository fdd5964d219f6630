"""Logs of Inspect: what one sample (`EvalSample`) says."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from gpf_desktop.documents.programs.chat_messages import content, said_by
from gpf_desktop.documents.programs.flat_records import first_of, flat, mapping, words

DIALECT: Final = "inspect"
"""As `domain.endings` calls its words for why a model stopped."""

SCORED: Final = "scored by "
WHY: Final = "explanation of "
"""How columns begin that hold what a scorer gave, and why; behind it stands its name, with the model that it asked."""

TOP: Final = "highest_mark"
"""Of a score's metadata, where it is a mark: the highest that its scale has; the lowest is 1."""


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
        "refused": "yes" if _declined(message.get("content")) else "",
        # The model's name above is the one that was asked for.
        "served_model": words(output.get("model")),
        "error": words(error.get("message") if isinstance(error, dict) else error),
        **dict(_scores(mapping(sample.get("scores")), mapping(header))),
    }


def _declined(said: Any) -> bool:
    """Whether a part of a message is marked as a refusal, as Inspect keeps what a provider said in a field for it."""
    return isinstance(said, list) and any(mapping(part).get("refusal") is True for part in said)


def _scores(scores: Mapping[str, Any], header: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    grader = words(mapping(mapping(header.get("model_roles")).get("grader")).get("model"))
    scorers = header.get("scorers")
    each = map(mapping, scorers if isinstance(scorers, list) else ())
    models = {words(scorer.get("name")): words(mapping(scorer.get("options")).get("model")) for scorer in each}
    for name, score in scores.items():
        asked = models.get(name) or grader
        judge = f"{name} ({asked})" if asked else name
        top = words(mapping(mapping(score).get("metadata")).get(TOP))
        yield SCORED + judge, words(mapping(score).get("value")) + (f"/{top}" if top else "")
        yield WHY + judge, words(mapping(score).get("explanation"))
