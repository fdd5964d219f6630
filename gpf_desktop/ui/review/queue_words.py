"""What a row of the queue says."""

from dataclasses import dataclass

from gpf_desktop.domain.cells import Condition
from gpf_desktop.domain.review_queue import QueueRow
from gpf_desktop.domain.reviews import ReviewStatus
from gpf_desktop.domain.text import tr, trn
from gpf_desktop.ui.review.wording import STATUS_ICONS, condition_words, short_verdict, status_words, verdict_words
from gpf_desktop.ui.wording import NO_VALUE, decimal


@dataclass(frozen=True, slots=True, kw_only=True)
class RowState:
    """A state as icon and word."""

    icon: str
    words: str
    color: str = "text_secondary"
    spoken: str = ""
    """In full, where `words` are a short form."""


@dataclass(frozen=True, slots=True, kw_only=True)
class QueueLine:
    """A row ready to be painted and to be spoken."""

    score: str
    score_known: bool
    title: str
    dimension: str
    states: tuple[RowState, ...]
    is_open: bool
    spoken: str
    tip: str


def queue_line(row: QueueRow, *, blind: bool, is_open: bool) -> QueueLine:
    """One state per line, the one that matters most; the spoken text and the tool tip have all."""
    states: list[RowState] = []
    status = _status(row, is_open=is_open)
    if row.status is not ReviewStatus.TO_DO:
        states.append(status)
    if row.refused:
        states.append(RowState(icon="warning", words=trn("{n} refused", "{n} refused", row.refused), color="warning"))
    if row.leakage:
        states.append(RowState(icon="link", words=tr("leakage"), color="warning"))
    if row.flagged:
        states.append(RowState(icon="flag", words=tr("flagged"), color="accent"))
    if row.status is ReviewStatus.TO_DO:
        states.append(status)
    title = row.family
    dimension = row.dimension or condition_words(row.condition)
    if row.paraphrase:
        dimension = tr("{dimension}, wording {n}", dimension=dimension, n=row.paraphrase + 1)
    score = NO_VALUE if row.score is None else decimal(row.score, 2)
    spoken = ", ".join(
        (
            tr("score {score}", score=score if row.score is not None else row.why or tr("unavailable")),
            title,
            dimension,
            *(state.spoken or state.words for state in states),
        )
    )
    tip = [f"{title} · {dimension}", " · ".join(state.spoken or state.words for state in states)]
    if not blind:
        tip.append(row.model + (f" ({tr('synthetic')})" if row.synthetic else ""))
    if row.condition != Condition.IDENTITY:
        tip.append(condition_words(row.condition))
    if row.missing:
        tip.append(trn("{n} answer is missing", "{n} answers are missing", row.missing))
    if row.provisional:
        tip.append(tr("The score is provisional: this article is not complete for this model."))
    if row.score is None and row.why:
        tip.append(tr("No score: {why}.", why=row.why))
    return QueueLine(
        score=score,
        score_known=row.score is not None,
        title=title,
        dimension=dimension,
        states=tuple(states[:1]),
        is_open=is_open,
        spoken=spoken,
        tip="\n".join(tip),
    )


def _status(row: QueueRow, *, is_open: bool) -> RowState:
    if row.status is ReviewStatus.DONE and row.verdict is not None:
        words = verdict_words(row.verdict)
        return RowState(icon="check", words=short_verdict(row.verdict), color="success", spoken=words)
    if is_open:
        return RowState(icon="dot", words=tr("open"), color="accent")
    return RowState(icon=STATUS_ICONS[row.status], words=status_words(row.status))
