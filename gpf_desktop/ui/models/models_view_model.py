"""State of the page Models: the audit's models, and what is being added or edited."""

from collections.abc import Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from enum import Enum, auto
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject

from gpf_desktop.domain.events import AuditClosed, AuditOpened, ModelsChanged
from gpf_desktop.domain.ids import ModelId
from gpf_desktop.domain.models import Endpoint
from gpf_desktop.domain.ports.provider import Provider
from gpf_desktop.domain.protocol import Decoding
from gpf_desktop.domain.text import tr, trn
from gpf_desktop.engine.core import catalogue
from gpf_desktop.engine.models import presets
from gpf_desktop.engine.models.model_service import ModelRow, ModelService
from gpf_desktop.engine.models.price_list import PriceList, load
from gpf_desktop.settings.keys import Kept
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.messages import Remedy
from gpf_desktop.ui.page import ViewModel
from gpf_desktop.ui.wording import day

_TOPIC = "models"
_PRICES = "models.prices"
_VARIABLES = "models.variables"


class ModelsView(Enum):
    """The view that the page shows."""

    NO_AUDIT = auto()
    OVERVIEW = auto()
    CALIBRATION = auto()
    EDITOR = auto()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Loaded:
    """The result of one read."""

    rows: tuple[ModelRow, ...]
    store: str
    storeless: bool
    decoding: Decoding
    practice: Provider
    """Of the audit's method."""


class ModelsViewModel(ViewModel):
    """The list of models; the editor has a state of its own (`editor_view_model`)."""

    def __init__(self, context: Context, parent: QObject | None = None) -> None:
        super().__init__(context, parent)
        self.rows: tuple[ModelRow, ...] = ()
        self.read = False
        """The rows are this audit's; a key store that asks for its password may keep them back."""
        self.store = ""
        self.storeless = False
        """There is no key store here, nor a file in its place."""
        self.decoding = Decoding()
        """The protocol's, in force where a model has none of its own."""
        self.picked: set[str] = set()
        """Calibration models that are ticked."""
        self.calibration: Provider = catalogue.provider("calibration")
        """Whose built-in models are offered."""
        self._practice = self.calibration
        self.testing: set[ModelId] = set()
        self.failed: Mapping[str, str] = {}
        """By label, of which models nothing can be said, and why."""
        self._place = ModelsView.OVERVIEW
        self.listen(lambda _: self.refresh(), ModelsChanged)
        self.listen(self._opened, AuditOpened, AuditClosed)
        self.refresh()

    @property
    def place(self) -> ModelsView:
        return self._place if self.context.engine.has_open_audit else ModelsView.NO_AUDIT

    @property
    def service(self) -> ModelService:
        return self.context.engine.open_audit.models

    @property
    def subtitle(self) -> str:
        if not self.rows:
            return ""
        synthetic = sum(row.model.synthetic for row in self.rows)
        words = trn("{n} model", "{n} models", len(self.rows))
        return tr("{models}, {n} of them synthetic", models=words, n=synthetic) if synthetic else words

    @property
    def providers(self) -> list[Provider]:
        """Every API, the calibration models last."""
        return sorted(catalogue.providers().values(), key=lambda provider: (provider.synthetic, provider.title))

    @property
    def calibration_left(self) -> list[str]:
        """Models of `calibration` that the audit does not have yet."""
        held = self.held_at(self.calibration.name, "")
        return [name for name in self.calibration.known_models() if name not in held]

    def held_at(self, provider: str, base_url: str) -> set[str]:
        """Names of the audit's models of *provider* at that address, whatever their account."""
        each = (row.model.endpoint for row in self.rows)
        return {endpoint.model for endpoint in each if (endpoint.provider, endpoint.base_url) == (provider, base_url)}

    def provider_sentence(self, provider: Provider) -> str:
        """The sentence under the name on the provider's card."""
        held = sum(row.model.endpoint.provider == provider.name for row in self.rows)
        if provider.synthetic:
            what = tr("Built-in models with a known effect: no key, no network.")
        elif provider.needs_key:
            what = tr("Needs a key.")
        elif provider.name == presets.PROVIDER:
            named = ", ".join(preset.title for preset in presets.presets() if not preset.local)
            what = tr("{services}, your own server or computer; a key where it asks for one.", services=named)
        elif "://" not in provider.default_base_url:
            what = tr("Answers on this computer: no key, no network.")
        else:
            what = tr("Your own server or computer; a key only where it asks for one.")
        return tr("{what} {n} in this audit.", what=what, n=held) if held else what

    def refresh(self) -> None:
        """Read the models again; asks the key store, so never on the window's thread."""
        if self.context.engine.has_open_audit:
            self.context.bridge.run(self._read, then=self._show, latest="models")
        else:
            self.rows = ()
            self.context.messages.clear(_VARIABLES)
            self.touch()

    def look_for_failed_checks(self) -> None:
        """Read of which models nothing can be said; tables may have to be read for it."""
        audit = self.context.engine.current
        if audit is not None:
            self.context.bridge.run(audit.failed_checks, then=self._show_failed, owner=self, latest="failed checks")

    def _show_failed(self, failed: Mapping[str, str]) -> None:
        if failed != self.failed:
            self.failed = failed
            self.touch()

    def go(self, place: ModelsView) -> None:
        self._place = place
        self.touch_now()

    def offer_calibration(self, provider: Provider | None = None) -> None:
        """Show the built-in models of *provider*, or those that the audit's method is practised with."""
        offered = provider or self._practice
        if offered is not self.calibration:
            self.calibration = offered
            self.picked.clear()
        self.go(ModelsView.CALIBRATION)

    def pick(self, name: str, on: bool) -> None:
        (self.picked.add if on else self.picked.discard)(name)
        self.touch_now()

    def add_picked(self) -> None:
        """Add the calibration models that are ticked."""
        names = sorted(self.picked)
        self.picked.clear()
        self._place = ModelsView.OVERVIEW
        self.touch_now()
        if names:
            self._follow(self.service.add_calibration(names, self.calibration.name))

    def remove(self, rows: Sequence[ModelRow]) -> None:
        """Hide models, with a way back; what they answered stays."""
        ids = [row.model.id for row in rows]
        if not ids:
            return
        service = self.service
        words = (
            tr("{model} was removed.", model=rows[0].model.label)
            if len(ids) == 1
            else trn("{n} model was removed.", "{n} models were removed.", len(ids))
        )
        undo = Remedy(text=tr("Undo"), do=lambda: self._follow(service.restore(ids)))
        self.context.bridge.follow(
            service.remove(ids), then=lambda _: self.context.messages.success(words, undo, topic=_TOPIC), owner=self
        )

    def load_prices(self, path: Path) -> None:
        """Count with the list in the file at *path* from now on; the auditor's own entries stay before it."""
        messages = self.context.messages

        def loaded(prices: PriceList) -> None:
            words = trn(
                "{n} price as of {day} is used from now on, by {source}. Your own entries stay.",
                "{n} prices as of {day} are used from now on, by {source}. Your own entries stay.",
                prices.prices,
                day=day(prices.as_of),
                source=prices.source,
            )
            messages.success(words, topic=_PRICES)

        def failed(error: BaseException) -> None:
            messages.failure(error, topic=_PRICES)

        if self.context.engine.has_open_audit:
            self.context.bridge.follow(self.service.load_prices(path), then=loaded, failed=failed, owner=self)
        else:
            self.context.bridge.run(load, path, then=loaded, failed=failed, owner=self)

    def test(self, rows: Sequence[ModelRow]) -> None:
        """Test models as they are; results appear in the table."""
        for row in rows:
            model_id = row.model.id
            if model_id in self.testing:
                continue
            self.testing.add(model_id)
            future = self.service.test(row.model.endpoint, decoding=self.decoding, model_id=model_id)
            self.context.bridge.follow(
                future,
                then=lambda _, model_id=model_id: self._tested(model_id),  # type: ignore[misc]
                failed=lambda error, model_id=model_id: self._test_failed(model_id, error),  # type: ignore[misc]
                owner=self,
            )
        self.touch_now()

    def _tested(self, model_id: ModelId) -> None:
        self.testing.discard(model_id)
        self.touch()

    def _test_failed(self, model_id: ModelId, error: BaseException) -> None:
        self._tested(model_id)
        self.context.messages.failure(error, topic=_TOPIC)

    def _follow(self, future: "Future[Any]") -> None:
        self.context.bridge.follow(future, owner=self)

    def _read(self) -> _Loaded:
        open_audit = self.context.engine.open_audit
        return _Loaded(
            rows=tuple(open_audit.models.models()),
            store=self.context.engine.keys.backend_title,
            storeless=not self.context.engine.keys.persistent,
            decoding=open_audit.protocols.current().decoding,
            practice=_practice(open_audit.results.methods()[0]),
        )

    def _show(self, loaded: _Loaded) -> None:
        self.rows, self.store, self.decoding = loaded.rows, loaded.store, loaded.decoding
        self.storeless, self._practice = loaded.storeless, loaded.practice
        self.read = True
        self._ask_about_variables()
        self.touch()

    def _ask_about_variables(self) -> None:
        """An audit of somebody else's may name any variable of this machine and any address to send it to."""
        messages = self.context.messages
        row = next((row for row in self.rows if row.key_kept is Kept.UNCONFIRMED), None)
        if row is None:
            messages.clear(_VARIABLES)
            return
        endpoint = row.model.endpoint
        messages.warning(
            tr(
                "This audit names the environment variable {variable} as the key of {model}, to be sent to {address}. "
                "It is not sent unless you confirm it. Do so only if the key is meant for that address.",
                variable=endpoint.key_env,
                model=row.model.label,
                address=endpoint.base_url or catalogue.provider(endpoint.provider).default_base_url,
            ),
            Remedy(text=tr("Send it there"), do=partial(self._confirm, endpoint)),
            topic=_VARIABLES,
        )

    def _confirm(self, endpoint: Endpoint) -> None:
        future = self.service.confirm_variable(endpoint)
        self.context.bridge.follow(future, then=lambda _: self.refresh(), owner=self)

    def _opened(self, _event: object) -> None:
        self._place = ModelsView.OVERVIEW
        self.picked.clear()
        self.testing.clear()
        self.rows, self.read, self.failed = (), False, {}
        self.refresh()


def _practice(method: str) -> Provider:
    """The built-in models that *method* is practised with."""
    rehearsal = catalogue.set_up(method).rehearsal
    return catalogue.provider("calibration" if rehearsal is None else rehearsal.models[0][0].provider)
