"""The figure that leads the conclusions of SAGED: concepts on a line for each role, beside what chance alone gives."""

from collections.abc import Container, Iterator, Sequence
from dataclasses import replace

from gpf_desktop.domain.conclusions.conclusion import Conclusion, MeasureReading
from gpf_desktop.domain.conclusions.digits import decimals_of, measure_number, with_range
from gpf_desktop.domain.conclusions.lead import Lead, LeadCell, LeadPanel, LeadPoint, LeadRow, PointShape
from gpf_desktop.domain.text import decimal, tr, upward
from gpf_desktop.methods.saged.features import TONE

_PANELS = 2
"""Features that are drawn; a third stands in words alone."""


def lead(conclusions: Sequence[Conclusion]) -> Lead:
    """Each role of each model, from its lowest concept to its highest: longer than the grey bar or not."""
    features = _features(conclusions)
    sourced = frozenset(each for each in features if _sourced(conclusions, each))
    panels = [
        _panel(feature, title, _unit(feature, conclusions), sourced=feature in sourced)
        for feature, title in features.items()
    ]
    return Lead(
        panels=tuple(panels) or (LeadPanel(title=tr("Gap")),),
        rows=tuple(
            row for at, each in enumerate(conclusions) for row in _rows(at, each, list(features) or [""], sourced)
        ),
        by_measure=True,
        mark=tr("{groups}; the lowest and the highest are named", groups=_spoken_of(conclusions)),
        band=tr("the widest gap by chance in 95 of 100 such audits; only a longer line can differ"),
        null=tr("as the sources say") if sourced else "",
    )


def _spoken_of(conclusions: Sequence[Conclusion]) -> str:
    return next((str(said) for each in conclusions if (said := each.numbers.get("spoken_of"))), tr("groups"))


def _sourced(conclusions: Sequence[Conclusion], feature: str) -> bool:
    """Whether all that is measured by *feature* is less the same of a source, so that it has a place beside that."""
    measured = [(each, one) for each in conclusions for one in each.measures if _parts(one)[0] == feature]
    return all(f"at/{one.name}" in each.numbers for each, one in measured if one.value is not None)


def _panel(feature: str, title: str, unit: str, *, sourced: bool) -> LeadPanel:
    """A scale of gaps; *sourced*: on which 0 is to speak as the sources do."""
    what = title[:1].upper() + title[1:]
    made = LeadPanel(
        title=tr("{what} ({unit})", what=what, unit=unit),
        column=tr("Gap in {feature} ({unit})", feature=title, unit=unit),
        ends=(tr("lowest"), tr("warmer") if feature == TONE.name else tr("higher")),
        low=0.0,
    )
    if not sourced:
        return made
    less = tr("colder") if feature == TONE.name else tr("lower")
    said = tr("{what} ({unit}), less the sources'", what=what, unit=unit)
    return replace(made, title=said, ends=(less, made.ends[1]), low=None, null=0.0)


def _features(conclusions: Sequence[Conclusion]) -> dict[str, str]:
    """The titles of features by name, those that differ first; as many as there is room for."""
    found: dict[str, str] = {}
    told = [one for each in conclusions for one in each.differing]
    for one in (*told, *(one for each in conclusions for one in each.measures)):
        feature, role = _parts(one)
        if feature not in found and len(found) < _PANELS:
            found[feature] = one.words.removesuffix(tr("as {role}", role=role)).strip()
    return found


def _unit(feature: str, conclusions: Sequence[Conclusion]) -> str:
    """The unit of the feature's gap, in words."""
    if feature == TONE.name:
        return tr("−1 to 1")
    if not feature.startswith("judged/"):
        return tr("as counted")
    tops = {int(top) for each in conclusions if (top := each.numbers.get(f"marks/{feature}")) is not None}
    return tr("1 to {top}", top=tops.pop()) if len(tops) == 1 else tr("in marks")


def _parts(one: MeasureReading) -> tuple[str, str]:
    """Feature, and role with its domain."""
    at = 3 if one.name.startswith("judged/") else 1
    parts = one.name.split("/", at)
    return "/".join(parts[:at]), parts[at]


def _rows(at: int, each: Conclusion, features: Sequence[str], sourced: Container[str]) -> Iterator[LeadRow]:
    roles: dict[str, dict[str, MeasureReading]] = {}
    for one in each.measures:
        feature, role = _parts(one)
        roles.setdefault(role, {})[feature] = one
    for role, measures in roles.items():
        cells = tuple(_cell(measures.get(feature), each if feature in sourced else None) for feature in features)
        named = tuple(one.name for one in measures.values())
        yield LeadRow(conclusion=at, label=role_words(role), measures=named, cells=cells)
    if not roles:
        yield LeadRow(conclusion=at, cells=tuple(_cell(None) for _ in features))


def role_words(role: str) -> str:
    from gpf_desktop.methods.saged.words import role_title

    name, _, domain = role.partition("/")
    return tr("{role}, {domain}", role=role_title(name), domain=domain) if domain else role_title(name)


def _cell(one: MeasureReading | None, beside_sources: Conclusion | None = None) -> LeadCell:
    """Groups from the lowest on; *beside_sources*: its conclusion, where they stand beside what the sources say."""
    if one is None or one.value is None:
        return LeadCell(value=None, why=tr("not measured"))
    start = 0.0 if beside_sources is None else float(beside_sources.numbers[f"at/{one.name}"])
    number, decimals, chance = measure_number(one), decimals_of(one), 0.0 if one.null is None else one.null[1]
    still = one.value == chance == 0
    return LeadCell(
        value=start + one.value,
        low=start,
        high=start + one.value,
        outcome=one.outcome,
        voided=bool(one.voided_by),
        band=None if one.null is None else (start + one.null[0], start + one.null[1]),
        points=tuple(
            LeadPoint(value=start + each.value, words=each.words, shape=PointShape.DOT) for each in one.others
        ),
        text=number(one.value),
        ranged=number(one.value) if still else with_range(one),
        # What chance gives is taken off both ends of its range: a bar as long as that says it, and no second number.
        reach=tr("all alike") if still else tr("chance {gap}", gap=decimal(upward(chance, decimals), decimals)),
    )
