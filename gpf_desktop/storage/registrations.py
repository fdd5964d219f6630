"""Pages of what is planned beforehand, the newest last; and when a method's first question was sent."""

import json
import sqlite3
from dataclasses import dataclass
from typing import Any, Final

from gpf_desktop.domain import registration
from gpf_desktop.domain.registration import RegisteredPlan
from gpf_desktop.storage import audits, stored

_PAGES: Final = "plan.registered"
_ASKED: Final = "plan.asked before: "
"""Before a method's name, in the name of a setting that holds when a round that was deleted was first asked."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredPage:
    """A page, and the check code that was told when it was written."""

    plan: RegisteredPlan
    code: str

    @property
    def whole(self) -> bool:
        return self.plan.code == self.code


def every(connection: sqlite3.Connection) -> list[StoredPage]:
    """In the order registered. Raises `BadRowError`."""
    text = audits.setting(connection, _PAGES)
    return read(stored.structure(text)) if text else []


def read(data: Any) -> list[StoredPage]:
    """Of what `text` gave. Raises `BadRowError`."""
    try:
        return [StoredPage(plan=registration.from_data(each["plan"]), code=str(each["code"])) for each in data]
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise stored.BadRowError(f"registered plan: {error!r}") from error


def text(pages: list[StoredPage]) -> str:
    told = [{"code": each.code, "plan": json.loads(registration.as_text(each.plan))} for each in pages]
    return json.dumps(told, ensure_ascii=False, indent=1)


def keep(connection: sqlite3.Connection, pages: list[StoredPage]) -> None:
    """In place of what was there."""
    audits.set_setting(connection, _PAGES, text(pages))


def add(connection: sqlite3.Connection, plan: RegisteredPlan) -> StoredPage:
    page = StoredPage(plan=plan, code=plan.code)
    keep(connection, [*every(connection), page])
    return page


def first_asked(connection: sqlite3.Connection, method: str) -> str | None:
    """When the first question of *method* was sent or its first answer came, as text; None: nothing was asked yet."""
    row = connection.execute(
        "SELECT min(at) FROM ("
        "SELECT min(k.started_at) AS at FROM call k JOIN cell c ON c.id = k.cell_id JOIN run r ON r.id = c.run_id"
        " WHERE r.method = :method"
        " UNION ALL SELECT min(p.received_at) FROM response p JOIN cell c ON c.id = p.cell_id"
        " JOIN run r ON r.id = c.run_id WHERE r.method = :method"
        " UNION ALL SELECT min(started_at) FROM run WHERE method = :method"
        " UNION ALL SELECT value FROM setting WHERE name = :kept)",
        {"method": method, "kept": f"{_ASKED}{method}"},
    ).fetchone()
    return None if row[0] is None else str(row[0])


def remember_asked(connection: sqlite3.Connection, run_id: int) -> None:
    """Before a round is deleted: what was asked was asked."""
    row = connection.execute("SELECT method FROM run WHERE id = ?", (run_id,)).fetchone()
    if row is not None and (first := first_asked(connection, row[0])) is not None:
        audits.set_setting(connection, f"{_ASKED}{row[0]}", first)


def sources_of(connection: sqlite3.Connection, run_id: int) -> tuple[str, ...]:
    """Targets of the sources whose items a round asked about."""
    rows = connection.execute(
        "SELECT DISTINCT s.target FROM run r JOIN batch_item b ON b.batch_id = r.batch_id"
        " JOIN item i ON i.id = b.item_id JOIN source s ON s.id = i.source_id WHERE r.id = ? ORDER BY s.target",
        (run_id,),
    )
    return tuple(str(target) for (target,) in rows)
