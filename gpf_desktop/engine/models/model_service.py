"""The language models of an audit: added, tested, priced, limited, taken away; their keys in the key store.

Reads block and belong on a worker thread; commands return a future that resolves when what they did is durable.
"""

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TypeVar

from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.events import ModelsChanged, ModelTestProgressed
from gpf_desktop.domain.ids import ModelId
from gpf_desktop.domain.model_tests import ModelFault, ModelTest
from gpf_desktop.domain.models import Endpoint, Price, Secret, TargetModel
from gpf_desktop.domain.ports.provider import Provider
from gpf_desktop.domain.protocol import Decoding
from gpf_desktop.domain.text import tr
from gpf_desktop.engine.core import catalogue
from gpf_desktop.engine.core.context import EngineContext
from gpf_desktop.engine.core.running_tasks import RunningTasks
from gpf_desktop.engine.models.addresses import check_address
from gpf_desktop.engine.models.model_testing import run_test
from gpf_desktop.engine.models.price_list import PriceList, load, price_of
from gpf_desktop.engine.models.sending import Sender
from gpf_desktop.settings.keys import Kept
from gpf_desktop.storage import models
from gpf_desktop.storage.times import as_moment
from gpf_desktop.storage.writer import Connection

T = TypeVar("T")
_PASSED = "passed: "
"""Before the stored words of a test that was passed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelRow:
    """A model as the page shows it."""

    model: TargetModel
    key_kept: Kept
    """Where its key lives now."""
    tested: datetime | None
    test_words: str
    """What the last test found; empty where it was never tested."""
    test_passed: bool
    test_fault: ModelFault | None
    """What the last test failed of."""
    price: Price | None
    """The auditor's own, else the price list's; None: not known."""


class ModelService:
    """The models of one open audit."""

    def __init__(self, context: EngineContext) -> None:
        self._context = context
        self._tasks = RunningTasks(context.loop)

    def close(self) -> None:
        """End the tests under way."""
        self._tasks.cancel_all()

    def providers(self) -> list[Provider]:
        """Every API that the program speaks, the calibration models last."""
        return sorted(catalogue.providers().values(), key=lambda provider: (provider.synthetic, provider.title))

    def models(self) -> list[ModelRow]:
        """The models in the order added. Asks the key store, which may block on its prompt."""

        def read(c: Connection) -> list[tuple[TargetModel, tuple[str, str]]]:
            return [(model, models.test_result(c, model.id)) for model in models.every(c)]

        return [
            ModelRow(
                model=model,
                key_kept=Kept.NOWHERE if model.synthetic else self._context.keys.where(model.endpoint),
                tested=as_moment(tested) if tested else None,
                test_words=words.removeprefix(_PASSED),
                test_passed=words.startswith(_PASSED),
                test_fault=next((fault for fault in ModelFault if words.startswith(f"{fault}: ")), None),
                price=None if model.synthetic else price_of(model.endpoint),
            )
            for model, (tested, words) in self._context.audit.read(read)
        ]

    def key_kept(self, endpoint: Endpoint) -> Kept:
        """The place where the key for *endpoint* is kept. Asks the key store."""
        return self._context.keys.where(endpoint)

    def add(self, endpoint: Endpoint, test: ModelTest | None = None) -> "Future[ModelId]":
        """Keep a model, tested or not ("save anyway"). Raises `UserError` naming the field that is wrong."""
        checked(endpoint)
        return self._tasks.start(lambda: self._keep(endpoint, test, replaces=None))

    def add_all(self, endpoints: Sequence[Endpoint]) -> "Future[list[ModelId]]":
        """Keep several models that were not tested. Raises `UserError` naming the field that is wrong."""
        each = tuple(map(checked, endpoints))
        return self._tasks.start(lambda: self._keep_all(each))

    def edit(self, model_id: ModelId, endpoint: Endpoint, test: ModelTest | None = None) -> "Future[ModelId]":
        """Give a model other settings; another name or address makes it another model, and hides this one."""
        checked(endpoint)
        return self._tasks.start(lambda: self._keep(endpoint, test, replaces=model_id))

    def remove(self, model_ids: Sequence[ModelId]) -> "Future[None]":
        """Hide models; what they answered stays."""
        return self._tasks.start(lambda: self._set_removed(tuple(model_ids), removed=True))

    def restore(self, model_ids: Sequence[ModelId]) -> "Future[None]":
        return self._tasks.start(lambda: self._set_removed(tuple(model_ids), removed=False))

    def add_calibration(self, names: Sequence[str], provider: str = "calibration") -> "Future[list[ModelId]]":
        """Built-in models of *provider* by name; they carry the synthetic badge wherever they appear."""
        return self._tasks.start(lambda: self._add_calibration(provider, tuple(names)))

    def save_key(self, endpoint: Endpoint, text: str) -> "Future[Kept]":
        """Keep a key for the provider and address of *endpoint*, and say where it is kept."""
        secret = Secret(text)
        return self._tell(lambda: self._save_key(endpoint, secret))

    def take_key(self, endpoint: Endpoint, to: Endpoint, *, leave: bool) -> "Future[None]":
        """Keep the key of *endpoint* for *to*, the same server under its right address; *leave* it there too or not."""

        def take() -> None:
            # The value of a variable stays out of the key store.
            key = None if endpoint.key_env else self._context.keys.find(endpoint)
            if key:
                self._save_key(to, key)
                if not leave:
                    self._forget_key(endpoint)

        return self._tell(take)

    def confirm_variable(self, endpoint: Endpoint) -> "Future[None]":
        """Allow the variable that *endpoint* names to be sent to its address from now on, whichever audit asks for
        it."""
        return self._tell(lambda: self._context.keys.confirm(endpoint))

    def forget_key(self, endpoint: Endpoint) -> "Future[Secret | None]":
        """Take a key out of the key store, for all audits; the future holds it, so that this can be undone."""
        return self._tell(lambda: self._forget_key(endpoint))

    def accounts(self, endpoint: Endpoint) -> tuple[str, ...]:
        """The accounts that are known at the address of *endpoint*."""
        return self._context.keys.accounts.names(endpoint.provider, endpoint.base_url)

    def unlock_store(self) -> "Future[bool]":
        """Have the key store ask for its password; whether it is open now."""
        return self._tell(self._context.keys.unlock)

    def begin_key_file(self, passphrase: str) -> "Future[None]":
        """Keep keys in a file that *passphrase* seals, where there is no key store. Raises `UserError`."""
        return self._tell(lambda: self._context.keys.begin_file(passphrase))

    def test(self, endpoint: Endpoint, *, decoding: Decoding, model_id: ModelId | None = None) -> "Future[ModelTest]":
        """Try *endpoint*, with its own decoding or *decoding*; each step is announced as `ModelTestProgressed`.

        The result is stored where *model_id* is given. Raises `UserError` naming a field that is wrong.
        """
        checked(endpoint)
        return self._tasks.start(lambda: self._test(endpoint, endpoint.decoding or decoding, model_id))

    def list_models(self, endpoint: Endpoint) -> "Future[list[str]]":
        """Model ids where the provider lists them, else empty. The future raises `ProviderError`."""
        return self._tasks.start(lambda: self._list(endpoint))

    def load_prices(self, path: Path) -> "Future[PriceList]":
        """Count with the list in the file at *path* from now on. The future raises `UserError` where it is none."""
        return self._tell(lambda: load(path))

    def _tell(self, change: Callable[[], T]) -> "Future[T]":
        """Have *change* done, which may block, and told: it is of many models at once, as the key of an address is."""

        def do() -> T:
            result = change()
            self._context.emit(ModelsChanged())
            return result

        return self._context.spawn(do)

    async def _keep(self, endpoint: Endpoint, test: ModelTest | None, *, replaces: ModelId | None) -> ModelId:
        def write(c: Connection) -> ModelId:
            # In one write, so that a kill leaves the former model or the new one in the list.
            model_id = _kept(c, endpoint)
            if replaces is not None and replaces != model_id:
                models.remove(c, replaces)
            if test is not None:
                _record(c, model_id, test)
            return model_id

        model_id = await self._context.write(write)
        replaced = replaces if replaces != model_id else None
        self._context.emit(ModelsChanged(model_ids=(model_id,), replaced=replaced))
        return model_id

    async def _keep_all(self, endpoints: tuple[Endpoint, ...]) -> list[ModelId]:
        # Told once: a round that is set up would be ready to start with the first of them alone.
        model_ids = await self._context.write(lambda c: [_kept(c, endpoint) for endpoint in endpoints])
        self._context.emit(ModelsChanged(model_ids=tuple(model_ids)))
        return model_ids

    async def _add_calibration(self, provider: str, names: tuple[str, ...]) -> list[ModelId]:
        return await self._keep_all(tuple(checked(Endpoint(provider=provider, model=name)) for name in names))

    async def _set_removed(self, model_ids: tuple[ModelId, ...], *, removed: bool) -> None:
        change = models.remove if removed else models.restore

        def write(c: Connection) -> None:
            for model_id in model_ids:
                change(c, model_id)

        await self._context.write(write)
        self._context.emit(ModelsChanged(model_ids=model_ids))

    def _save_key(self, endpoint: Endpoint, secret: Secret) -> Kept:
        keys = self._context.keys
        kept = keys.save(keys.name_of(endpoint), secret)
        keys.accounts.remember(endpoint)
        return kept

    def _forget_key(self, endpoint: Endpoint) -> Secret | None:
        keys = self._context.keys
        name = keys.name_of(endpoint)
        key = keys.kept(name)
        keys.forget(name)
        keys.accounts.forget(endpoint)
        return key

    def _key_for(self, endpoint: Endpoint) -> Secret | None:
        self._context.keys.unlock_for([endpoint])
        return self._context.keys.find(endpoint)

    async def _test(self, endpoint: Endpoint, decoding: Decoding, model_id: ModelId | None) -> ModelTest:
        provider = catalogue.provider(endpoint.provider)
        key = None if provider.synthetic else await asyncio.to_thread(self._key_for, endpoint)
        sender = Sender()
        try:
            test = await run_test(
                endpoint,
                provider,
                key,
                sender.sending(endpoint.limits.timeout),
                decoding=decoding,
                tell=lambda stage: self._context.emit(ModelTestProgressed(endpoint=endpoint, test=stage)),
            )
        finally:
            await sender.aclose()
        if model_id is not None:
            await self._context.write(lambda c: _record(c, model_id, test))
            self._context.emit(ModelsChanged(model_ids=(model_id,)))
        return test

    async def _list(self, endpoint: Endpoint) -> list[str]:
        provider = catalogue.provider(endpoint.provider)
        if known := provider.known_models():
            return list(known)
        key = await asyncio.to_thread(self._key_for, endpoint)
        sender = Sender()
        try:
            return list(await provider.list_models(endpoint, key, sender.sending(endpoint.limits.timeout)))
        finally:
            await sender.aclose()


def checked(endpoint: Endpoint) -> Endpoint:
    """*endpoint* as it is. Raises `UserError` for what cannot work, and for a key where none may stand."""
    provider = catalogue.provider(endpoint.provider)
    if not endpoint.model.strip():
        raise UserError(tr("The model's name is missing."), tr("Pick one from the list, or type it."))
    known = provider.known_models()
    if known and endpoint.model not in known:
        raise UserError(
            tr("{provider} has no model called “{model}”.", provider=provider.title, model=endpoint.model),
            tr("Pick one from the list."),
        )
    if endpoint.base_url:
        check_address(endpoint.base_url)
    elif not provider.default_base_url and not provider.synthetic:
        raise UserError(tr("The address is missing."), tr("Give it as http://127.0.0.1:8080/v1, say."))
    return endpoint


def _kept(connection: Connection, endpoint: Endpoint) -> ModelId:
    return models.keep(connection, endpoint, synthetic=catalogue.provider(endpoint.provider).synthetic)


def _record(connection: Connection, model_id: ModelId, test: ModelTest) -> None:
    models.set_test_result(
        connection, model_id, _PASSED + test.summary if test.passed else f"{test.fault}: {test.summary}"
    )
    models.set_not_supported(connection, model_id, test.not_supported)
