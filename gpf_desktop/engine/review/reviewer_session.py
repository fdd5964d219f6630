"""The reviewer's session at this machine, and the one way in which their decisions are written and announced."""

import getpass
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import TypeVar

from gpf_desktop.domain.events import ReviewChanged
from gpf_desktop.domain.ids import BundleId, ReviewerId
from gpf_desktop.domain.review_queue import QueueFilter
from gpf_desktop.domain.reviews import Reviewer, Signer
from gpf_desktop.domain.text import tr
from gpf_desktop.engine.core.callbacks import with_callback
from gpf_desktop.engine.core.context import EngineContext
from gpf_desktop.engine.review.signatures import signer_of
from gpf_desktop.settings.preferences import HERE
from gpf_desktop.storage import review_steps, reviewers, runs, scores
from gpf_desktop.storage.review_steps import ReviewStep
from gpf_desktop.storage.writer import Connection

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Steps:
    """The steps that Undo and Redo would take now; None: there is none."""

    undo: ReviewStep | None
    redo: ReviewStep | None


class ReviewerSession:
    """A reviewer's session at one open audit; *login* is who is signed in to this machine."""

    def __init__(self, context: EngineContext, login: str = "") -> None:
        self.context = context
        self.login = login or _login()
        self._signers: dict[str, Signer | None] = {}
        """Reviewer → who signs for them here; the key store is asked once."""
        # The writer's thread and a worker may ask at the same time, and a first question
        # makes the key: two would be made.
        self._asking = threading.Lock()

    def me(self, connection: Connection) -> ReviewerId | None:
        """None before the first decision of who sits here."""
        me = reviewers.at_this_machine(connection, self.login)
        return None if me is None else me.id

    def sit_down(self, connection: Connection) -> Reviewer:
        """The reviewer at this machine; if there was none, entered now under the name in the user's preferences."""
        return reviewers.sit_down(connection, self.login, HERE.get("review.name"))

    def steps(self, connection: Connection) -> Steps:
        me = self.me(connection)
        return Steps(undo=review_steps.newest(connection, me), redo=review_steps.next_undone(connection, me))

    def command(
        self,
        write: Callable[[Connection, Reviewer], T],
        changed: Callable[[T], Sequence[BundleId]],
        corrected: Callable[[T], bool] = lambda _: False,
    ) -> "Future[T]":
        """Queue *write* for the reviewer at this machine; what it *changed* is announced once it is durable, and
        whether it *corrected* what answers come to."""
        # Filled by the write, read by what announces it: who sits here is known only within the write.
        seated: list[Reviewer] = []

        def run(connection: Connection) -> T:
            me = self.sit_down(connection)
            signer = partial(self._signer, me.uuid)
            if me.uuid not in self._signers:
                # Beside this write: a draft needs no signature and must not wait for a slow or locked key store.
                with suppress(RuntimeError):  # the program is ending
                    self.context.spawn(signer)
            seated[:] = [replace(me, signer=signer)]
            return write(connection, seated[0])

        # Called behind the commit, as a rule on the writer's thread: whoever hears of it can read it.
        def announce(result: T) -> None:
            bundle_ids = tuple(changed(result))
            if bundle_ids:
                anew = corrected(result)
                self.context.emit(ReviewChanged(bundle_ids=bundle_ids, reviewer_id=seated[0].id, corrected=anew))

        return with_callback(self.context.audit.write(run), announce)

    def _signer(self, uuid: str) -> Signer | None:
        with self._asking:
            if uuid not in self._signers:
                self._signers[uuid] = signer_of(self.context.keys, uuid)
            return self._signers[uuid]


def primary_setting(connection: Connection, method: str | None = None) -> int | None:
    """The score setting that *method* (None: the audit's first) used first; None while nothing is scored."""
    return scores.primary(connection, method or next(iter(runs.methods(connection)), None)) or None


def of_one_method(connection: Connection, wanted: QueueFilter) -> QueueFilter:
    """*wanted* with its method named where the audit's runs are of several: scores of two are no one order."""
    if wanted.method is not None or len(methods := runs.methods(connection)) < 2:
        return wanted
    return replace(wanted, method=methods[0])


def _login() -> str:
    try:
        return getpass.getuser()
    except (OSError, KeyError):  # no such user in a bare container
        return tr("Reviewer")
