"""The figure that leads the conclusions of GPF-LiveNews: a line for each model, in words and in tone."""

from collections.abc import Iterator, Sequence

from gpf_desktop.domain.conclusions.conclusion import Conclusion
from gpf_desktop.domain.conclusions.digits import FEW, exact, measure_number, range_alone, with_range
from gpf_desktop.domain.conclusions.lead import Lead, LeadCell, LeadPanel, LeadPoint, LeadRow, PointShape
from gpf_desktop.domain.conclusions.rendering import number
from gpf_desktop.domain.text import range_words, tr
from gpf_desktop.methods.gpf_livenews.concluding.gates import CONTENT, TONE


def lead(conclusions: Sequence[Conclusion]) -> Lead:
    """How far answers lay apart across readers beside the same controls, and the tone that readers add."""
    margins = [one.margin for each in conclusions if (one := each.measure(TONE)) and one.margin is not None]
    margin = max(margins, default=None)
    return Lead(
        panels=(
            LeadPanel(
                title=tr("How far apart answers lay, in words"),
                ends=(tr("the same words"), tr("nothing shared")),
                low=0.0,
                high=1.0,
            ),
            LeadPanel(
                title=tr("In tone, beyond asking again"),
                ends=("", tr("further apart, up to 2")),
                band=None if margin is None else (-margin, margin),
                null=0.0,
            ),
        ),
        rows=tuple(
            LeadRow(conclusion=at, cells=(_words(each), _tone(each)), further=(_added(each),))
            for at, each in enumerate(conclusions)
        ),
        further=(tr("Of the way from asked again to 1, names left out"),),
        note=_note(conclusions),
        mark=tr("across readers"),
        band=tr("too small to matter"),
        back=tr("what the reader adds"),
    )


def _words(each: Conclusion) -> LeadCell:
    content, numbers = each.measure(CONTENT), each.numbers
    if content is None or "s" not in numbers:
        return LeadCell(value=None, why=tr("not measured: no question was asked twice"))
    value = float(numbers["s"])
    ranged = {"s_low", "s_high"} <= numbers.keys()
    low = max(0.0, float(numbers["s_low"])) if ranged else None
    high = min(1.0, float(numbers["s_high"])) if ranged else None
    return LeadCell(
        value=value,
        low=low,
        high=high,
        outcome=content.outcome,
        voided=bool(content.voided_by),
        points=tuple(_controls(each)),
        back_to=float(numbers["n"]) if "n" in numbers else None,
        text=number(value),
        reach="" if low is None or high is None else range_words(low, high, FEW),
        why=content.why,
    )


def _note(conclusions: Sequence[Conclusion]) -> str:
    measures = (one for each in conclusions for one in each.measures)
    margins = {one.name: exact(one.margin) for one in measures if one.margin is not None}
    ends = tr("0: the same words; 1: nothing shared.")
    if margins.keys() != {CONTENT, TONE}:
        return ends
    return tr(
        "{ends} Beyond asking again, below {words} (tone: {tone}) does not matter.",
        ends=ends,
        words=margins[CONTENT],
        tone=margins[TONE],
    )


def _added(each: Conclusion) -> str:
    """The number that is tested, which the difference of two on the scale is not."""
    content = each.measure(CONTENT)
    return "" if content is None or content.value is None else with_range(content)


def _controls(each: Conclusion) -> Iterator[LeadPoint]:
    for key, words, shape in (
        ("n", tr("asked again"), PointShape.SQUARE),
        ("labels_s", tr("made-up labels"), PointShape.DIAMOND),
        ("free_s", tr("no reader"), PointShape.CROSS),
    ):
        if key in each.numbers:
            yield LeadPoint(value=float(each.numbers[key]), words=words, shape=shape)


def _tone(each: Conclusion) -> LeadCell:
    tone = each.measure(TONE)
    if tone is None or tone.value is None:
        return LeadCell(value=None, why="" if tone is None else tone.why)
    labels = each.control("random_label_tone")
    point = (
        ()
        if labels is None or labels.value is None
        else (LeadPoint(value=labels.value, words=tr("made-up labels"), shape=PointShape.DIAMOND),)
    )
    return LeadCell(
        value=tone.value,
        low=tone.low,
        high=tone.high,
        outcome=tone.outcome,
        voided=bool(tone.voided_by),
        points=point,
        text=measure_number(tone)(tone.value),
        reach=range_alone(tone),
    )
