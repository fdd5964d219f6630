"""Checks of an audit's protocols, controls and marks that need the program's own knowledge: SQL alone cannot compare
them."""

from collections.abc import Iterator

from gpf_desktop.domain.endings import OF_DIALECT, Ending, ending_of, is_unheard
from gpf_desktop.domain.errors import GpfError
from gpf_desktop.domain.models import labels
from gpf_desktop.domain.text import tr
from gpf_desktop.engine.commands.doctor_rounds import departures
from gpf_desktop.engine.core import catalogue
from gpf_desktop.engine.core.protocols import kept_protocol, protocol_hash, stored_controls
from gpf_desktop.storage import assignments, stored
from gpf_desktop.storage.scores import setting_hash
from gpf_desktop.storage.writer import Connection


def contradictions(connection: Connection) -> Iterator[str]:
    """Sentences about stored protocols, controls and marks that contradict what they are bound to."""
    yield from _protocols(connection)
    yield from _controls(connection)
    yield from _marks(connection)
    yield from _names(connection)
    yield from _settings(connection)
    yield from _endings(connection)
    yield from departures(connection)


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


def _names(connection: Connection) -> Iterator[str]:
    if assignments.is_one(connection):
        return
    every = connection.execute("SELECT provider, model, base_url, label FROM model ORDER BY id").fetchall()
    for provider, model, address, label in every:
        name = f"{provider}/{model}"
        # One that another address had in common stays told apart when the other is gone.
        known = {name, labels(name, [address, ""])[address], labels(name, [address, address])[address]}
        if label not in known:
            yield tr("the model {name} is called {label}", name=name, label=label)


def _settings(connection: Connection) -> Iterator[str]:
    for scorer, version, options, digest in connection.execute(
        "SELECT scorer, version, options, hash FROM score_setting ORDER BY id"
    ):
        if setting_hash(scorer, version, options) != digest:
            yield tr(
                "scores of {scorer} {version} have other options than they were made with",
                scorer=scorer,
                version=version,
            )


def _endings(connection: Connection) -> Iterator[str]:
    said = connection.execute(
        "SELECT finish, truncated, min(cell_id) FROM response WHERE missing IS NULL AND finish <> '' GROUP BY 1, 2"
    ).fetchall()
    of_one = {word for _, word in OF_DIALECT}
    for finish, cut, cell in said:
        ending = ending_of(finish)
        if (
            is_unheard(finish)
            or finish.lower().replace("_", "") in of_one
            or ending is (Ending.CUT if cut else Ending.WHOLE)
        ):
            continue
        yield tr("an answer that ended with “{finish}” is kept as another ending ({cell})", finish=finish, cell=cell)
