"""The draft of one audit's report: every change is kept in the audit, and can be taken back while it is open."""

from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, replace
from threading import RLock
from typing import Final

from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.events import ReportDraftChanged
from gpf_desktop.domain.text import tr
from gpf_desktop.engine.core.context import EngineContext
from gpf_desktop.engine.reporting.drafts.draft import Evidence, ReportDraft, next_id
from gpf_desktop.engine.reporting.drafts.draft_files import from_json, to_json
from gpf_desktop.storage import report_drafts

_STEPS: Final = 500
"""Changes that can be taken back."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Step:
    words: str
    draft: ReportDraft
    """What stood before it; of one that was taken back, what stood after it."""
    typing: str


class DraftService:
    """Service for the auditor's draft; for any thread. The first read blocks; writes are durable when their futures
    resolve."""

    def __init__(self, context: EngineContext) -> None:
        self._context = context
        # Guards the draft and both lists of steps. Reentrant, since `add_evidence` holds it when `change` takes it.
        self._lock = RLock()
        self._draft: ReportDraft | None = None
        self._done: list[_Step] = []
        self._undone: list[_Step] = []

    @property
    def current(self) -> ReportDraft:
        """Raises `UserError` where what the audit holds is no draft."""
        with self._lock:
            if self._draft is None:
                self._draft = self._context.audit.read(lambda connection: _read(*report_drafts.kept(connection)))
            return self._draft

    @property
    def undo_words(self) -> str:
        """The change that Undo would take back, in words; empty if there is none."""
        return self._done[-1].words if self._done else ""

    @property
    def redo_words(self) -> str:
        return self._undone[-1].words if self._undone else ""

    def change(
        self, words: str, edit: Callable[[ReportDraft], ReportDraft], *, typing: str = ""
    ) -> "Future[None] | None":
        """Replace the draft by what *edit* makes of it; None where that is the same.

        *words* name the step in the Edit menu. Steps in a row with the same *typing* are one.
        """
        with self._lock:
            before = self.current
            after = edit(before)
            if after == before:
                return None
            # After Undo a new step begins, or what Undo led back to could not be reached again.
            if not (typing and self._done and self._done[-1].typing == typing and not self._undone):
                self._done = [*self._done[1 - _STEPS :], _Step(words=words, draft=before, typing=typing)]
            self._undone = []
            return self._keep(after)

    def add_evidence(self, found: Evidence) -> bool:
        """Put *found* into the tray; False where the same is there already. Kept when this returns."""
        with self._lock:
            # Number and moment aside, which differ every time that the same is taken.
            same = (replace(each, id=0, added=found.added) for each in self.current.tray)
            if any(each == replace(found, id=0) for each in same):
                return False
            done = self.change(
                tr("add evidence"),
                lambda draft: replace(draft, tray=(*draft.tray, replace(found, id=next_id(draft.tray)))),
            )
        # Outside the lock, so that nobody who only reads the draft waits for the disk.
        if done is not None:
            done.result()
        return True

    def remove_evidence(self, found: Evidence) -> None:
        """Take *found* out of the tray and out of the findings that rest on it, as a step of its own."""
        with self._lock:
            there = [each.id for each in self.current.tray if replace(each, id=0) == replace(found, id=0)]
            if there:
                self.change(tr("remove evidence"), lambda draft: draft.without_evidence(there[0]))

    def undo(self) -> bool:
        """Take the last step back; False where there is none."""
        return self._step(self._done, self._undone)

    def redo(self) -> bool:
        return self._step(self._undone, self._done)

    def _step(self, taken: list[_Step], given: list[_Step]) -> bool:
        with self._lock:
            if not taken:
                return False
            step = taken.pop()
            given.append(replace(step, draft=self.current))
            self._keep(step.draft)
            return True

    def _keep(self, draft: ReportDraft) -> "Future[None]":
        # Whoever calls this holds the lock: writes then queue up in the order of the changes, and the last one is what
        # is kept.
        self._draft = draft
        text, logo = to_json(replace(draft, logo="")), draft.logo
        done = self._context.audit.write(lambda connection: report_drafts.keep(connection, text, logo))
        self._context.emit(ReportDraftChanged())
        return done


def _read(text: str, logo: str) -> ReportDraft:
    if not text:
        return ReportDraft(logo=logo)
    try:
        return replace(from_json(text), logo=logo)
    except ValueError as error:
        raise UserError(
            tr("The draft of the report that this audit holds cannot be read."),
            tr("It may be of a newer version of this program: open the audit there."),
            details=str(error),
        ) from None
