"""State of the page Protocol: which version is shown, how many cells it makes, the message of one of them."""

from concurrent.futures import Future
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, QTimer

from gpf_desktop.domain.articles import Anchor
from gpf_desktop.domain.errors import GpfError
from gpf_desktop.domain.events import AuditClosed, AuditOpened, ModelsChanged, ProtocolsChanged, RunPlanned
from gpf_desktop.domain.protocol_differences import ProtocolDifference
from gpf_desktop.domain.text import tr, trn
from gpf_desktop.engine.core.protocols import load_protocol
from gpf_desktop.engine.protocol.protocol_drafts import ProtocolDraft
from gpf_desktop.engine.protocol.protocol_outlook import Outlook
from gpf_desktop.engine.protocol.protocol_service import EXAMPLE, ProtocolService, ProtocolVersion, count_cells
from gpf_desktop.engine.rounds.planning import CallCount
from gpf_desktop.methods.gpf_livenews.method import METHOD
from gpf_desktop.methods.gpf_livenews.protocol import Protocol
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.methods.gpf_livenews.protocol.cell_preview import CellPreview
from gpf_desktop.ui.methods.gpf_livenews.protocol.edit_view_model import EditViewModel
from gpf_desktop.ui.page import ViewModel
from gpf_desktop.ui.results.step_by_step import StepByStep

_TOPIC = "protocol"
_COUNT_MS = 120
"""A pause in typing after which cells and cost are counted again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Loaded:
    versions: tuple[ProtocolVersion, ...]
    shown: Protocol
    text: str
    anchor: Anchor = field(default=EXAMPLE)
    draft: ProtocolDraft | None = None


class ProtocolViewModel(ViewModel):
    """The shown version is only looked at; `use` makes it the one that new rounds take."""

    def __init__(self, context: Context, parent: QObject | None = None) -> None:
        super().__init__(context, parent)
        self.versions: tuple[ProtocolVersion, ...] = ()
        self.protocol: Protocol | None = None
        self.text = ""
        self.articles = 10
        self.models = 1
        self.count: CallCount | None = None
        self.outlook: Outlook | None = None
        self.preview = CellPreview()
        self.form = EditViewModel(context, self)
        self.editing = False
        """The protocol is edited as text."""
        self.problem = ""
        self.generation = 0
        """Rises when another protocol is shown."""
        self.compared = ""
        """Hash of the version that the shown one is compared with; empty: none."""
        self.differences: list[ProtocolDifference] | None = None
        self.building = StepByStep(self)
        """What is painted of the shown protocol, card by card."""
        self._shown = ""
        self._counting = QTimer(self)
        self._counting.setSingleShot(True)
        self._counting.setInterval(_COUNT_MS)
        self._counting.timeout.connect(self._count)
        self._counted_for: Protocol | None = None
        self.form.changed.connect(self._edited)
        self.form.saved.connect(self._text_saved)
        self.listen(lambda _: self.refresh(), ProtocolsChanged, RunPlanned)
        self.listen(lambda _: self._count(), ModelsChanged)
        self.listen(self._opened, AuditOpened, AuditClosed)
        self.refresh()

    @property
    def waits_to_paint(self) -> bool:
        return super().waits_to_paint or self.building.busy

    @property
    def audit_open(self) -> bool:
        return self.context.engine.has_open_audit

    @property
    def shown(self) -> ProtocolVersion | None:
        """The version that is shown, as the list has it."""
        return next((version for version in self.versions if version.hash == self._shown), None)

    @property
    def others(self) -> list[ProtocolVersion]:
        """Versions that the shown one can be compared with."""
        return [version for version in self.versions if version.hash != self._shown]

    @property
    def can_use(self) -> bool:
        shown = self.shown
        return shown is not None and not shown.current and self.resting

    @property
    def can_reset(self) -> bool:
        return (
            self.audit_open
            and self.resting
            and not any(version.current and version.shipped for version in self.versions)
        )

    @property
    def resting(self) -> bool:
        """Nothing is edited, as text or in the form."""
        return not self.editing and not self.form.editing

    @property
    def working(self) -> Protocol | None:
        """What cells are counted of and messages are shown of: the draft, or the version shown."""
        return self.form.draft or self.protocol

    @property
    def subtitle(self) -> str:
        """What the shown version is to this audit."""
        shown = self.shown
        if self.form.editing:
            return tr("being edited; nothing changes for rounds before it is saved")
        if shown is None:
            return tr("as it ships; open an audit to choose another") if self.protocol is not None else ""
        words = [tr("used by new rounds") if shown.current else tr("not in use")]
        words.append(
            trn("{n} run of this audit uses it", "{n} runs of this audit use it", shown.runs)
            if shown.runs
            else tr("no run yet")
        )
        if shown.shipped:
            words.append(tr("ships with the program"))
        return " · ".join(words)

    def refresh(self) -> None:
        """Read the versions again; the one shown stays where it can."""
        self.context.bridge.run(self._read, self._shown, then=self._show, latest="protocol")

    def show(self, digest: str) -> None:
        """Look at another version."""
        if digest != self._shown:
            self._shown = digest
            self.editing = False
            self.refresh()

    def compare(self, digest: str) -> None:
        """Say what the shown version says differently from the one with this hash; empty: nothing is compared."""
        self.compared = digest
        self.differences = None
        shown = self.protocol
        if digest and shown is not None:
            service = self._service()
            self.context.bridge.run(
                lambda: service.differences(service.protocol(digest), shown), then=self._compared, latest="compare"
            )
        self.touch_now()

    def choose(self, **fields: Any) -> None:
        """Change the cell whose message is shown; what no longer fits falls back to the first that does."""
        self.preview.choose(**fields)
        self.touch_now()

    def set_sizes(self, *, articles: int, models: int) -> None:
        self.articles, self.models = articles, models
        self._count()

    def use(self) -> None:
        """Let new rounds use the shown version."""
        if self.protocol is not None:
            self._follow(
                self._service().use(self.protocol), tr("New rounds use this version; earlier ones keep theirs.")
            )

    def reset(self) -> None:
        self._shown = ""
        self._follow(self._service().reset(), tr("New rounds use the shipped protocol again; no version was lost."))

    def import_file(self, path: Path) -> None:
        """Keep a protocol from a file and use it; what is wrong in it is said with line and field."""
        service = self._service()
        self.context.bridge.run(
            lambda: service.import_file(path).result(),
            then=lambda digest: self._taken(digest, tr("{file} was imported and is used now.", file=path.name)),
            failed=lambda error: self.context.messages.failure(error, topic=_TOPIC),
            owner=self,
        )

    def export(self, path: Path) -> None:
        protocol = self.protocol
        if protocol is None:
            return
        service = self._service()
        self.context.bridge.run(
            lambda: service.export(protocol, path),
            then=lambda _: self.context.messages.success(tr("Written to {file}.", file=path.name), topic=_TOPIC),
            failed=lambda error: self.context.messages.failure(error, topic=_TOPIC),
            owner=self,
        )

    def edit(self) -> None:
        """Turn to the protocol as a form, with the draft that was left if there is one."""
        if self.protocol is not None and self.audit_open and self.resting:
            self.form.begin(self.protocol, self._shown)

    def edit_text(self) -> None:
        """Turn to the protocol as text."""
        if not self.resting:
            return
        self.editing = True
        self.problem = ""
        self.touch_now()

    def stop_editing(self) -> None:
        self.editing = False
        self.problem = ""
        self.touch_now()

    def save_text(self, text: str) -> None:
        """Keep *text* as a new version; what is wrong is said with its line."""
        service = self._service()
        self.context.bridge.run(
            lambda: service.save_text(text).result(), then=self._text_saved, failed=self._text_refused, latest="save"
        )

    def _text_saved(self, digest: str) -> None:
        self.editing = False
        self.problem = ""
        self._taken(digest, tr("Saved as a new version; new rounds use it, earlier ones keep theirs."))

    def _text_refused(self, error: BaseException) -> None:
        if isinstance(error, GpfError):
            self.problem = str(error)
        else:
            self.context.messages.bug(error)
        self.touch_now()

    def _follow(self, future: "Future[str]", words: str) -> None:
        self.context.bridge.follow(
            future,
            then=lambda digest: self._taken(digest, words),
            failed=lambda error: self.context.messages.failure(error, topic=_TOPIC),
            owner=self,
        )

    def _taken(self, digest: str, words: str) -> None:
        self._shown = digest
        self.context.messages.success(words, topic=_TOPIC)
        self.refresh()

    def _read(self, wanted: str) -> _Loaded:
        if not self.audit_open:
            shipped = load_protocol(METHOD.default_protocol, method=METHOD.name)
            return _Loaded(versions=(), shown=shipped, text="")
        service = self._service()
        versions = tuple(service.versions())
        known = {version.hash for version in versions}
        shown = service.protocol(wanted) if wanted in known else service.current()
        return _Loaded(
            versions=versions, shown=shown, text=service.text(shown), anchor=service.example(), draft=service.draft()
        )

    def _show(self, loaded: _Loaded) -> None:
        changed = loaded.shown != self.protocol
        self.versions, self.protocol = loaded.versions, loaded.shown
        self.text, self.preview.anchor = loaded.text, loaded.anchor
        self.form.found(loaded.draft)
        self.form.next_versions = {
            each.name: 1 + max(version.version for version in loaded.versions if version.name == each.name)
            for each in loaded.versions
        }
        current = next((version.hash for version in loaded.versions if version.current), "")
        if self._shown not in {version.hash for version in loaded.versions}:
            self._shown = current
        if changed:
            # First: what follows paints.
            self.generation += 1
            self.compare(self.compared if self.compared in {version.hash for version in self.others} else "")
            self._edited()
        self.touch()

    def _compared(self, found: list[ProtocolDifference]) -> None:
        self.differences = found
        self.touch_now()

    def _edited(self) -> None:
        """The preview follows at once, the count after a pause in typing."""
        working = self.working
        if working is not None:
            self.preview.follow(working)
            touched, self.form.touched = self.form.touched, None
            if touched is not None:
                self.preview.turn_to(touched)
            if self.form.editing and working is not self._counted_for:
                self._counting.start()
            elif working is not self._counted_for:
                self._count()
        self.touch_now()

    def _count(self) -> None:
        self._counting.stop()
        protocol = self._counted_for = self.working
        if protocol is None or not protocol.families or not protocol.dimensions:
            self.count = self.outlook = None
            self.touch_now()
            return
        self.context.bridge.run(
            lambda: count_cells(METHOD, protocol, articles_in=self.articles, models=self.models),
            then=self._counted,
            latest="count",
        )
        if self.audit_open:
            self.context.bridge.run(
                self._service().outlook, protocol, self.articles, then=self._take_outlook, latest="outlook"
            )

    def pause(self) -> None:
        """The page is hidden, perhaps for good: nothing is counted meanwhile."""
        self._counting.stop()
        self.form.flush()

    def go_on(self) -> None:
        """The page is shown again."""
        if self.working is not self._counted_for:
            self._counting.start()

    def _counted(self, count: CallCount) -> None:
        self.count = count
        self.touch_now()

    def _take_outlook(self, outlook: Outlook) -> None:
        self.outlook = outlook
        self.touch_now()

    def _service(self) -> ProtocolService:
        return self.context.engine.open_audit.protocols_of(METHOD.name)

    def _opened(self, _event: object) -> None:
        self._shown = ""
        self.editing = False
        self.outlook = None
        self._counted_for = None
        self.form.close()
        self.refresh()
