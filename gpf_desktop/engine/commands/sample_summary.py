"""The findings of the sample audit in words, as `gpf-desktop demo --no-window` prints them."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from gpf_desktop.domain.findings import Estimate, Value
from gpf_desktop.domain.runs import RunProgress
from gpf_desktop.domain.text import tr
from gpf_desktop.engine.commands.run_command import open_with
from gpf_desktop.engine.commands.sample import first_to_read
from gpf_desktop.engine.open_audit import OpenAudit
from gpf_desktop.engine.reporting.conclusions_file import conclusions_document
from gpf_desktop.engine.reporting.results_filter import ResultsFilter

_SCORES: Final = {"s": "S", "r": "R", "cfs": "CFS"}
"""Columns of the model table by their keys, and what they are called."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SampleSummary:
    """The contents and the findings of the sample audit."""

    audit: Path
    rounds: tuple[tuple[str, RunProgress], ...]
    """Each round's name and counts, the oldest first."""
    told: tuple[str, ...]
    """What is concluded, as a report prints it, the headline first."""
    concluded: Mapping[str, Any]
    """The same as `conclusions --json` prints it."""
    means: tuple[tuple[str, dict[str, float | None]], ...]
    """Each model and its means by `_SCORES`; None: unavailable."""
    first: str
    """Which bundle to read first."""

    def sentences(self) -> list[str]:
        said = [*self.told, ""]
        said.append(tr("The sample audit: invented news, answered by built-in models whose behaviour is known."))
        for name, progress in self.rounds:
            said.append(
                tr(
                    "{name}: {answered:,} of {planned:,} questions answered, {scored:,} sets of answers scored. "
                    "The other {missing:,} answers are missing on purpose (calibration/faulty).",
                    name=name,
                    answered=progress.answered,
                    planned=progress.planned,
                    scored=progress.bundles_scored,
                    missing=progress.missing,
                )
            )
        return [*said, self.first, open_with(self.audit)]

    def as_dict(self) -> dict[str, object]:
        counts = [progress for _, progress in self.rounds]
        return {
            "audit": str(self.audit),
            "synthetic": True,
            "planned": sum(each.planned for each in counts),
            "answered": sum(each.answered for each in counts),
            "missing": sum(each.missing for each in counts),
            "missing_on_purpose": True,
            "bundles": sum(each.bundles_planned for each in counts),
            "bundles_scored": sum(each.bundles_scored for each in counts),
            "rounds": [name for name, _ in self.rounds],
            "conclusions": self.concluded,
            "means": dict(self.means),
        }


def sample_summary(open_audit: OpenAudit) -> SampleSummary:
    """Read from the store; asks and scores nothing."""
    rounds = [(run.name, open_audit.rounds.progress(run.id)) for run in reversed(open_audit.rounds.runs())]
    told = open_audit.results.concluding.page(ResultsFilter())
    tables = open_audit.results.findings(ResultsFilter(), ("model_table",)).values()
    first = first_to_read(open_audit)
    return SampleSummary(
        audit=open_audit.path,
        rounds=tuple(rounds),
        told=() if told is None else told.lines,
        concluded=conclusions_document(open_audit.results),
        means=tuple(
            (str(row.values["model"]), {key: _value(row.values[key]) for key in _SCORES})
            for table in tables
            for row in table.rows
            # Of another method that the sample was asked by since, the table has others.
            if _SCORES.keys() <= row.values.keys()
        ),
        first="" if first is None else first.about,
    )


def _value(value: Value) -> float | None:
    return value.value if isinstance(value, Estimate) else None
