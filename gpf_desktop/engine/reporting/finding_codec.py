"""Findings as JSON and back to equal values: plain data, nothing of which is executed."""

import json
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from typing import Any, Final, get_args

from gpf_desktop.domain.figures import Figure, Track
from gpf_desktop.domain.findings import BundleFilter, Column, ColumnKind, Estimate, Finding, Interval, Row

_KIND: Final = "$"
_KINDS: Final[Mapping[str, type[Any]]] = {
    kind.__name__: kind for kind in (Finding, Column, Row, Estimate, Interval, BundleFilter, Track, *get_args(Figure))
}


def encoded(findings: Mapping[str, Finding]) -> bytes:
    """*findings* by name as JSON that `decoded` reads back."""
    return json.dumps({name: _plain(each) for name, each in findings.items()}, ensure_ascii=False).encode()


def decoded(data: bytes) -> dict[str, Finding]:
    """Raises `ValueError`, `KeyError` or `TypeError` for what `encoded` does not write."""
    return json.loads(data, object_hook=_made, parse_constant=float)  # type: ignore[no-any-return]


def _plain(value: Any) -> Any:
    if is_dataclass(value):
        told = {each.name: _plain(getattr(value, each.name)) for each in fields(value)}
        return {_KIND: type(value).__name__, **told}
    if isinstance(value, Mapping):
        return {name: _plain(each) for name, each in value.items()}
    if isinstance(value, tuple | list):
        return [_plain(each) for each in value]
    # Numbers of numpy are no numbers to the JSON writer.
    return value.item() if hasattr(value, "item") else value


def _made(told: dict[str, Any]) -> Any:
    if _KIND not in told:
        return told
    kind = _KINDS[told.pop(_KIND)]
    values = {name: _tuples(value) for name, value in told.items()}
    if kind is Column:
        values["kind"] = ColumnKind(values["kind"])
    return kind(**values)


def _tuples(value: Any) -> Any:
    return tuple(map(_tuples, value)) if isinstance(value, list) else value
