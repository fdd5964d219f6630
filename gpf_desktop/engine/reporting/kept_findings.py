"""Findings that take seconds to make and hang on answers alone: made once, and kept as tables of answers are.

They are kept as JSON, and come back as equal values: plain data, nothing of which is executed.
"""

import json
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from dataclasses import fields, is_dataclass
from functools import partial
from hashlib import blake2b
from threading import Lock
from typing import Any, Final, get_args

from gpf_desktop import __version__
from gpf_desktop.domain.errors import StorageError
from gpf_desktop.domain.figures import Figure, Track
from gpf_desktop.domain.findings import BundleFilter, Column, ColumnKind, Estimate, Finding, Interval, Row
from gpf_desktop.domain.ports.analysis import Analysis
from gpf_desktop.domain.text import language
from gpf_desktop.engine.core import catalogue
from gpf_desktop.engine.core.context import EngineContext
from gpf_desktop.storage import cached_tables, kept_findings

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


def kept_analyses(method: str) -> dict[str, Analysis]:
    """The analyses of *method* whose findings are kept, by name."""
    return {name: each for name, each in catalogue.analyses_of(method).items() if each.reads_replies}


class KeptFindings:
    """The kept findings of one open audit. Threads may share it."""

    def __init__(self, context: EngineContext) -> None:
        self._context = context
        self._making = Lock()

    def of(self, method: str, aside: Collection[int], make: Callable[[Analysis], Finding]) -> dict[str, Finding]:
        """Every finding of *method* that is kept, over all of its runs; made by *make* where none is of today."""
        # Held meanwhile: a page that is opened as a round ends waits for what is being made, and makes nothing twice.
        with self._making:
            found = self.there(method, aside)
            if not found:
                analyses = kept_analyses(method)
                found = {name: make(each) for name, each in analyses.items()}
                # One that failed is tried again.
                if not any(finding.failed for finding in found.values()):
                    self._keep(method, self._digest(method, analyses, aside), found)
        return found

    def there(self, method: str, aside: Collection[int]) -> dict[str, Finding]:
        """The kept findings, empty if they would have to be made."""
        analyses = kept_analyses(method)
        found = self._read(method, self._digest(method, analyses, aside)) if analyses else None
        return found if found is not None and found.keys() == analyses.keys() else {}

    def _digest(self, method: str, analyses: Mapping[str, Analysis], aside: Collection[int]) -> bytes:
        """A digest of what the findings rest on, of the versions that made them, and of the language."""
        stored = self._context.audit.read(partial(kept_findings.digest_of, method=method))
        versions = [(name, each.version) for name, each in analyses.items()]
        told = repr((__version__, language(), versions, sorted(aside), stored))
        return blake2b(told.encode(), digest_size=16).digest()

    def _read(self, method: str, digest: bytes) -> dict[str, Finding] | None:
        data = self._context.audit.read(lambda connection: kept_findings.read(connection, method, digest))
        try:
            return decoded(data or cached_tables.kept(self._context.audit, digest))
        except (ValueError, KeyError, TypeError, RecursionError):
            return None

    def _keep(self, method: str, digest: bytes, found: dict[str, Finding]) -> None:
        """Keep *found*, and wait until it is written, so that whoever comes next finds it; nothing depends on it."""
        data = encoded(found)
        with suppress(RuntimeError, StorageError):  # the audit is being closed, or is only read
            self._context.audit.write(lambda connection: kept_findings.keep(connection, method, digest, data)).result()
        cached_tables.keep(self._context.audit, digest, data)
