"""Servers that speak OpenAI's chat completions: llama.cpp, vLLM, LM Studio, OpenRouter and many more."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from gpf_desktop.domain.embeddings import EmbeddingOptions
from gpf_desktop.domain.models import Endpoint, Secret
from gpf_desktop.domain.options import Shown
from gpf_desktop.domain.ports.provider import Provider
from gpf_desktop.domain.questions import Question
from gpf_desktop.domain.responses import Outcome
from gpf_desktop.domain.text import Translated
from gpf_desktop.domain.wire import Send
from gpf_desktop.providers import _openai_shape
from gpf_desktop.providers._openai_embeddings import OpenAIShapedEmbedder
from gpf_desktop.providers._options import chosen


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenAICompatibleOptions(EmbeddingOptions):
    """Settings of one server."""

    limit_name: Annotated[
        str,
        Shown(
            label="Name of the token limit",
            help="What this server calls the limit on answer tokens; most of them say max_tokens.",
            choices=("max_tokens", "max_completion_tokens"),
        ),
    ] = "max_tokens"
    reasoning_effort: Annotated[
        str,
        Shown(label="Reasoning effort", help="Left out where empty.", choices=("", "minimal", "low", "medium", "high")),
    ] = ""


class OpenAICompatible(Provider):
    """Needs a base URL; the key may be empty."""

    name = "openai-compatible"
    version = "1"
    title = Translated("OpenAI-compatible server")
    options = OpenAICompatibleOptions
    default_base_url = "http://127.0.0.1:8080/v1"
    key_url = ""
    needs_key = False
    parameters = frozenset({"temperature", "top_p", "max_tokens", "seed", "top_logprobs"})

    async def ask(self, question: Question, key: Secret | None, send: Send) -> Outcome:
        options = chosen(OpenAICompatibleOptions, question.endpoint)
        return await _openai_shape.ask(
            question,
            key,
            send,
            base_url=question.endpoint.base_url or self.default_base_url,
            limit_name=options.limit_name,
            reasoning_effort=options.reasoning_effort,
        )

    async def list_models(self, endpoint: Endpoint, key: Secret | None, send: Send) -> Sequence[str]:
        return await _openai_shape.list_models(endpoint.base_url or self.default_base_url, key, send)


class OpenAICompatibleEmbedder(OpenAIShapedEmbedder):
    name, title, base_url = OpenAICompatible.name, OpenAICompatible.title, OpenAICompatible.default_base_url


PROVIDER = OpenAICompatible()
EMBEDDER = OpenAICompatibleEmbedder()
