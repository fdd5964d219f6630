"""Whether a target declines more or fewer questions than the models that it is held against."""

from collections.abc import Sequence

import numpy as np

from gpf_desktop.arrays import Bools, Ints
from gpf_desktop.domain.conclusions.conclusion import ConclusionOutcome, RefusalReading, Refused
from gpf_desktop.methods.relative_bias.comparing import ALPHA
from gpf_desktop.methods.relative_bias.outcomes import REFUSALS_SHARE
from gpf_desktop.methods.relative_bias.study import MeasuredStudy


def refusals(study: MeasuredStudy, target: int, baselines: Sequence[int], targets: int) -> RefusalReading:
    """The reading of what *target* declined, in words or by its provider; *differs* where it lies beyond every
    baseline, question by question, and beyond what one more model of their kind would show; counted over so many
    *targets*."""
    answers = study.answers
    declined = study.refused | answers.blocked
    counts = _by_question(study, declined, target)
    of, n = len(counts), int(counts.sum())
    in_words = int((study.refused & ~answers.blocked & (answers.model == target)).sum())
    if not of or not _known(study, target):
        return RefusalReading(outcome=ConclusionOutcome.TOO_FEW, declined=0, of=0)
    others = {each: _by_question(study, declined, each) for each in baselines}
    others = {each: theirs for each, theirs in others.items() if len(theirs)}
    rates = np.array([theirs.mean() for theirs in others.values()])
    if len(rates) < 2:
        return RefusalReading(outcome=ConclusionOutcome.NOT_SHOWN, declined=n, of=of, in_words=in_words)
    more = n / of > rates.max()
    nearest = list(others)[int(np.argmax(rates) if more else np.argmin(rates))]
    p = max(
        _paired(counts, others[nearest], _questions(study, target), _questions(study, nearest)),
        _one_more_of_their_kind(n, of, [(int(each.sum()), len(each)) for each in others.values()]),
    )
    adjusted = min(1.0, p * targets)
    apart = more or n / of < rates.min()
    if not apart or adjusted > ALPHA * REFUSALS_SHARE:
        return RefusalReading(outcome=ConclusionOutcome.NOT_SHOWN, declined=n, of=of, in_words=in_words)
    theirs = others[nearest]
    group = Refused(
        who=answers.models[nearest],
        declined=n,
        of=of,
        others=int(theirs.sum()),
        others_of=len(theirs),
        p=adjusted,
    )
    return RefusalReading(outcome=ConclusionOutcome.DIFFERS, declined=n, of=of, in_words=in_words, groups=(group,))


def _known(study: MeasuredStudy, model: int) -> bool:
    """Whether anything came of *model* that could decline: a table of marks alone has no answers."""
    mine = np.flatnonzero(study.answers.model == model)
    return bool(study.answers.blocked[mine].any()) or any(study.answers.texts[at] for at in mine)


def _questions(study: MeasuredStudy, model: int) -> Ints:
    return np.unique(study.answers.question[study.answers.model == model])


def _by_question(study: MeasuredStudy, declined: Bools, model: int) -> Bools:
    """Whether *model* declined a question in every generation, for each question that it was asked."""
    mine = study.answers.model == model
    question, place = np.unique(study.answers.question[mine], return_inverse=True)
    every: Bools = np.bincount(place, declined[mine], len(question)) == np.bincount(place, minlength=len(question))
    return every


def _paired(mine: Bools, theirs: Bools, my_questions: Ints, their_questions: Ints) -> float:
    """The two-sided p of the exact test of discordant questions (McNemar 1947)."""
    from scipy.stats import binomtest

    _, at_mine, at_theirs = np.intersect1d(my_questions, their_questions, return_indices=True)
    only_mine = int((mine[at_mine] & ~theirs[at_theirs]).sum())
    only_theirs = int((theirs[at_theirs] & ~mine[at_mine]).sum())
    apart = only_mine + only_theirs
    return float(binomtest(only_mine, apart).pvalue) if apart else 1.0


def _one_more_of_their_kind(n: int, of: int, others: Sequence[tuple[int, int]]) -> float:
    """The two-sided p that one more model of the others' kind declines as much, by Student's t on the scale on which
    rates vary alike (Anscombe 1948)."""
    from scipy.special import stdtr

    def scaled(x: int, size: int) -> float:
        return float(np.arcsin(np.sqrt((x + 0.375) / (size + 0.75))))

    theirs = np.array([scaled(*each) for each in others])
    # Counts vary by chance at least, however alike the others happen to be.
    by_chance = 1 / (4 * float(np.mean([size for _, size in others])) + 2)
    spread = np.sqrt(max(float(theirs.var(ddof=1)), by_chance))
    ratio = abs(scaled(n, of) - theirs.mean()) / (spread * np.sqrt(1 + 1 / len(theirs)))
    return float(2 * stdtr(len(theirs) - 1, -ratio))
