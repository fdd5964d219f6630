"""Checks of an audit's protocols, controls and marks that need the program's own knowledge: SQL alone cannot compare
them."""

from collections.abc import Iterator

from gpf_desktop.domain.errors import GpfError
from gpf_desktop.domain.text import tr
from gpf_desktop.engine.core import catalogue
from gpf_desktop.engine.core.protocols import kept_protocol, protocol_hash, stored_controls
from gpf_desktop.storage import stored
from gpf_desktop.storage.writer import Connection


def contradictions(connection: Connection) -> Iterator[str]:
    """Sentences about stored protocols, controls and marks that contradict what they are bound to."""
    yield from _protocols(connection)
    yield from _controls(connection)
    yield from _marks(connection)


def _protocols(connection: Connection) -> Iterator[str]:
    for method, name, version, digest, text in connection.execute(
        "SELECT method, name, version, hash, text FROM protocol ORDER BY id"
    ):
        try:
            as_made = protocol_hash(kept_protocol(text, where=name, method=method)) == digest
        except (GpfError, stored.BadRowError) as error:
            yield tr("protocol {name} cannot be read: {why}", name=name, why=" ".join(str(error).split()))
            continue
        if not as_made:
            yield tr("protocol {name}, version {version}, is not the one that was asked", name=name, version=version)


def _controls(connection: Connection) -> Iterator[str]:
    for name, method, text in connection.execute("SELECT name, method, controls FROM run ORDER BY id"):
        try:
            stored_controls(method, text)
        except (GpfError, stored.BadRowError) as error:
            yield tr("round {name} cannot be read: {why}", name=name, why=" ".join(str(error).split()))


def _marks(connection: Connection) -> Iterator[str]:
    providers = catalogue.providers()
    for provider, label, synthetic in connection.execute("SELECT provider, label, synthetic FROM model ORDER BY id"):
        known = providers.get(provider)
        if known is not None and known.synthetic and not synthetic:
            yield tr("the built-in test model {model} is marked as a real one", model=label)
