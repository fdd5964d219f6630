"""Language models under audit and how to reach them."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from enum import StrEnum
from urllib.parse import urlsplit

from gpf_desktop.domain.ids import ModelId
from gpf_desktop.domain.protocol import Decoding


class Role(StrEnum):
    """The role of a model in a round: what it is asked for."""

    TARGET = "target"
    """Its answers are what the study is about."""
    BASELINE = "baseline"
    """Asked the same, for comparison."""
    JUDGE = "judge"
    """Asked about answers of others."""
    WRITER = "writer"
    """Asked for parts of questions."""
    EMBEDDER = "embedder"
    """Gives vectors for answers of others, and no words."""


IMPORTED = "imported"
"""In place of a provider: nobody here asked that model."""
ANSWERING = frozenset({Role.TARGET, Role.BASELINE})
"""Those who are asked a study's questions."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Price:
    """US dollars per million tokens, as they were on a date."""

    prompt: float
    completion: float
    entered: date
    source: str = ""
    """Whose list it is from; empty: the auditor entered it."""
    cached: float | None = None
    """Of the prompt's tokens those that the provider had in its cache; None: they cost what others do."""
    batch_prompt: float | None = None
    """In batch jobs; None: not known."""
    batch_completion: float | None = None

    @property
    def free(self) -> bool:
        return not self.prompt and not self.completion

    def microdollars(self, prompt_tokens: int, completion_tokens: int, cached_tokens: int = 0) -> float:
        """The cost in millionths of a dollar; *cached_tokens* of the *prompt_tokens* came from the provider's cache."""
        cached = self.prompt if self.cached is None else self.cached
        fresh = prompt_tokens - cached_tokens
        # Dollars for a million tokens are millionths of a dollar for one.
        return self.prompt * fresh + cached * cached_tokens + self.completion * completion_tokens

    def by_jobs(self, discount: float) -> "Price":
        """The price of batch jobs: the known one, else *discount* times the ordinary price.

        Providers differ on whether the cache makes a batch job cheaper still, so it is taken not to.
        """
        return replace(
            self,
            prompt=discount * self.prompt if self.batch_prompt is None else self.batch_prompt,
            completion=discount * self.completion if self.batch_completion is None else self.batch_completion,
            cached=None,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Fixed limits that an auditor sets beside the adaptive ones; None leaves that limit to the program."""

    in_flight: int | None = None
    requests_per_minute: float | None = None
    tokens_per_minute: float | None = None
    timeout: float = 120.0
    """Seconds for one call."""
    attempts: int = 5
    """Calls for one cell at most."""
    patience: float = 600.0
    """Seconds without one answer from the account, asked all the while, after which its models pause."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Endpoint:
    """One model at one address; never holds a key, only the name under which a key is found."""

    provider: str
    """Name of the provider plug-in."""
    model: str
    base_url: str = ""
    """Empty: the provider's own address."""
    key_env: str = ""
    """Environment variable that holds the key, for headless runs; empty: the key store."""
    key_account: str = ""
    """Name of the account whose key is used, where there are several for the address; empty: the address's own."""
    vendor: str = ""
    """Groups models in the vendor summary; empty: the provider."""
    decoding: Decoding | None = None
    """Overrides the protocol's decoding for this model."""
    price: Price | None = None
    limits: Limits = field(default_factory=Limits)
    batch_jobs: bool = False
    """Asked through the provider's half-price batch jobs, which answer within a day."""
    options: dict[str, object] = field(default_factory=dict)
    """The provider's own declared options, by field name."""

    @property
    def label(self) -> str:
        """The same on every machine and in every audit, so that seeds may rest on it; not always different."""
        return f"{self.provider}/{self.model}"

    @property
    def asked(self) -> "Endpoint":
        """The endpoint as a server sees it, without price, limits and vendor, which are the auditor's own."""
        return replace(self, price=None, limits=Limits(), vendor="")

    @property
    def account(self) -> str:
        """The account whose limits it shares, by provider, address and key: one key's bad luck does not slow
        another's."""
        return f"{self.provider} {self.base_url} {self.key_env} {self.key_account}".strip()


@dataclass(frozen=True, slots=True, kw_only=True)
class TargetModel:
    """A stored model of the audit."""

    id: ModelId
    endpoint: Endpoint
    synthetic: bool
    """A calibration model: labelled as synthetic wherever it appears."""
    label: str
    """What it is called in this audit: provider and name, with the host where another address has the same."""
    not_supported: tuple[str, ...] = ()
    """Parameters this model was found to refuse, and what else is done otherwise for it (`domain.adjustments`)."""
    role: Role = Role.TARGET
    """In the run that it was read with."""

    @property
    def vendor(self) -> str:
        return self.endpoint.vendor or self.endpoint.provider

    @property
    def priced(self) -> bool:
        """Whether it is known what its answers cost here: nothing, where another program asked for them."""
        return self.synthetic or self.endpoint.price is not None or self.endpoint.provider == IMPORTED


def short_names(names: Iterable[str]) -> dict[str, str]:
    """Labels of models by themselves → their last part, or all but the provider; whole where that leaves two alike or
    says nothing, as “0” of “m/0” does. All of them alike, lest two be taken for one model at two providers."""
    distinct = list(dict.fromkeys(names))
    for shorter in ([name.rpartition("/")[2] for name in distinct], [name.partition("/")[2] for name in distinct]):
        told = [short.strip() or name for short, name in zip(shorter, distinct, strict=True)]
        if len(set(told)) == len(distinct) and all(any(map(str.isalpha, each)) for each in told):
            return dict(zip(distinct, told, strict=True))
    return {name: name for name in distinct}


def labels(name: str, addresses: Sequence[str]) -> dict[str, str]:
    """Address → what the model called *name* there is called, where all of *addresses* have one: no more of the address
    than tells them apart, and nothing of it where there is only one. An empty address is the provider's own."""
    if len(addresses) == 1:
        return {addresses[0]: name}
    hosts = Counter(map(_host, addresses))
    places = {each: _host(each) if hosts[_host(each)] == 1 else _host_and_path(each) for each in addresses}
    return {each: f"{name} ({place})" if place else name for each, place in places.items()}


def _host(address: str) -> str:
    # Without a user and a password, which some addresses hold: labels are shown and printed.
    return urlsplit(address).netloc.rpartition("@")[2]


def _host_and_path(address: str) -> str:
    # Charts show what follows the last slash of a label.
    return " ".join([_host(address), *urlsplit(address).path.strip("/").split("/")]).strip()


class Secret:
    """A key in memory; its text appears only where it is asked for by name."""

    __slots__ = ("_text",)

    def __init__(self, text: str) -> None:
        self._text = text

    def reveal(self) -> str:
        return self._text

    def __bool__(self) -> bool:
        return bool(self._text)

    def __repr__(self) -> str:
        return "Secret(…)"

    __str__ = __repr__

    def __reduce__(self) -> str:
        # Workers are handed their work as pickles: no key may go along by mistake.
        raise TypeError("a secret is not pickled")
