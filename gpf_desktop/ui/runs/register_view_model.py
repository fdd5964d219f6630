"""State of the dialog that registers a plan before its first answer."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject

from gpf_desktop.domain.errors import GpfError
from gpf_desktop.domain.registration import CODE_SHOWN, RegisteredPlan, day_words
from gpf_desktop.domain.text import tr
from gpf_desktop.engine.reporting.registered import page_text
from gpf_desktop.engine.rounds.registering import Intended, PlannedPreview
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.page import ViewModel

MakeIntended = Callable[[str], Intended]
"""What is to be registered, of who reads how many; blocks."""


class RegisterViewModel(ViewModel):
    """*make* gives what the set-up beside it would ask."""

    def __init__(self, context: Context, make: MakeIntended, parent: QObject | None = None) -> None:
        super().__init__(context, parent)
        self._make = make
        self._open_audit = context.engine.open_audit
        self.readers = ""
        self.preview: PlannedPreview | None = None
        """None: it is being made."""
        self.registered: RegisteredPlan | None = None
        """The page that was written into the audit just now."""
        self.problem = ""
        self.busy = False
        self._look()

    @property
    def can_register(self) -> bool:
        return self.preview is not None and not (self.busy or self.problem or self.registered)

    @property
    def shown(self) -> RegisteredPlan | None:
        return self.registered or (None if self.preview is None else self.preview.page)

    @property
    def markdown(self) -> str:
        """The page; empty: it is being made."""
        return "" if self.shown is None else page_text(self.shown, registered=self.registered is not None)

    @property
    def standing(self) -> str:
        """A sentence on what is registered already."""
        if self.registered is not None:
            return tr(
                "Planned beforehand, {day}, check code {code}. Save the page and deposit it, or its check code.",
                day=day_words(self.registered.moment),
                code=self.registered.code[:CODE_SHOWN],
            )
        if self.preview is None:
            return tr("Reckoning what it can find …")
        if self.preview.earlier is not None:
            return tr(
                "A page of {day} is registered, check code {code}; this one takes its place.",
                day=day_words(self.preview.earlier.moment),
                code=self.preview.earlier.code[:CODE_SHOWN],
            )
        return tr("Nothing is registered yet. Registering asks no model.")

    def set_readers(self, words: str) -> None:
        """Set who reads how many, in the auditor's own words."""
        if words != self.readers and self.registered is None:
            self.readers = words
            self._look()

    def register(self) -> None:
        """Write the page into the audit."""
        if not self.can_register:
            return
        self.busy = True
        self.touch_now()
        self.context.bridge.run(
            lambda: self._open_audit.register(self._make(self.readers)),
            then=self._registered,
            failed=self._failed,
            owner=self,
        )

    def save(self, path: Path) -> None:
        """Write the registered page as a file."""
        if self.registered is not None:
            # Without an owner: the dialog may be closed before the file is written.
            saved = tr("The page is in {path}.", path=str(path))
            self.context.bridge.run(
                self._open_audit.save_page,
                self.registered,
                path,
                then=lambda _: self.context.messages.success(saved, topic="plan"),
            )

    def _look(self) -> None:
        self.context.bridge.run(
            lambda: self._open_audit.planned_preview(self._make(self.readers)),
            then=self._previewed,
            failed=self._failed,
            owner=self,
            latest="preview",
        )

    def _previewed(self, preview: PlannedPreview) -> None:
        self.preview, self.problem = preview, preview.refused
        self.touch_now()

    def _registered(self, page: RegisteredPlan) -> None:
        self.busy, self.registered = False, page
        self.touch_now()

    def _failed(self, error: BaseException) -> None:
        self.busy = False
        if isinstance(error, GpfError):
            self.problem = f"{error.what} {error.remedy}".strip()
        else:
            self.problem = tr("The page could not be made.")
            self.context.bridge.trouble.emit(error)
        self.touch_now()
