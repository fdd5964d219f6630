"""Words of a row of the queue."""

from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass

from gpf_desktop.domain.coordinates import MAIN
from gpf_desktop.domain.review_queue import FilterChoices, QueueFilter, QueueOrder, QueueRow
from gpf_desktop.domain.reviews import ReviewStatus, Verdict
from gpf_desktop.domain.scores import Measure
from gpf_desktop.domain.text import dotted, tr, trn
from gpf_desktop.domain.verdict_words import verdict_called
from gpf_desktop.engine.core.factor_words import arm_title, place_words
from gpf_desktop.ui.review.wording import STATUS_ICONS, plain_words, status_words
from gpf_desktop.ui.wording import NO_VALUE, decimal


@dataclass(frozen=True, slots=True, kw_only=True)
class RowState:
    """A state as icon and word."""

    icon: str
    words: str
    color: str = "text_secondary"
    waits: bool = False
    """Nothing was said or found yet, as of most rows: it gives its room to the item where a row has two lines."""
    spoken: str = ""
    """In full, where `words` are a short form."""


@dataclass(frozen=True, slots=True, kw_only=True)
class QueueLine:
    """A row ready to be painted and to be spoken."""

    score: str
    score_known: bool
    title: str
    place: str
    """What else tells it from the others about its item."""
    item: str
    """Empty where it is that of all rows; `model` too, and while one reads blind."""
    model: str
    states: tuple[RowState, ...]
    memo: str
    """Says that there is one on the item; empty: there is none that may be seen."""
    is_open: bool
    spoken: str
    tip: str


def queue_line(
    row: QueueRow,
    *,
    blind: bool,
    is_open: bool,
    scored: bool = True,
    practice: RowState | None = None,
    shared: Set[str] = frozenset(),
) -> QueueLine:
    """One state per line, the one that matters most; the spoken text and the tool tip have all.

    *scored*: scores may be seen, which they may not while one reads blind. *practice* stands in place of what anybody
    said of the bundle. What is *shared* by all rows is spoken and in the tip only.
    """
    settled = None if blind and not row.unveiled else row.settled
    states = _states(row, settled, is_open=is_open) if practice is None else [practice, *_found(row)]
    title, *further = place_words(row.method, row.coordinates, row.arm, row.item)
    place = ", ".join(further)
    known = row.score is not None or bool(row.category)
    score = row.category or (NO_VALUE if row.score is None else decimal(row.score, 2))
    told = [tr("score {score}", score=score if known else row.why or tr("unavailable"))] if scored else []
    model = "" if blind else row.model or tr("several models")
    said = [state.spoken or state.words for state in states]
    memo = tr("memo") if row.own_memo or (row.others_memo and not blind) else ""
    noted = (tr("with a memo"),) if memo else ()
    head = [f"{title} · {place}" if place else title, dotted(said)]
    unscored = [tr("No score: {why}.", why=row.why)] if scored and not known and row.why else []
    return QueueLine(
        score=score if scored else "",
        score_known=known,
        title=title,
        place=place,
        item="" if "item" in shared or title == row.item else row.item,
        model="" if "model" in shared else name_alone(model) if "host" in shared else model,
        states=tuple(states[:1]),
        memo=memo,
        is_open=is_open,
        spoken=", ".join(dict.fromkeys((*told, title, *further, *filter(None, (row.item, model)), *said, *noted))),
        tip="\n".join(dict.fromkeys((*head, *_further(row, model), *noted, *unscored))),
    )


def practice_state(as_lead: bool | None, *, is_open: bool) -> RowState:
    """How the practised reading stands to the lead's; None: not practised yet. Verdicts would give the lead's away."""
    if as_lead is None:
        return (
            RowState(icon="dot", words=tr("open"), color="accent")
            if is_open
            else RowState(icon=STATUS_ICONS[ReviewStatus.TO_DO], words=tr("to practise"))
        )
    if as_lead:
        return RowState(icon="check", words=tr("as the lead"), color="success", spoken=tr("practised, as the lead"))
    return RowState(icon="info", words=tr("not as the lead"), color="info", spoken=tr("practised, not as the lead"))


def _found(row: QueueRow) -> list[RowState]:
    """States of the answers themselves, whoever reads them."""
    states = []
    if row.refused:
        states.append(RowState(icon="warning", words=trn("{n} declined", "{n} declined", row.refused), color="warning"))
    if row.leakage:
        states.append(RowState(icon="link", words=tr("quotes the test"), color="warning"))
    return states


def _states(row: QueueRow, settled: Verdict | None, *, is_open: bool) -> list[RowState]:
    """States of a row, the most important first; that nobody has read it yet comes last."""
    states = _found(row)
    if row.flagged:
        states.append(RowState(icon="flag", words=tr("flagged"), color="accent"))
    status = _status(row, settled, is_open=is_open)
    return [*states, status] if row.status is ReviewStatus.TO_DO and settled is None else [status, *states]


def _further(row: QueueRow, model: str) -> Iterator[str]:
    """Lines of the tool tip that a row has no room for."""
    if row.item:
        yield row.item
    if model:
        yield model + (f" ({tr('synthetic')})" if row.synthetic else "")
    if row.arm != MAIN:
        yield arm_title(row.arm, row.method)
    if row.missing:
        yield trn("{n} answer is missing", "{n} answers are missing", row.missing)
    if row.provisional:
        yield tr("The score holds until all answers are in: some of this article are missing for this model.")


def shared_by_all(choices: FilterChoices | None, wanted: QueueFilter) -> Set[str]:
    """Names of the parts that all bundles under *wanted* have in common; *host* stands before a model's name."""
    if choices is None:
        return frozenset()
    same = {
        "model": wanted.model is not None or len(choices.models) == 1,
        "host": len({name_alone(each) for each in choices.models}) == len(choices.models),
        "item": wanted.article_id is not None or len(choices.articles) == 1,
    }
    return frozenset(name for name in same if same[name])


def name_alone(model: str) -> str:
    """Without the host in front."""
    return model.rpartition("/")[2]


def sorted_words(order: QueueOrder, measures: Sequence[Measure]) -> str:
    """Words on the first bundle of a queue sorted by one of *measures*."""
    if order.seed is not None:
        return tr("At random")
    by = next((each for each in measures if order.score in ("", each.name)), None)
    if by is None:
        return tr("In order")
    if by.categories:
        return tr("By {score}", score=by.label)
    words = plain_words(by)
    return tr("Lowest first: {score}", score=words) if by.lowest_first else tr("Highest first: {score}", score=words)


def _status(row: QueueRow, settled: Verdict | None, *, is_open: bool) -> RowState:
    if settled is not None and row.status is not ReviewStatus.DRAFT:
        words = tr("{verdict}, settled", verdict=verdict_called(settled))
        spoken = tr("settled as {verdict}", verdict=verdict_called(settled))
        if row.verdict is not None:
            spoken = tr("{settled}, your own reading: {verdict}", settled=spoken, verdict=verdict_called(row.verdict))
        return _done(settled, words, spoken)
    if row.status is ReviewStatus.DONE and row.verdict is not None:
        words = verdict_called(row.verdict)
        return _done(row.verdict, words, words)
    if is_open:
        return RowState(icon="dot", words=tr("open"), color="accent")
    waits = row.status is ReviewStatus.TO_DO
    return RowState(icon=STATUS_ICONS[row.status], words=status_words(row.status), waits=waits)


def _done(verdict: Verdict, words: str, spoken: str) -> RowState:
    """A tick says that it was read; over what is harmful it would say that all is well."""
    if verdict is Verdict.HARMFUL:
        return RowState(icon="warning", words=words, color="warning", spoken=spoken)
    return RowState(icon="check", words=words, color="success", spoken=spoken)
