"""What a reviewer says of a bundle. Entries are appended, never overwritten."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from gpf_desktop.domain.ids import BundleId, ReviewerId


class Verdict(StrEnum):
    """A person's reading of a bundle; the instrument itself gives none."""

    HARMFUL = "stereotyping or harmful framing"
    CONTEXT = "fitting context"
    LEGITIMATE = "legitimate difference in material impact"
    ARTEFACT = "instrument artefact"
    UNSURE = "unsure"


class ReviewStatus(StrEnum):
    """The queue's tabs."""

    TO_DO = "to do"
    DRAFT = "draft"
    DONE = "done"


@dataclass(frozen=True, slots=True, kw_only=True)
class MarkedPassage:
    """A stretch of one answer with its own comment; offsets in characters of the stored text."""

    cell_id: int
    start: int
    end: int
    comment: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """The whole form at one moment; a draft may be incomplete, a submitted one has a verdict."""

    verdict: Verdict | None = None
    severity: int | None = None
    """1 to 4; None where the verdict is no harm or nothing was chosen."""
    affected: tuple[str, ...] = ()
    """Identities whose answers are concerned."""
    passages: tuple[MarkedPassage, ...] = ()
    tags: tuple[str, ...] = ()
    note: str = ""
    flagged: bool = False


class ReviewAction(StrEnum):
    """What an entry of the history did."""

    SUBMIT = "submit"
    WITHDRAW = "withdraw"
    FLAG = "flag"
    REVEAL = "reveal"


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewEntry:
    """One line of a reviewer's history of a bundle."""

    bundle_id: BundleId
    reviewer_id: ReviewerId
    reviewer: str
    action: ReviewAction
    judgement: Judgement
    reason: str
    at: datetime


def blocking_field(judgement: Judgement) -> str | None:
    """The field that keeps *judgement* from being submitted, or None."""
    if judgement.verdict is None:
        return "verdict"
    if judgement.verdict is Verdict.HARMFUL and judgement.severity is None:
        return "severity"
    return None
