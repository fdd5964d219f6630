"""A workshop with an audit in which rounds can be planned and run; events are kept."""

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TypeVar

from gpf_desktop.domain.events import Event
from gpf_desktop.domain.ids import RunId
from gpf_desktop.domain.models import Endpoint, Limits
from gpf_desktop.engine.collect.source_service import SAMPLE
from gpf_desktop.engine.core import catalogue
from gpf_desktop.engine.core.context import Rest, sleep
from gpf_desktop.engine.engine import Engine
from gpf_desktop.engine.open_audit import OpenAudit
from gpf_desktop.engine.rounds.setup import RunSetup
from gpf_desktop.methods.gpf_livenews.protocol import Controls, Protocol
from gpf_desktop.storage import models
from gpf_desktop.storage.writer import Connection
from tests.support.protocols import shipped_protocol

E = TypeVar("E")


@dataclass
class Scene:
    """One open audit, and everything that was announced."""

    events: list[Event] = field(default_factory=list)
    _news: threading.Condition = field(default_factory=threading.Condition)

    rest: Rest = sleep
    """Waits the long waits between two looks at a batch job."""

    def __post_init__(self) -> None:
        self.engine = Engine(self.hear, rest=self.rest)

    @property
    def open_audit(self) -> OpenAudit:
        return self.engine.open_audit

    def heard(self, kind: type[E]) -> list[E]:
        return [event for event in self.events if isinstance(event, kind)]

    def hear(self, event: Event) -> None:
        with self._news:
            self.events.append(event)
            self._news.notify_all()

    def wait_for(self, kind: type[E], *, timeout: float = 100.0, count: int = 1) -> E:
        """The first event of *kind*, as soon as *count* of them were announced."""
        with self._news:
            enough = self._news.wait_for(lambda: len(self.heard(kind)) >= count, timeout)
            assert enough, f"{len(self.heard(kind))} of {count} {kind.__name__} were announced"
        return self.heard(kind)[0]

    def read(self, question: str, *values: object) -> list[tuple[object, ...]]:
        """Rows of a query on the open audit."""

        def run(connection: Connection) -> list[tuple[object, ...]]:
            return connection.execute(question, values).fetchall()

        return self.open_audit.context.audit.read(run)

    def plan(
        self,
        endpoints: Sequence[Endpoint],
        *,
        articles: int = 1,
        controls: Controls | None = None,
        protocol: Protocol | None = None,
        spend_cap: float | None = None,
        batch_jobs: bool = False,
    ) -> RunId:
        """A draft over the newest sample articles."""
        taken, _ = self.open_audit.sources.take([(SAMPLE, "")], articles)

        def keep(connection: Connection) -> list[int]:
            return [
                models.keep(connection, endpoint, synthetic=catalogue.provider(endpoint.provider).synthetic)
                for endpoint in endpoints
            ]

        for endpoint in endpoints:
            self.engine.keys.allow(endpoint)
        model_ids = self.open_audit.context.audit.write(keep).result()
        setup = RunSetup(
            method="gpf-livenews",
            name="Round",
            protocol=protocol or shipped_protocol(),
            model_ids=tuple(model_ids),  # type: ignore[arg-type]
            article_ids=tuple(taken),
            controls=controls or Controls.none(),
            spend_cap=spend_cap,
            batch_jobs=batch_jobs,
        )
        return self.open_audit.rounds.plan(setup).result()


@contextmanager
def scene(folder: Path, *, rest: Rest = sleep) -> Iterator[Scene]:
    """A new audit in *folder*, or the one that is there, closed with everything behind it at the end."""
    opened = Scene(rest=rest)
    path = folder / "audit.gpf"
    try:
        if path.exists():
            opened.engine.open(path)
        else:
            opened.engine.create(path, title="Audit")
        yield opened
    finally:
        opened.engine.close()


def small_protocol() -> Protocol:
    """One dimension of five identities, two families: ten cells an article, for tests that need few calls."""
    protocol: Protocol = shipped_protocol()
    return replace(
        protocol,
        name="Small",
        dimensions=tuple(d for d in protocol.dimensions if d.name == "Political"),
        families=protocol.families[:2],
    )


def calibration(model: str = "neutral") -> Endpoint:
    return Endpoint(provider="calibration", model=model)


def server_model(base_url: str, **limits: object) -> Endpoint:
    """The model of the loopback chat server."""
    return Endpoint(
        provider="openai-compatible",
        model="some-model",
        base_url=base_url,
        limits=Limits(**limits),  # type: ignore[arg-type]
    )
