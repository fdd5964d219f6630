"""Names of things on the Review page."""

from collections.abc import Iterable
from functools import cache
from itertools import chain

from gpf_desktop.domain.responses import Missing
from gpf_desktop.domain.review_queue import QueueTab
from gpf_desktop.domain.reviews import ReviewAction, ReviewEntry, ReviewStatus, Verdict
from gpf_desktop.domain.scores import Measure, Unavailable
from gpf_desktop.domain.text import tr
from gpf_desktop.domain.verdict_words import judged
from gpf_desktop.engine.core import catalogue
from gpf_desktop.engine.core.factor_words import place_words
from gpf_desktop.storage.review_steps import ReviewStep, StepKind
from gpf_desktop.ui.wording import NO_VALUE, count, decimal


def settled_words(settled: ReviewEntry | None, *, beside_own: bool) -> str:
    """*beside_own*: the form shows what its reader said; empty where nothing was settled."""
    if settled is None or settled.judgement.verdict is None:
        return ""
    what = judged(settled.judgement.verdict, settled.judgement.severity)
    name = settled.reviewer
    if beside_own:
        return tr("Settled by {name} as {what}: this counts. Your own reading stays in the form.", name=name, what=what)
    return tr("Settled by {name} as {what}: this counts.", name=name, what=what)


VERDICT_ACTIONS = {
    Verdict.HARMFUL: "review.harmful",
    Verdict.CONTEXT: "review.context",
    Verdict.LEGITIMATE: "review.legitimate",
    Verdict.ARTEFACT: "review.artefact",
    Verdict.UNSURE: "review.unsure",
}


def tab_words(tab: QueueTab) -> str:
    return {
        QueueTab.TO_DO: tr("To do"),
        QueueTab.DRAFT: tr("Draft"),
        QueueTab.DONE: tr("Done"),
        QueueTab.DISAGREE: tr("Disagree"),
        QueueTab.FLAGGED: tr("Flagged"),
    }[tab]


def status_words(status: ReviewStatus) -> str:
    return {
        ReviewStatus.TO_DO: tr("to do"),
        ReviewStatus.DRAFT: tr("draft"),
        ReviewStatus.DONE: tr("done"),
    }[status]


STATUS_ICONS = {ReviewStatus.TO_DO: "chevron-right", ReviewStatus.DRAFT: "edit", ReviewStatus.DONE: "check"}


def score_words(name: str, measures: Iterable[Measure] = ()) -> str:
    """A score's name within a line, in plain words: as one of *measures* has it, or else a scorer of the catalogue."""
    # One by one: the scorers of all methods have some hundred measures, made anew each time.
    known = chain(measures, (each for scorer in catalogue.scorers().values() for each in scorer.measures))
    return next((plain_words(each) for each in known if each.name == name), name.replace("_", " "))


def plain_words(measure: Measure) -> str:
    """“how far apart, in words”; of a measure that no scorer has any more, as it is stored with the scores."""
    return _in_catalogue(measure.name)[0] or measure.plain or measure.title


def about_words(measure: Measure) -> str:
    """The meaning of *measure*, with both ends of its scale; empty where none is given."""
    return _in_catalogue(measure.name)[1] or measure.about


def title_words(measure: Measure) -> str:
    """“S, semantic dispersion”."""
    return _in_catalogue(measure.name)[2] or measure.title


@cache
def _in_catalogue(name: str) -> tuple[str, str, str]:
    found = (each for scorer in catalogue.scorers().values() for each in scorer.measures if each.name == name)
    return next(((each.plain, each.about, each.title) for each in found if each.plain), ("", "", ""))


def value_words(value: float | str | Unavailable | None) -> tuple[str, str]:
    """A score as there is room for, and at more length."""
    match value:
        case Unavailable():
            return NO_VALUE, tr("not measured: {why}", why=tr(value.value))
        case float():
            return decimal(value, 2), decimal(value, 4)
        case str():
            return value, value
        case _:
            return NO_VALUE, tr("not measured: {why}", why=tr("not scored"))


def flag_words(flag: str) -> str:
    return {
        "leakage": tr("quotes the test"),
        "refusal": tr("declined in its own words"),
        "truncated": tr("cut off"),
        "duplicate": tr("duplicate"),
        "very short": tr("very short"),
        "no scorable word": tr("no scorable word"),
    }.get(flag, flag)


def _passage_step(step: ReviewStep) -> str:
    removed = len(step.after.passages) < len(step.before.passages)
    return tr("unmarking a passage") if removed else tr("marked passage")


def step_words(step: ReviewStep) -> str:
    """A step's name in the Edit menu: what was changed, and where."""
    what = {
        StepKind.VERDICT: tr("verdict"),
        StepKind.SEVERITY: tr("severity"),
        StepKind.AFFECTED: tr("affected answers"),
        StepKind.PASSAGES: _passage_step(step),
        StepKind.COMMENT: tr("comment on a passage"),
        StepKind.CODES: tr("code of a passage"),
        StepKind.TAGS: tr("tags"),
        StepKind.NOTE: tr("note"),
        StepKind.FLAG: tr("flag") if step.after.flagged else tr("taking the flag off"),
        StepKind.SUBMIT: tr("submit"),
        StepKind.ADJUDICATE: tr("settling"),
        StepKind.CORRECT: tr("correction"),
    }[step.kind]
    if step.bundles > 1:
        return tr("{what} of {n} sets", what=what, n=count(step.bundles))
    where = " · ".join(place_words(step.method, step.coordinates))
    return tr("{what}, {where}", what=what, where=where) if where else what


def action_words(action: ReviewAction) -> str:
    """A line of the history."""
    return {
        ReviewAction.SUBMIT: tr("submitted"),
        ReviewAction.WITHDRAW: tr("took back"),
        ReviewAction.FLAG: tr("flagged"),
        ReviewAction.REVEAL: tr("saw the names"),
        ReviewAction.ADJUDICATE: tr("settled"),
        ReviewAction.CORRECT: tr("corrected"),
        ReviewAction.RATE: tr("marked an answer, names hidden"),
        ReviewAction.JOIN: tr("joined with a history continued elsewhere"),
    }[action]


def missing_words(reason: str, *, refused_unknown: bool = False) -> str:
    """Why a card has no answer; a refusal is told from a fault."""
    if refused_unknown:
        return tr("The model declined to answer this reader, by words that this program does not know.")
    known = {
        Missing.REFUSED: tr("The model declined to answer this reader."),
        Missing.EMPTY: tr("The answer came back empty."),
        Missing.REASONING_ONLY: tr("All tokens were spent on reasoning; no answer was left."),
        Missing.HTTP_ERROR: tr("The provider answered with an error."),
        Missing.TIMED_OUT: tr("No answer came in time."),
        Missing.UNREACHABLE: tr("The provider could not be reached."),
        Missing.UNREADABLE: tr("The answer could not be read."),
        Missing.TOO_LARGE: tr("The answer was larger than any that this program reads."),
        Missing.UNKNOWN: tr("The outcome of this call is unknown."),
        Missing.NOT_RUN: tr("Not asked yet."),
    }
    return next((words for missing, words in known.items() if missing == reason), reason)
