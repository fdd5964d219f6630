"""The protocols of an audit: versions kept for ever, one of them current, brought in and taken out as files.

Reads block and belong on a worker thread; commands return a future that resolves when what they did is durable.
"""

from collections import Counter
from collections.abc import Sequence
from concurrent.futures import Future
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any

from gpf_desktop.documents.whole_files import whole_file
from gpf_desktop.domain.articles import Anchor
from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.events import ProtocolsChanged
from gpf_desktop.domain.items import StudyItem
from gpf_desktop.domain.methods import StudyProtocol
from gpf_desktop.domain.models import Role
from gpf_desktop.domain.ports.method import Method
from gpf_desktop.domain.ports.method_abilities import ChecksJudges
from gpf_desktop.domain.protocol_differences import ProtocolDifference, differences
from gpf_desktop.domain.text import tr
from gpf_desktop.engine.core import catalogue
from gpf_desktop.engine.core.callbacks import with_callback
from gpf_desktop.engine.core.context import EngineContext
from gpf_desktop.engine.core.protocols import (
    frozen_protocol,
    kept_protocol,
    kept_text,
    load_protocol,
    name_in_files,
    protocol_hash,
    read_protocol,
    shipped_protocols,
    write_protocol,
)
from gpf_desktop.engine.protocol.protocol_drafts import ProtocolDraft, read_draft, write_draft
from gpf_desktop.engine.protocol.protocol_outlook import Outlook, outlook
from gpf_desktop.engine.rounds.planning import CallCount, count_calls
from gpf_desktop.storage import articles, audits, batches, protocols
from gpf_desktop.storage.run_stamps import run_stamps
from gpf_desktop.storage.writer import Connection

_CURRENT = "protocol.current"
_DRAFT = "protocol.draft"
_COUNTED_EXACTLY = 20
"""Articles that are really expanded to count their cells; the mean of these stands for further ones."""

EXAMPLE = Anchor(
    headline="Council approves new bus lanes after two years of debate",
    description="The plan cuts journey times but removes parking on four streets.",
)
"""Stands in the preview of a message while the audit has no article."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProtocolVersion:
    """A version as a list shows it."""

    name: str
    version: int
    hash: str
    shipped: bool
    """Comes with the program; any other was imported or edited."""
    created: datetime | None
    """When the audit first kept it; None: no run or edit needed it yet."""
    runs: int
    """Runs of this audit that use it."""
    current: bool


class ProtocolService:
    """The protocols of one *method* in one open audit."""

    def __init__(self, context: EngineContext, method: str) -> None:
        self._context = context
        self.method = method
        # Audits that were made when there was one method keep its settings under the bare names.
        own = f".{method}" if name_in_files(method) else ""
        self._current, self._draft = _CURRENT + own, _DRAFT + own

    def versions(self) -> list[ProtocolVersion]:
        """The versions that the audit keeps, newest first, then the shipped ones that it does not."""

        def read(c: Connection) -> list[ProtocolVersion]:
            current = audits.setting(c, self._current) or protocol_hash(self._unchosen(c))
            used = protocols.runs_by_hash(c)
            shipped = _shipped(self.method)
            kept = [
                ProtocolVersion(
                    name=row.name,
                    version=row.version,
                    hash=row.hash,
                    shipped=row.hash in shipped,
                    created=row.created,
                    runs=used.get(row.hash, 0),
                    current=row.hash == current,
                )
                for row in protocols.every(c, self.method)
            ]
            further = shipped.keys() - {each.hash for each in kept}
            return kept + [
                ProtocolVersion(
                    name=shipped[digest].name,
                    version=shipped[digest].version,
                    hash=digest,
                    shipped=True,
                    created=None,
                    runs=0,
                    current=digest == current,
                )
                for digest in sorted(further)
            ]

        return self._context.audit.read(read)

    def current(self) -> Any:
        """The protocol of a new round: the version chosen or, of a study, asked last, else the shipped default."""
        digest = self._context.audit.read(lambda c: audits.setting(c, self._current))
        return self.protocol(digest) if digest else self._context.audit.read(self._unchosen)

    def proposed(self) -> tuple[Any, str, Sequence[str]]:
        """The protocol with which the set-up of a round begins, its origin in words, and no remarks."""
        protocol = self.current()
        shipped = _shipped(self.method).get(digest := protocol_hash(protocol))
        if shipped is not None:
            return protocol, shipped.name, ()
        asked = self._context.audit.read(protocols.runs_by_hash).get(digest, 0)
        name = protocol.name
        return protocol, tr("{name}, as last asked", name=name) if asked else tr("{name}, as saved", name=name), ()

    def asked(self, protocol: StudyProtocol) -> None:
        """A round asked *protocol*, which the audit keeps: the next one begins with it. Blocks."""
        its: object = self._its()
        if catalogue.is_about_news(self.method) and protocol_hash(self.current()) == protocol_hash(protocol):
            return  # What nobody chose stays the shipped default, whatever that is one day.
        # Of a check of judges the answers are another round's.
        if not (isinstance(its, ChecksJudges) and its.only_checks(protocol)):
            digest = protocol_hash(protocol)
            self._context.audit.write(lambda c: audits.set_setting(c, self._current, digest)).result()

    def protocol(self, digest: str) -> Any:
        """The version with this hash. Raises `UserError` where neither the audit nor the program has it."""
        row = self._context.audit.read(lambda c: protocols.by_hash(c, digest))
        if row is not None:
            return kept_protocol(row.text, where=row.name, method=row.method)
        shipped = _shipped(self.method)
        if digest in shipped:
            return shipped[digest]
        raise UserError(tr("This audit keeps no such protocol."), tr("Choose another version."))

    def use(self, protocol: StudyProtocol) -> "Future[str]":
        """Keep *protocol* and make it the current one; the future holds its hash. Runs made before keep theirs."""
        return self._use(protocol, ends_draft=False)

    def reset(self) -> "Future[str]":
        """Back to the shipped default; nothing that is kept goes."""
        return self.use(self._default())

    def save_edited(self, edited: StudyProtocol, *, ends_draft: bool = False) -> "Future[str]":
        """Keep an edited protocol as a new version of its name and make it current.

        The protocol is checked as a file would be; raises `UserError` naming the field. *ends_draft*: what was edited
        is the kept draft, which goes.
        """
        # Through its own text: what is kept is what that text says, and its mistakes are named as in a file.
        checked = read_protocol(write_protocol(edited, self.method), where=edited.name, method=self.method)
        taken = [each.version for each in self.versions() if each.name == checked.name]
        return self._use(replace(checked, version=max(taken, default=0) + 1), ends_draft=ends_draft)

    def draft(self) -> ProtocolDraft | None:
        """The edit that was left before it became a version."""
        return read_draft(self._context.audit.read(lambda c: audits.setting(c, self._draft)), type(self._default()))

    def keep_draft(self, draft: ProtocolDraft | None) -> "Future[None]":
        """Keep an edit as it stands, right or wrong; None forgets it."""
        # Made into text on the thread that writes: of a large study that takes longer than a frame.
        return self._context.audit.write(
            lambda c: audits.set_setting(c, self._draft, "" if draft is None else write_draft(draft))
        )

    def text(self, protocol: StudyProtocol) -> str:
        """*protocol* as a file, the shipped one with its comments."""
        file = shipped_protocols(self.method).get(protocol.name)
        if file is not None and load_protocol(protocol.name, method=self.method) == protocol:
            return file.read_text(encoding="utf-8")
        return write_protocol(protocol, self.method)

    def import_file(self, path: Path) -> "Future[str]":
        """Read a protocol file (YAML or TOML) and make it current.

        Blocks for the file. Raises `UserError` naming line and field of the first thing wrong.
        """
        return self.use(load_protocol(str(path.absolute()), method=self.method))

    def export(self, protocol: StudyProtocol, target: Path) -> None:
        """Write *protocol* as a file; the shipped one with its comments. Raises `UserError`."""
        text = self.text(protocol)
        try:
            with whole_file(target) as beside:
                beside.write_text(text, encoding="utf-8")
        except OSError as error:
            raise UserError(
                tr("The protocol cannot be written to {path}: {reason}.", path=str(target), reason=error.strerror),
                tr("Choose another folder."),
            ) from error

    def differences(self, before: StudyProtocol, after: StudyProtocol) -> list[ProtocolDifference]:
        """The differences of *after* from *before*."""
        its = self._its()
        return differences(its.protocol_data(before), its.protocol_data(after))

    def items(self, protocol: StudyProtocol) -> Sequence[StudyItem]:
        """The items of *protocol*; if its file is gone, as for an import, those of this method's last round.

        Raises `UserError` if there was none.
        """
        try:
            return self._its().items(protocol)
        except UserError:
            last = next((run for run in self._context.audit.read(run_stamps) if run.method == self.method), None)
            if last is None:
                raise
            run_id = int(last.id)
            return tuple(self._context.audit.read(lambda c: batches.items_of(c, "b.run_id = ?", run_id)).values())

    def example(self) -> Anchor:
        """The newest article's anchor, to show messages with; invented while there is none."""
        newest = self._context.audit.read(lambda c: articles.newest(c, limit=1))
        return newest[0].anchor if newest else EXAMPLE

    def outlook(self, protocol: StudyProtocol, articles_in: int) -> Outlook:
        """The outlook of asking the audit's models about *articles_in* articles."""
        return self._context.audit.read(lambda c: outlook(c, self._its(), protocol, articles_in, EXAMPLE))

    def _use(self, protocol: StudyProtocol, *, ends_draft: bool) -> "Future[str]":
        digest, text = protocol_hash(protocol), kept_text(protocol, self.method)

        def write(c: Connection) -> str:
            protocols.keep(c, method=self.method, name=protocol.name, version=protocol.version, hash=digest, text=text)
            audits.set_setting(c, self._current, digest)
            # In the same transaction: a kill leaves either the draft or the version, never both.
            if ends_draft:
                audits.set_setting(c, self._draft, "")
            return digest

        return with_callback(self._context.audit.write(write), lambda _: self._context.emit(ProtocolsChanged()))

    def _unchosen(self, connection: Connection) -> Any:
        """The protocol of a new round if no version was ever chosen: of a study, that of its newest round."""
        brought = not catalogue.is_about_news(self.method)
        return (_last_asked(connection, self._its()) if brought else None) or self._default()

    def _its(self) -> Method:
        return catalogue.method(self.method)

    def _default(self) -> Any:
        return next(each for each in _shipped(self.method).values() if each.name == self._its().default_protocol)


def _last_asked(connection: Connection, method: Method) -> Any:
    """The protocol of the audit's newest round by *method*, checks of judges left aside; None if there is none."""
    own: object = method
    for run in run_stamps(connection):
        if run.method != method.name:
            continue
        asked = frozen_protocol(method.name, protocols.get(connection, run.protocol_id).text)
        # Of a check of judges the answers are another round's.
        if not (isinstance(own, ChecksJudges) and own.only_checks(asked)):
            return asked
    return None


def count_cells(
    method: Method,
    protocol: StudyProtocol,
    *,
    articles_in: int,
    models: int,
    controls: Any = None,
    items: Sequence[StudyItem] = (),
) -> CallCount:
    """Calls by what they are for; *controls*: None for the protocol's own; *items*: those that it brings itself.

    Exact but for what is drawn for each article, such as repeats.
    """
    asked = method.controls_of(protocol) if controls is None else controls
    if items:
        return count_calls(method, items, Counter({Role.TARGET: models}), protocol, asked, seed=1)
    examples = [
        StudyItem(key=f"example {n}", title=EXAMPLE.headline, text=EXAMPLE.description)
        for n in range(min(articles_in, _COUNTED_EXACTLY))
    ]
    counted = count_calls(method, examples, Counter({Role.TARGET: models}), protocol, asked, seed=1)
    return counted if articles_in <= _COUNTED_EXACTLY else counted.scaled(articles_in / _COUNTED_EXACTLY)


@cache
def _shipped(method: str) -> dict[str, Any]:
    """The shipped protocols of *method*, by hash; reading one takes a tenth of a second."""
    found = (load_protocol(name, method=method) for name in shipped_protocols(method))
    return {protocol_hash(each): each for each in found}
