"""The tests that Relative Bias will make in a design, told before the first answer (method, "Conclusions")."""

from collections.abc import Mapping, Sequence

from gpf_desktop.domain.models import Role
from gpf_desktop.domain.registration import PlannedTests, comparisons, judged_once
from gpf_desktop.domain.text import percent, tr, trn
from gpf_desktop.methods.relative_bias.comparing import ALPHA
from gpf_desktop.methods.relative_bias.outcomes import ALIKE_FROM, REFUSALS_SHARE, THEMES_SHARE, skewed
from gpf_desktop.methods.relative_bias.protocol import BiasStudy, StudySizes

_OWN_ENCODERS = 1
"""By words, which needs no model."""


def planned_tests(study: BiasStudy, sizes: StudySizes, models: Mapping[Role, Sequence[str]]) -> PlannedTests:
    answering = [*models.get(Role.TARGET, ()), *models.get(Role.BASELINE, ())]
    held = _targets(sizes, models)
    judges, encoders = models.get(Role.JUDGE, ()), models.get(Role.EMBEDDER, ())
    scores = _OWN_ENCODERS + len(judges) + len(encoders)
    baselines = max(len(answering) - 1, 0)
    main, themes = scores * len(held), scores * len(held) * len(study.themes)
    return PlannedTests(
        groups=(
            (tr("Model under study"), ", ".join(held)),
            (tr("Models compared with"), ", ".join(each for each in answering if held != [each])),
            *((each.name, trn("{n} question", "{n} questions", len(each.questions))) for each in study.themes),
        ),
        tests=(
            tr(
                "A model under study lies further from the mean of the others than {k:g} standard deviations "
                "of their means. It lies further off than one more model of their kind would, too: by "
                "Student's t over themes; {n}, {a} in all.",
                k=study.margin_k,
                n=comparisons(main),
                a=percent(ALPHA, 1),
            ),
            tr(
                "The same on single themes, by their own questions: {n}, {a} in all.",
                n=comparisons(themes),
                a=percent(ALPHA * THEMES_SHARE, 1),
            ),
            tr(
                "A model under study declines more or fewer questions than each of the others: {n}, {a} in all.",
                n=comparisons(len(held)),
                a=percent(ALPHA * REFUSALS_SHARE, 1),
            ),
        ),
        comparisons=main + themes + len(held),
        alpha=ALPHA,
        stopping=judged_once(),
        margins={"k": study.margin_k, **({"levels": study.margin_levels} if study.margin_levels else {})},
        margin_words=tuple(_margins(study, baselines, len(held))),
        controls=tuple(_controls(sizes, judges)),
        levels=(
            (tr("models under study"), tuple(held)),
            (tr("models compared with"), tuple(each for each in answering if held != [each])),
            (tr("themes"), tuple(each.name for each in study.themes)),
        ),
    )


def _targets(sizes: StudySizes, models: Mapping[Role, Sequence[str]]) -> list[str]:
    targets = list(models.get(Role.TARGET, ()))
    return [sizes.target] if sizes.target in targets else targets


def _margins(study: BiasStudy, baselines: int, targets: int) -> list[str]:
    said = [
        tr("To differ: beyond {k:g} standard deviations of the others' means.", k=study.margin_k),
        tr(
            "To differ: {f:g} times as far as one more model would lie if models were spread normally, for some may "
            "lie in a tail.",
            f=skewed(targets),
        ),
    ]
    if study.margin_levels:
        said.append(tr("To be alike by a judge model: within {n:g} marks, agreed beforehand.", n=study.margin_levels))
    if baselines >= ALIKE_FROM:
        said.append(tr("To be alike: within the low end of that margin, and within it without any one model."))
    elif not study.margin_levels:
        said.append(tr("With fewer than {n} models to compare with nothing is called alike.", n=ALIKE_FROM))
    return said


def _controls(sizes: StudySizes, judges: Sequence[str]) -> list[str]:
    said = []
    if sizes.repeats > 1:
        said.append(tr("Every question is asked {n} times.", n=sizes.repeats))
    if judges and sizes.judged_again:
        said.append(tr("Judge models mark a tenth of the answers three times."))
    if judges and sizes.ordered:
        said.append(tr("Judge models read {n} answers with orders planted in them.", n=sizes.ordered))
    return said
