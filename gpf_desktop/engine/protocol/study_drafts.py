"""Drafts of studies: what an editor holds is kept in the audit at each change, and is there again after a crash."""

import json
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from threading import Lock
from typing import Any, Final

from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.text import tr
from gpf_desktop.engine.core.context import EngineContext
from gpf_desktop.storage import study_drafts

FORM: Final = 1
"""Raised when editors write their parts otherwise."""
Made = Callable[[], object]
"""Makes plain data of what never changes again; called on the thread that writes."""


class StudyDrafts:
    """The drafts of studies in one audit; for any thread. Changes that come while the file is busy are written as
    one."""

    def __init__(self, context: EngineContext) -> None:
        self._context = context
        self._lock = Lock()
        self._waiting: dict[tuple[str, str], Made] = {}
        self._done: Future[None] = Future()

    def kept(self, method: str) -> Mapping[str, Any]:
        """The parts that were kept last for *method*, by name. Blocks. Raises `UserError` if they are none of ours."""
        texts = self._context.audit.read(lambda connection: study_drafts.kept(connection, method))
        return {part: _read(text) for part, text in texts.items()}

    def keep(self, method: str, part: str, made: Made) -> "Future[None]":
        """Keep what *made* makes in place of what *part* was; it is durable when the future resolves."""
        with self._lock:
            # A write that is queued and has not begun takes this along; it empties the waiting ones when it does.
            first = not self._waiting
            self._waiting[method, part] = made
            if first:
                self._done = self._context.audit.write(lambda connection: study_drafts.keep(connection, self._taken()))
            return self._done

    def _taken(self) -> Mapping[tuple[str, str], str]:
        with self._lock:
            waiting, self._waiting = self._waiting, {}
        # Outside the lock, on the writer's thread: the editor goes on typing while a large study is made into text.
        return {key: json.dumps({"form": FORM, "data": made()}) for key, made in waiting.items()}


def _read(text: str) -> Any:
    try:
        data = json.loads(text)
        if data["form"] == FORM:
            return data["data"]
        why = f"form {data['form']}"
    except (LookupError, TypeError, ValueError, RecursionError) as error:
        why = str(error)
    raise UserError(
        tr("The draft of a study that this audit holds cannot be read; it is left as it is."),
        tr("It may be of a newer version of this program: open the audit there."),
        details=why,
    )
