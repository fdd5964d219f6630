"""Results of some rounds of an audit, named on the command line."""

from collections.abc import Sequence

from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.text import in_quotes, tr
from gpf_desktop.engine.open_audit import OpenAudit
from gpf_desktop.engine.reporting.results_filter import ResultsFilter
from gpf_desktop.storage.run_stamps import run_stamps


def chosen_rounds(open_audit: OpenAudit, names: Sequence[str], method: str | None) -> ResultsFilter:
    """A filter for the rounds of *method* (None: any) that are called *names* (empty: all rounds).

    Raises `UserError` for a round or a method that the audit does not have, and for rounds of two methods, for which no
    common tables can be made.
    """
    stamps = open_audit.context.audit.read(run_stamps)
    methods = list(dict.fromkeys(each.method for each in stamps))
    if method is not None and method not in methods:
        raise UserError(
            tr("The audit has no round of “{method}”.", method=method),
            tr("It has rounds of {methods}.", methods=", ".join(methods) or tr("no method")),
        )
    known = [each for each in stamps if method in (None, each.method)]
    for name in names:
        if all(each.name != name for each in known):
            raise UserError(
                tr("The audit has no round “{name}”.", name=name),
                tr("Its rounds are {names}.", names=", ".join(in_quotes(each.name) for each in known)),
            )
    if not names:
        return ResultsFilter(method=method)
    some = [each for each in known if each.name in names]
    if len({each.method for each in some}) > 1:
        raise UserError(
            tr("These rounds are of different methods: {names}.", names=", ".join(each.name for each in some)),
            tr("Name rounds of one method, or add --method."),
        )
    return ResultsFilter(method=some[0].method, runs=frozenset(each.id for each in some))
