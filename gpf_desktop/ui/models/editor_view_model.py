"""State of the form for one model: its fields, its key, its test."""

from concurrent.futures import Future
from dataclasses import dataclass, field, replace
from typing import Any

from PySide6.QtCore import QObject, QTimer

from gpf_desktop.domain.errors import GpfError
from gpf_desktop.domain.events import ModelTestProgressed
from gpf_desktop.domain.ids import ModelId
from gpf_desktop.domain.model_tests import ModelTest
from gpf_desktop.domain.models import Endpoint, Limits, Price
from gpf_desktop.domain.ports import Provider
from gpf_desktop.domain.protocol import Decoding
from gpf_desktop.domain.text import tr
from gpf_desktop.engine import catalogue
from gpf_desktop.engine.models.model_desk import ModelDesk, ModelRow
from gpf_desktop.settings.keys import Kept
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.models.models_view_model import ModelsViewModel, Place
from gpf_desktop.ui.page import ViewModel
from gpf_desktop.ui.wording import count

_SECOND = 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """What the form holds."""

    model: str = ""
    base_url: str = ""
    vendor: str = ""
    key_env: str = ""
    decoding: Decoding | None = None
    price: Price | None = None
    limits: Limits = field(default_factory=Limits)
    options: dict[str, object] = field(default_factory=dict)


class EditorViewModel(ViewModel):
    """One model being added or edited; nothing is stored before `save`, but keys are when they are typed in."""

    def __init__(self, context: Context, models: ModelsViewModel, parent: QObject | None = None) -> None:
        super().__init__(context, parent)
        self.models = models
        self.provider: Provider = models.providers[0]
        self.editing: ModelRow | None = None
        self.draft = Draft()
        self.generation = 0
        """Rises when the form must be filled anew."""
        self.kept = Kept.NOWHERE
        self.listed: tuple[str, ...] = ()
        self.list_words = ""
        self.test = ModelTest()
        self.running = False
        self.problem = ""
        self.wait = 0
        """Seconds until testing again makes sense."""
        self._tested: Endpoint | None = None
        self._future: Future[Any] | None = None
        self._clock = QTimer(self)
        self._clock.setInterval(_SECOND)
        self._clock.timeout.connect(self._tick)
        self.listen(self._progressed, ModelTestProgressed)

    @property
    def title(self) -> str:
        if self.editing is not None:
            return self.editing.model.label
        return tr("New model of {provider}", provider=self.provider.title)

    @property
    def endpoint(self) -> Endpoint:
        draft = self.draft
        return Endpoint(
            provider=self.provider.name,
            model=draft.model.strip(),
            base_url=draft.base_url.strip(),
            key_env=draft.key_env,
            vendor=draft.vendor.strip(),
            decoding=draft.decoding,
            price=draft.price,
            limits=draft.limits,
            options=draft.options,
        )

    @property
    def passed(self) -> bool:
        """The test passed for just these fields."""
        return self.test.passed and self._tested == self.endpoint

    @property
    def save_words(self) -> str:
        return tr("Save") if self.passed or self.editing is not None else tr("Save anyway")

    @property
    def can_save(self) -> bool:
        return bool(self.draft.model.strip()) and not self.running

    @property
    def can_test(self) -> bool:
        return self.can_save and not self.wait

    @property
    def test_words(self) -> str:
        if self.running:
            return tr("Testing …")
        return tr("Test again in {n} s", n=count(self.wait)) if self.wait else tr("Test")

    @property
    def refused(self) -> tuple[str, ...]:
        """Parameters that this model is known to refuse."""
        if self.test.not_supported:
            return self.test.not_supported
        return self.editing.model.not_supported if self.editing is not None else ()

    def start(self, provider: Provider) -> None:
        """An empty form for a model of *provider*."""
        self.provider, self.editing = provider, None
        self._begin(Draft())

    def edit(self, row: ModelRow) -> None:
        """The form of a stored model."""
        endpoint = row.model.endpoint
        self.provider, self.editing = catalogue.provider(endpoint.provider), row
        self._begin(
            Draft(
                model=endpoint.model,
                base_url=endpoint.base_url,
                vendor=endpoint.vendor,
                key_env=endpoint.key_env,
                decoding=endpoint.decoding,
                price=endpoint.price,
                limits=endpoint.limits,
                options=dict(endpoint.options),
            )
        )

    def change(self, **fields: Any) -> None:
        """The form's fields changed; an address has a key of its own."""
        before = self.draft
        self.draft = replace(before, **fields)
        if self.draft == before:
            return
        self.problem = ""
        if self.draft.base_url != before.base_url:
            self._ask_where()
        self.touch_now()

    def save_key(self, text: str) -> None:
        """Keep a key that was typed; the field forgets it at once."""
        if text.strip():
            self.context.bridge.follow(
                self._desk().save_key(self.endpoint, text), then=self._key_kept, failed=self._failed
            )

    def forget_key(self) -> None:
        self.context.bridge.follow(
            self._desk().forget_key(self.endpoint), then=lambda _: self._ask_where(), failed=self._failed, owner=self
        )

    def list_models(self) -> None:
        """Ask the provider which models there are."""
        self.list_words = tr("Asking …")
        self.touch_now()
        self.context.bridge.follow(
            self._desk().list_models(self.endpoint), then=self._listed, failed=self._not_listed, latest="list"
        )

    def run_test(self, key: str = "") -> None:
        """Keep *key* if one was typed, then test the model as the form has it."""
        if key.strip():
            self.context.bridge.follow(
                self._desk().save_key(self.endpoint, key),
                then=self._key_kept_for_test,
                failed=self._failed,
            )
        else:
            self._test()

    def save(self) -> None:
        """Store the model, tested or not, and go back to the list."""
        test = self.test if self._tested == self.endpoint and self.test.over else None
        try:
            desk = self._desk()
            if self.editing is not None:
                future = desk.edit(self.editing.model.id, self.endpoint, test)
            else:
                future = desk.add(self.endpoint, test)
        except GpfError as error:
            self._failed(error)
            return
        self.context.bridge.follow(future, then=self._saved, failed=self._failed)

    def cancel(self) -> None:
        """Back to the list; a test under way is given up."""
        if self._future is not None:
            self._future.cancel()
        self.running = False
        self._clock.stop()
        self.models.go(Place.OVERVIEW)

    def _begin(self, draft: Draft) -> None:
        self.draft = draft
        self.test, self._tested = ModelTest(), None
        self.problem = self.list_words = ""
        self.listed = self.provider.known_models()
        self.running, self.wait = False, 0
        self._clock.stop()
        self.generation += 1
        self.kept = Kept.NOWHERE
        self._ask_where()
        self.models.go(Place.EDITOR)
        self.touch_now()

    def _test(self) -> None:
        endpoint = self.endpoint
        model_id: ModelId | None = None
        if self.editing is not None and self.editing.model.endpoint == endpoint:
            model_id = self.editing.model.id
        try:
            self._future = self._desk().test(endpoint, decoding=self.models.decoding, model_id=model_id)
        except GpfError as error:
            self._failed(error)
            return
        self._tested = endpoint
        self.test, self.running, self.problem = ModelTest(), True, ""
        self.touch_now()
        self.context.bridge.follow(self._future, then=self._finished, failed=self._failed, latest="test")

    def _progressed(self, event: ModelTestProgressed) -> None:
        if self.running and event.endpoint == self._tested:
            self.test = event.test
            self.touch_now()

    def _finished(self, test: ModelTest) -> None:
        self.test, self.running = test, False
        self.wait = round(min(test.wait or 0, 3600))
        if self.wait:
            self._clock.start()
        self.touch_now()

    def _tick(self) -> None:
        self.wait -= 1
        if self.wait <= 0:
            self.wait = 0
            self._clock.stop()
        self.touch_now()

    def _failed(self, error: BaseException) -> None:
        self.running = False
        if isinstance(error, GpfError):
            self.problem = str(error)
        else:
            self.context.messages.bug(error)
        self.touch_now()

    def _ask_where(self) -> None:
        if not self.provider.synthetic and self.context.workshop.has_session:
            self.context.bridge.run(self._desk().key_kept, self.endpoint, then=self._key_kept, latest="kept")

    def _key_kept(self, kept: Kept) -> None:
        self.kept = kept
        self.touch_now()

    def _key_kept_for_test(self, kept: Kept) -> None:
        self._key_kept(kept)
        self._test()

    def _listed(self, names: list[str]) -> None:
        self.listed = tuple(names)
        self.list_words = (
            tr("{n} models are listed; any other name can be typed.", n=count(len(names)))
            if names
            else tr("This server lists no models: type the name.")
        )
        self.touch_now()

    def _not_listed(self, error: BaseException) -> None:
        self.list_words = str(error)
        self.touch_now()

    def _saved(self, _model_id: ModelId) -> None:
        self._clock.stop()
        self.models.go(Place.OVERVIEW)

    def _desk(self) -> ModelDesk:
        return self.models.desk
