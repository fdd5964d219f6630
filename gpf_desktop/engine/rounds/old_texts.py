"""Texts of old rounds: moved into Parquet files beside the audit, and back; scores, tables and drift stay in it."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from functools import partial

from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.events import RunsChanged
from gpf_desktop.domain.ids import RunId
from gpf_desktop.domain.imports import Told
from gpf_desktop.domain.runs import Run
from gpf_desktop.domain.text import tr
from gpf_desktop.engine.core.context import EngineContext
from gpf_desktop.exporters.data_files import check_parquet
from gpf_desktop.storage import archived_texts, moving_texts, runs
from gpf_desktop.storage.archived_texts import MovedRound

_TRIES = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class MovedTexts:
    """The texts that were moved, or brought back."""

    rounds: tuple[str, ...]
    texts: int
    folder: str
    """Beside the audit; empty where nothing was moved."""


class OldTexts:
    """Moves texts out of one open audit and back. Everything here blocks: call it from a worker thread."""

    def __init__(self, context: EngineContext, keep: Callable[[], object], index: Callable[[], object]) -> None:
        """*keep* keeps what is told of texts before they go; *index* has the index of answers follow."""
        self._context = context
        self._keep = keep
        self._index = index

    def moved(self) -> dict[RunId, MovedRound]:
        """The rounds whose texts were moved."""
        return self._context.audit.read(archived_texts.rounds)

    def before(self, moment: datetime) -> tuple[Run, ...]:
        """The rounds that ended before *moment* and have their texts in the audit, the oldest first."""
        there = self.moved()
        every = self._context.audit.read(runs.every)
        old = [each for each in every if each.state.over and (each.finished or each.created) < moment]
        return tuple(sorted((each for each in old if each.id not in there), key=lambda each: each.id))

    def turn(self, run_id: RunId) -> MovedTexts:
        """Move the texts of one round that has ended, or bring back those that were moved. Raises as `move` and
        `bring_back`, and `UserError` where the round has not ended."""
        if run_id in self.moved():
            return self.bring_back([run_id])
        run = next(each for each in self._context.audit.read(runs.every) if each.id == run_id)
        if not run.state.over:
            raise UserError(tr("The round has not ended."), tr("Its texts can be moved when it has."))
        return self.move([run])

    def move(self, chosen: Sequence[Run], tell: Told = lambda *_: None) -> MovedTexts:
        """Move the texts of *chosen*, rounds that have ended; the file gets smaller when it is closed.

        Raises `StorageError`; rounds that were moved before it stay moved. `UserError` where Parquet cannot be written.
        """
        check_parquet()
        audit = self._context.audit
        # Before the texts go, so that nothing has to be read from their files to show what was shown before.
        tell(tr("Keeping what is told of answers"), 0, None)
        self._keep()
        folder = audit.path.with_name(f"{audit.path.name}.texts")
        moved, texts = [], 0
        for done, run in enumerate(chosen):
            tell(tr("Moving texts"), done, len(chosen))
            if told := self._move(run):
                moved.append(run.name)
                texts += told.rows
        with suppress(OSError):
            # It stays where something lies in it.
            folder.rmdir()
        self._settle()
        return MovedTexts(rounds=tuple(moved), texts=texts, folder=folder.name if moved else "")

    def _move(self, run: Run) -> MovedRound | None:
        audit = self._context.audit
        folder = audit.path.with_name(f"{audit.path.name}.texts")
        for _ in range(_TRIES):
            told = audit.read(partial(moving_texts.write_out, run_id=run.id, folder=folder))
            if told is None:
                return None
            # False where something of the round was written meanwhile.
            if audit.write(partial(moving_texts.take_out, run_id=run.id, told=told)).result():
                return told
        raise UserError(tr("“{name}” is being changed.", name=run.name), tr("Try again when nothing is at work on it."))

    def bring_back(self, chosen: Sequence[RunId], tell: Told = lambda *_: None) -> MovedTexts:
        """Put the texts of *chosen* back; their files stay. Raises `StorageError` where a file is not at hand."""
        audit, texts = self._context.audit, 0
        names = {run.id: run.name for run in audit.read(runs.every)}
        for done, run_id in enumerate(chosen):
            tell(tr("Bringing texts back"), done, len(chosen))
            texts += audit.write(partial(moving_texts.bring_back, run_id=run_id)).result()
        self._settle()
        return MovedTexts(rounds=tuple(names[each] for each in chosen), texts=texts, folder="")

    def _settle(self) -> None:
        self._index()
        self._context.audit.compact_when_closed = True
        self._context.emit(RunsChanged())
