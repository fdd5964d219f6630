"""Answers in another dialect than the provider's own: gateways pass on what their makers' servers told them."""

from collections.abc import Mapping
from typing import Final

from gpf_desktop.documents.programs.whole_replies import said_in
from gpf_desktop.domain.responses import Missing, Usage
from gpf_desktop.domain.served import Served
from gpf_desktop.domain.text import tr
from gpf_desktop.providers._normal_form import NormalReply, first_count, mapping

_PROMPT: Final = ("prompt_tokens", "input_tokens", "inputTokens", "promptTokenCount", "prompt_eval_count")
_COMPLETION: Final = (
    *("completion_tokens", "output_tokens", "outputTokens", "candidatesTokenCount", "eval_count"),
    "generated_tokens",
)
_BESIDE: Final = ("thoughtsTokenCount",)
_REASONING: Final = ("reasoning_tokens", *_BESIDE)
_COUNTED_IN: Final = (
    *("usage", "usageMetadata", "tokens", "result", "meta", "billed_units", "output_tokens_details"),
    "completion_tokens_details",
)


def answer_in(body: object, request_id: str) -> NormalReply | None:
    """The answer that *body* holds, in a shape that any reader of whole replies knows; None where it holds none."""
    whole = mapping(body)
    # What has the conversation in it says the request back.
    told = {} if whole.get("messages") else said_in(whole)
    if told.get("error") or not any(told.get(name) for name in ("response", "finish", "refused", "missing")):
        return None
    refused = told.get("finish") or tr("The model declines to answer.")
    return NormalReply(
        answered=True,
        text=told["response"],
        thought=told.get("missing") == Missing.REASONING_ONLY,
        finish=told.get("finish", ""),
        refusal=tr("Blocked by the provider: {finish}", finish=refused) if told.get("refused") else "",
        usage=_usage(whole),
        request_id=request_id,
        served=Served(
            model=told.get("served_model", ""),
            fingerprint=told.get("served_fingerprint", ""),
            host=told.get("served_host", ""),
        ),
    )


def _usage(body: Mapping[str, object]) -> Usage:
    prompt, completion, reasoning = (_counted(body, names) for names in (_PROMPT, _COMPLETION, _REASONING))
    # Google counts thoughts beside the answer.
    beside = _counted(body, _BESIDE) or 0
    return Usage(prompt=prompt, completion=None if completion is None else completion + beside, reasoning=reasoning)


def _counted(body: Mapping[str, object], names: tuple[str, ...]) -> int | None:
    """Tokens by the first of *names* that stands in *body*, or in a place of counts within it."""
    within = (_counted(mapping(body.get(place)), names) for place in _COUNTED_IN if isinstance(body.get(place), dict))
    own = first_count(body, *names)
    return own if own is not None else next((found for found in within if found is not None), None)
