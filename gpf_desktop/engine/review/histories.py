"""Each reviewer's sealed history: whether it is whole, and whether a seal that was kept elsewhere belongs to it."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import chain

from gpf_desktop.domain.reviews import Chain, ReviewAction, Reviewer, SealedEntry, first_break
from gpf_desktop.engine.review.signatures import is_signed
from gpf_desktop.storage import reviewers, reviews, study_entries
from gpf_desktop.storage.times import as_moment
from gpf_desktop.storage.writer import Connection

SHORTEST_SEAL = 12
"""Characters of a seal that are enough to look it up: what the window shows of one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SealFound:
    """The entry that carries a seal."""

    reviewer: Reviewer
    number: int
    """From 1, oldest first."""
    entries: int
    """How many the history has now."""
    at: datetime


def chains(connection: Connection) -> tuple[Chain, ...]:
    """Every reviewer's history, in the order in which they came."""
    return tuple(_chain(each, reviews.sealed(connection, each)) for each in reviewers.every(connection))


def study_chains(connection: Connection) -> tuple[Chain, ...]:
    """The history of codes and memos of everybody who has one and is named here."""
    found = []
    for reviewer in reviewers.every(connection):
        entries = study_entries.sealed(connection, reviewer.uuid)
        if entries:
            found.append(_chain(reviewer, entries))
    return tuple(found)


def _chain(reviewer: Reviewer, entries: Sequence[SealedEntry]) -> Chain:
    head = entries[-1].hash if entries else ""
    marked = [is_signed(entry) for entry in entries]
    wrong = [n for n, entry in enumerate(entries, start=1) if entry.signature and not marked[n - 1]]
    broken = min(filter(None, (first_break(entries), *wrong)), default=None)
    signed = sum(marked)
    if signed:
        # A join carries no signature: it follows from the two entries that it joins.
        signed += sum(entry.action == ReviewAction.JOIN for entry in entries)
    return Chain(reviewer=reviewer, entries=len(entries), head=head, broken_at=broken, signed=signed)


def find_seal(connection: Connection, seal: str) -> SealFound | None:
    """The entry whose seal is, or begins with, *seal*, if all before it is whole; None: no history here holds it."""
    wanted = seal.strip().lower()
    if len(wanted) < SHORTEST_SEAL:
        return None
    readings = ((each, reviews.sealed(connection, each)) for each in reviewers.every(connection))
    study = ((each, study_entries.sealed(connection, each.uuid)) for each in reviewers.every(connection))
    for reviewer, entries in chain(readings, study):
        # A seal behind a break vouches for nothing that stands before it.
        intact = (first_break(entries) or len(entries) + 1) - 1
        for number, entry in enumerate(entries[:intact], start=1):
            if entry.hash.startswith(wanted):
                return SealFound(reviewer=reviewer, number=number, entries=len(entries), at=as_moment(entry.at))
    return None
