"""The tests that Contextual StereoSet will make in a design, told before the first answer (method, "Conclusions")."""

from collections.abc import Iterator

from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.registration import PlannedTests, comparisons, judged_once
from gpf_desktop.domain.text import percent, tr
from gpf_desktop.methods.contextual_stereoset.asked_items import alike_items, asked_items, labels_asked
from gpf_desktop.methods.contextual_stereoset.concluding.gates import ALPHA
from gpf_desktop.methods.contextual_stereoset.items import STEREOTYPE_LABELS
from gpf_desktop.methods.contextual_stereoset.planning import pairs_of
from gpf_desktop.methods.contextual_stereoset.protocol import GridSizes, StereoProtocol
from gpf_desktop.methods.contextual_stereoset.words import contrast_words, factor_title, option_title


def planned_tests(protocol: StereoProtocol, sizes: GridSizes, models: int) -> PlannedTests:
    """The tests planned where *models* models answer."""
    contrasts = list(pairs_of(protocol))
    n = len(contrasts) * models
    return PlannedTests(
        groups=tuple(
            (factor_title(each.name), ", ".join(level.name for level in each.levels)) for each in protocol.factors
        ),
        tests=(
            tr(
                "{option} is chosen more or less often: {contrasts}. By Student's t over items, in matched"
                " pairs of contexts; {n}, {a} in all.",
                option=option_title(_labels(protocol)[0]).capitalize(),
                contrasts="; ".join(map(contrast_words, contrasts)),
                n=comparisons(n),
                a=percent(ALPHA, 1),
            ),
            tr(
                "Where a model makes no choice, the same of how often: {n} more, in the same {a}.",
                n=comparisons(n),
                a=percent(ALPHA, 1),
            ),
            tr("A shift of which less than half is left without the items of one type is told of that type alone."),
        ),
        comparisons=2 * n,
        alpha=ALPHA,
        stopping=judged_once(),
        margins={"shift": protocol.margin} if protocol.margin else {},
        margin_words=(
            tr("A shift of up to {points} points of 100.", points=f"{100 * protocol.margin:g}")
            if protocol.margin
            else tr("None is stated: nothing is called alike."),
        ),
        controls=(
            *((tr("Every question is asked {n} times.", n=sizes.repeats),) if sizes.repeats > 1 else ()),
            tr("The order of the options is drawn anew for each question, and held in a check of each finding."),
            *_nearly_alike(protocol),
        ),
        levels=(
            (
                tr("contexts"),
                tuple(f"{factor_title(each.name)}: {level.name}" for each in protocol.factors for level in each.levels),
            ),
        ),
    )


def _nearly_alike(protocol: StereoProtocol) -> Iterator[str]:
    """The sentence on nearly alike items and as how many they count, where there are any and their file is there."""
    try:
        alike = alike_items(asked_items(protocol))
    except UserError:
        return
    if alike:
        few = len(set(alike.values()))
        yield tr("{n} items are nearly alike; they count as {few}.", n=len(alike), few=few)


def _labels(protocol: StereoProtocol) -> str:
    """The labels asked; those of the published items where a file of items is gone (what was asked is in the audit)."""
    try:
        return labels_asked(protocol)
    except UserError:
        return STEREOTYPE_LABELS
