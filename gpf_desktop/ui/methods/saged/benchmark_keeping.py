"""Keeps a benchmark in the making in the audit, at each change, and brings it back."""

from collections.abc import Callable, Mapping
from typing import Any, Generic, TypeVar

from PySide6.QtCore import QObject

from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.events import AuditClosed, AuditOpened
from gpf_desktop.domain.text import tr
from gpf_desktop.engine.protocol.study_drafts import Made, StudyDrafts
from gpf_desktop.ui.context import Context

P = TypeVar("P")


class BenchmarkKeeping(QObject, Generic[P]):
    """The parts of one method's draft in whatever audit is open.

    *read* makes of what an audit holds, by part, what *restored* is given. It runs on a worker, and raises
    `ValueError`, `TypeError` or `LookupError` where that is none of ours. *restored* gives what is to be done once
    edits are kept. *wrong* is given the exception for which nothing is kept from then on.
    """

    def __init__(
        self,
        context: Context,
        method: str,
        *,
        read: Callable[[Mapping[str, Any]], P],
        restored: Callable[[P], Callable[[], object]],
        wrong: Callable[[BaseException], object],
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._context, self._method, self._wrong = context, method, wrong
        self._read, self._restored = read, restored
        self._on = False
        context.bridge.subscribe(self, lambda _: self.load(), AuditOpened, AuditClosed)
        self.load()

    def load(self) -> None:
        """Read what is kept; nothing is kept before that, so that nothing is lost."""
        self._on = False
        audit = self._context.engine.current
        if audit is not None:
            self._context.bridge.run(
                self._kept, audit.study_drafts, then=self._loaded, failed=self._failed, latest="kept", owner=self
            )
        else:
            self._loaded(self._read({}))

    def keep(self, part: str, made: Made) -> None:
        """Keep what *made* makes as *part*: it is on its way to the file when this returns."""
        audit = self._context.engine.current
        if self._on and audit is not None:
            done = audit.study_drafts.keep(self._method, part, made)
            self._context.bridge.follow(done, failed=self._failed, owner=self)

    def _kept(self, drafts: StudyDrafts) -> P:
        kept = drafts.kept(self._method)
        try:
            return self._read(kept)
        except (LookupError, TypeError, ValueError) as error:
            raise UserError(
                tr("The benchmark in the making that this audit holds cannot be read; it is left as it is."),
                tr("It may be of a newer version of this program: open the audit there."),
                details=str(error),
            ) from error

    def _loaded(self, parts: P) -> None:
        # Filling tables and forms is no edit: nothing is kept until that is done.
        resume = self._restored(parts)
        self._on = True
        resume()

    def _failed(self, error: BaseException) -> None:
        self._on = False
        self._wrong(error)
