"""A model as it stands in its form."""

from dataclasses import dataclass, field, replace

from gpf_desktop.domain.models import Endpoint, Limits, Price
from gpf_desktop.domain.protocol import Decoding


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """What the form holds."""

    model: str = ""
    base_url: str = ""
    vendor: str = ""
    key_env: str = ""
    key_account: str = ""
    decoding: Decoding | None = None
    price: Price | None = None
    limits: Limits = field(default_factory=Limits)
    options: dict[str, object] = field(default_factory=dict)


def asked_of(endpoint: Endpoint) -> Endpoint:
    """What a server notices of *endpoint*."""
    return replace(endpoint, price=None, limits=Limits(), vendor="")
