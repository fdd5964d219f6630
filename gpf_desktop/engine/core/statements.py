"""What scores of rounds show, and what they do not, by what these rounds asked about."""

from collections.abc import Iterable

from gpf_desktop.domain.methods import Statement, statement_of
from gpf_desktop.engine.core import catalogue
from gpf_desktop.storage.run_stamps import item_kinds
from gpf_desktop.storage.writer import Connection


def stated(connection: Connection, method: str, runs: Iterable[int]) -> Statement:
    """Of *runs* of *method*."""
    return statement_of(catalogue.method(method), item_kinds(connection, runs))
