"""The steps that undo and redo go back and forth between while a protocol is edited."""

from dataclasses import dataclass, replace
from typing import Any

from gpf_desktop.domain.protocol_problems import Path

_MOST = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """The edit at one time."""

    protocol: Any
    opened: frozenset[Path]
    """Parts of the form that are folded out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EditStep:
    """One named change."""

    words: str
    before: Moment
    path: Path
    """Where it happened, to show it again."""
    typing: bool
    """Letters typed into one field one after the other are one step."""


class EditHistory:
    """Steps done and steps taken back; the newest at the end."""

    def __init__(self) -> None:
        self._done: list[EditStep] = []
        self._undone: list[EditStep] = []

    @property
    def undo_words(self) -> str:
        """Words for the step that undo would take back; empty: there is none."""
        return self._done[-1].words if self._done else ""

    @property
    def redo_words(self) -> str:
        return self._undone[-1].words if self._undone else ""

    def did(self, step: EditStep) -> Moment:
        """*step* is about to be done; returns what was before it, or before the typing that it goes on with."""
        self._undone.clear()
        last = self._done[-1] if self._done else None
        if last is not None and last.typing and step.typing and last.path == step.path:
            return last.before
        self._done.append(step)
        del self._done[:-_MOST]
        return step.before

    def pause(self) -> None:
        """Begin a new step with whatever is typed from now on."""
        if self._done and self._done[-1].typing:
            self._done[-1] = replace(self._done[-1], typing=False)

    def undo(self, now: Moment) -> EditStep | None:
        """The step to go back before; its `before` is what to show."""
        return _turn(self._done, self._undone, now)

    def redo(self, now: Moment) -> EditStep | None:
        return _turn(self._undone, self._done, now)

    def clear(self) -> None:
        self._done.clear()
        self._undone.clear()


def _turn(taken: list[EditStep], kept: list[EditStep], now: Moment) -> EditStep | None:
    if not taken:
        return None
    step = taken.pop()
    # No typing any more: letters typed after Undo or Redo begin a step of their own.
    kept.append(replace(step, before=now, typing=False))
    return step
