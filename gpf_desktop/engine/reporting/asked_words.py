"""A method's words on what was asked within a window, whatever was found: the question, and what this does not show."""

from collections.abc import Iterable, Mapping, Sequence
from functools import partial

from gpf_desktop.domain.brief_words import BriefScope, BriefWords
from gpf_desktop.domain.models import short_names
from gpf_desktop.domain.ports.method_abilities import WritesBrief
from gpf_desktop.domain.scopes import Scope
from gpf_desktop.engine.core import catalogue
from gpf_desktop.engine.core.context import EngineContext
from gpf_desktop.engine.core.protocols import frozen_protocol, stored_controls
from gpf_desktop.engine.reporting.filtered_tables import in_window
from gpf_desktop.engine.reporting.results_filter import Results, ResultsFilter
from gpf_desktop.storage import answer_facts, protocols
from gpf_desktop.storage.run_stamps import RunStamp, run_stamps


def asked_words(
    context: EngineContext, wanted: ResultsFilter, results: Results, labels: Iterable[str]
) -> BriefWords | None:
    """The words on what was asked of the models *labels* within *wanted*, which is of one method; None: no round lies
    there, or its method has none. Blocks."""
    method, rounds = catalogue.method(str(wanted.method)), rounds_within(context, wanted)
    # The newest round's words: an earlier protocol may have asked otherwise, and the annex prints both.
    if not rounds or not isinstance(method, WritesBrief):
        return None
    stamp = rounds[0]
    row = context.audit.read(partial(protocols.get, protocol_id=stamp.protocol_id))
    protocol = frozen_protocol(row.method, row.text)
    scope = BriefScope(
        models=tuple(dict.fromkeys(short_names(labels).values())),
        asked=results.window.models,
        items=results.window.articles,
        planted=results.window.all_synthetic,
        left_out=_left_out(context, rounds, method.levels(protocol)),
        controls=stored_controls(stamp.method, stamp.controls) if stamp.controls else None,
    )
    return method.brief_words(protocol, scope)


def rounds_within(context: EngineContext, wanted: ResultsFilter) -> list[RunStamp]:
    """The newest first."""
    return [run for run in context.audit.read(run_stamps) if in_window(run, wanted)]


def _left_out(context: EngineContext, rounds: Sequence[RunStamp], levels: Mapping[str, Sequence[str]]) -> Scope:
    """The levels among *levels* that no round asked. Imported answers, and audits made again from a file, have no plan
    that says so: for them, the levels without a question."""
    left_out = set.intersection(*(set(run.scope.left_out) for run in rounds))
    if not all(run.planned for run in rounds):
        runs = frozenset(int(run.id) for run in rounds)
        asked = context.audit.read(partial(answer_facts.levels_in, runs=runs))
        left_out |= {
            (factor, level) for factor, its in levels.items() if factor in asked for level in {*its} - asked[factor]
        }
    return Scope.of(left_out)
