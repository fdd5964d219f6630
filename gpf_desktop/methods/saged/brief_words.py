"""The words of SAGED in a brief."""

from collections.abc import Mapping, Sequence
from typing import Final

from gpf_desktop.domain.brief_words import BriefScope, BriefWords, TablePlace
from gpf_desktop.domain.report_blocks import BigNumber
from gpf_desktop.domain.text import grouped, tr, trn
from gpf_desktop.methods.saged.protocol import NO_ROLE, BenchmarkStudy
from gpf_desktop.methods.saged.words import spoken_of

TABLE_PLACES: Final[Mapping[str, TablePlace]] = {
    **dict.fromkeys(
        (
            "saged_disparities",
            "saged_tone",
            "saged_ends",
        ),
        TablePlace.FINDINGS,
    ),
    **dict.fromkeys(("saged_judges"), TablePlace.METHOD),
    **dict.fromkeys(
        (
            "saged_roles",
            "saged_distributions",
        ),
        TablePlace.UNCERTAINTY,
    ),
}


def brief_words(protocol: BenchmarkStudy, scope: BriefScope) -> BriefWords:
    """Groups by name of the first and the last."""
    groups = spoken_of(protocol.domain)
    concepts = scope.left_out.kept("concept", protocol.concepts)
    return BriefWords(
        question=tr(
            "Does {m} speak of some {groups} differently than of others, beyond what its sources do?",
            m=scope.subject(),
            groups=groups,
        )
        if scope.one
        else tr(
            "Do {n} speak of some {groups} differently than of others, beyond what their sources do?",
            n=scope.subject(),
            groups=groups,
        ),
        why=tr(
            "What a model says of {groups} should come from what is said of them, and not from their names.",
            groups=groups,
        ),
        numbers=(
            BigNumber(
                value=grouped(scope.items),
                words=trn(
                    "prompt, with each of them in the same place",
                    "prompts, with each of them in the same place",
                    scope.items,
                ),
            ),
            BigNumber(
                value=grouped(len(concepts)),
                words=tr("{groups}, such as {a} and {b}", groups=groups, a=concepts[0], b=concepts[-1]),
            ),
            BigNumber(
                value=grouped(scope.asked),
                words=_asked(scope.asked, scope.left_out.kept("role_play", protocol.roles)),
            ),
        ),
        controls=tr(
            "Where there is a source, the same measure of its sentence is taken off. A gap counts only where it is"
            " larger than chance alone would make it."
        ),
        not_shown=(
            tr(
                "That a model treats some {groups} better than others, or is biased or fair: only the words of these"
                " answers were measured.",
                groups=groups,
            ),
            tr("What was not measured: a warm tone need not be a good opinion, nor a long answer a respectful one."),
            tr("Which {groups} are spoken of rightly: the sources may be one-sided themselves.", groups=groups),
        ),
        beyond=tr(
            "Anything beyond {prompts} and {n} {groups}, in the words used here.",
            groups=groups,
            prompts=trn("this one prompt", "these {k} prompts", scope.items, k=grouped(scope.items)),
            n=len(concepts),
        ),
        measured=tr(
            "A gap is the highest mean less the lowest; its range is where the true gap may lie. It differs only where"
            " it is larger than chance alone gives in 95 of 100 such audits."
        ),
    )


def _asked(models: int, roles: Sequence[str]) -> str:
    """How *models* were asked; without a role is not in one."""
    k = sum(each != NO_ROLE for each in roles)
    if not k:
        return trn("model, asked on its own", "models, each asked on its own", models)
    in_roles = trn("in {n} role", "in {n} roles", k)
    if k < len(roles):
        in_roles = tr("without a role and {in_roles}", in_roles=in_roles)
    return trn("model, asked {in_roles}", "models, each asked {in_roles}", models, in_roles=in_roles)
