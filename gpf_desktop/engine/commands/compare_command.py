"""`gpf-desktop compare`: two sides of an audit, picked by name."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.findings import ColumnKind, Estimate, Finding
from gpf_desktop.domain.models import short_names
from gpf_desktop.domain.ports.method import Method
from gpf_desktop.domain.ports.method_abilities import Comparer
from gpf_desktop.domain.text import as_said, in_quotes, tr, trn
from gpf_desktop.engine.core import catalogue
from gpf_desktop.engine.open_audit import OpenAudit
from gpf_desktop.engine.reporting import option_choices
from gpf_desktop.engine.reporting.compared_sides import SideKind
from gpf_desktop.engine.reporting.conclusions_file import conclusions_document
from gpf_desktop.engine.reporting.results_filter import ResultsFilter
from gpf_desktop.exporters._text import shown


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparedSides:
    """The finding, for people and for programs."""

    finding: Finding
    method: Method
    concluded: Mapping[str, Any] = field(default_factory=dict)
    """What the audit concludes, as `conclusions --json` prints it."""

    def sentences(self) -> list[str]:
        lines = [f"{self.finding.title}."]
        if not self.finding.rows:
            return [*lines, *self.finding.notes]
        models = list(dict.fromkeys(str(row.values["models"]) for row in self.finding.rows))
        for row in self.finding.rows:
            difference = row.values["difference"]
            assert isinstance(difference, Estimate)
            whose = f"{row.values['models']}, " if len(models) > 1 else ""
            lines.append(
                f"  {whose}{row.values['score']}: {row.values['outcome']}; {self._said(difference)}"
                + (
                    tr(", too small to matter: {margin:g} either way", margin=at)
                    if (at := row.values["margin"])
                    else ""
                )
                + (
                    ""
                    if (p := row.values["p"]) is None
                    else tr(", p {p} with all comparisons counted", p=shown(p, ColumnKind.P))
                )
            )
        named = [tr("Models: {names}.", names=models[0])] if len(models) == 1 else []
        return [*lines, *self.finding.highlights, self.finding.reading, *named, *self.finding.notes]

    def _said(self, difference: Estimate) -> str:
        if difference.value is None:
            return difference.why
        ends = difference.interval
        bounds = tr(" (no range)") if ends is None else f" [{ends.low:+.3f}, {ends.high:+.3f}]"
        return tr(
            "difference {value}{bounds}, {pairs} over {items}",
            value=as_said(f"{difference.value:+.3f}"),
            bounds=bounds,
            pairs=trn("{n} pair of sets", "{n} pairs of sets", difference.n),
            items=self.method.items_in_words(difference.articles),
        )

    def as_dict(self) -> dict[str, object]:
        rows = []
        for row in self.finding.rows:
            difference = row.values["difference"]
            assert isinstance(difference, Estimate)
            bounds = None if difference.interval is None else [difference.interval.low, difference.interval.high]
            rows.append(
                {
                    **{name: row.values[name] for name in ("first", "second", "models", "score", "margin", "outcome")},
                    "difference": difference.value,
                    "interval": bounds,
                    "pairs": difference.n,
                    "articles": difference.articles,
                    "adjusted_p": row.values["p"],
                }
            )
        return {
            "rows": rows,
            "reading": self.finding.reading,
            "notes": list(self.finding.notes),
            "conclusions": self.concluded,
        }


def compare(open_audit: OpenAudit, kind: SideKind, sides: tuple[str, str], margins: Sequence[str]) -> ComparedSides:
    """Two *sides* of *kind* by name. Raises `UserError` for a name that the audit does not have."""
    wanted = open_audit.results.of_one_method(ResultsFilter())
    known = {side.name: side for side in open_audit.results.sides.known(kind, wanted)}
    if not known:
        raise UserError(
            tr("{audit} holds no scores, so there is nothing to compare.", audit=open_audit.path.name),
            tr("Open it in the window, which scores what was imported without scores."),
        )
    names = ", ".join(in_quotes(name) for name in known)
    # As figures call them, too.
    known |= {short: known[name] for name, short in short_names(known).items() if kind is SideKind.MODELS}
    for side in sides:
        if side not in known:
            raise UserError(
                tr("The audit has no “{name}” among its {kind}.", name=side, kind=kind.words),
                tr("Use two of: {names}.", names=names),
            )
    if known[sides[0]] is known[sides[1]]:
        raise UserError(
            tr("“{name}” cannot be compared with itself.", name=sides[0]), tr("Use two of: {names}.", names=names)
        )
    stated = option_choices.typed(str(wanted.method), wanted.options or ())
    pair = (kind, known[sides[0]], known[sides[1]])
    found = open_audit.results.sides.compared(str(wanted.method), [pair], _margins(open_audit, margins), stated)
    title = tr("{first} and {second} compared", first=sides[0], second=sides[1])
    concluded = conclusions_document(open_audit.results, wanted)
    its = catalogue.method(str(wanted.method))
    return ComparedSides(finding=replace(found, title=title), method=its, concluded=concluded)


def _margins(open_audit: OpenAudit, given: Sequence[str]) -> dict[str, float]:
    method = catalogue.method(open_audit.results.methods()[0])
    known = method.margins() if isinstance(method, Comparer) else {}
    found = {}
    for each in given:
        name, _, size = each.partition("=")
        margin = option_choices.share_of(size)
        if name not in known or margin is None:
            raise UserError(
                tr("“{given}” states no margin.", given=each[:60]),
                tr("Write one of {names}, = and a number between 0 and 1.", names=", ".join(known)),
            )
        found[name] = margin
    return found
