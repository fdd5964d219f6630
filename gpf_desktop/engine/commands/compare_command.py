"""`gpf-desktop compare`: two sides of an audit, picked by name."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.findings import Estimate, Finding
from gpf_desktop.domain.methods import Comparer
from gpf_desktop.domain.text import tr, trn
from gpf_desktop.engine.core import catalogue
from gpf_desktop.engine.open_audit import OpenAudit
from gpf_desktop.engine.reporting.results_filter import ResultsFilter


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparedSides:
    """The finding, for people and for programs."""

    finding: Finding

    def sentences(self) -> list[str]:
        lines = [f"{self.finding.title}."]
        for row in self.finding.rows:
            difference = row.values["difference"]
            assert isinstance(difference, Estimate)
            lines.append(
                f"  {row.values['score']}: {row.values['outcome']}; {_said(difference)}, "
                + tr("margin {margin}", margin=str(row.values["margin"]))
                + (tr(", adjusted p {p}", p=str(row.values["p"])) if row.values["p"] else "")
            )
        return [*lines, self.finding.reading, *self.finding.notes]

    def as_dict(self) -> dict[str, object]:
        rows = []
        for row in self.finding.rows:
            difference = row.values["difference"]
            assert isinstance(difference, Estimate)
            bounds = None if difference.interval is None else [difference.interval.low, difference.interval.high]
            rows.append(
                {
                    **{name: row.values[name] for name in ("first", "second", "score", "margin", "outcome")},
                    "difference": difference.value,
                    "interval": bounds,
                    "pairs": difference.n,
                    "articles": difference.articles,
                    "adjusted_p": float(str(row.values["p"]).removeprefix("< ")) if row.values["p"] else None,
                }
            )
        return {"rows": rows, "reading": self.finding.reading, "notes": list(self.finding.notes)}


def compare(open_audit: OpenAudit, kind: str, sides: tuple[str, str], margins: Sequence[str]) -> ComparedSides:
    """*kind*: ``models``, ``rounds`` or ``settings``. Raises `UserError` for a name that the audit does not have."""
    choices = open_audit.results.choices()
    by_kind: dict[str, dict[str, Any]] = {
        "models": {name: frozenset({name}) for name in choices.models},
        "rounds": {name: frozenset({number}) for number, name in choices.runs},
        "settings": {words: number for number, words in choices.settings},
    }
    known = by_kind[kind]
    for side in sides:
        if side not in known:
            raise UserError(
                tr("The audit has no “{name}” among its {kind}.", name=side, kind=kind),
                tr("Use two of: {names}.", names=", ".join(f"“{name}”" for name in known)),
            )
    if sides[0] == sides[1]:
        raise UserError(
            tr("“{name}” cannot be compared with itself.", name=sides[0]),
            tr("Use two of: {names}.", names=", ".join(f"“{name}”" for name in known)),
        )
    field = {"models": "models", "rounds": "runs", "settings": "setting_id"}[kind]
    first, second = (ResultsFilter(**{field: known[side]}) for side in sides)
    return ComparedSides(finding=open_audit.results.comparison(first, second, sides, _margins(open_audit, margins)))


def _margins(open_audit: OpenAudit, given: Sequence[str]) -> dict[str, float]:
    method = catalogue.method(open_audit.results.methods()[0])
    known = method.margins() if isinstance(method, Comparer) else {}
    found = {}
    for each in given:
        name, _, size = each.partition("=")
        try:
            margin = float(size)
        except ValueError:
            # No comparison holds for NaN, so that it is refused below with every other number out of bounds.
            margin = float("nan")
        if name not in known or not 0 < margin < 1:
            raise UserError(
                tr("“{given}” states no margin.", given=each[:60]),
                tr("Write one of {names}, = and a number between 0 and 1.", names=", ".join(known)),
            )
        found[name] = margin
    return found


def _said(difference: Estimate) -> str:
    if difference.value is None:
        return difference.why
    ends = difference.interval
    bounds = tr(" (no interval)") if ends is None else f" [{ends.low:+.3f}, {ends.high:+.3f}]"
    return tr(
        "difference {value}{bounds}, {bundles} pairs of bundles over {articles}",
        value=f"{difference.value:+.3f}",
        bounds=bounds,
        bundles=difference.n,
        articles=trn("{n} article", "{n} articles", difference.articles),
    )
