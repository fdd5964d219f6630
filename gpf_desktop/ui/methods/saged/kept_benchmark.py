"""A benchmark in the making as an audit holds it, read from what may be anybody's."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from gpf_desktop.ui.methods.saged.benchmark_versions import Version, versions_of
from gpf_desktop.ui.methods.saged.kept_tables import HeldRows


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptBenchmark:
    """What is shown again when its audit is opened."""

    tables: Mapping[str, HeldRows]
    """By part; one that was never filled is not there."""
    said: Mapping[str, str]
    """What forms said, by name."""
    versions: tuple[Version, ...]

    @classmethod
    def of(cls, parts: Mapping[str, Any], tables: Sequence[str]) -> "KeptBenchmark":
        """What *parts* hold of *tables*. Raises `ValueError`, `TypeError` or `LookupError` where it is none of ours."""
        return cls(
            tables={part: HeldRows.of(parts[part]) for part in tables if part in parts},
            said={name: str(each) for name, each in parts.get("form", {}).items()},
            versions=versions_of(parts.get("versions", []), tables),
        )
