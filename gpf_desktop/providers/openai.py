"""OpenAI's chat completions."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from gpf_desktop.domain.embeddings import EmbeddingOptions
from gpf_desktop.domain.models import Endpoint, Secret
from gpf_desktop.domain.options import Shown
from gpf_desktop.domain.ports.provider import Provider
from gpf_desktop.domain.questions import Question
from gpf_desktop.domain.responses import Outcome
from gpf_desktop.domain.wire import Send
from gpf_desktop.providers import _openai_shape
from gpf_desktop.providers._openai_embeddings import OpenAIShapedEmbedder
from gpf_desktop.providers._options import chosen


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenAIOptions(EmbeddingOptions):
    """Settings of one model."""

    reasoning_effort: Annotated[
        str,
        Shown(
            label="Reasoning effort",
            help="For models that reason before they answer; left out where empty.",
            choices=("", "none", "minimal", "low", "medium", "high"),
        ),
    ] = ""


class OpenAI(Provider):
    name = "openai"
    version = "1"
    title = "OpenAI"
    options = OpenAIOptions
    default_base_url = "https://api.openai.com/v1"
    key_url = "https://platform.openai.com/api-keys"
    needs_key = True
    parameters = frozenset({"temperature", "top_p", "max_tokens", "seed", "top_logprobs"})

    async def ask(self, question: Question, key: Secret | None, send: Send) -> Outcome:
        options = chosen(OpenAIOptions, question.endpoint)
        return await _openai_shape.ask(
            question,
            key,
            send,
            base_url=question.endpoint.base_url or self.default_base_url,
            # max_tokens is deprecated, and reasoning models refuse it.
            limit_name="max_completion_tokens",
            reasoning_effort=options.reasoning_effort,
        )

    async def list_models(self, endpoint: Endpoint, key: Secret | None, send: Send) -> Sequence[str]:
        return await _openai_shape.list_models(endpoint.base_url or self.default_base_url, key, send)


class OpenAIEmbedder(OpenAIShapedEmbedder):
    name, title, base_url = OpenAI.name, OpenAI.title, OpenAI.default_base_url


PROVIDER = OpenAI()
EMBEDDER = OpenAIEmbedder()
