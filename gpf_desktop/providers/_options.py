"""Reads a provider's declared options from an endpoint."""

from dataclasses import fields
from typing import Any, TypeVar

from gpf_desktop.domain.models import Endpoint

T = TypeVar("T")


def chosen(options: type[T], endpoint: Endpoint) -> T:
    """The endpoint's options of this provider; what the provider does not declare is none of its business."""
    declared: tuple[Any, ...] = fields(options)  # type: ignore[arg-type]
    given = {entry.name: endpoint.options[entry.name] for entry in declared if entry.name in endpoint.options}
    return options(**given)
