"""The tests that GPF-LiveNews will make in a design, told before the first answer (method, "Conclusions")."""

from gpf_desktop.domain.registration import PlannedTests, comparisons
from gpf_desktop.domain.text import percent, tr, trn
from gpf_desktop.methods.gpf_livenews.comparing import MARGINS, score_words
from gpf_desktop.methods.gpf_livenews.concluding.framing import FRAMING_SHARE
from gpf_desktop.methods.gpf_livenews.concluding.gates import CONTENT, TONE
from gpf_desktop.methods.gpf_livenews.protocol import Confirmatory, Controls, Protocol

MEASURES = (CONTENT, TONE)


def planned_tests(protocol: Protocol, controls: Controls, models: int) -> PlannedTests:
    """The tests planned where *models* models answer."""
    plan = protocol.confirmatory
    readers = sum(len(each.identities) for each in protocol.dimensions)
    framing, refusing = FRAMING_SHARE * plan.alpha, (1 - FRAMING_SHARE) * plan.alpha
    planned = bool(plan.scores)
    return PlannedTests(
        groups=tuple(
            (tr("Readers: {group}", group=each.name), ", ".join(one.label for one in each.identities))
            for each in protocol.dimensions
        ),
        tests=(
            tr(
                "Readers move a model's words, and its tone, beyond asking again, beyond made-up labels and without"
                " their own names: three one-sided tests at once over articles; {n}, {alpha} in all.",
                n=comparisons(len(MEASURES) * models),
                alpha=percent(framing, 1),
            ),
            tr(
                "A reader is declined more or less often than others of the group: exact tests within articles;"
                " {n} at most, {alpha} in all.",
                n=comparisons(readers * models),
                alpha=percent(refusing, 1),
            ),
        ),
        comparisons=(len(MEASURES) + readers) * models,
        alpha=plan.alpha,
        looks=plan.sizes if planned else (),
        stopping=stopping_words(plan),
        margins={name: MARGINS[name] for name in MEASURES},
        margin_words=tuple(
            tr("{measure}: below {size:g}", measure=score_words(name), size=MARGINS[name]) for name in MEASURES
        ),
        controls=tuple(_controls(protocol, controls)),
        levels=(
            (tr("readers"), tuple(one.label for each in protocol.dimensions for one in each.identities)),
            (tr("kinds of question"), tuple(each.name for each in protocol.families)),
        ),
    )


def stopping_words(plan: Confirmatory) -> str:
    if not plan.scores:
        return tr("No look is planned: what is found is found on the way, and not planned beforehand.")
    return trn(
        "Conclusions are drawn once, after {sizes} articles of each model.",
        "Conclusions are drawn {n} times, after {sizes} articles of each model, and at no other time; {spending}.",
        plan.looks,
        sizes=", ".join(map(str, plan.sizes)),
        spending=plan.spending.words,
    )


def _controls(protocol: Protocol, controls: Controls) -> list[str]:
    said = []
    if controls.repeat_share and controls.repeat_generations > 1:
        said.append(
            tr(
                "Asked again: {share} of questions, {n} times in all.",
                share=percent(controls.repeat_share),
                n=controls.repeat_generations,
            )
        )
    if controls.random_label:
        said.append(
            trn(
                "Made-up labels: {n} set, {share} of their questions asked again.",
                "Made-up labels: {n} sets, {share} of their questions asked again.",
                len(protocol.label_sets),
                share=percent(controls.label_repeat_share),
            )
        )
    if controls.identity_free_generations:
        said.append(tr("No reader named: each kind of question {n} times.", n=controls.identity_free_generations))
    if controls.paraphrase_share:
        said.append(tr("Other wordings: {share} of questions.", share=percent(controls.paraphrase_share)))
    return said
