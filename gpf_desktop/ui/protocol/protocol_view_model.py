"""State of the page Protocol: whose it is, which version is shown, how many cells it makes."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject

from gpf_desktop.domain.articles import Anchor
from gpf_desktop.domain.events import AuditClosed, AuditOpened, ModelsChanged, ProtocolsChanged, RunPlanned
from gpf_desktop.domain.items import StudyItem
from gpf_desktop.domain.ports.method import Method
from gpf_desktop.domain.protocol_differences import ProtocolDifference
from gpf_desktop.domain.text import tr, trn
from gpf_desktop.engine.core import catalogue
from gpf_desktop.engine.core.protocols import load_protocol, news_method
from gpf_desktop.engine.protocol.protocol_drafts import ProtocolDraft
from gpf_desktop.engine.protocol.protocol_outlook import Outlook
from gpf_desktop.engine.protocol.protocol_service import EXAMPLE, ProtocolService, ProtocolVersion, count_cells
from gpf_desktop.engine.rounds.planning import CallCount
from gpf_desktop.ui.audit_timer import AuditTimer
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.page import ViewModel
from gpf_desktop.ui.protocol.kept_edit import KeptEdit
from gpf_desktop.ui.protocol.own_form import PLAIN, OwnForm, own_form
from gpf_desktop.ui.results.step_by_step import StepByStep

_TOPIC = "protocol"
_COUNT_MS = 120
"""A pause in typing after which cells and cost are counted again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Loaded:
    method: Method
    methods: tuple[str, ...]
    versions: tuple[ProtocolVersion, ...]
    shown: Any
    text: str
    anchor: Anchor = field(default=EXAMPLE)
    draft: ProtocolDraft | None = None
    items: Sequence[StudyItem] = ()


class ProtocolViewModel(ViewModel):
    """The shown version is only looked at; `use` makes it the one that new rounds take."""

    def __init__(self, context: Context, parent: QObject | None = None) -> None:
        super().__init__(context, parent)
        self.method: Method | None = None
        """Whose protocols these are."""
        self.methods: tuple[str, ...] = ()
        """Those of the audit."""
        self.own: OwnForm = PLAIN
        self.versions: tuple[ProtocolVersion, ...] = ()
        self.protocol: Any = None
        self.text = ""
        self.articles = 10
        self.models = 1
        self.count: CallCount | None = None
        self.outlook: Outlook | None = None
        self.anchor = EXAMPLE
        """The newest article, for messages to be shown with."""
        self.items: Sequence[StudyItem] = ()
        """Those that the shown version itself brings."""
        self.form = KeptEdit(context, self)
        self.beside_text = False
        """The text stands beside the form, in place of what the protocol comes to."""
        self.generation = 0
        """Rises when another protocol is shown."""
        self.compared = ""
        """Hash of the version that the shown one is compared with; empty: none."""
        self.differences: list[ProtocolDifference] | None = None
        self.building = StepByStep(context.bridge, self)
        """What is painted of the shown protocol, card by card."""
        self._shown = ""
        self._turning = False
        """Another version or method was asked for: until it is read, the one before is in sight."""
        self._counting = AuditTimer(context.bridge, self, _COUNT_MS, self._count)
        self._counted_for: Any = None
        self._edit_next = False
        self._once_read: Callable[[], object] | None = None
        """The command that was given last before there was a protocol to follow it with."""
        self._wanted = ""
        """The method that is to be shown; empty: the audit's first."""
        self.form.changed.connect(self._edited)
        self.form.saved.connect(self._saved)
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
            and self.method is not None
            and self.resting
            and not any(version.current and version.shipped for version in self.versions)
        )

    @property
    def resting(self) -> bool:
        """Nothing is edited."""
        return not self.form.editing

    @property
    def working(self) -> Any:
        """The protocol whose cells are counted and messages shown: the draft, or the version shown; None: neither."""
        return self.protocol if self.form.draft is None else self.form.draft

    @property
    def asks_news(self) -> bool:
        """Its items come from sources: how many there are is asked for."""
        return self.method is not None and not self.items

    @property
    def subtitle(self) -> str:
        """Words on the use of the shown version in this audit."""
        shown = self.shown
        if self.form.editing:
            return tr("being edited; nothing changes for rounds before it is saved")
        if shown is None:
            return tr("as it ships; open an audit to choose another") if self.protocol is not None else ""
        words = [tr("used by new rounds") if shown.current else tr("not in use")]
        words.append(
            trn("{n} round of this audit uses it", "{n} rounds of this audit use it", shown.runs)
            if shown.runs
            else tr("no round yet")
        )
        if shown.shipped:
            words.append(tr("ships with the program"))
        return " · ".join(words)

    def refresh(self) -> None:
        """Read the versions again; the one shown stays where it can."""
        self.context.bridge.run(
            self._read, self._wanted, self._shown, then=self._show, failed=self._not_read, owner=self, latest="protocol"
        )

    def _not_read(self, error: BaseException) -> None:
        self._turning = False
        self.context.bridge.report(error)

    def show_method(self, method: str) -> None:
        """FieldLook at the protocols of another method; an edit of the one shown waits as a draft."""
        if method == (self.method.name if self.method else self._wanted):
            return
        if self.form.editing:
            self.form.put_aside() if self.form.dirty else self.form.discard()
        self._wanted, self._shown, self._turning, self._once_read = method, "", True, None
        self.refresh()

    def edit_current(self) -> None:
        """Show the version that new rounds use as a form, once it is read; a draft that waits is not gone on with."""
        if self.form.editing:
            self.form.put_aside() if self.form.dirty else self.form.discard()
        self._shown, self._edit_next = "", True
        self.refresh()

    def show(self, digest: str) -> None:
        """FieldLook at another version."""
        if digest != self._shown:
            # What waits was said of the one that is left.
            self._shown, self._turning, self._once_read = digest, True, None
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

    def set_sizes(self, *, articles: int, models: int) -> None:
        self.articles, self.models = articles, models
        self._count()

    def use(self) -> None:
        """Let new rounds use the shown version."""
        digest = self._shown
        if self.protocol is None or (not digest and self._waits(self.use)):
            return
        service = self._service()
        self._do(
            # By its hash: the one before may still be in sight.
            lambda: service.use(service.protocol(digest)).result(),
            tr("New rounds use this version; earlier ones keep theirs."),
        )

    def reset(self) -> None:
        if self._waits(self.reset):
            return
        self._shown = ""
        service = self._service()
        self._do(
            lambda: service.reset().result(), tr("New rounds use the shipped protocol again; no version was lost.")
        )

    def import_file(self, path: Path) -> None:
        """Keep a protocol from a file and use it; what is wrong in it is said with line and field."""
        if self._waits(partial(self.import_file, path)):
            return
        service = self._service()
        self._do(lambda: service.import_file(path).result(), tr("{file} was imported and is used now.", file=path.name))

    def export(self, path: Path) -> None:
        protocol = self.protocol
        if self._waits(partial(self.export, path)) or protocol is None:
            return
        service = self._service()
        self.context.bridge.run(
            lambda: service.export(protocol, path),
            then=lambda _: self.context.messages.success(tr("Written to {file}.", file=path.name), topic=_TOPIC),
            failed=lambda error: self.context.messages.failure(error, topic=_TOPIC),
            owner=self,
        )

    def edit(self, *, beside_text: bool = False) -> None:
        """Turn to the protocol as a form, with the draft that was left if there is one; *beside_text*: and as text."""
        if self._waits(partial(self.edit, beside_text=beside_text)):
            return
        if self.protocol is None or self.method is None or not self.audit_open:
            return
        self.beside_text = beside_text or (self.form.editing and self.beside_text)
        if self.resting:
            self.form.begin(self.method, self.own, self.protocol, self._shown, self.text)
        else:
            self.touch_now()

    def show_text(self, shown: bool) -> None:
        """Show the text beside the form, or what the protocol comes to."""
        if shown is not self.beside_text:
            self.beside_text = shown
            self.touch_now()

    def _waits(self, command: Callable[[], object]) -> bool:
        """Whether *command* has to wait until the protocol that was asked for is read, and then follows."""
        waits = self.method is None or self._turning
        if waits:
            self._once_read = command
        return waits

    def _saved(self, digest: str) -> None:
        self._taken(digest, tr("Saved as a new version; new rounds use it, earlier ones keep theirs."))

    def _do(self, command: Callable[[], str], words: str) -> None:
        """Do *command*, which gives the hash of the version that is used from then on."""
        self.context.bridge.run(
            command,
            then=lambda digest: self._taken(digest, words),
            failed=lambda error: self.context.messages.failure(error, topic=_TOPIC),
            owner=self,
        )

    def _taken(self, digest: str, words: str) -> None:
        self._shown, self._turning = digest, True
        self.context.messages.success(words, topic=_TOPIC)
        self.refresh()

    def _read(self, wanted: str, digest: str) -> _Loaded:
        if not self.audit_open:
            method = catalogue.method(wanted or news_method(()))
            shipped = load_protocol(method.default_protocol, method=method.name)
            items = method.items(shipped)
            return _Loaded(method=method, methods=(), versions=(), shown=shipped, text="", items=items)
        open_audit = self.context.engine.open_audit
        methods = open_audit.facts().methods or (news_method(()),)
        method = catalogue.method(wanted or methods[0])
        service = open_audit.protocols_of(method.name)
        versions = tuple(service.versions())
        shown = service.protocol(digest) if digest in {version.hash for version in versions} else service.current()
        return _Loaded(
            method=method,
            methods=tuple(dict.fromkeys((*methods, method.name))),
            versions=versions,
            shown=shown,
            text=service.text(shown),
            anchor=service.example(),
            draft=service.draft(),
            items=service.items(shown),
        )

    def _show(self, loaded: _Loaded) -> None:
        self._turning = False
        changed = loaded.shown != self.protocol or loaded.method is not self.method
        if loaded.method is not self.method:
            self.method, self.own, self.compared = loaded.method, own_form(loaded.method.name), ""
            self.form.method = loaded.method
        self.versions, self.protocol, self.methods = loaded.versions, loaded.shown, loaded.methods
        self.text, self.anchor, self.items = loaded.text, loaded.anchor, loaded.items
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
        if self._edit_next:
            self._edit_next = False
            if self.form.waiting is None:
                self.edit()
        self.touch()
        command, self._once_read = self._once_read, None
        if command is not None:
            command()

    def _compared(self, found: list[ProtocolDifference]) -> None:
        self.differences = found
        self.touch_now()

    def _edited(self) -> None:
        """The preview follows at once, the count after a pause in typing."""
        working = self.working
        if working is not None and working is not self._counted_for:
            self._counting.start() if self.form.editing else self._count()
        self.touch_now()

    def _count(self) -> None:
        self._counting.stop()
        protocol = self._counted_for = self.working
        method = self.method
        # What is wrong in a draft may have no cells at all.
        if protocol is None or method is None or self.form.problems or self.form.checking:
            self.count = self.outlook = None
            self.touch_now()
            return
        self.context.bridge.run(
            partial(_counted, method, protocol, self.articles, self.models, self._items_of),
            then=self._counted,
            latest="count",
        )
        if self.audit_open and self.asks_news:
            self.context.bridge.run(
                self._service().outlook, protocol, self.articles, then=self._take_outlook, latest="outlook"
            )
        else:
            self.outlook = None

    def pause(self) -> None:
        """The page is hidden, perhaps for good: nothing is counted meanwhile."""
        self._counting.stop()
        self.form.flush()

    def go_on(self) -> None:
        """The page is shown again."""
        if self.working is not self._counted_for:
            self._counting.start()

    def _counted(self, found: "tuple[CallCount, Sequence[StudyItem]]") -> None:
        self.count, self.items = found
        self.touch_now()

    def _items_of(self, protocol: Any) -> Sequence[StudyItem]:
        if self.audit_open:
            return self._service().items(protocol)
        assert self.method is not None
        return self.method.items(protocol)

    def _take_outlook(self, outlook: Outlook) -> None:
        self.outlook = outlook
        self.touch_now()

    def _service(self) -> ProtocolService:
        assert self.method is not None
        return self.context.engine.open_audit.protocols_of(self.method.name)

    def _opened(self, _event: object) -> None:
        self._shown = self._wanted = ""
        # What was read of the last audit is not for this one's file.
        self.method = self.protocol = self._once_read = self.outlook = None
        self.versions = ()
        self._counted_for, self._turning = None, False
        self.form.close()
        self.refresh()


def _counted(
    method: Method, protocol: Any, articles: int, models: int, items_of: Callable[[Any], Sequence[StudyItem]]
) -> tuple[CallCount, Sequence[StudyItem]]:
    items = items_of(protocol)
    return count_cells(method, protocol, articles_in=articles, models=models, items=items), items
