"""A model as it stands in its form."""

from dataclasses import dataclass, field

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

    @classmethod
    def of(cls, endpoint: Endpoint) -> "Draft":
        """The form of a stored model."""
        return cls(
            model=endpoint.model,
            base_url=endpoint.base_url,
            vendor=endpoint.vendor,
            key_env=endpoint.key_env,
            key_account=endpoint.key_account,
            decoding=endpoint.decoding,
            price=endpoint.price,
            limits=endpoint.limits,
            options=dict(endpoint.options),
        )

    @property
    def where(self) -> tuple[str, str]:
        """Whose server is asked, and with whose key: what was listed is theirs alone."""
        return self.base_url, self.key_account

    def endpoint(self, provider: str) -> Endpoint:
        """What the form asks for, of *provider* (its name)."""
        return Endpoint(
            provider=provider,
            model=self.model.strip(),
            base_url=self.base_url.strip(),
            key_env=self.key_env,
            key_account=self.key_account.strip(),
            vendor=self.vendor.strip(),
            decoding=self.decoding,
            price=self.price,
            limits=self.limits,
            options=self.options,
        )
