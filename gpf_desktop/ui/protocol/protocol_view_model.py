"""State of the page Protocol: which version is shown, how many cells it makes, the message of one of them."""

from collections.abc import Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject

from gpf_desktop.domain.articles import Anchor
from gpf_desktop.domain.cells import Condition, Factors, Prompt
from gpf_desktop.domain.errors import GpfError
from gpf_desktop.domain.events import AuditClosed, AuditOpened, ProtocolsChanged, RunPlanned
from gpf_desktop.domain.protocol import Protocol
from gpf_desktop.domain.text import tr, trn
from gpf_desktop.engine.planning import CallCount
from gpf_desktop.engine.protocol_comparison import Difference, differences
from gpf_desktop.engine.protocol_desk import EXAMPLE, ProtocolDesk, ProtocolVersion, count_cells, message
from gpf_desktop.engine.protocols import DEFAULT_PROTOCOL, load_protocol
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.page import ViewModel

_TOPIC = "protocol"


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """The cell whose message is shown."""

    condition: Condition = Condition.IDENTITY
    dimension: str = ""
    identity: str = ""
    family: str = ""
    paraphrase: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class _Loaded:
    versions: tuple[ProtocolVersion, ...]
    shown: Protocol
    text: str
    anchor: Anchor = field(default=EXAMPLE)


class ProtocolViewModel(ViewModel):
    """The shown version is only looked at; `use` makes it the one that new rounds take."""

    def __init__(self, context: Context, parent: QObject | None = None) -> None:
        super().__init__(context, parent)
        self.versions: tuple[ProtocolVersion, ...] = ()
        self.protocol: Protocol | None = None
        self.text = ""
        self.anchor = EXAMPLE
        self.articles = 10
        self.models = 1
        self.count: CallCount | None = None
        self.chosen = Chosen()
        self.editing = False
        self.problem = ""
        self.generation = 0
        """Rises when another protocol is shown."""
        self.compared = ""
        """Hash of the version that the shown one is compared with; empty: none."""
        self.differences: list[Difference] | None = None
        self._shown = ""
        self.listen(lambda _: self.refresh(), ProtocolsChanged, RunPlanned)
        self.listen(self._opened, AuditOpened, AuditClosed)
        self.refresh()

    @property
    def audit_open(self) -> bool:
        return self.context.workshop.has_session

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
        return shown is not None and not shown.current and not self.editing

    @property
    def can_reset(self) -> bool:
        return self.audit_open and not any(version.current and version.shipped for version in self.versions)

    @property
    def subtitle(self) -> str:
        """What the shown version is to this audit."""
        shown = self.shown
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

    @property
    def dimensions(self) -> list[str]:
        """Dimensions, or label sets, that the shown cell can have."""
        if self.protocol is None or self.chosen.condition is Condition.IDENTITY_FREE:
            return []
        if self.chosen.condition is Condition.RANDOM_LABEL:
            return [label_set.name for label_set in self.protocol.label_sets]
        return [dimension.name for dimension in self.protocol.dimensions]

    @property
    def identities(self) -> list[str]:
        """Labels of the chosen dimension or set."""
        if self.protocol is None or self.chosen.dimension not in self.dimensions:
            return []
        if self.chosen.condition is Condition.RANDOM_LABEL:
            return list(next(s.labels for s in self.protocol.label_sets if s.name == self.chosen.dimension))
        return [identity.label for identity in self.protocol.dimension(self.chosen.dimension).identities]

    @property
    def families(self) -> list[str]:
        return [] if self.protocol is None else [family.name for family in self.protocol.families]

    @property
    def wordings(self) -> list[str]:
        """The canonical wording and the paraphrases that the chosen cell can have."""
        if self.protocol is None or self.chosen.family not in self.families:
            return []
        family = self.protocol.family(self.chosen.family)
        free = self.chosen.condition is Condition.IDENTITY_FREE
        number = len(family.identity_free) if free else len(family.templates)
        return [tr("canonical"), *(tr("paraphrase {n}", n=n) for n in range(1, number))]

    @property
    def prompt(self) -> Prompt | None:
        """The exact message of the chosen cell."""
        if self.protocol is None or not self.wordings:
            return None
        chosen = self.chosen
        factors = Factors(
            condition=chosen.condition,
            dimension=chosen.dimension,
            identity=chosen.identity or "#1",
            family=chosen.family,
            paraphrase=chosen.paraphrase,
        )
        return message(self.protocol, factors, self.anchor)

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
            desk = self._desk()
            self.context.bridge.run(
                lambda: differences(desk.protocol(digest), shown), then=self._compared, latest="compare"
            )
        self.touch_now()

    def choose(self, **fields: Any) -> None:
        """Change the cell whose message is shown; what no longer fits falls back to the first that does."""
        self.chosen = replace(self.chosen, **fields)
        self._fit()
        self.touch_now()

    def set_sizes(self, *, articles: int, models: int) -> None:
        self.articles, self.models = articles, models
        self._count()

    def use(self) -> None:
        """Let new rounds use the shown version."""
        if self.protocol is not None:
            self._follow(self._desk().use(self.protocol), tr("New rounds use this version; earlier ones keep theirs."))

    def reset(self) -> None:
        self._shown = ""
        self._follow(self._desk().reset(), tr("New rounds use the shipped protocol again; no version was lost."))

    def import_file(self, path: Path) -> None:
        """Keep a protocol from a file and use it; what is wrong in it is said with line and field."""
        desk = self._desk()
        self.context.bridge.run(
            lambda: desk.import_file(path).result(),
            then=lambda digest: self._taken(digest, tr("{file} was imported and is used now.", file=path.name)),
            failed=lambda error: self.context.messages.failure(error, topic=_TOPIC),
            owner=self,
        )

    def export(self, path: Path) -> None:
        protocol = self.protocol
        if protocol is None:
            return
        desk = self._desk()
        self.context.bridge.run(
            lambda: desk.export(protocol, path),
            then=lambda _: self.context.messages.success(tr("Written to {file}.", file=path.name), topic=_TOPIC),
            failed=lambda error: self.context.messages.failure(error, topic=_TOPIC),
            owner=self,
        )

    def edit(self) -> None:
        """Turn to the protocol as text."""
        self.editing = True
        self.problem = ""
        self.touch_now()

    def stop_editing(self) -> None:
        self.editing = False
        self.problem = ""
        self.touch_now()

    def save_text(self, text: str) -> None:
        """Keep *text* as a new version; what is wrong is said with its line."""
        desk = self._desk()
        self.context.bridge.run(
            lambda: desk.save_text(text).result(), then=self._text_saved, failed=self._text_refused, latest="save"
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
            shipped = load_protocol(DEFAULT_PROTOCOL)
            return _Loaded(versions=(), shown=shipped, text="")
        desk = self._desk()
        versions = tuple(desk.versions())
        known = {version.hash for version in versions}
        shown = desk.protocol(wanted) if wanted in known else desk.current()
        return _Loaded(versions=versions, shown=shown, text=desk.text(shown), anchor=desk.example())

    def _show(self, loaded: _Loaded) -> None:
        changed = loaded.shown != self.protocol
        self.versions, self.protocol = loaded.versions, loaded.shown
        self.text, self.anchor = loaded.text, loaded.anchor
        current = next((version.hash for version in loaded.versions if version.current), "")
        if self._shown not in {version.hash for version in loaded.versions}:
            self._shown = current
        if changed:
            self.compare(self.compared if self.compared in {version.hash for version in self.others} else "")
            self.generation += 1
            self._fit()
            self._count()
        self.touch()

    def _fit(self) -> None:
        """Make the chosen cell one of the protocol's."""
        if self.protocol is None:
            return
        self.chosen = replace(self.chosen, dimension=_among(self.chosen.dimension, self.dimensions))
        self.chosen = replace(self.chosen, identity=_among(self.chosen.identity, self.identities))
        self.chosen = replace(self.chosen, family=_among(self.chosen.family, self.families))
        if self.chosen.paraphrase >= max(1, len(self.wordings)):
            self.chosen = replace(self.chosen, paraphrase=0)

    def _compared(self, found: list[Difference]) -> None:
        self.differences = found
        self.touch_now()

    def _count(self) -> None:
        protocol = self.protocol
        if protocol is not None:
            self.context.bridge.run(
                lambda: count_cells(protocol, articles_in=self.articles, models=self.models),
                then=self._counted,
                latest="count",
            )

    def _counted(self, count: CallCount) -> None:
        self.count = count
        self.touch_now()

    def _desk(self) -> ProtocolDesk:
        return self.context.workshop.session.protocols

    def _opened(self, _event: object) -> None:
        self._shown = ""
        self.editing = False
        self.refresh()


def _among(name: str, names: Sequence[str]) -> str:
    return name if name in names else (names[0] if names else "")
