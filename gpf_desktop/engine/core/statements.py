"""Statements of what scores show and do not show, by what was asked about."""

from collections.abc import Iterable

from gpf_desktop.domain.methods import Statement
from gpf_desktop.engine.core import catalogue
from gpf_desktop.storage.run_stamps import item_kinds
from gpf_desktop.storage.writer import Connection


def stated(connection: Connection, method: str, runs: Iterable[int]) -> Statement:
    """The statement of what scores of the rounds *runs* of *method* show and do not show."""
    return catalogue.method(method).statement_of(item_kinds(connection, runs))
