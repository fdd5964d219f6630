"""Endpoints as JSON. Holds no key: an endpoint has none."""

import json
from dataclasses import asdict
from datetime import date
from typing import Any

from gpf_desktop.domain.models import Endpoint, Limits, Price
from gpf_desktop.domain.protocol import Decoding
from gpf_desktop.storage import stored


def as_json(endpoint: Endpoint) -> str:
    return json.dumps(asdict(endpoint), default=str, ensure_ascii=False, sort_keys=True)


def from_json(text: str) -> Endpoint:
    """Raises `BadRowError` for what `as_json` does not write."""
    data: dict[str, Any] = stored.structure(text)
    try:
        price = data.pop("price")
        decoding = data.pop("decoding")
        limits = data.pop("limits")
        return Endpoint(
            **data,
            price=None if price is None else Price(**{**price, "entered": date.fromisoformat(price["entered"])}),
            decoding=None if decoding is None else Decoding(**decoding),
            limits=Limits(**limits),
        )
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise stored.BadRowError(f"bad endpoint: {error!r}") from error
