"""Words for what holds a model's calls back."""

from datetime import UTC, datetime, timedelta

from gpf_desktop.domain.text import tr, trn
from gpf_desktop.engine.rounds.limits import Throttling


def words_of_throttling(held: Throttling) -> str:
    """Refusals of its account, or a server that lets calls wait."""
    if held.slow:
        return trn("slow server: {n} call at once", "slow server: {n} calls at once", held.limit)
    return tr(
        "{status} from the provider: {n} at once until {time}",
        status=held.status or tr("No answer"),
        n=held.limit,
        time=f"{(datetime.now(UTC) + timedelta(seconds=held.seconds)).astimezone():%H:%M}",
    )


def words_of_room(paid: int) -> str:
    """The spend cap, under which *paid* of its calls are out and no further one has room."""
    if not paid:
        return tr("waits: the cap's rest is held for other models")
    return trn("the cap leaves room for {n} call at once", "the cap leaves room for {n} calls at once", paid)


def words_of_postponing(label: str, seconds: float) -> str:
    """The model called *label* is not asked any more, since its provider asks to wait for so many *seconds*."""
    return tr(
        "{model} was not asked further: its provider asks to wait until {time}. Resume the round then.",
        model=label,
        time=moment_in(seconds),
    )


def moment_in(seconds: float) -> str:
    """The day and time of this place in so many *seconds*."""
    return f"{(datetime.now(UTC) + timedelta(seconds=seconds)).astimezone():%d %b %Y %H:%M}"


def words_of_wait(label: str, seconds: float) -> str:
    """Answers of the model called *label* take long, and are now waited for up to so many *seconds*."""
    return tr(
        "{model} answers slowly: each answer is waited for up to {seconds} s.", model=label, seconds=round(seconds)
    )
