"""Analyses by name, handed those of the options of Results that each of them declares."""

import logging
from collections.abc import Mapping
from dataclasses import fields

from gpf_desktop.domain import checkpoints
from gpf_desktop.domain.errors import StorageError
from gpf_desktop.domain.findings import BundleFilter, Column, ColumnKind, Finding, Row, check_columns
from gpf_desktop.domain.ports.analysis import Analysis
from gpf_desktop.domain.redaction import details_of
from gpf_desktop.domain.score_tables import ScoreTables
from gpf_desktop.domain.text import tr
from gpf_desktop.engine.core import catalogue
from gpf_desktop.storage.audit_file import FileIsClosedError

_log = logging.getLogger(__name__)
_OWN = __name__.partition(".")[0]
_NOTE = "note"


def analysis_called(name: str) -> Analysis:
    """The analysis called *name*, which a method has named."""
    found = catalogue.analysis(name)
    assert found is not None, "tables are asked for by the names that methods give"
    return found


def analysed(analysis: Analysis, tables: ScoreTables, values: Mapping[str, object]) -> Finding:
    """The finding of *analysis* in *tables*, made with those of *values* that it has options for.

    An analysis that fails does not stop the others: its table is a row that says so.
    """
    try:
        declared = {field.name for field in fields(analysis.options)}
        options = {name: value for name, value in values.items() if name in declared}
        found = analysis.analyse(tables, analysis.options(**options))
        # Here, where it is told; not where pages, reports and files come upon it.
        check_columns(found)
        return found
    except (StorageError, FileIsClosedError):
        # Of the file, which tables read as they need it, and no fault of the analysis.
        raise
    except Exception as error:  # another's code, which may raise anything
        if checkpoints.ended_by(error):
            raise
        _log.warning("the table %s could not be made: %s", analysis.name, details_of(error))
        return not_made(analysis.name, analysis.title, failure_words(analysis, error))


def failure_words(analysis: Analysis, error: Exception) -> str:
    """A sentence that says which analysis failed and what to do. It leaves out the error's own words, which may differ
    each time and name what is private."""
    module = type(analysis).__module__
    name, kind = f"{analysis.name} ({module})", type(error).__name__
    if module.partition(".")[0] == _OWN:
        return tr(
            "This table could not be made: {name} of this program failed ({kind}). All others stand. Details "
            "are in the log; please report them.",
            name=name,
            kind=kind,
        )
    return tr(
        "This table could not be made: the plug-in {name} failed ({kind}). All others stand. Tell whoever made the "
        "plug-in, with the details in the log, or uninstall its package.",
        name=name,
        kind=kind,
    )


def not_made(name: str, title: str, words: str) -> Finding:
    """Stands in place of the table called *name*, wherever that would have stood."""
    return Finding(
        name=name,
        title=title,
        columns=(Column(key=_NOTE, title=tr("Not made"), kind=ColumnKind.TEXT),),
        rows=(Row(values={_NOTE: words}, bundles=BundleFilter()),),
        reading=tr("Nothing can be read from a table that could not be made."),
        failed=True,
    )
