"""What scores show, and what they do not, by what was asked about."""

from collections.abc import Collection, Iterable
from typing import Protocol as Port
from typing import runtime_checkable

from gpf_desktop.domain.methods import Method, Statement
from gpf_desktop.engine.core import catalogue
from gpf_desktop.storage.run_stamps import item_kinds
from gpf_desktop.storage.writer import Connection


@runtime_checkable
class StatesByKind(Port):
    """A method whose scores of some kind of items support another sentence."""

    def statement_of(self, kinds: Collection[str]) -> Statement:
        """Where nothing but items of *kinds* was asked about."""
        ...


def statement_of(method: Method, kinds: Collection[str]) -> Statement:
    """What scores of items of *kinds* show, and what they do not."""
    return method.statement_of(kinds) if isinstance(method, StatesByKind) else method.statement


def stated(connection: Connection, method: str, runs: Iterable[int]) -> Statement:
    """The same of what *runs* of *method* asked about."""
    return statement_of(catalogue.method(method), item_kinds(connection, runs))
