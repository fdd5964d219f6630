"""Models that run on this computer or another one under Ollama."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from gpf_desktop.domain.models import Endpoint, Secret
from gpf_desktop.domain.options import Shown
from gpf_desktop.domain.ports.provider import Provider
from gpf_desktop.domain.questions import Question
from gpf_desktop.domain.responses import Outcome, Usage
from gpf_desktop.domain.served import Served
from gpf_desktop.domain.wire import Send, WireReply, WireRequest
from gpf_desktop.providers import _bodies, _calls, _log_probabilities, _verdicts
from gpf_desktop.providers._embeddings import OllamaEmbeddingOptions
from gpf_desktop.providers._normal_form import NormalReply, count, items, mapping, text, word
from gpf_desktop.providers._options import chosen
from gpf_desktop.providers._verdicts import Request


@dataclass(frozen=True, slots=True, kw_only=True)
class OllamaOptions(OllamaEmbeddingOptions):
    """Settings of one model."""

    context: Annotated[
        int,
        Shown(
            label="Context length",
            help="Tokens of question and answer together; 0 leaves it to the server, which may cut long ones.",
            least=0,
        ),
    ] = 0
    think: Annotated[
        str,
        Shown(
            label="Thinking",
            help="For models that can think before they answer; left out where empty.",
            choices=("", "on", "off", "low", "medium", "high"),
        ),
    ] = ""


class Ollama(Provider):
    """Needs no key; a server behind a proxy may want one."""

    name = "ollama"
    version = "1"
    title = "Ollama"
    options = OllamaOptions
    default_base_url = "http://127.0.0.1:11434"
    key_url = ""
    needs_key = False
    parameters = frozenset({"temperature", "top_p", "max_tokens", "seed", "top_logprobs"})

    async def ask(self, question: Question, key: Secret | None, send: Send) -> Outcome:
        options = chosen(OllamaOptions, question.endpoint)
        decoding = question.decoding
        inner = _calls.parameters(
            question,
            {
                "temperature": ("temperature", decoding.temperature),
                "top_p": ("top_p", decoding.top_p),
                "max_tokens": ("num_predict", decoding.max_tokens),
                "seed": ("seed", question.seed),
                "context": ("num_ctx", options.context or None),
            },
        )
        think: object = {"": None, "on": True, "off": False}.get(options.think, options.think)
        outer = _calls.parameters(
            question,
            {"think": ("think", think), "form": ("format", question.form), **_log_probabilities.asked(question)},
            refused=_log_probabilities.refused(question),
        )
        worded = _calls.wording(question)
        request = Request(
            sent={"model": question.endpoint.model, **outer.values, **inner.values},
            wire_names={**inner.ours, **outer.ours},
            not_supported=(*inner.left_out, *outer.left_out, *worded.moved),
            key=key,
            system=bool(worded.system),
        )
        roles = (("system", worded.system), *worded.turns())
        body: dict[str, object] = {
            "model": question.endpoint.model,
            "messages": [{"role": role, "content": content} for role, content in roles if content],
            # Unless it is told otherwise, Ollama sends an answer piece by piece.
            "stream": False,
            **outer.values,
        }
        if inner.values:
            body["options"] = inner.values
        wire = WireRequest(method="POST", url=f"{root(question.endpoint)}/api/chat", headers=headers(key), json=body)
        reply = await send(wire)
        return await _calls.outcome(reply, request, _read)

    async def list_models(self, endpoint: Endpoint, key: Secret | None, send: Send) -> Sequence[str]:
        body = await _calls.page(f"{root(endpoint)}/api/tags", headers(key), key, send, holds="models")
        entries = [mapping(entry) for entry in items(body.get("models"))]
        return sorted(filter(None, (text(entry.get("model")) or text(entry.get("name")) for entry in entries)))


def root(endpoint: Endpoint) -> str:
    address = (endpoint.base_url or Ollama.default_base_url).strip().rstrip("/")
    # /v1 is where Ollama speaks OpenAI's API; its own is beside that.
    return address.removesuffix("/chat").removesuffix("/embed").removesuffix("/api").removesuffix("/v1").rstrip("/")


def headers(key: Secret | None) -> dict[str, str]:
    return {"Authorization": f"Bearer {key.reveal()}"} if key else {}


def _read(reply: WireReply, request: Request) -> Outcome:
    return _verdicts.judged(_normal(reply, request), reply, request, salvage="content")


def _normal(reply: WireReply, request: Request) -> NormalReply:
    body = mapping(_bodies.body_of(reply, with_tokens=_log_probabilities.WIDTH in request.sent))
    message = mapping(body.get("message"))
    error = body.get("error")
    words = error if isinstance(error, str) else text(mapping(error).get("message"))
    # The first piece of a stream is no answer, under a word that no table knows.
    finish = word(body.get("done_reason")) or ("unfinished" if body.get("done") is False else "")
    called = bool(message.get("tool_calls")) and not text(message.get("content"))
    return NormalReply(
        # An error beside half an answer broke it off.
        answered=bool(text(message.get("content"))) or (isinstance(body.get("message"), dict) and not error),
        message=words or (str(error) if error else ""),
        text=text(message.get("content")),
        reasoning=text(message.get("thinking")),
        finish=_verdicts.finish_of(finish, called=called),
        usage=Usage(prompt=count(body.get("prompt_eval_count")), completion=count(body.get("eval_count"))),
        letters=_log_probabilities.letters(body.get("logprobs")),
        served=Served(model=text(body.get("model"))),
    )


PROVIDER = Ollama()
