"""`conclusions.json`: what an audit concludes, as programs read it."""

import json
import math
from dataclasses import replace
from typing import Any, Final

from gpf_desktop.domain.conclusions.plain import plain_page
from gpf_desktop.engine.reporting.results_filter import ResultsFilter
from gpf_desktop.engine.reporting.results_service import ResultsService

CONCLUSIONS: Final = "conclusions.json"
_TOLERANCE: Final = 1e-9


def conclusions_document(results: ResultsService, wanted: ResultsFilter | None = None) -> dict[str, Any]:
    """The page of the first method within *wanted* (None: of the whole audit), and those of the others behind it.

    A method that concludes nothing yet, or has nothing scored, has a page without conclusions. Blocks.
    """
    wanted = wanted or ResultsFilter()
    names = (wanted.method,) if wanted.method else results.methods()
    first, *others = (_page(results, replace(wanted, method=name)) for name in names)
    return {**first, **({"others": others} if others else {})}


def conclusions_text(results: ResultsService, wanted: ResultsFilter | None = None) -> str:
    """The file."""
    return json.dumps(conclusions_document(results, wanted), indent=1, ensure_ascii=False) + "\n"


def alike(one: Any, other: Any) -> bool:
    """Whether two documents say the same but for the last digits of their numbers."""
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(alike(one[key], other[key]) for key in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(alike, one, other))
    if isinstance(one, float) and isinstance(other, float):
        return math.isclose(one, other, rel_tol=_TOLERANCE, abs_tol=_TOLERANCE)
    return bool(one == other)


def _page(results: ResultsService, wanted: ResultsFilter) -> dict[str, Any]:
    told = results.concluding.page(wanted)
    if told is None:
        return {"method": wanted.method, "headline": None, "conclusions": []}
    return plain_page(told)
