"""Test runs of DeepEval: what one of the ``testCases`` says."""

from collections.abc import Mapping
from typing import Any

from gpf_desktop.documents.programs.flat_records import mapping


def case_record(case: Any, run: Mapping[str, Any]) -> Mapping[str, Any]:
    """*case* with the model that its *run* names, where it has none of its own."""
    model = mapping(run.get("hyperparameters")).get("model", "")
    return {"model": model, **{name: value for name, value in mapping(case).items() if name != "metricsData"}}
