"""Models of which nothing can be said because a check failed, told where somebody is about to ask them more."""

from collections.abc import Mapping

from gpf_desktop.domain.conclusions.conclusion import ConclusionOutcome
from gpf_desktop.domain.conclusions.rendering import ToldPage
from gpf_desktop.domain.text import tr


def failed_checks(told: ToldPage | None) -> Mapping[str, str]:
    """Sentences that nothing can be said of a model, and which check failed, by the model's name in conclusions."""
    some = () if told is None else told.told
    return {
        each.conclusion.model: " ".join((each.sentence, *each.weighs[:1]))
        for each in some
        if each.conclusion.outcome is ConclusionOutcome.CHECK_FAILED
    }


def what_to_do() -> str:
    """A sentence that stands beside any failed check and says what to do."""
    return tr("More answers of the same kind won't mend that: read about the check on Results first.")
