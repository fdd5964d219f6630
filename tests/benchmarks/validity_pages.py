"""Pages that are concluded as the program does: the method's own evidence, its gates, and what they leave.

Only what is read from a store is put in its place: an audit without rounds, margins and remarks on its answers.
"""

from collections.abc import Sequence
from types import SimpleNamespace
from typing import cast

import numpy as np
import pandas as pd

from gpf_desktop.domain.conclusions.conclusion import ConclusionOutcome, ConclusionTag
from gpf_desktop.domain.conclusions.gates import Gate, PageEvidence, concluded
from gpf_desktop.domain.conclusions.voice import Material
from gpf_desktop.domain.score_tables import ScoreTables

Draw = np.random.Generator
_OF_ANSWERS = ("model", "decided", "refused", "worded_refusals", "deflected", "repeated", "leaked")


def bare_material() -> Material:
    """Of an audit of whose rounds and answers nothing else is known."""
    tables = SimpleNamespace(
        said=pd.DataFrame({name: [] for name in _OF_ANSWERS}),
        bundles=pd.DataFrame({"run_id": []}),
        terms=lambda _method: {},
        replies=lambda _method: [],
        ratings=lambda _method: {},
    )
    return Material(tables=cast("ScoreTables", tables), imported=True)


def named(evidence: PageEvidence, gates: Sequence[Gate], *, refusals: bool = True) -> bool:
    """Whether some sentence of the page names a model: that it differs, over all or on a part, or, unless *refusals*
    are left out since they do differ, whom it declines."""
    made = [concluded(each, gates) for each in evidence.of]
    return any(
        each.outcome is ConclusionOutcome.DIFFERS
        or bool(each.parts)
        or (refusals and ConclusionTag.REFUSALS_DIFFER in each.tags)
        for each in made
    )


def share(pages: Sequence[bool]) -> str:
    """Per cent of *pages* with its standard error."""
    found = float(np.mean(pages))
    return f"{100 * found:.1f} ±{100 * np.sqrt(max(found * (1 - found), 0.02 * 0.98) / len(pages)):.1f}"
