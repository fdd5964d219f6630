"""Tests one model in three steps, each told as soon as it is known. What fails is a value, never an exception."""

from collections.abc import Callable, Mapping
from dataclasses import replace

from gpf_desktop.domain.account_faults import AccountFault
from gpf_desktop.domain.adjustments import MOST_AT_ONCE, tidied
from gpf_desktop.domain.cells import Prompt
from gpf_desktop.domain.embeddings import EmbeddingOrder
from gpf_desktop.domain.errors import ProviderError
from gpf_desktop.domain.model_tests import ModelFault, ModelTest, ModelTestStep, StepName, StepState
from gpf_desktop.domain.models import Endpoint, Secret
from gpf_desktop.domain.ports.provider import Provider
from gpf_desktop.domain.protocol import Decoding
from gpf_desktop.domain.questions import Question
from gpf_desktop.domain.responses import Miss, Missing, Outcome, Reply, without_key
from gpf_desktop.domain.retries import NoRetry, RateLimited
from gpf_desktop.domain.text import tr, trn
from gpf_desktop.domain.wire import Send, WireReply, WireRequest
from gpf_desktop.engine.core import catalogue

TEST_TOKENS = 256
"""Room for a model that reasons before it says a word; the answer itself is one word."""

_PROMPT = Prompt(system="Answer in one word.", user="Say “ready”.")
_COORDINATES: Mapping[str, str | int] = {
    "model": "",
    "item": "test",
    "repeat": 0,
}
_UNSENT = frozenset({Missing.UNREACHABLE, Missing.TIMED_OUT})
_BY_STATUS = {
    400: ModelFault.REFUSED,
    401: ModelFault.BAD_KEY,
    402: ModelFault.NO_CREDIT,
    403: ModelFault.BAD_KEY,
    404: ModelFault.UNKNOWN_MODEL,
    413: ModelFault.REFUSED,
    422: ModelFault.REFUSED,
    429: ModelFault.RATE_LIMITED,
    # Network authentication required: a captive portal says so, never an API.
    511: ModelFault.NO_API,
}
_BY_ACCOUNT = {
    AccountFault.KEY: ModelFault.BAD_KEY,
    AccountFault.CREDIT: ModelFault.NO_CREDIT,
    AccountFault.SHUT: ModelFault.SHUT,
    AccountFault.PLACE: ModelFault.REFUSED,
    AccountFault.MODEL: ModelFault.UNKNOWN_MODEL,
    AccountFault.ADDRESS: ModelFault.NO_API,
    AccountFault.DAY: ModelFault.DAY_USED_UP,
    AccountFault.SPAN: ModelFault.PLAN_USED_UP,
}
_BY_REASON = {
    Missing.UNREACHABLE: ModelFault.UNREACHABLE,
    Missing.TIMED_OUT: ModelFault.TIMED_OUT,
    Missing.UNREADABLE: ModelFault.UNREADABLE,
    Missing.TOO_LARGE: ModelFault.UNREADABLE,
    Missing.EMPTY: ModelFault.UNREADABLE,
    Missing.REFUSED: ModelFault.REFUSED,
}

_SAYS_NOTHING_OF_KEYS = frozenset(
    {ModelFault.UNREADABLE, ModelFault.TIMED_OUT, ModelFault.OTHER, ModelFault.UNREACHABLE}
)
"""Faults behind which nobody has looked at the key yet."""
_PERHAPS_AN_ENCODER = frozenset(
    {ModelFault.NO_API, ModelFault.UNKNOWN_MODEL, ModelFault.UNREADABLE, ModelFault.REFUSED, ModelFault.OTHER}
)
"""Faults that a model which gives vectors and no words has when it is asked for words."""
_PERHAPS_ELSEWHERE = frozenset({ModelFault.NO_API, ModelFault.UNKNOWN_MODEL, ModelFault.UNREADABLE, ModelFault.OTHER})
"""Faults that a missing /v1 has, at one server or another."""

TellTest = Callable[[ModelTest], object]


async def run_test(
    endpoint: Endpoint, provider: Provider, key: Secret | None, send: Send, *, decoding: Decoding, tell: TellTest
) -> ModelTest:
    """The finished test of *endpoint*; *tell* gets every stage of it, the last one included.

    At most three calls and one more for each parameter that the model refuses; the answer is some tokens long. A model
    that answers nothing is asked for a vector where its provider has models that give some.
    """
    test, listed = _Test(tell), True
    if provider.runs_here:
        test.step(StepName.REACH, StepState.PASSED, tr("It runs on this machine."))
        test.step(StepName.AUTHENTICATE, StepState.PASSED, tr("It needs no key."))
        test.encode(await _vector(endpoint, key, send))
        return test.now
    if provider.synthetic:
        test.step(StepName.REACH, StepState.PASSED, tr("Built in: it needs no network."))
        test.step(StepName.AUTHENTICATE, StepState.PASSED, tr("It needs no key."))
    else:
        listed = await _knock(test, endpoint, provider, key, send)
    if not test.now.over:
        outcome, not_supported = await _answer(endpoint, provider, key, send, decoding)
        length = await _length_of_a_vector(endpoint, key, send, outcome)
        if length:
            test.give_vectors(length)
        else:
            test.land(outcome, not_supported, listed=listed)
    if (
        not listed
        and test.now.fault in _PERHAPS_ELSEWHERE
        and (address := await _related(endpoint, provider, key, send))
    ):
        test.offer(address)
    return test.now


class _Test:
    """The test as it grows."""

    def __init__(self, tell: TellTest) -> None:
        self.now = ModelTest()
        self._tell = tell

    def step(self, name: StepName, state: StepState, words: str) -> None:
        done = ModelTestStep(name=name, state=state, words=words)
        self.now = replace(self.now, steps=tuple(done if step.name is name else step for step in self.now.steps))
        self._tell(self.now)

    def fail(self, name: StepName, words: str, fault: ModelFault, remedy: str, *, wait: float | None = None) -> None:
        """End the test: *name* failed, what comes after it is not tried."""
        after = False
        steps = []
        for step in self.now.steps:
            if step.name is name:
                steps.append(ModelTestStep(name=name, state=StepState.FAILED, words=words))
                after = True
            else:
                steps.append(replace(step, state=StepState.NOT_TRIED) if after else step)
        self.now = replace(self.now, steps=tuple(steps), fault=fault, remedy=remedy, wait=wait)
        self._tell(self.now)

    def offer(self, address: str) -> None:
        """The API answers at *address*: what failed at another one says nothing of the model."""
        words = tr("The API answers at {address}: use that address.", address=address)
        self.now = replace(self.now, address=address, fault=ModelFault.NO_API, remedy=words)
        self._tell(self.now)

    def land(self, outcome: Outcome, not_supported: tuple[str, ...], *, listed: bool) -> None:
        """Record the model's answer, or why there is none; *listed*: the server has listed its models."""
        self.now = replace(self.now, not_supported=not_supported)
        if isinstance(outcome, Reply) or outcome.reason is Missing.REASONING_ONLY:
            self._pass_waiting()
            self.step(StepName.ANSWER, StepState.PASSED, _heard(outcome))
            return
        fault = fault_of(outcome)
        words = outcome.detail or str(outcome.reason)
        if fault in {ModelFault.BAD_KEY, ModelFault.NO_KEY}:
            self.fail(StepName.AUTHENTICATE, words, fault, remedy_for(fault))
            return
        if fault is ModelFault.NO_API:
            self.fail(StepName.REACH, words, fault, remedy_for(fault))
            return
        # Where nothing is at all, the status is 404 too.
        if fault in _SAYS_NOTHING_OF_KEYS or (fault is ModelFault.UNKNOWN_MODEL and not listed):
            self._leave_open()
        self._pass_waiting()
        after = outcome.retry.after if isinstance(outcome.retry, RateLimited) else None
        self.fail(StepName.ANSWER, words, fault, remedy_for(fault), wait=after)

    def give_vectors(self, length: int) -> None:
        """Record that the model gives no words but vectors of *length* numbers."""
        self._pass_waiting()
        words = tr("It gives vectors of {n} numbers: an encoder for studies.", n=length)
        self.step(StepName.ANSWER, StepState.PASSED, words)

    def encode(self, vector: bytes | Miss) -> None:
        """Record the vector, or the miss, of an encoder that runs here."""
        if isinstance(vector, Miss):
            self.fail(StepName.ANSWER, vector.detail, ModelFault.UNKNOWN_MODEL, "")
        else:
            self.give_vectors(_length(vector))

    def _leave_open(self) -> None:
        if self.now.steps[1].state is StepState.WAITING:
            self.step(StepName.AUTHENTICATE, StepState.NOT_TRIED, tr("The server did not come to look at the key."))

    def _pass_waiting(self) -> None:
        if self.now.steps[1].state is StepState.WAITING:
            self.step(StepName.AUTHENTICATE, StepState.PASSED, tr("The server takes the call."))


async def _knock(test: _Test, endpoint: Endpoint, provider: Provider, key: Secret | None, send: Send) -> bool:
    """Steps one and two, by the list of models, which costs nothing. Whether any model is listed."""
    heard: list[WireReply | Miss] = []

    async def listening(request: WireRequest) -> WireReply | Miss:
        heard.append(await send(request))
        return heard[-1]

    error: ProviderError | None = None
    models = 0
    try:
        # Listened in on: the error that is raised does not tell which step failed, the reply does.
        models = len(await provider.list_models(endpoint, key, listening))
    except ProviderError as raised:
        error = raised
    last = heard[-1] if heard else None
    if isinstance(last, Miss) and last.reason in _UNSENT:
        fault = fault_of(last)
        test.fail(StepName.REACH, last.detail, fault, remedy_for(fault))
        return False
    test.step(StepName.REACH, StepState.PASSED, tr("The server answers."))
    if provider.needs_key and not key:
        test.fail(StepName.AUTHENTICATE, tr("There is no key yet."), ModelFault.NO_KEY, remedy_for(ModelFault.NO_KEY))
    elif isinstance(last, WireReply) and last.status in {401, 403}:
        fault = ModelFault.BAD_KEY if key else ModelFault.NO_KEY
        words = str(error.what) if error is not None else tr("The server does not take the key.")
        test.fail(StepName.AUTHENTICATE, words, fault, remedy_for(fault))
    elif error is None and models and key:
        test.step(StepName.AUTHENTICATE, StepState.PASSED, _listed_words(models))
    # A list may be public or missing: then only the answer tells whether the key is taken.
    return bool(models)


async def _related(endpoint: Endpoint, provider: Provider, key: Secret | None, send: Send) -> str:
    """The address one /v1 longer or shorter, where it lists models; else empty."""
    typed = endpoint.base_url.strip().rstrip("/")
    if not typed:
        return ""
    other = typed.removesuffix("/v1") if typed.endswith("/v1") else f"{typed}/v1"
    try:
        found = await provider.list_models(replace(endpoint, base_url=other), key, send)
    except ProviderError:
        return ""
    return other if found else ""


async def _answer(
    endpoint: Endpoint, provider: Provider, key: Secret | None, send: Send, decoding: Decoding
) -> tuple[Outcome, tuple[str, ...]]:
    """The outcome of one short question, asked again without each parameter that is refused."""
    refused: set[str] = set()
    tokens = TEST_TOKENS if decoding.max_tokens is None else min(TEST_TOKENS, decoding.max_tokens)
    while True:
        outcome = await provider.ask(
            Question(
                prompt=_PROMPT,
                endpoint=endpoint,
                decoding=replace(decoding, max_tokens=tokens),
                seed=1 if decoding.seed and "seed" in provider.parameters else None,
                not_supported=frozenset(refused),
                coordinates=_COORDINATES,
            ),
            key,
            send,
        )
        learnt = "" if isinstance(outcome, Reply) else outcome.refused_parameter
        if learnt in {"", *refused} or len(refused) == MOST_AT_ONCE:
            return without_key(outcome, key), tuple(tidied(refused))
        refused.add(learnt)


async def _length_of_a_vector(endpoint: Endpoint, key: Secret | None, send: Send, outcome: Outcome) -> int:
    """Numbers in the vector that the model gives for a word; 0 where *outcome* was one, or it gives none."""
    if endpoint.provider not in catalogue.embedders() or isinstance(outcome, Reply):
        return 0
    if outcome.reason is Missing.REASONING_ONLY or fault_of(outcome) not in _PERHAPS_AN_ENCODER:
        return 0
    vector = await _vector(endpoint, key, send)
    return 0 if isinstance(vector, Miss) else _length(vector)


async def _vector(endpoint: Endpoint, key: Secret | None, send: Send) -> bytes | Miss:
    """The model's vector for one word, or the miss."""
    order = EmbeddingOrder(texts=("ready",), endpoint=endpoint)
    found = await catalogue.embedders()[endpoint.provider].embed(order, key, send)
    return found if isinstance(found, Miss) else found.vectors[0]


def _length(vector: bytes) -> int:
    # Vectors are float32, four bytes a number.
    return len(vector) // 4


def fault_of(miss: Miss) -> ModelFault:
    """The fault that *miss* is, of those that people can do something about."""
    if miss.status is not None and 300 <= miss.status < 400:
        return ModelFault.NO_API
    if miss.reason is Missing.UNREADABLE and not miss.text:
        return ModelFault.NO_API
    if miss.account is not None:
        return _BY_ACCOUNT[miss.account]
    # Providers say 429 of an empty account as well; only its code and its words told `retry_for` which of both it is.
    if miss.status == 429 and isinstance(miss.retry, NoRetry):
        return ModelFault.NO_CREDIT
    return _BY_STATUS.get(miss.status or 0) or _BY_REASON.get(miss.reason, ModelFault.OTHER)


def remedy_for(fault: ModelFault) -> str:
    """A sentence that says what to do about *fault*."""
    return {
        ModelFault.NO_KEY: tr("Enter a key and test again."),
        ModelFault.BAD_KEY: tr(
            "Check that the whole key was pasted, that it is still valid and that it may use this model."
        ),
        ModelFault.NO_CREDIT: tr("Top up the account or raise its limit at the provider."),
        ModelFault.SHUT: tr("Ask the provider what the account needs to be open again."),
        ModelFault.RATE_LIMITED: tr("Wait, then test again; a round waits by itself."),
        ModelFault.DAY_USED_UP: tr("Its limit for a day is used up: test again tomorrow."),
        ModelFault.PLAN_USED_UP: tr("What its plan allows is used up: test again once it counts anew."),
        ModelFault.UNKNOWN_MODEL: tr("Pick a model from the list, or check its spelling and the address."),
        ModelFault.UNREACHABLE: tr("Check the address, that the server runs, and the network or proxy."),
        ModelFault.TIMED_OUT: tr(
            "The server may be loading the model: test again, or allow it more time under Limits."
        ),
        ModelFault.NO_API: tr(
            "Check the address. Where the network asks for a login first, as in hotels, log in with a browser."
        ),
        ModelFault.UNREADABLE: tr("Check that the address is that of the API, not of a web page."),
        ModelFault.REFUSED: tr("Check the options of this model; the server's own words say which one."),
        ModelFault.OTHER: tr("Test again later; the fault is the server's."),
    }[fault]


def _listed_words(models: int) -> str:
    return trn("The key is accepted; {n} model is listed.", "The key is accepted; {n} models are listed.", models)


def _heard(outcome: Outcome) -> str:
    if isinstance(outcome, Miss):
        return tr("It answers, but used all {n} tokens of the test to reason.", n=TEST_TOKENS)
    said = " ".join(outcome.text.split())
    return tr("It answered “{text}”.", text=said if len(said) <= 60 else said[:60] + "…")
