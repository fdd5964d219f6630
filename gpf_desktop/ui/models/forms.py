"""What is set per model, as declared options from which the forms are made."""

from dataclasses import asdict, dataclass, field
from datetime import UTC, date, datetime

from gpf_desktop.domain.models import Limits, Price
from gpf_desktop.domain.protocol import Decoding


@dataclass(frozen=True, slots=True, kw_only=True)
class DecodingForm:
    """Sampling settings of one model in place of the protocol's."""

    temperature: float | None = field(
        default=0.2,
        metadata={"maximum": 2.0, "decimals": 2, "none": "send", "help": "Without the tick it is not sent."},
    )
    top_p: float | None = field(
        default=1.0,
        metadata={"label": "Top-p", "maximum": 1.0, "minimum": 0.01, "decimals": 2, "none": "send"},
    )
    max_tokens: int | None = field(
        default=3000,
        metadata={"label": "Most tokens of an answer", "minimum": 1, "maximum": 1_000_000, "none": "send"},
    )
    seed: bool = field(default=True, metadata={"label": "Send a seed where the API takes one"})

    @classmethod
    def of(cls, decoding: Decoding) -> "DecodingForm":
        return cls(**asdict(decoding))

    def decoding(self) -> Decoding:
        return Decoding(**asdict(self))


@dataclass(frozen=True, slots=True, kw_only=True)
class PriceForm:
    """US dollars per million tokens."""

    prompt: float = field(
        default=0.0, metadata={"label": "US dollars per million tokens in", "maximum": 10_000.0, "decimals": 4}
    )
    completion: float = field(
        default=0.0, metadata={"label": "US dollars per million tokens out", "maximum": 10_000.0, "decimals": 4}
    )

    cached: float | None = field(
        default=None,
        metadata={
            "label": "In, from the provider's cache",
            "maximum": 10_000.0,
            "decimals": 4,
            "none": "cheaper",
            "help": "Per million tokens. Without the tick it costs what other tokens do.",
        },
    )

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

    in_flight: int | None = field(
        default=None, metadata={"label": "Calls at a time", "minimum": 1, "maximum": 500, "none": "at most"}
    )
    requests_per_minute: float | None = field(
        default=None, metadata={"label": "Calls per minute", "minimum": 0.1, "decimals": 1, "none": "at most"}
    )
    tokens_per_minute: float | None = field(
        default=None, metadata={"label": "Tokens per minute", "minimum": 1.0, "decimals": 0, "none": "at most"}
    )
    timeout: float = field(
        default=120.0,
        metadata={
            "label": "First wait for an answer",
            "unit": "s",
            "minimum": 1.0,
            "maximum": 3600.0,
            "decimals": 0,
        },
    )
    attempts: int = field(default=5, metadata={"label": "Calls for one cell at most", "minimum": 1, "maximum": 20})
    patience: float = field(
        default=600.0,
        metadata={
            "label": "Pause when nothing is answered for",
            "unit": "s",
            "minimum": 1.0,
            "maximum": 86_400.0,
            "decimals": 0,
        },
    )

    @classmethod
    def of(cls, limits: Limits) -> "LimitsForm":
        return cls(**asdict(limits))

    def limits(self) -> Limits:
        return Limits(**asdict(self))


def today() -> date:
    return datetime.now(UTC).astimezone().date()
