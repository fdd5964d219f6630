"""Messages of the window: a queue that the message bar shows, never a box in the way."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum
from typing import Final

from PySide6.QtCore import QObject, Signal

from gpf_desktop.domain.errors import GpfError
from gpf_desktop.domain.redaction import details_of
from gpf_desktop.domain.text import tr
from gpf_desktop.ui.bridge import Bridge

FILE_TOPIC: Final = "file"
"""What happened to files, whatever audit is open."""
KEY_TOPIC: Final = "key"
"""What is wrong with keys, or was done to them: over once one is kept."""
_BUG_TOPIC: Final = "bug"
_OF_NO_AUDIT: Final = (FILE_TOPIC, _BUG_TOPIC)
_GLANCE = 5
_WORDS_A_SECOND = 2.5


class MessageKind(IntEnum):
    """How much it matters; the bar shows the gravest first."""

    INFO = 0
    SUCCESS = 1
    WARNING = 2
    ERROR = 3


_QUIET: Final = (MessageKind.INFO, MessageKind.SUCCESS)


@dataclass(frozen=True, slots=True, kw_only=True)
class Remedy:
    """A button that does what the message says should be done."""

    text: str
    do: Callable[[], object]


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """One thing to say: what happened, who reported it, what to do."""

    text: str
    kind: MessageKind = MessageKind.INFO
    remedies: tuple[Remedy, ...] = ()
    details: str = ""
    """To copy; without secrets."""
    topic: str = ""
    """A later message of the same topic takes this one's place."""
    asks: bool = False
    """A question that the auditor has just brought about: shown before everything else."""
    seconds: float | None = None
    """How long it is shown; None: as long as its kind and its length have it."""

    @property
    def shown_for(self) -> float | None:
        """Seconds; None: until it is dismissed or taken back, as what is wrong stays wrong."""
        if self.seconds is not None or self.kind in (MessageKind.WARNING, MessageKind.ERROR):
            return self.seconds
        return _GLANCE + len(self.text.split()) / _WORDS_A_SECOND


class MessageCentre(QObject):
    """The queue; empty topics never replace each other, but the very same text is said once."""

    changed = Signal()

    def __init__(self, bridge: Bridge) -> None:
        super().__init__(bridge)
        self._bridge = bridge
        self._messages: list[Message] = []

    @property
    def messages(self) -> tuple[Message, ...]:
        """Questions first, then the gravest, then the newest."""
        newest_first = list(reversed(self._messages))
        # Sorting is stable: among equals the newest stays in front.
        return tuple(sorted(newest_first, key=lambda message: (not message.asks, -message.kind)))

    def say(self, message: Message) -> None:
        kept = [m for m in self._messages if m.text != message.text and (not m.topic or m.topic != message.topic)]
        # Of what needs no answer only the newest is said; warnings and errors wait for their turn.
        if message.kind in _QUIET:
            kept = [m for m in kept if m.kind not in _QUIET]
        self._messages = [*kept, message]
        self.changed.emit()

    def info(self, text: str, *remedies: Remedy, topic: str = "") -> None:
        self.say(Message(text=text, remedies=remedies, topic=topic))

    def success(self, text: str, *remedies: Remedy, topic: str = "") -> None:
        self.say(Message(text=text, kind=MessageKind.SUCCESS, remedies=remedies, topic=topic))

    def warning(self, text: str, *remedies: Remedy, details: str = "", topic: str = "") -> None:
        self.say(Message(text=text, kind=MessageKind.WARNING, remedies=remedies, details=details, topic=topic))

    def error(self, text: str, *remedies: Remedy, details: str = "", topic: str = "") -> None:
        self.say(Message(text=text, kind=MessageKind.ERROR, remedies=remedies, details=details, topic=topic))

    def failure(self, error: BaseException, *remedies: Remedy, topic: str = "") -> None:
        """Say what *error* says: its own words where it is the user's or the world's, else that it is our bug."""
        if isinstance(error, GpfError):
            self.error(str(error), *remedies, details=error.details, topic=topic)
        else:
            self.bug(error)

    def words_of(self, error: BaseException) -> str:
        """The words of *error*, to be shown where it belongs; a bug of ours is told here, and has no words there."""
        if isinstance(error, GpfError):
            return str(error)
        self.bug(error)
        return ""

    def bug(self, error: BaseException) -> None:
        """Say once that the program itself went wrong."""
        self.error(
            tr("Something went wrong inside GPF Desktop. Your stored answers and reviews are not affected."),
            details=details_of(error),
            topic=_BUG_TOPIC,
        )

    def dismiss(self, message: Message) -> None:
        if message in self._messages:
            self._messages.remove(message)
            self.changed.emit()

    def act(self, message: Message, remedy: Remedy) -> None:
        """Do *remedy* of *message*, never to another audit than that was said of.

        While that is being closed it waits, in case it stays open.
        """
        (remedy.do if message.topic in _OF_NO_AUDIT else self._bridge.bind(remedy.do))()

    def clear_of_audit(self) -> None:
        """Take back what was said of the audit, which is closed, but not of files and of the program."""
        self._keep([message for message in self._messages if message.topic in _OF_NO_AUDIT])

    def clear_quiet(self) -> None:
        """Take back what needs no answer."""
        self._keep([message for message in self._messages if message.kind not in _QUIET])

    def clear(self, topic: str) -> None:
        """Take back what was said under *topic*."""
        self._keep([message for message in self._messages if message.topic != topic])

    def _keep(self, kept: list[Message]) -> None:
        if len(kept) != len(self._messages):
            self._messages = kept
            self.changed.emit()
