"""A method that asks a part of its design only."""

import difflib
import json
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Any, cast

from gpf_desktop.domain.coordinates import PlannedAnswer
from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.ids import RunId
from gpf_desktop.domain.items import StudyItem
from gpf_desktop.domain.methods import EndedCell, NextCell, StudyProtocol
from gpf_desktop.domain.models import Role
from gpf_desktop.domain.ports.method import Method
from gpf_desktop.domain.scopes import ARM, Scope
from gpf_desktop.domain.text import tr
from gpf_desktop.engine.core import catalogue
from gpf_desktop.engine.core.protocols import kept_protocol
from gpf_desktop.storage import protocols, runs
from gpf_desktop.storage.writer import Connection


def scoped(method: Method, scope: Scope) -> Method:
    """*method*, without the cells that *scope* leaves out; all else of it is as it was."""
    return cast("Method", _Scoped(method, scope)) if scope else method


class _Scoped:
    def __init__(self, method: Method, scope: Scope) -> None:
        self._method, self._scope = method, scope

    def __getattr__(self, name: str) -> Any:
        return getattr(self._method, name)

    def expand(self, item: StudyItem, protocol: Any, controls: Any, seed: int) -> Iterator[PlannedAnswer]:
        return filter(self._scope.lets, self._method.expand(item, protocol, controls, seed))

    def likely_further(self, item: StudyItem, protocol: Any, controls: Any, answering: int) -> Mapping[Role, int]:
        """As large a part of the method's own as of the first stage is asked."""
        further = self._method.likely_further(item, protocol, controls, answering)
        if not further:
            return further
        asked = [self._scope.lets(each) for each in self._method.expand(item, protocol, controls, 0)]
        return {role: round(n * sum(asked) / len(asked)) for role, n in further.items()} if asked else {}

    def next_stage(
        self, stage: int, ended: Sequence[EndedCell], protocol: Any, controls: Any, seed: int
    ) -> Iterator[NextCell]:
        later = self._method.next_stage(stage, ended, protocol, controls, seed)
        return (each for each in later if self._scope.lets(each.answer))


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """A factor, or the arms, by whose levels a round can be narrowed."""

    factor: str
    title: str
    levels: tuple[tuple[str, str], ...]
    """Each as stored, and in words."""


def choices(method: Method, protocol: StudyProtocol) -> tuple[Choice, ...]:
    """The choices by which rounds of *protocol* can be narrowed: the method's declared factors, and its arms."""
    levels = method.levels(protocol)
    found = [
        Choice(
            factor=factor.name,
            title=factor.plural,
            levels=tuple((level, factor.words(level) or level) for level in dict.fromkeys(levels[factor.name])),
        )
        for factor in method.factors
        if len(levels.get(factor.name, ())) > 1
    ]
    arms = tuple((arm, title or arm) for arm, title in method.arms.items())
    return (*found, Choice(factor=ARM, title="", levels=arms)) if len(arms) > 1 else tuple(found)


@dataclass(frozen=True, slots=True, kw_only=True)
class Narrowing:
    """The part of its design that a round asks, and the choices that there were."""

    scope: Scope
    offered: tuple[Choice, ...]


def narrowing(connection: Connection, run_id: RunId) -> Narrowing:
    """The narrowing of a planned round; for one that asks the whole design no protocol is read."""
    scope = Scope.of_plan(json.loads(runs.plan(connection, run_id)))
    if not scope:
        return Narrowing(scope=scope, offered=())
    run = runs.get(connection, run_id)
    stored = protocols.get(connection, run.protocol_id)
    protocol = kept_protocol(stored.text, where=stored.name, method=run.method)
    return Narrowing(scope=scope, offered=choices(catalogue.method(run.method), protocol))


def check_scope(scope: Scope, method: Method, protocol: StudyProtocol) -> None:
    """Raises `UserError` for a level that is to be left out and is none: it would be asked, and paid for, unnoticed."""
    levels = {**method.levels(protocol), ARM: tuple(method.arms)}
    for factor, level in scope.left_out:
        known = levels.get(factor, ())
        # Of factors that declare no levels nothing can be told.
        if known and level not in known:
            near = difflib.get_close_matches(level, known, n=1)
            raise UserError(
                tr("leave_out › {factor}: the protocol has no “{level}”.", factor=factor, level=level),
                tr("Did you mean {name}?", name=near[0])
                if near
                else tr("Use some of: {names}.", names=", ".join(known)),
            )


def scope_of(left_out: AbstractSet[tuple[str, str]], offered: Sequence[Choice]) -> Scope:
    """The scope of those of *left_out*, (factor, level) pairs, that are *offered*: a protocol may have lost levels."""
    return Scope.of(left_out & {(choice.factor, level) for choice in offered for level, _ in choice.levels})
