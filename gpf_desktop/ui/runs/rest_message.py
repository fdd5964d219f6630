"""Messages on a round that has come to rest, with remedies for that round, whichever is shown."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

from gpf_desktop.domain.errors import KeyMissingError
from gpf_desktop.domain.events import RunRested
from gpf_desktop.domain.ids import RunId
from gpf_desktop.domain.model_tests import ModelFault
from gpf_desktop.domain.runs import Run, RunState
from gpf_desktop.domain.text import tr
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.messages import KEY_TOPIC, Message, MessageKind, Remedy
from gpf_desktop.ui.wording import cap_money

TOPIC = "run"


@dataclass(frozen=True, slots=True, kw_only=True)
class RestCommands:
    """Commands on a round that rests."""

    read: Callable[[RunId], object]
    retry: Callable[[RunId], object]
    resume: Callable[[RunId], object]
    raise_cap: Callable[[RunId, float], object]


def say_why_not_started(context: Context, error: BaseException, *again: Remedy) -> None:
    """Say what *error* says of a round that was to be asked; *again* asks for it once more, when a key is there."""
    if not isinstance(error, KeyMissingError):
        context.messages.failure(error, topic=TOPIC)
        return
    look = partial(context.navigator.go, "models", model=error.model_id, fault=ModelFault.NO_KEY)
    mend = Remedy(text=tr("Mend the model"), do=look)
    context.messages.error(f"{error.what} {error.here}", mend, *again, topic=KEY_TOPIC)


class RestMessages:
    """Says how a round came to rest, until it is asked again or is no more."""

    def __init__(self, context: Context, commands: RestCommands) -> None:
        self._messages, self._navigator, self._commands = context.messages, context.navigator, commands
        self._said_of: RunId | None = None

    def say(self, event: RunRested, *, shown: bool) -> None:
        """Say how the round of *event* came to rest: by its name, unless it is the round that is *shown*."""
        message = _message(event, "" if shown else event.name, self._commands)
        if message is not None and event.halted is not None:
            look = partial(self._navigator.go, "models", model=event.halted.model_id, fault=event.halted.fault)
            message = replace(message, remedies=(Remedy(text=tr("Look at the model"), do=look), *message.remedies))
        if message is not None:
            self._said_of = event.run_id
            self._messages.say(message)

    def take_back(self) -> None:
        """A round is being asked, or its cap is another."""
        self._said_of = None
        self._messages.clear(TOPIC)
        self._messages.clear(KEY_TOPIC)

    def keep_to(self, runs: Sequence[Run]) -> None:
        """Take back what was said of a round that is not among *runs* any more."""
        if self._said_of is not None and all(run.id != self._said_of for run in runs):
            self.take_back()


def _message(event: RunRested, name: str, commands: RestCommands) -> Message | None:
    """None where the auditor had it rest."""
    run_id = event.run_id
    read = Remedy(text=tr("Read the answers"), do=lambda: commands.read(run_id))
    match event.state:
        case RunState.FINISHED:
            kind, remedies = MessageKind.SUCCESS, [read]
        case RunState.FINISHED_WITH_GAPS:
            again = Remedy(text=tr("Retry failed only"), do=lambda: commands.retry(run_id))
            # Nobody can be asked again for what was imported.
            kind, remedies = MessageKind.INFO, [read] if event.imported else [read, again]
        case _ if event.cap_needed is not None:
            cap = event.cap_needed
            further = tr("Raise to {cap} and resume", cap=cap_money(cap))
            kind, remedies = MessageKind.WARNING, [Remedy(text=further, do=lambda: commands.raise_cap(run_id, cap))]
        case _ if event.why:
            kind, remedies = MessageKind.WARNING, [Remedy(text=tr("Resume"), do=lambda: commands.resume(run_id))]
        case _:
            return None
    words = words_for(event)
    words = tr("“{name}”: {words}", name=name, words=words) if name else words
    return Message(text=words, kind=kind, remedies=tuple(remedies), topic=TOPIC)


def words_for(event: RunRested) -> str:
    """Why a round rests."""
    match event.state:
        case RunState.FINISHED if event.imported:
            return tr("The answers are imported and scored.")
        case RunState.FINISHED_WITH_GAPS if event.imported:
            return tr("The answers are imported and scored; those that are missing have their reasons.")
        case RunState.FINISHED:
            return tr("The round is finished and scored.")
        case RunState.FINISHED_WITH_GAPS:
            return tr("The round is finished with gaps: each missing answer has its reason.")
        case _:
            return event.why or tr("The round rests: {state}.", state=tr(str(event.state)))
