"""Ratings of single answers by a person who sees neither model nor judge: what is given, and what is kept of it."""

from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, field
from functools import partial

from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.ports.method_abilities import BlindRated
from gpf_desktop.domain.ratings import LEVEL, AnswerToRate, RatingSheet
from gpf_desktop.domain.reviews import Correction, Judgement, ReviewAction, Reviewer
from gpf_desktop.domain.score_tables import ScoreTables
from gpf_desktop.domain.text import tr
from gpf_desktop.engine.core import catalogue
from gpf_desktop.engine.core.context import EngineContext
from gpf_desktop.engine.review.reviewer_session import ReviewerSession
from gpf_desktop.storage import ratings, reviewers, reviews, runs
from gpf_desktop.storage.writer import Connection


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetToRate:
    """A sheet and what the reviewer at this machine has said already."""

    sheet: RatingSheet
    rated: dict[int, int] = field(default_factory=dict)
    """By cell, the level."""


class BlindRatings:
    """Blind ratings in one open audit; *tables* gives the tables that a method's analyses read."""

    def __init__(self, context: EngineContext, session: ReviewerSession, tables: Callable[[str], ScoreTables]) -> None:
        self._context, self._session, self._tables = context, session, tables

    def sheets(self) -> list[SheetToRate]:
        """The sheets of every method that wants ratings; blocks. Raises `UserError` if there is nothing to rate."""
        found = []
        for name in self._context.audit.read(runs.methods):
            method = catalogue.method(name)
            if isinstance(method, BlindRated):
                mine = self._context.audit.read(partial(self._mine, method=name))
                found += [SheetToRate(sheet=each, rated=mine) for each in method.rating_sheets(self._tables(name))]
        if not found:
            raise UserError(
                tr("There are no answers to rate."),
                tr(
                    "Have the answers rated first, on Rounds under More: what judge models marked is what you mark, "
                    "without seeing their marks."
                ),
            )
        return found

    def rate(self, answer: AnswerToRate, level: int) -> "Future[None]":
        """Seal the reviewer's level of *answer* into their history; a later one of the same answer holds."""
        said = Correction(cell_id=answer.cell_id, measure=LEVEL, category=str(level))

        def write(connection: Connection, me: Reviewer) -> None:
            reviews.append(connection, answer.bundle_id, me, ReviewAction.RATE, Judgement(corrections=(said,)))

        return self._session.command(write, lambda _: (answer.bundle_id,))

    def _mine(self, connection: Connection, method: str) -> dict[int, int]:
        me = reviewers.at_this_machine(connection, self._session.login)
        every = ratings.of_method(connection, method)
        return {} if me is None else {cell: said[me.name] for cell, said in every.items() if me.name in said}
