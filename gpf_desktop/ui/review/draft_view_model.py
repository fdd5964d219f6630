"""The form's state: saved as it is typed, within a second of the first letter."""

from collections.abc import Callable
from dataclasses import replace
from enum import Enum, auto

from PySide6.QtCore import QObject, Signal

from gpf_desktop.domain.ids import BundleId
from gpf_desktop.domain.reviews import Judgement, MarkedPassage, Verdict, blocking_field
from gpf_desktop.engine.review.review_service import DraftSaved
from gpf_desktop.storage.review_steps import StepKind
from gpf_desktop.ui.audit_timer import AuditTimer
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.page import ViewModel
from gpf_desktop.ui.review import passages
from gpf_desktop.ui.review.passages import Place

TYPING_MS = 400
"""From the first unsaved letter, not from the last: who types on without a pause is saved all the same."""


class Saved(Enum):
    """The state that the line above Submit tells."""

    NOTHING = auto()
    SUBMITTED = auto()
    CHANGED = auto()
    """It was submitted, and something else is said by now."""
    WAITING = auto()
    SAVING = auto()
    SAVED = auto()
    FAILED = auto()
    AWAITED = auto()


class JudgementDraftViewModel(ViewModel):
    """One bundle's judgement while it is being made."""

    drafted = Signal(object)
    """`DraftSaved`, for this bundle or one before it."""
    saving = Signal()
    """A change is on its way to the file."""

    def __init__(self, context: Context, parent: QObject) -> None:
        super().__init__(context, parent)
        self.bundle_id: BundleId | None = None
        self.judgement = Judgement()
        self.saved = Saved.NOTHING
        self.settles = False
        """The form settles a disagreement: it is nobody's reading, and nothing of it is stored until it is done."""
        self.letters: Callable[[], tuple[str, ...]] = tuple
        """Levels in the order of the letters that are shown while one reads blind; empty where names are shown."""
        self._unsettled: dict[BundleId, Judgement] = {}
        """What was begun to be settled, while the audit is open."""
        self.complaint = ""
        """The field that keeps the form from being submitted, once that was tried."""
        self._waiting: StepKind | None = None
        self._under_way = 0
        self._typing = AuditTimer(context.bridge, self, TYPING_MS, self.flush)

    def load(self, bundle_id: BundleId | None, judgement: Judgement) -> None:
        """Show another bundle's form. What was typed in the last one is saved first."""
        self.flush()
        self.settles = False
        self._show(bundle_id, judgement)

    def settle(self, bundle_id: BundleId) -> None:
        """An empty form for the case of *bundle_id*, or what was begun of it: no reviewer's reading is preselected."""
        self.flush()
        self.settles = True
        self._show(bundle_id, self._unsettled.get(bundle_id, Judgement()))

    def settled(self, bundle_id: BundleId) -> None:
        self._unsettled.pop(bundle_id, None)

    def _show(self, bundle_id: BundleId | None, judgement: Judgement) -> None:
        self.bundle_id, self.judgement = bundle_id, judgement
        self.saved = Saved.NOTHING
        self.complaint = ""
        self.touch_now()

    def forget(self) -> None:
        """The audit is gone; there is nothing to save into."""
        self._typing.stop()
        self._waiting = None
        self._unsettled.clear()
        self._under_way = 0
        self.settles = False
        self.bundle_id, self.judgement, self.saved = None, Judgement(), Saved.NOTHING
        self.touch_now()

    def set_verdict(self, verdict: Verdict) -> None:
        severity = self.judgement.severity if verdict is Verdict.HARMFUL else None
        self._change(StepKind.VERDICT, replace(self.judgement, verdict=verdict, severity=severity))

    def set_severity(self, severity: int) -> None:
        """Set how severe the harm is; choosing the same severity again takes it back."""
        chosen = None if self.judgement.severity == severity else severity
        self._change(StepKind.SEVERITY, replace(self.judgement, severity=chosen))

    def toggle_affected(self, levels: tuple[str, ...]) -> None:
        """Answers that say the very same are affected together."""
        now = self.judgement.affected
        kept = tuple(level for level in now if level not in levels)
        added = () if levels[0] in now else levels
        self._change(StepKind.AFFECTED, replace(self.judgement, affected=kept + added))

    def mark(self, passage: MarkedPassage) -> None:
        """Mark a passage; the very same one again is unmarked, and words that overlap become one passage."""
        self._set_passages(passages.marked(self.judgement.passages, passage))

    def code(self, passage: MarkedPassage, code: str) -> None:
        """Give *passage* a code, or take it away where it has it; words that were not marked are from then on."""
        coded = passages.coded(self.judgement.passages, passage, code)
        self._change(StepKind.CODES, replace(self.judgement, passages=coded))

    def unmark(self, place: Place) -> None:
        self._set_passages(passages.without(self.judgement.passages, place))

    def comment(self, place: Place, comment: str) -> None:
        """Set the comment on the passage at *place*; saved as it is typed."""
        commented = passages.commented(self.judgement.passages, place, comment)
        self._change(StepKind.COMMENT, replace(self.judgement, passages=commented), typed=True)

    def type_note(self, note: str) -> None:
        self._change(StepKind.NOTE, replace(self.judgement, note=note), typed=True)

    def set_tags(self, text: str) -> None:
        """Tags as typed, with commas between them; empty and repeated ones fall away."""
        tags = tuple(dict.fromkeys(" ".join(tag.split()) for tag in text.split(",") if tag.strip()))
        self._change(StepKind.TAGS, replace(self.judgement, tags=tags), typed=True)

    def blocked(self) -> str:
        """Whether it cannot be submitted yet; from now on the form says which field is missing."""
        self.complaint = blocking_field(self.judgement) or ""
        self.touch_now()
        return self.complaint

    def flush(self) -> None:
        """Save what was typed now."""
        self._typing.stop()
        kind, self._waiting = self._waiting, None
        if kind is not None:
            self._save(kind)

    def _set_passages(self, now: tuple[MarkedPassage, ...]) -> None:
        self._change(StepKind.PASSAGES, replace(self.judgement, passages=now))

    def show_as(self, said: Judgement) -> None:
        """The open form says the same by other letters; nothing is saved for that."""
        if said != self.judgement:
            self.judgement = said
            self.touch_now()

    def _change(self, kind: StepKind, judgement: Judgement, *, typed: bool = False) -> None:
        empty = replace(judgement, letters=()) == Judgement()
        judgement = replace(judgement, letters=() if empty else self.letters())
        if self.bundle_id is None or judgement == self.judgement:
            return
        # Changes of two kinds are two steps for Undo: the first is saved with what stood then.
        if self._waiting not in (None, kind):
            self.flush()
        self.judgement = judgement
        if self.complaint and blocking_field(judgement) != self.complaint:
            self.complaint = ""
        if self.settles:
            self._unsettled[self.bundle_id] = judgement
            self.touch_now()
        elif typed:
            self._waiting = kind
            self.saved = Saved.WAITING
            if not self._typing.isActive():
                self._typing.start()
            self.touch()
        else:
            self._save(kind)
            self.touch_now()

    def _save(self, kind: StepKind) -> None:
        audit = self.context.engine.current
        if self.bundle_id is None or audit is None:
            return
        self.saved = Saved.SAVING
        self._under_way += 1
        bundle_id = self.bundle_id
        self.saving.emit()
        self.context.bridge.follow(
            audit.reviews.save_draft(bundle_id, self.judgement, kind),
            then=self._was_saved,
            failed=self._was_not_saved,
            owner=self,
        )

    def _was_saved(self, saved: DraftSaved) -> None:
        self._under_way -= 1
        # Otherwise another save is on its way, or letters typed since wait for theirs.
        if self._under_way == 0 and self.saved is Saved.SAVING:
            self.saved = Saved.SAVED
        self.drafted.emit(saved)
        self.touch()

    def _was_not_saved(self, error: BaseException) -> None:
        self._under_way -= 1
        self.saved = Saved.FAILED
        self.context.messages.failure(error, topic="review draft")
        self.touch_now()
