"""Pages of what is planned beforehand, the newest last; and when a method's first question was sent."""

import json
import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from gpf_desktop.domain import registration
from gpf_desktop.domain.models import ANSWERING
from gpf_desktop.domain.registration import RegisteredPlan
from gpf_desktop.storage import audits, stored

_PAGES: Final = "plan.registered"
_ASKED: Final = "plan.asked before: "
"""Before a method's name, in the name of a setting that holds when a round that was deleted was first asked."""
_DELETED: Final = "plan.rounds deleted: "
"""Before a method's name, in the name of a setting that holds when each round that was deleted began and ended."""
_NEVER: Final = "9"
"""Behind every moment: what has not ended."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredPage:
    """A page, and the check code that was told when it was written."""

    plan: RegisteredPlan
    code: str

    @property
    def whole(self) -> bool:
        return self.plan.code == self.code


def every(connection: sqlite3.Connection) -> list[StoredPage]:
    """All pages, in the order registered. Raises `BadRowError`."""
    return audits.kept(connection, _PAGES, read, [])


def read(data: Any) -> list[StoredPage]:
    """The pages in *data*, the structure that `text` wrote. Raises `BadRowError`."""
    try:
        return [StoredPage(plan=registration.from_data(each["plan"]), code=str(each["code"])) for each in data]
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise stored.BadRowError(f"registered plan: {error!r}") from error


def text(pages: list[StoredPage]) -> str:
    told = [{"code": each.code, "plan": json.loads(registration.as_text(each.plan))} for each in pages]
    return json.dumps(told, ensure_ascii=False, indent=1)


def keep(connection: sqlite3.Connection, pages: list[StoredPage]) -> None:
    """Store *pages* in place of those that were there."""
    audits.set_setting(connection, _PAGES, text(pages))


def add(connection: sqlite3.Connection, plan: RegisteredPlan) -> StoredPage:
    """*plan* behind the others, with its number and the check code of the page before it; the last page where that says
    the same, as after a command that was killed before it wrote its page. Raises `BadRowError`."""
    pages = every(connection)
    if pages and pages[-1].whole:
        last = pages[-1].plan
        if replace(plan, at=last.at, number=last.number, before=last.before) == last:
            return pages[-1]
    plan = replace(plan, number=len(pages) + 1, before=pages[-1].code if pages else "")
    page = StoredPage(plan=plan, code=plan.code)
    keep(connection, [*pages, page])
    return page


def missing(pages: Sequence[StoredPage]) -> list[tuple[int, str]]:
    """Number and check code of each page that another names as the one before it, and that is not among *pages*.

    The last page is named by none: who deposited its check code knows of it.
    """
    there = {each.code for each in pages}
    return [
        (each.plan.number - 1, each.plan.before)
        for each in pages
        if each.plan.number is not None and each.plan.before and each.plan.before not in there
    ]


def first_asked(connection: sqlite3.Connection, method: str) -> str | None:
    """When the first question of *method* was sent or its first answer came, as text; None: nothing was asked yet."""
    (first,) = connection.execute(
        "SELECT min(at) FROM (SELECT min(started_at) AS at FROM run WHERE method = ?"
        " UNION ALL SELECT value FROM setting WHERE name = ?)",
        (method, f"{_ASKED}{method}"),
    ).fetchone()
    every = "SELECT id, created_at FROM run WHERE method = ? ORDER BY created_at, id"
    for run_id, created in connection.execute(every, (method,)).fetchall():
        # No question is older than its round, whatever the clock was set to since. So later rounds are not read: the
        # time of an answer stands behind its text, and a million texts are the whole file.
        if first is not None and created >= first:
            break
        (asked,) = connection.execute(
            "SELECT min(at) FROM ("
            "SELECT min(k.started_at) AS at FROM cell c JOIN call k ON k.cell_id = c.id WHERE c.run_id = :run"
            " UNION ALL SELECT min(p.received_at) FROM cell c JOIN response p ON p.cell_id = c.id"
            " WHERE c.run_id = :run)",
            {"run": run_id},
        ).fetchone()
        if asked is not None:
            first = max(asked, created) if first is None else min(first, max(asked, created))
    return None if first is None else str(first)


def before_round(connection: sqlite3.Connection, method: str) -> str | None:
    """The latest moment that a round of *method* set up now lies behind: pages, rounds, the first question.

    Raises `BadRowError`."""
    (created,) = connection.execute("SELECT max(created_at) FROM run").fetchone()
    known = (created, first_asked(connection, method), *(each.plan.at for each in every(connection)))
    return max((each for each in known if each), default=None)


def remember_asked(connection: sqlite3.Connection, run_id: int) -> None:
    """Remember the times of a round before it is deleted: what was asked was asked, and what was complete could be
    read."""
    row = connection.execute("SELECT method FROM run WHERE id = ?", (run_id,)).fetchone()
    if row is None:
        return
    if (first := first_asked(connection, row[0])) is not None:
        audits.set_setting(connection, f"{_ASKED}{row[0]}", first)
    gone = [(each.began, each.ended) for each in rounds(connection, row[0]) if each.run in (run_id, 0)]
    if gone:
        audits.set_setting(connection, f"{_DELETED}{row[0]}", json.dumps(gone))


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundTimes:
    """One that put questions to models under study, as far as its times go; moments are text in one spelling."""

    run: int
    """0: it was deleted."""
    began: str
    ended: str | None


def rounds(connection: sqlite3.Connection, method: str) -> list[RoundTimes]:
    """The times of the rounds of *method* with an answer, deleted ones too, in the order begun.
    Raises `BadRowError`."""
    roles = json.dumps([str(role) for role in sorted(ANSWERING)])
    rows = connection.execute(
        "SELECT r.id, r.started_at, r.finished_at FROM run r WHERE r.method = ? AND r.started_at IS NOT NULL"
        " AND EXISTS (SELECT 1 FROM run_model m WHERE m.run_id = r.id"
        " AND m.role IN (SELECT value FROM json_each(?)))"
        " AND EXISTS (SELECT 1 FROM cell c JOIN response p ON p.cell_id = c.id WHERE c.run_id = r.id)",
        (method, roles),
    ).fetchall()
    gone = audits.kept(connection, f"{_DELETED}{method}", _gone, list[tuple[int, str, str | None]]())
    found = [RoundTimes(run=run, began=began, ended=ended) for run, began, ended in (*rows, *gone)]
    return sorted(found, key=lambda each: (each.began, each.run))


def readings(asked: Sequence[RoundTimes]) -> int:
    """How many complete readings *asked*, in the order begun, allow: one of what was asked together, and one more for
    each time that a round began when all before it had ended. 0: nothing was asked."""
    count, ended = 0, ""
    for each in asked:
        # Moments are stored in one spelling, so that the later text is the later moment.
        count += not count or each.began > ended
        # One that was stopped and deleted holds nothing back any more.
        ended = max(ended, each.ended or (_NEVER if each.run else each.began))
    return count


def items_asked(connection: sqlite3.Connection, runs: Iterable[int]) -> int:
    """The number of items that *runs* ask about, each counted once."""
    return int(
        connection.execute(
            "SELECT count(DISTINCT b.item_id) FROM run r JOIN batch_item b ON b.batch_id = r.batch_id"
            " WHERE r.id IN (SELECT value FROM json_each(?))",
            (json.dumps(list(runs)),),
        ).fetchone()[0]
    )


def sources_of(connection: sqlite3.Connection, run_id: int) -> tuple[str, ...]:
    """Targets of the sources whose items a round asked about."""
    rows = connection.execute(
        "SELECT DISTINCT s.target FROM run r JOIN batch_item b ON b.batch_id = r.batch_id"
        " JOIN item i ON i.id = b.item_id JOIN source s ON s.id = i.source_id WHERE r.id = ? ORDER BY s.target",
        (run_id,),
    )
    return tuple(str(target) for (target,) in rows)


def _gone(data: Any) -> list[tuple[int, str, str | None]]:
    return [(0, str(began), None if ended is None else str(ended)) for began, ended in data]
