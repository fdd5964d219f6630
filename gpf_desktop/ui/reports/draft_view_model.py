"""The auditor's text of a report: kept in the audit with every letter, taken back step by step."""

import base64
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, Signal

from gpf_desktop.domain.declarations import PartyReply
from gpf_desktop.domain.events import AuditClosed, AuditOpened, ReportDraftChanged
from gpf_desktop.domain.text import tr, trn
from gpf_desktop.engine.reporting.drafts.draft import DraftFinding, DraftPart, Evidence, ReportDraft, moved, next_id
from gpf_desktop.engine.reporting.drafts.draft_files import load_draft, save_draft, template_of, with_template
from gpf_desktop.engine.reporting.drafts.draft_service import DraftService
from gpf_desktop.engine.reporting.drafts.logo import LARGEST_LOGO, logo
from gpf_desktop.engine.reporting.replies.reply_form import read_replies, with_replies
from gpf_desktop.storage import faults
from gpf_desktop.ui.actions import Meaning
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.page import ViewModel

_TOPIC = "report draft"


class DraftViewModel(ViewModel):
    """One audit's draft; None until it was read."""

    arrived = Signal()
    """Another draft is there: of another audit, or after it was read."""

    def __init__(self, context: Context, parent: QObject | None = None) -> None:
        super().__init__(context, parent)
        self.draft: ReportDraft | None = None
        self.front: int | None = None
        """The finding that was added or moved last, which is to be seen."""
        self._pauses = 0
        self.listen(lambda _: self.load(), AuditOpened)
        self.listen(lambda _: self._closed(), AuditClosed)
        self.listen(lambda _: self._changed(), ReportDraftChanged)

    def load(self) -> None:
        """Read the draft of the open audit."""
        self.draft = None
        if self.context.engine.has_open_audit:
            service = self._service
            self.context.bridge.run(
                lambda: service.current, then=self._loaded, failed=self._failed, owner=self, latest="draft"
            )
        self._show_steps()

    def pause(self) -> None:
        """Begin a new step with whatever is typed from now on."""
        self._pauses += 1

    def type(self, field: str, words: str, text: str) -> None:
        """The text called *field* says *text* now; *words* name the step."""
        changed: dict[str, Any] = {field: text}
        self._edit(words, lambda draft: replace(draft, **changed), typing=field)

    def type_finding(self, finding_id: int, field: str, text: str) -> None:
        changed: dict[str, Any] = {field: text}

        def edit(draft: ReportDraft) -> ReportDraft:
            found = draft.finding(finding_id)
            return draft if found is None else draft.with_finding(replace(found, **changed))

        self._edit(tr("finding"), edit, typing=f"{finding_id} {field}")

    def set_severity(self, finding_id: int, severity: int | None) -> None:
        self._edit_finding(finding_id, tr("severity"), lambda found: replace(found, severity=severity))

    def add_finding(self) -> None:
        if self.draft is None:
            return
        self.front = next_id(self.draft.findings)
        new = DraftFinding(id=self.front)
        self._edit(tr("add a finding"), lambda draft: draft.with_finding(new))

    def remove_finding(self, finding_id: int) -> None:
        self._edit(
            tr("remove a finding"),
            lambda draft: replace(draft, findings=tuple(each for each in draft.findings if each.id != finding_id)),
        )

    def move_finding(self, finding_id: int, by: int) -> None:
        at = next((at for at, each in enumerate(self.draft.findings) if each.id == finding_id), 0) if self.draft else 0
        self._edit(tr("move a finding"), lambda draft: replace(draft, findings=moved(draft.findings, at, by)))

    def attach(self, finding_id: int, evidence_id: int) -> None:
        """Have the finding rest on the evidence too."""
        self._edit_finding(
            finding_id,
            tr("evidence of a finding"),
            lambda found: replace(found, evidence=tuple(dict.fromkeys((*found.evidence, evidence_id)))),
        )

    def detach(self, finding_id: int, evidence_id: int) -> None:
        self._edit_finding(
            finding_id,
            tr("evidence of a finding"),
            lambda found: replace(found, evidence=tuple(each for each in found.evidence if each != evidence_id)),
        )

    def move_attached(self, finding_id: int, evidence_id: int, by: int) -> None:
        def edit(found: DraftFinding) -> DraftFinding:
            if evidence_id not in found.evidence:
                return found
            at = found.evidence.index(evidence_id)
            return replace(found, evidence=moved(found.evidence, at, by))

        self._edit_finding(finding_id, tr("order of evidence"), edit)

    def move_evidence(self, evidence_id: int, by: int) -> None:
        def edit(draft: ReportDraft) -> ReportDraft:
            at = next((at for at, each in enumerate(draft.tray) if each.id == evidence_id), None)
            return draft if at is None else replace(draft, tray=moved(draft.tray, at, by))

        self._edit(tr("order of evidence"), edit)

    def remove_evidence(self, evidence_id: int) -> None:
        self._edit(tr("remove evidence"), lambda draft: draft.without_evidence(evidence_id))

    def waiting(self) -> tuple[Evidence, ...]:
        """Evidence that no finding rests on yet."""
        if self.draft is None:
            return ()
        used = {each for found in self.draft.findings for each in found.evidence}
        return tuple(each for each in self.draft.tray if each.id not in used)

    def set_part(self, part: DraftPart, on: bool) -> None:
        def edit(draft: ReportDraft) -> ReportDraft:
            off = tuple(each for each in draft.off if each is not part)
            return replace(draft, off=off if on else (*off, part))

        self._edit(tr("sections"), edit)

    def move_part(self, part: DraftPart, by: int) -> None:
        self._edit(
            tr("order of sections"),
            lambda draft: replace(draft, order=moved(draft.parts, draft.parts.index(part), by)),
        )

    def type_in(self, words: str, edit: Callable[[ReportDraft], ReportDraft], *, typing: str) -> None:
        """A change by typing; letters in a row under the same *typing* are one step."""
        self._edit(words, edit, typing=typing)

    def take_reply(self, path: Path) -> None:
        """Keep what the form at *path* replies; Undo takes it back."""
        audit = self.context.engine.open_audit

        def taken(replies: tuple[PartyReply, ...]) -> None:
            self._edit(tr("a reply"), lambda draft: replace(draft, replies=with_replies(draft.replies, replies)))
            said = trn("Kept {n} reply.", "Kept {n} replies.", len(replies))
            self.context.messages.success(said, topic=_TOPIC)

        self.context.bridge.run(
            lambda: read_replies(path, audit.facts().uuid), then=taken, failed=self._failed, owner=self
        )

    def edit(self, words: str, edit: Callable[[ReportDraft], ReportDraft]) -> None:
        """Any other change; *words* name the step."""
        self._edit(words, edit)

    def choose_logo(self, path: Path) -> None:
        def read() -> str:
            try:
                with path.open("rb") as file:
                    # One byte more than is allowed tells that a file is too large, however large it is.
                    data = file.read(LARGEST_LOGO + 1)
            except OSError as error:
                raise faults.of_os(path, error) from error
            logo(data)
            return base64.b64encode(data).decode()

        self.context.bridge.run(read, then=self._set_logo, failed=self._failed, owner=self)

    def remove_logo(self) -> None:
        self._set_logo("")

    def save_template(self, path: Path) -> None:
        """Write what an organisation has in each of its reports."""
        if self.draft is not None:
            draft = template_of(self.draft)
            self.context.bridge.run(
                lambda: save_draft(draft, path),
                then=lambda _: self.context.messages.success(
                    tr("The template is in {path}.", path=str(path)), topic=_TOPIC
                ),
                failed=self._failed,
                owner=self,
            )

    def use_template(self, path: Path) -> None:
        """Take what the template at *path* brings; Undo takes it back."""
        self.context.bridge.run(
            lambda: load_draft(path),
            then=lambda template: self._edit(tr("template"), lambda draft: with_template(draft, template)),
            failed=self._failed,
            owner=self,
        )

    def undo(self) -> None:
        self._service.undo()
        self._changed()

    def redo(self) -> None:
        self._service.redo()
        self._changed()

    def _set_logo(self, text: str) -> None:
        self._edit(tr("logo"), lambda draft: replace(draft, logo=text))

    def _edit_finding(self, finding_id: int, words: str, edit: Callable[[DraftFinding], DraftFinding]) -> None:
        def change(draft: ReportDraft) -> ReportDraft:
            found = draft.finding(finding_id)
            return draft if found is None else draft.with_finding(edit(found))

        self._edit(words, change)

    def _edit(self, words: str, edit: Callable[[ReportDraft], ReportDraft], *, typing: str = "") -> None:
        if self.draft is None:
            return
        # Letters typed under one name are one step: after a pause the name is another.
        done = self._service.change(words, edit, typing=f"{typing} {self._pauses}" if typing else "")
        if done is not None:
            self.context.bridge.follow(done, failed=self._failed, owner=self)
            self._changed()

    def _loaded(self, draft: ReportDraft) -> None:
        self.draft = draft
        self._show_steps()
        self.arrived.emit()
        self.touch_now()

    def _changed(self) -> None:
        if not self.context.engine.has_open_audit or self.draft is None:
            return
        self.draft = self._service.current
        self._show_steps()
        self.touch()

    def _failed(self, error: BaseException) -> None:
        self.context.messages.failure(error, topic=_TOPIC)

    def _closed(self) -> None:
        self.draft = None
        self._show_steps()
        self.touch()

    def _show_steps(self) -> None:
        there = self.draft is not None and self.context.engine.has_open_audit
        for action, verb, words, do in (
            ("edit.undo", tr("&Undo"), self._service.undo_words if there else "", self.undo),
            ("edit.redo", tr("&Redo"), self._service.redo_words if there else "", self.redo),
        ):
            meaning = Meaning(text=f"{verb} {words}".strip(), do=do, enabled=bool(words))
            self.context.actions.mean(action, "reports", meaning if there else None)

    @property
    def _service(self) -> DraftService:
        return self.context.engine.open_audit.drafts
