"""Drives the engine from the command line: progress on standard error, a clean end on Ctrl+C."""

from __future__ import annotations

import signal
import sys
import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import wait
from contextlib import ExitStack, contextmanager, suppress
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from types import FrameType, TracebackType
from typing import TYPE_CHECKING, Final

from gpf_desktop.documents.whole_files import temporary_folder
from gpf_desktop.domain.errors import StorageError, StorageFault
from gpf_desktop.domain.events import Event, RunNoted, RunProgressed, TaskProgressed
from gpf_desktop.domain.ids import RunId
from gpf_desktop.domain.money import exact
from gpf_desktop.domain.round_parts import RoundPart
from gpf_desktop.domain.runs import RunProgress, RunState, Starter
from gpf_desktop.domain.text import tr
from gpf_desktop.engine.commands.progress_line import ProgressLine
from gpf_desktop.engine.engine import Engine
from gpf_desktop.engine.rounds.rest_words import paused_by
from gpf_desktop.storage import faults
from gpf_desktop.storage.audit_file import copy_beside_writer

if TYPE_CHECKING:
    from gpf_desktop.engine.open_audit import OpenAudit

_SIGNALS: Final = (signal.SIGINT, signal.SIGTERM)


class Headless:
    """An engine for the length of one command."""

    def __init__(self, *, quiet: bool) -> None:
        self._quiet = quiet
        self._line = ProgressLine()
        self._listeners: list[Callable[[Event], object]] = []
        self._interrupt: Callable[[str], object] | None = None
        self._before: dict[signal.Signals, object] = {}
        self._copies = ExitStack()
        """Of audits that other programs have open."""
        self.noted: list[RunNoted] = []
        """What was noted of rounds since the audit was opened."""
        self.engine = Engine(self._tell)

    def __enter__(self) -> Headless:
        for number in _SIGNALS:
            self._before[number] = signal.signal(number, self._signalled)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.engine.close()
        self._copies.close()
        for number, handler in self._before.items():
            signal.signal(number, handler)  # type: ignore[arg-type]
        self._line.clear()

    def enter(self, path: Path, *, to_read: bool = False, must_exist: bool = False) -> OpenAudit:
        """Open the audit at *path*; make it unless it is only *to_read* or *must_exist*. Raises `StorageError`.

        One of an earlier version is brought up to date whoever opens it, with a backup beside it, and that is told.
        One that another program has open is read as it is now, from a copy that goes with the command.
        """
        if path.exists():
            try:
                return self.engine.open(path, read_only=to_read)
            except StorageError as error:
                if to_read and error.fault is StorageFault.LOCKED:
                    copy = self._copies.enter_context(temporary_folder()) / path.name
                    copy_beside_writer(path, copy)
                    self.say(tr("{path} is open in another program: read as it is now.", path=str(path)))
                    return self.engine.open(copy, read_only=True)
                if error.fault is not StorageFault.OLDER:
                    raise
                opened = self.engine.open(path)
                self.say(tr("{what} It was brought up to date; a backup lies beside it.", what=error.what))
                return opened
        if to_read or must_exist:
            raise StorageError(
                tr("There is no file {path}.", path=str(path)), tr("Check its name."), fault=StorageFault.MISSING
            )
        return self.engine.create(path, title=path.stem)

    def enter_scored(self, path: Path) -> OpenAudit:
        """Open the audit at *path* to read what its scores tell. Raises `StorageError`.

        Where they are behind its answers, as after an import or a merge that was killed, it is opened for writing so
        that they follow; where nothing can be written there, that they are behind is told.
        """
        opened = self.enter(path, to_read=True)
        if opened.context.audit.read_only and opened.auto_rescoring.due() and opened.path.samefile(path):
            self.engine.close_audit()
            try:
                opened = self.enter(path)
            except StorageError as error:
                if error.fault is StorageFault.DAMAGED:
                    raise
                opened = self.enter(path, to_read=True)
        opened.auto_rescoring.settle().result()
        if opened.auto_rescoring.due():
            self.say(tr("Scores of {path} are behind its answers: what they do not cover is not told.", path=str(path)))
        return opened

    def ask_round(self, open_audit: OpenAudit, run_id: RunId, part: RoundPart | None = None) -> RunState:
        """Ask a run, or a *part* of it, until it rests, and let every setting in use follow.

        Ctrl+C pauses it: what is in flight lands, what is stored stays.
        """
        rounds = open_audit.rounds
        self._tell_of_unpriced(rounds.progress(run_id))
        start = rounds.start if part is None else partial(rounds.start_part, part=part)
        resting = start(run_id, by=Starter.COMMAND)
        self._interrupt = open_audit.rounds.pause
        try:
            while not resting.done():
                # A wait without a limit would keep Python from running the signal handler on Windows.
                wait([resting], timeout=0.5)
        finally:
            self._interrupt = None
            self._line.clear()
        open_audit.auto_rescoring.settle().result()
        if open_audit.context.audit.gone:
            raise _saved_elsewhere(open_audit)
        state = resting.result()
        if state.over:
            # Commands that only read could not keep it, and would each make it anew.
            open_audit.results.keep_answers()
        return state

    @contextmanager
    def listening(self, listener: Callable[[Event], object]) -> Iterator[None]:
        """Hand *listener* every event while the block runs."""
        self._listeners.append(listener)
        try:
            yield
        finally:
            self._listeners.remove(listener)

    def _signalled(self, number: int, _frame: FrameType | None) -> None:
        if self._interrupt is None:
            raise KeyboardInterrupt
        self.say(tr("Pausing: answers on their way are still saved. Run the same command again to go on."))
        self._interrupt(paused_by(signal.Signals(number).name))

    def _tell(self, event: Event) -> None:
        for listener in self._listeners:
            listener(event)
        if isinstance(event, RunNoted):
            self.noted.append(event)
        if self._quiet:
            return
        match event:
            case RunProgressed(progress=progress):
                self._line.show(progress_line(progress))
            case RunNoted(sentence=sentence):
                self.say(sentence)
            case TaskProgressed(task=task, done=done, of=of, doing=doing):
                self._line.show(f"{doing or task} {done}" + (f" of {of}" if of is not None else ""))

    def _tell_of_unpriced(self, progress: RunProgress) -> None:
        """Say, before anything is billed, which models a spend cap does not count because their price is not known."""
        unpriced = [each.model for each in progress.models if not each.priced]
        if progress.spend_cap is not None and unpriced:
            self.say(tr("The spend cap does not count {models}, whose price is not known.", models=", ".join(unpriced)))

    def say(self, sentence: str) -> None:
        """Tell *sentence* on standard error, above the line of progress."""
        self._line.clear()
        print(sentence, file=sys.stderr, flush=True)


def _saved_elsewhere(open_audit: OpenAudit) -> StorageError:
    """Save an audit whose file was deleted, moved or replaced meanwhile in the nearest folder that takes it, and return
    the error that says so."""
    path = open_audit.path
    for folder in (*(each for each in path.parents if each.is_dir()), Path.home(), Path(tempfile.gettempdir())):
        target = folder / f"{path.stem} rescued {datetime.now(UTC).astimezone():%Y-%m-%d %H%M%S}{path.suffix}"
        with suppress(StorageError):
            open_audit.save_copy(target)
            return StorageError(
                tr("{path} was deleted, moved or replaced while it was open.", path=str(path)),
                tr(
                    "All that was received is in {copy}: put it back, and run the same command again.", copy=str(target)
                ),
                fault=StorageFault.GONE,
            )
    return faults.gone(path)


def progress_line(progress: RunProgress) -> str:
    """``1,204 of 3,528 answered · 3 gaps · 137 bundles scored · 6 to 9 min left · $1.83``"""
    parts = [
        tr("{n:,} of {of:,} answered", n=progress.answered, of=progress.planned),
        tr("{n:,} sets of answers scored", n=progress.bundles_scored),
    ]
    if progress.missing:
        parts.insert(1, tr("{n:,} gaps", n=progress.missing))
    for model in progress.models:
        if model.job_requests:
            job = tr("batch job of {n:,}, {done:,} done", n=model.job_requests, done=model.job_done)
            parts.append(f"{model.model}: {job}")
    if progress.left is not None and progress.left.high > 0:
        parts.append(tr("{low} to {high} left", low=in_words(progress.left.low), high=in_words(progress.left.high)))
    if progress.spent:
        parts.append(exact(progress.spent, 2))
    if progress.in_doubt:
        parts.append(tr("up to {dollars} in doubt", dollars=exact(progress.in_doubt, 2)))
    if progress.unpriced:
        parts.append(
            tr("price unknown of {models}", models=", ".join(m.model for m in progress.models if not m.priced))
        )
    return " · ".join(parts)


def in_words(seconds: float) -> str:
    """A length of time with one unit, as people say it."""
    if seconds < 90:
        return tr("{n} s", n=round(seconds))
    if seconds < 5400:
        return tr("{n} min", n=round(seconds / 60))
    return tr("{n} h", n=round(seconds / 3600))
