"""Test runs of DeepEval: what one of the ``testCases`` says."""

import json
from collections.abc import Mapping
from typing import Any, Final

from gpf_desktop.documents.programs.flat_records import mapping

_OF_THE_RUN: Final = frozenset({"metricsData", "order", "runDuration", "success", "flaky"})
"""What a case says of how it went: its place among the others is no order of options."""


def case_record(case: Any, run: Mapping[Any, Any]) -> Mapping[str, Any]:
    """*case* with the model that its *run* names, where it has none of its own."""
    model = mapping(run.get("hyperparameters")).get("model", "")
    return {"model": model, **{name: value for name, value in mapping(case).items() if name not in _OF_THE_RUN}}


def case_of_row(row: Mapping[str, Any]) -> Mapping[str, Any]:
    """The record of a test case in DeepEval's database, with what its run was made with."""
    try:
        run = json.loads(row["hyperparameters_json"] or "{}")
    except (ValueError, RecursionError):
        run = {}
    told = {"run": row["identifier"], "input": row["input"], "actual_output": row["actual_output"]}
    return {"model": mapping(run).get("model", ""), **told}
