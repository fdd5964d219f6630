"""Settings of one model, as declared options from which the forms are made."""

from dataclasses import asdict, dataclass
from datetime import UTC, date, datetime
from typing import Annotated

from gpf_desktop.domain.models import Limits, Price
from gpf_desktop.domain.options import Shown
from gpf_desktop.domain.protocol import Decoding


@dataclass(frozen=True, slots=True, kw_only=True)
class DecodingForm:
    """Sampling settings of one model in place of the protocol's."""

    temperature: Annotated[
        float | None,
        Shown(label="Temperature", help="Without the tick it is not sent.", most=2.0, decimals=2, none="send"),
    ] = 0.2
    top_p: Annotated[float | None, Shown(label="Top-p", most=1.0, least=0.01, decimals=2, none="send")] = 1.0
    max_tokens: Annotated[int | None, Shown(label="Most tokens of an answer", least=1, most=1_000_000, none="send")] = (
        3000
    )
    seed: Annotated[bool, Shown(label="Send a seed where the API takes one")] = True

    @classmethod
    def of(cls, decoding: Decoding) -> "DecodingForm":
        return cls(**asdict(decoding))

    def decoding(self) -> Decoding:
        return Decoding(**asdict(self))


@dataclass(frozen=True, slots=True, kw_only=True)
class PriceForm:
    """US dollars per million tokens."""

    prompt: Annotated[float, Shown(label="US dollars per million tokens in", most=10_000.0, decimals=4)] = 0.0
    completion: Annotated[float, Shown(label="US dollars per million tokens out", most=10_000.0, decimals=4)] = 0.0

    cached: Annotated[
        float | None,
        Shown(
            label="In, from the provider's cache",
            help="Per million tokens. Without the tick it costs what other tokens do.",
            most=10_000.0,
            decimals=4,
            none="cheaper",
        ),
    ] = None

    @classmethod
    def of(cls, price: Price) -> "PriceForm":
        return cls(prompt=price.prompt, completion=price.completion, cached=price.cached)

    def price(self, before: Price | None) -> Price:
        """The price as entered today; an unchanged one keeps its date."""
        if before is not None and PriceForm.of(before) == self:
            return before
        return Price(**asdict(self), entered=today())


@dataclass(frozen=True, slots=True, kw_only=True)
class LimitsForm:
    """Fixed limits beside those that the program finds by itself."""

    in_flight: Annotated[int | None, Shown(label="Calls at a time", least=1, most=500, none="at most")] = None
    requests_per_minute: Annotated[
        float | None, Shown(label="Calls per minute", least=0.1, decimals=1, none="at most")
    ] = None
    tokens_per_minute: Annotated[
        float | None, Shown(label="Tokens per minute", least=1.0, decimals=0, none="at most")
    ] = None
    timeout: Annotated[float, Shown(label="First wait for an answer", unit="s", least=1.0, most=3600.0, decimals=0)] = (
        120.0
    )
    attempts: Annotated[int, Shown(label="Calls for one question at most", least=1, most=20)] = 5
    patience: Annotated[
        float, Shown(label="Pause when nothing is answered for", unit="s", least=1.0, most=86_400.0, decimals=0)
    ] = 600.0

    @classmethod
    def of(cls, limits: Limits) -> "LimitsForm":
        return cls(**asdict(limits))

    def limits(self) -> Limits:
        return Limits(**asdict(self))


def today() -> date:
    return datetime.now(UTC).astimezone().date()
