"""The guideline's examples: for each verdict and severity one bundle that the lead chose, and what they say of it."""

import json
import sqlite3
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any, Final

from gpf_desktop.domain.ids import BundleId
from gpf_desktop.domain.reviews import Judgement, Verdict, judgement_from_json, judgement_to_json
from gpf_desktop.storage import audits

_EXAMPLES: Final = "review.examples"
Slot = tuple[Verdict, int | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """One of them."""

    bundle_id: BundleId
    judgement: Judgement
    """The lead's verdict, severity and, as the note, why."""

    @property
    def slot(self) -> Slot:
        """The verdict and the severity that it is an example of."""
        assert self.judgement.verdict is not None
        return self.judgement.verdict, self.judgement.severity


def every(connection: sqlite3.Connection) -> tuple[Example, ...]:
    """The examples whose bundle is still there, in the order of verdicts and severities."""
    kept = audits.kept(connection, _EXAMPLES, _made, list[Example]())
    there = "SELECT 1 FROM bundle WHERE id = ?"
    found = {each for each in kept if connection.execute(there, (each.bundle_id,)).fetchone()}
    verdicts = list(Verdict)
    return tuple(sorted(found, key=lambda each: (verdicts.index(each.slot[0]), each.slot[1] or 0)))


def _made(data: Any) -> list[Example]:
    return [Example(bundle_id=BundleId(int(bundle)), judgement=judgement_from_json(said)) for bundle, said in data]


def keep(connection: sqlite3.Connection, example: Example) -> None:
    """Take the place of the one for the same verdict and severity, and of what was said of the same bundle before."""
    others = [e for e in every(connection) if e.slot != example.slot and e.bundle_id != example.bundle_id]
    write(connection, [*others, example])


def drop(connection: sqlite3.Connection, bundle_id: BundleId) -> None:
    """Remove the example at the bundle *bundle_id*."""
    write(connection, [each for each in every(connection) if each.bundle_id != bundle_id])


def of_assignment(connection: sqlite3.Connection, bundles: Collection[BundleId]) -> list[Example]:
    """The examples that travel with an assignment of *bundles*, with verdict, severity and why: those at other bundles.

    Of its own bundles the reader would know the lead's reading before making one.
    """
    return [
        Example(
            bundle_id=each.bundle_id,
            judgement=Judgement(
                verdict=each.judgement.verdict, severity=each.judgement.severity, note=each.judgement.note
            ),
        )
        for each in every(connection)
        if each.bundle_id not in bundles
    ]


def write(connection: sqlite3.Connection, examples: list[Example]) -> None:
    """*examples* and no others."""
    said = [(each.bundle_id, judgement_to_json(each.judgement)) for each in examples]
    audits.set_setting(connection, _EXAMPLES, json.dumps(said, ensure_ascii=False))
