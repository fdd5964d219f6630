"""Analyses by name, handed those of the options of Results that each of them declares."""

from collections.abc import Mapping
from dataclasses import fields

from gpf_desktop.domain.findings import Finding
from gpf_desktop.domain.ports.analysis import Analysis
from gpf_desktop.domain.score_tables import ScoreTables
from gpf_desktop.engine.core import catalogue


def analysis_called(name: str) -> Analysis:
    """The analysis called *name*, which a method has named."""
    found = catalogue.analysis(name)
    assert found is not None, "tables are asked for by the names that methods give"
    return found


def analysed(analysis: Analysis, tables: ScoreTables, values: Mapping[str, object]) -> Finding:
    """What *analysis* finds in *tables*, by those of *values* that it has options for."""
    declared = {field.name for field in fields(analysis.options)}
    options = {name: value for name, value in values.items() if name in declared}
    return analysis.analyse(tables, analysis.options(**options))
