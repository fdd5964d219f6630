"""The names that servers give for who answered: kept once for all answers that share them, and read round by round."""

import json
import sqlite3
from collections.abc import Iterable, Mapping
from itertools import groupby

from gpf_desktop.domain.models import ANSWERING, IMPORTED, Role
from gpf_desktop.domain.served import NOT_SAID, RoundAnswered, Served, ServedAnswers
from gpf_desktop.storage import stored
from gpf_desktop.storage.texts import storable
from gpf_desktop.storage.times import as_moment


def numbers(connection: sqlite3.Connection, told: Iterable[Served]) -> Mapping[Served, int | None]:
    """The number of each of *told*, stored where it is not yet; None for what says nothing."""
    found: dict[Served, int | None] = {NOT_SAID: None}
    for each in dict.fromkeys(told):
        if each not in found:
            texts = tuple(map(storable, (each.model, each.fingerprint, each.host)))
            connection.execute("INSERT OR IGNORE INTO served (model, fingerprint, host) VALUES (?, ?, ?)", texts)
            row = connection.execute(
                "SELECT id FROM served WHERE model = ? AND fingerprint = ? AND host = ?", texts
            ).fetchone()
            found[each] = int(row[0])
    return found


def by_round(connection: sqlite3.Connection, runs: Iterable[int] | None = None) -> list[RoundAnswered]:
    """Every model of *runs* (None: of all) whose server said who answers, the oldest round first."""
    chosen = None if runs is None else json.dumps(sorted(runs))
    rows = connection.execute(
        # CROSS JOIN keeps the order: from the index of what was said, which holds the moment too, to the cells.
        "SELECT c.run_id, c.model_id, s.model, s.fingerprint, s.host, count(*), min(p.received_at), max(p.received_at)"
        " FROM served s CROSS JOIN response p ON p.served_id = s.id CROSS JOIN cell c ON c.id = p.cell_id"
        " WHERE ?1 IS NULL OR c.run_id IN (SELECT value FROM json_each(?1))"
        " GROUP BY c.run_id, c.model_id, s.id ORDER BY c.run_id, c.model_id, 7, s.id",
        (chosen,),
    ).fetchall()
    found = []
    for (run, model), some in groupby(rows, key=lambda row: (row[0], row[1])):
        told = tuple(
            ServedAnswers(
                served=Served(model=served_name, fingerprint=fingerprint, host=host),
                answers=answers,
                first=as_moment(first),
                last=as_moment(last),
            )
            for _, _, served_name, fingerprint, host, answers, first, last in some
        )
        name, namesakes, label, asked, provider, role = connection.execute(
            "SELECT r.name, (SELECT count(*) FROM run o WHERE o.name = r.name), m.label, m.model, m.provider, e.role"
            " FROM run r JOIN run_model e ON e.run_id = r.id"
            " JOIN model m ON m.id = e.model_id WHERE r.id = ? AND m.id = ?",
            (run, model),
        ).fetchone()
        found.append(
            RoundAnswered(
                run=run,
                round=name if namesakes == 1 else f"{name} ({run})",
                model=label,
                asked=asked,
                answering=stored.word(Role, role) in ANSWERING,
                imported=provider == IMPORTED,
                told=told,
            )
        )
    return found
