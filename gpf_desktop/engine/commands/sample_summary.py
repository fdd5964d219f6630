"""The results of the sample audit in words: what `gpf-desktop demo --no-window` prints."""

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from gpf_desktop.domain.findings import Estimate, Value
from gpf_desktop.domain.runs import RunProgress
from gpf_desktop.domain.text import tr
from gpf_desktop.engine.commands.run_command import open_with
from gpf_desktop.engine.commands.sample import METHOD, first_to_read
from gpf_desktop.engine.core import catalogue
from gpf_desktop.engine.open_audit import OpenAudit
from gpf_desktop.engine.reporting.results_filter import ResultsFilter

_SCORES: Final = {"s": "S", "r": "R", "cfs": "CFS"}
"""Columns of the model table by their keys, and what they are called."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SampleSummary:
    """What the sample holds and shows."""

    audit: Path
    rounds: tuple[tuple[str, RunProgress], ...]
    """Each round's name and counts, the oldest first."""
    means: tuple[tuple[str, dict[str, float | None]], ...]
    """Each model and its means by `_SCORES`; None: unavailable."""
    first: str
    """Which bundle to read first."""
    statement: str
    """What its scores say, in the method's words."""

    def sentences(self) -> list[str]:
        said = [tr("The sample audit: invented news, answered by built-in models whose framing is planted and known.")]
        for name, progress in self.rounds:
            said.append(
                tr(
                    "{name}: {answered:,} of {planned:,} questions answered, {scored:,} bundles scored; the other"
                    " {missing:,} answers are missing on purpose (calibration/faulty).",
                    name=name,
                    answered=progress.answered,
                    planned=progress.planned,
                    scored=progress.bundles_scored,
                    missing=progress.missing,
                )
            )
        said.append(f"  {tr('Means by model'):<28}" + "".join(f"{title:>8}" for title in _SCORES.values()))
        for model, means in self.means:
            said.append(f"  {model:<28}" + "".join(f"{_figure(means[key]):>8}" for key in _SCORES))
        said += [self.first, open_with(self.audit), self.statement]
        return said

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
            "means": dict(self.means),
        }


def sample_summary(open_audit: OpenAudit) -> SampleSummary:
    """Read from the store; asks and scores nothing."""
    rounds = [(run.name, open_audit.rounds.progress(run.id)) for run in reversed(open_audit.rounds.runs())]
    (table,) = open_audit.results.findings(ResultsFilter(), ("model_table",)).values()
    first = first_to_read(open_audit)
    return SampleSummary(
        audit=open_audit.path,
        rounds=tuple(rounds),
        means=tuple(
            (str(row.values["model"]), {key: _value(row.values[key]) for key in _SCORES}) for row in table.rows
        ),
        first="" if first is None else first.about,
        statement=catalogue.method(METHOD).statement.short,
    )


def _value(value: Value) -> float | None:
    return value.value if isinstance(value, Estimate) else None


def _figure(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"
