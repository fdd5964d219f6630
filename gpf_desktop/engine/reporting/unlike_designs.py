"""The parts in which the rounds of a window were not asked alike (method, "Aggregates")."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from gpf_desktop.domain.methods import StudyProtocol
from gpf_desktop.domain.ports.method import Method
from gpf_desktop.domain.ports.method_abilities import ChecksJudges
from gpf_desktop.domain.text import tr, within
from gpf_desktop.engine.core import catalogue
from gpf_desktop.storage.run_stamps import RunStamp

_OF_VERSION: Final = frozenset({"name", "version", "controls"})
"""Fields that say which version a protocol is, and the one that a round may set otherwise."""


def unlike_designs(chosen: Sequence[RunStamp], asked_with: Mapping[int, Any]) -> tuple[str, ...]:
    """The parts in which the designs of *chosen* rounds differ: fields of their protocols, and what was left out."""
    # Rounds that put judges to the test ask models nothing, so that nothing of theirs is pooled.
    chosen = [run for run in chosen if not _only_checks(catalogue.method(run.method), asked_with[int(run.id)])]
    found = [tr("the protocol")] if len({each.protocol_id for each in chosen}) > 1 else []
    used = {each.protocol_id: (each.method, asked_with[int(each.id)]) for each in chosen}
    if len(used) > 1:
        held = [catalogue.method(method).protocol_data(protocol) for method, protocol in used.values()]
        fields = dict.fromkeys(name for each in held for name in each if name not in _OF_VERSION)
        # By their spelling, because lists and tables cannot stand in a set.
        found += [name.replace("_", " ") for name in fields if len({repr(each.get(name)) for each in held}) > 1]
    if len({each.controls for each in chosen}) > 1:
        found.append(tr("controls"))
    return (*found, *_unlike_parts(chosen))


def _unlike_parts(chosen: Sequence[RunStamp]) -> Iterator[str]:
    """The factors of which some run left out levels that another asked."""
    tables = [run.scope.table() for run in chosen]
    titles = {factor.name: factor.plural for run in chosen for factor in catalogue.method(run.method).factors}
    for factor in dict.fromkeys(factor for table in tables for factor in table):
        if len({tuple(table.get(factor, ())) for table in tables}) > 1:
            yield tr("which {factor} were asked", factor=within(titles.get(factor, tr("Conditions"))))


def _only_checks(method: Method, protocol: StudyProtocol) -> bool:
    return isinstance(method, ChecksJudges) and method.only_checks(protocol)
