"""The question to a model, before it takes the form of one provider's wire."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from gpf_desktop.domain.cells import Prompt
from gpf_desktop.domain.models import Endpoint
from gpf_desktop.domain.protocol import Decoding


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """One call: the message and how to decode, before wire format."""

    prompt: Prompt
    endpoint: Endpoint
    decoding: Decoding
    seed: int | None
    not_supported: frozenset[str] = frozenset()
    """What was found of this model: parameters that it refuses, and what else is done otherwise (`domain.adjustments`).
    """
    form: Mapping[str, Any] | None = None
    """JSON schema of an object that the reply is to be; None: words. Where a model refuses it, it is asked in words."""
    top_logprobs: int = 0
    """Of how many of the likeliest tokens at each place log-probabilities are asked for; 0: none are."""
    coordinates: Mapping[str, str | int] | None = None
    """The cell's coordinates, for calibration models only; no wire provider reads them."""
