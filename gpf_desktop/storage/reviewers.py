"""The people who review, and which of them sits at this machine."""

import sqlite3
import uuid

from gpf_desktop.domain.ids import ReviewerId
from gpf_desktop.domain.reviews import Reviewer
from gpf_desktop.storage import assignments, audits
from gpf_desktop.storage.rows import insert, records
from gpf_desktop.storage.times import now


def at_this_machine(connection: sqlite3.Connection, login: str) -> Reviewer | None:
    """The reviewer when *login* is signed in; None before the first review."""
    chosen = audits.setting(connection, _setting(login))
    assigned = None if chosen else assignments.assignment(connection)
    return by_uuid(connection, chosen if assigned is None else assigned.reviewer)


def sit_down(connection: sqlite3.Connection, login: str, name: str = "") -> Reviewer:
    """The reviewer at this machine, made now under *name*, or else *login*, if there is none."""
    found = at_this_machine(connection, login)
    if found is not None:
        return found
    made = add(connection, name or login)
    audits.set_setting(connection, _setting(login), made.uuid)
    return made


def take_seat(connection: sqlite3.Connection, login: str, reviewer: Reviewer) -> None:
    """Make *reviewer* the one at this machine from now on."""
    audits.set_setting(connection, _setting(login), reviewer.uuid)


def add(connection: sqlite3.Connection, name: str, *, known_as: str = "") -> Reviewer:
    """A new reviewer; *known_as*: the uuid from another machine."""
    key = known_as or str(uuid.uuid4())
    number = insert(connection, "reviewer", uuid=key, name=name, created_at=now())
    return Reviewer(id=ReviewerId(number), uuid=key, name=name)


def rename(connection: sqlite3.Connection, reviewer_id: ReviewerId, name: str) -> None:
    """The history is sealed under the uuid, so that it stays whole."""
    connection.execute("UPDATE reviewer SET name = ? WHERE id = ?", (name, reviewer_id))


def every(connection: sqlite3.Connection) -> list[Reviewer]:
    """The reviewers in the order in which they came."""
    return records(Reviewer, connection.execute("SELECT id, uuid, name FROM reviewer ORDER BY id"))


def in_order_of_entries(connection: sqlite3.Connection) -> list[Reviewer]:
    """All reviewers: those who decided something in the order in which they first did, then the others."""
    rows = connection.execute(
        "SELECT w.id, w.uuid, w.name FROM reviewer w LEFT JOIN review_entry e ON e.reviewer_id = w.id"
        " GROUP BY w.id ORDER BY min(e.id) IS NULL, min(e.id), w.id"
    )
    return records(Reviewer, rows)


def by_uuid(connection: sqlite3.Connection, key: str) -> Reviewer | None:
    found = records(Reviewer, connection.execute("SELECT id, uuid, name FROM reviewer WHERE uuid = ?", (key,)))
    return found[0] if found else None


def _setting(login: str) -> str:
    return f"review.seat.{login}"
