"""State of the status strip, in words, from the engine's events."""

from gpf_desktop.domain.events import AuditClosed, AuditOpened, KeyStoreChanged, RunProgressed, RunRested
from gpf_desktop.domain.ids import RunId
from gpf_desktop.domain.runs import RunProgress, RunState
from gpf_desktop.domain.text import tr
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.page import ViewModel
from gpf_desktop.ui.shell.pages import without_use
from gpf_desktop.ui.wording import cost_of_cap, duration_range, percent


class StatusViewModel(ViewModel):
    """The active run, and what else is true of the open audit."""

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self.audit_open = False
        self.synthetic = False
        self.title = self.origin = self.keys_text = ""
        self.methods: tuple[str, ...] = ()
        self.progress: RunProgress | None = None
        self.listen(self._opened, AuditOpened)
        self.listen(self._closed, AuditClosed)
        self.listen(lambda _: self._ask_keys(), AuditOpened, KeyStoreChanged)
        self.listen(self._progressed, RunProgressed)
        self.listen(self._rested, RunRested)

    @property
    def active_run(self) -> RunId | None:
        return None if self.progress is None else self.progress.run_id

    @property
    def run_text(self) -> str:
        """The run's state and how far it is."""
        now = self.progress
        if now is None:
            return ""
        done = percent(now.answered + now.missing, now.planned)
        match now.state:
            case RunState.PAUSING:
                in_flight = sum(model.in_flight for model in now.models)
                return tr("pausing, {n} in flight, {done}", n=in_flight, done=done)
            case _ if now.scoring:
                return tr("scoring, {done}", done=percent(now.bundles_scored, now.bundles_planned))
            case _:
                return tr("running, {done}", done=done)

    @property
    def quarter(self) -> int:
        """How many quarters of the round's questions are asked."""
        now = self.progress
        return 0 if now is None or not now.planned else 4 * (now.answered + now.missing) // now.planned

    @property
    def left_text(self) -> str:
        now = self.progress
        return "" if now is None or now.left is None else tr("{time} left", time=duration_range(now.left))

    @property
    def spend_text(self) -> str:
        now = self.progress
        return "" if now is None else cost_of_cap(now.spent, now.spend_cap, unpriced=now.unpriced)

    @property
    def without_use(self) -> tuple[str, ...]:
        """Pages that this audit has no use for: a method's own says of its protocol that new rounds use it."""
        return without_use(self.methods)

    @property
    def saved_text(self) -> str:
        return tr("All changes saved") if self.audit_open else ""

    def _ask_keys(self) -> None:
        self.context.bridge.run(self._say_keys, then=self._keys_said, latest="keys", anywhere=True)

    def _say_keys(self) -> str:
        """Words on where keys are kept. Opens the key store, which may block."""
        keys = self.context.engine.keys
        if not keys.persistent:
            return tr("keys last for this session only")
        if keys.locked:
            return tr("key store: {store}, locked", store=keys.backend_title)
        return tr("key store: {store}", store=keys.backend_title)

    def _keys_said(self, words: str) -> None:
        self.keys_text = words
        self.touch_now()

    def _opened(self, event: AuditOpened) -> None:
        self.audit_open, self.synthetic = True, event.synthetic
        # Two copies of an audit have one title.
        own = event.path.stem == event.title
        self.title = event.title if own else tr("{title} ({file})", title=event.title, file=event.path.name)
        self.origin, self.methods = event.origin, event.methods
        self.progress = None
        self.touch_now()

    def _closed(self, _event: AuditClosed) -> None:
        self.audit_open, self.synthetic, self.title, self.progress = False, False, "", None
        self.origin, self.methods = "", ()
        self.touch_now()

    def _progressed(self, event: RunProgressed) -> None:
        self.progress = event.progress if event.progress.state.active else None
        self.touch()

    def _rested(self, _event: RunRested) -> None:
        self.progress = None
        self.touch_now()
