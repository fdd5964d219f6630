"""The origin of an audit's answers, where they are not this program's own."""

import json
import sqlite3
from dataclasses import asdict, dataclass, fields
from typing import Any, Final

from gpf_desktop.storage import audits

PROVENANCE: Final = "audit.provenance"


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditProvenance:
    """Stands with everything that is shown or written of the audit."""

    imported_from: str = ""
    """Name of the file that answers were imported from; empty: this program asked for them."""
    imported_hash: str = ""
    """SHA-256 of that file."""
    imported_rows: int = 0
    artifact: str = ""
    """Seal of the artifact that the audit was opened from; empty: it was not."""
    withheld: tuple[str, ...] = ()
    """Providers whose answers the artifact holds as hashes."""
    without_news: bool = False
    """Texts of articles are there as hashes."""


def provenance(connection: sqlite3.Connection) -> AuditProvenance:
    return audits.kept(connection, PROVENANCE, _read, AuditProvenance())


def _read(data: Any) -> AuditProvenance:
    known = {field.name for field in fields(AuditProvenance)}
    found = AuditProvenance(**{name: value for name, value in data.items() if name in known})
    return AuditProvenance(**{**asdict(found), "withheld": tuple(str(each) for each in found.withheld)})


def set_provenance(connection: sqlite3.Connection, told: AuditProvenance) -> None:
    audits.set_setting(connection, PROVENANCE, as_text(told))


def as_text(told: AuditProvenance) -> str:
    return json.dumps(asdict(told), ensure_ascii=False)
