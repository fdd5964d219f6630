"""Sentences about samples."""

from gpf_desktop.domain.queue_samples import Drawing, SampleKind
from gpf_desktop.domain.text import tr, trn, within
from gpf_desktop.engine.core.factor_words import group_title
from gpf_desktop.storage.review_samples import DrawnSample
from gpf_desktop.ui.review.bulk_words import bundles
from gpf_desktop.ui.review.wording import score_words
from gpf_desktop.ui.wording import about, count, moment

_A_SET = 5
"""Minutes for one, before anybody's own pace is known: two dozen take about two hours."""


def kind_words(kind: SampleKind, score: str) -> str:
    return {
        SampleKind.RANDOM: tr("At random"),
        SampleKind.STRATIFIED: tr("From each group alike"),
        SampleKind.CONCLUSION: tr("To test the conclusions"),
        SampleKind.TOP: tr("Highest by {score}", score=score_words(score))
        if score
        else tr("Highest by the main score"),
    }[kind]


def kind_help(kind: SampleKind, sets: int) -> str:
    """A sentence on the use of a sample of this kind, and where people test by it, on the time that *sets* take."""
    if kind is SampleKind.CONCLUSION:
        use = tr(
            "As many sets that carry each conclusion as sets that do not, read with names hidden: do people see "
            "what the numbers say?"
        )
        takes = trn("{n} set takes about {time}.", "{n} sets take about {time}.", sets, time=about(sets * _A_SET))
        return f"{use} {takes}"
    return {
        SampleKind.RANDOM: tr(
            "For practice, and for the sets that several people read, on which agreement is measured."
        ),
        SampleKind.STRATIFIED: tr("Equally many of each group, as far as there are; at random within one."),
        SampleKind.TOP: tr(
            "What to read first. Not for measuring agreement: agreement on the highest alone says nothing about "
            "the rest."
        ),
    }[kind]


def made_of_words(name: str) -> str:
    return within(group_title(name))


def how(drawing: Drawing) -> str:
    """How it was drawn, so that anybody can draw it again."""
    out_of = tr("out of {n}", n=count(drawing.pool))
    match drawing.kind:
        case SampleKind.TOP:
            return tr("highest by {score}, {out_of}", score=score_words(drawing.score), out_of=out_of)
        case SampleKind.CONCLUSION:
            carrying = tr("{n} carry a conclusion", n=count(len(drawing.carrying)))
            return tr("{carrying}, {out_of}, seed {seed}", carrying=carrying, out_of=out_of, seed=str(drawing.seed))
        case SampleKind.STRATIFIED:
            strata = tr(" × ").join(made_of_words(each) for each in drawing.strata)
            return tr(
                "equally many by {strata}, {groups} groups, {out_of}, seed {seed}",
                strata=strata,
                groups=count(drawing.groups),
                out_of=out_of,
                seed=str(drawing.seed),
            )
        case _:
            return tr("at random {out_of}, seed {seed}", out_of=out_of, seed=str(drawing.seed))


def only_words(drawing: Drawing | None, n: int) -> str:
    """Words beside the filter while it leaves bundles out."""
    if drawing is None:
        return tr("{bundles} chosen elsewhere", bundles=bundles(n))
    said = tr("Only a sample of {bundles} ({how})", bundles=bundles(n), how=how(drawing))
    if n < drawing.groups:
        said += tr(": one each of {n} groups, none of the others", n=count(n))
    return said


def drawn_words(sample: DrawnSample) -> str:
    """A line of the samples drawn before."""
    return tr(
        "{when}: {bundles}, {how}", when=moment(sample.at), bundles=bundles(sample.bundles), how=how(sample.drawing)
    )
