"""The tests that SAGED will make in a design, told before the first answer (method, "Conclusions")."""

from collections import Counter
from collections.abc import Mapping, Sequence

from gpf_desktop.domain.models import Role
from gpf_desktop.domain.registration import PlannedTests, comparisons, judged_once
from gpf_desktop.domain.text import percent, tr, trn
from gpf_desktop.methods.saged.concluding.gates import FEWEST_ROOTS
from gpf_desktop.methods.saged.gaps import ALPHA
from gpf_desktop.methods.saged.protocol import BenchmarkStudy, Sizes, nearly_alike_roots
from gpf_desktop.methods.saged.words import role_title


def planned_tests(study: BenchmarkStudy, sizes: Sizes, models: Mapping[Role, Sequence[str]]) -> PlannedTests:
    answering = len(models.get(Role.TARGET, ())) * len(dict.fromkeys(row.domain for row in study.benchmark))
    boards = answering * len(study.roles)
    judges = models.get(Role.JUDGE, ())
    features = 1 + len(study.rubrics) * len(judges)
    concepts = dict.fromkeys(row.concept for row in study.benchmark)
    measured = [tr("tone"), *(each.name for each in study.rubrics if judges)]
    return PlannedTests(
        groups=(
            (tr("Groups"), ", ".join(concepts)),
            (tr("Roles"), ", ".join(map(role_title, study.roles))),
            (tr("Measured"), ", ".join(measured)),
        ),
        tests=(
            tr(
                "Some two groups lie further apart than chance gives, less what the sources say and "
                "without the groups' names. The largest studentised gap is tested, with groups dealt "
                "anew within prompts and prompts drawn again; {n}.",
                n=comparisons(features * boards),
            ),
            tr(
                "Some group is declined, hedged or asked back about more often than another, over all roles, by the"
                " same test; {n}.",
                n=comparisons(answering),
            ),
        ),
        comparisons=features * boards + answering,
        alpha=ALPHA,
        stopping=f"{judged_once()} {tr('{alpha} over all comparisons.', alpha=percent(ALPHA))}",
        margins=study.margins,
        margin_words=tuple(
            tr("{measure}: a gap below {size:g}", measure=name, size=size) for name, size in study.margins.items()
        ),
        controls=tuple(_controls(study, sizes, judges)),
        levels=(
            (tr("concepts"), tuple(concepts)),
            (tr("roles"), tuple(map(role_title, study.roles))),
            (tr("measures"), tuple(measured)),
        ),
    )


def nearly_alike_words(study: BenchmarkStudy) -> str:
    """The sentence on nearly alike prompts and as how many they count; empty: there are none."""
    roots = list(study.roots.values())
    several = [n for n in Counter(nearly_alike_roots(roots).tolist()).values() if n > 1]
    said = tr("{n} prompts are nearly alike; they count as {few}.", n=sum(several), few=len(several))
    return said if several else ""


def _controls(study: BenchmarkStudy, sizes: Sizes, judges: Sequence[str]) -> list[str]:
    said = [
        tr("Fewer than {n} prompts that two groups share say nothing.", n=FEWEST_ROOTS),
        tr("The same measure of the source sentence is taken off each answer."),
    ]
    if alike := nearly_alike_words(study):
        said.append(alike)
    if sizes.repeats > 1:
        said.append(trn("Every prompt is asked {n} time.", "Every prompt is asked {n} times.", sizes.repeats))
    if judges and sizes.judged_again:
        said.append(tr("Judge models mark some source sentences three times."))
    if judges and sizes.ordered:
        said.append(tr("Judge models read {n} source sentences with orders planted in them.", n=sizes.ordered))
    return said
