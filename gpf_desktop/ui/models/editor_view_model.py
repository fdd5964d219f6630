"""State of the form for one model: its fields, its key, its test."""

from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import replace
from functools import partial
from typing import Any

from PySide6.QtCore import QObject

from gpf_desktop.domain.errors import GpfError
from gpf_desktop.domain.events import ModelTestProgressed
from gpf_desktop.domain.ids import ModelId
from gpf_desktop.domain.model_tests import ModelFault, ModelTest
from gpf_desktop.domain.models import Endpoint, Price
from gpf_desktop.domain.ports.provider import Provider
from gpf_desktop.domain.text import tr, trn
from gpf_desktop.engine.core import catalogue
from gpf_desktop.engine.models import presets
from gpf_desktop.engine.models.model_service import ModelRow
from gpf_desktop.engine.models.presets import Preset
from gpf_desktop.engine.models.price_list import price_of
from gpf_desktop.settings.keys import Kept
from gpf_desktop.ui.audit_timer import AuditTimer
from gpf_desktop.ui.bridge import Pending
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.messages import KEY_TOPIC, Remedy
from gpf_desktop.ui.models import key_steps
from gpf_desktop.ui.models.forms import today
from gpf_desktop.ui.models.models_view_model import ModelsView, ModelsViewModel
from gpf_desktop.ui.models.wording import listed_words
from gpf_desktop.ui.page import ViewModel
from gpf_desktop.ui.wording import count

_SECOND = 1000
_KEPT = "model kept"


class EditorViewModel(ViewModel):
    """One model being added or edited; nothing is stored before `save`, but keys are when they are typed in."""

    def __init__(self, context: Context, models: ModelsViewModel, parent: QObject | None = None) -> None:
        super().__init__(context, parent)
        self.models = models
        self.provider: Provider = models.providers[0]
        self.editing: ModelRow | None = None
        self.fault: ModelFault | None = None
        """What is to be mended."""
        self.draft = Endpoint(provider=self.provider.name, model="")
        """What the form holds."""
        self.generation = 0
        """Rises when the form must be filled anew."""
        self.begun = 0
        """Rises when the form is of another model; what was typed as a key is forgotten then."""
        self.kept = Kept.NOWHERE
        self.accounts: tuple[str, ...] = ()
        """Accounts known at the form's address."""
        self.listed: tuple[str, ...] = ()
        self.list_words = ""
        self.ticked: tuple[str, ...] = ()
        """Listed models that are to be added."""
        self.test = ModelTest()
        self.running = False
        self.problem = ""
        self.wait = 0
        """Seconds until testing again makes sense."""
        self._tested: Endpoint | None = None
        self._rekeyed = False
        """The key was changed here since the stored model was tested."""
        self._future: Future[Any] | None = None
        self._pressed: list[Pending] = []
        """What was asked for on this form: nothing of it is done to the next one."""
        self._clock = AuditTimer(context.bridge, self, _SECOND, self._tick, repeats=True)
        self.listen(self._progressed, ModelTestProgressed)

    @property
    def title(self) -> str:
        if self.editing is not None:
            return self.editing.model.label
        return tr("New model of {provider}", provider=self.provider.title)

    @property
    def endpoint(self) -> Endpoint:
        """The endpoint that the fields describe."""
        typed = ("model", "base_url", "key_account", "vendor")
        return replace(self.draft, **{field: getattr(self.draft, field).strip() for field in typed})

    @property
    def price(self) -> Price | None:
        """The price that a round would count with: the form's, else the list's."""
        return None if self.provider.synthetic else price_of(self.endpoint)

    @property
    def shown_test(self) -> ModelTest:
        """The test of what these fields ask for; what another address or model came to says nothing of it."""
        return self.test if self._was_tested else ModelTest()

    @property
    def passed(self) -> bool:
        """The last test of what is asked by these fields passed, here or before."""
        return self.shown_test.passed or (self.kept_test is not None and self.kept_test.test_passed)

    @property
    def kept_test(self) -> ModelRow | None:
        """The stored model, where its last test is of what these fields ask for and none was begun here since."""
        row = self.editing
        if row is None or row.tested is None or self._was_tested or self._rekeyed:
            return None
        return row if row.model.endpoint.asked == self.endpoint.asked else None

    @property
    def save_words(self) -> str:
        row = self.editing
        as_it_was = row is not None and not self._was_tested and row.model.endpoint.asked == self.endpoint.asked
        return tr("Save") if self.passed or as_it_was else tr("Save anyway")

    @property
    def can_save(self) -> bool:
        return bool(self.draft.model.strip()) and not self.running

    @property
    def lacks(self) -> str:
        """The field that a test and saving wait for, where it is something to be typed."""
        return "" if self.draft.model.strip() else tr("Name the model first, then it can be tested and saved.")

    @property
    def why_no_test(self) -> str:
        """The reason that keeps it from being tested; empty where nothing does."""
        return self.lacks or (self.test_words if self.running or self.wait else "")

    @property
    def test_words(self) -> str:
        if self.running:
            return tr("Testing …")
        return tr("Test again in {n} s", n=count(self.wait)) if self.wait else tr("Test")

    @property
    def refused(self) -> tuple[str, ...]:
        """Parameters that this model is known to refuse."""
        stored = () if self.editing is None else self.editing.model.not_supported
        return self.shown_test.not_supported or stored

    def start(self, provider: Provider) -> None:
        """An empty form for a model of *provider*."""
        self.provider, self.editing, self.fault = provider, None, None
        self._begin(Endpoint(provider=provider.name, model=""))

    def edit(self, row: ModelRow, fault: ModelFault | None = None) -> None:
        """The form of a stored model, at what *fault* or, without one, the last test says is wrong."""
        endpoint = row.model.endpoint
        self.provider, self.editing = catalogue.provider(endpoint.provider), row
        self.fault = fault or row.test_fault
        self._begin(replace(endpoint, batch_jobs=False))

    def change(self, **fields: Any) -> None:
        """The form's fields changed; an address has a key of its own."""
        before = self.draft
        self.draft = replace(before, **fields)
        if self.draft == before:
            return
        self.problem = ""
        if _where(self.draft) != _where(before):
            self._forget_list()
            self._ask_where()
        free = self.draft.price is not None and self.draft.price.free
        if free and presets.is_local(before.base_url) and not presets.is_local(self.draft.base_url):
            # A server on this computer was free; whoever stands at the new address may bill.
            self.draft = replace(self.draft, price=None)
            self.generation += 1
        self.touch_now()

    def save_key(self, text: str) -> None:
        """Keep a key that was typed; the field forgets it at once."""
        self._with_key(text, lambda: None)

    def forget_key(self) -> None:
        """Have the key gone from this machine, and say for whom it is, with a way back."""

        def gone() -> None:
            self._untest()
            self._ask_where()

        service, endpoint = self.models.service, self.endpoint
        key_steps.forget_key(self, service, endpoint, gone=gone, back=self._ask_where, failed=self._failed)

    def _untest(self) -> None:
        """With another key, or none, what the test of the last one came to is no longer true."""
        self.test, self._tested, self._rekeyed = ModelTest(), None, True

    @property
    def locked(self) -> bool:
        """The key store is locked, and can be asked to open."""
        return self.context.engine.keys.locked

    def unlock(self) -> None:
        """Have the key store ask for its password."""
        key_steps.unlock_store(self, self.models.service, then=self._ask_where, failed=self._failed)

    def begin_file(self, passphrase: str, typed_key: Callable[[], str]) -> None:
        """Keep keys in a file that *passphrase* seals, and say where it is; what *typed_key* gives is kept in it."""

        def begun(_: object) -> None:
            place = str(self.context.engine.keys.file_path)
            self.context.messages.success(tr("Keys are kept in the file {path}.", path=place), topic="keyFile")
            self._with_key(typed_key(), self._ask_where)

        beginning = self.models.service.begin_key_file(passphrase)
        self.context.bridge.follow(beginning, then=begun, failed=self._failed, owner=self)

    def list_models(self, key: str = "") -> None:
        """Keep *key* if one was typed, then ask the provider which models there are."""
        self.list_words = tr("Asking …")
        self.touch_now()
        self._with_key(key, self._list)

    def _list(self) -> None:
        where, asking = _where(self.draft), self.models.service.list_models(self.endpoint)
        listed, failed = partial(self._listed, where), partial(self._not_listed, where)
        self.context.bridge.follow(asking, then=listed, failed=failed, latest="list")

    def _forget_list(self) -> None:
        self.listed, self.ticked, self.list_words = self.provider.known_models(), (), ""

    def run_test(self, key: str = "") -> None:
        """Keep *key* if one was typed, then test the model as the form has it."""
        self._with_key(key, self._test)

    @property
    def offers_listed(self) -> bool:
        """There is more than one listed model to choose from."""
        return len(self.listed) > 1 and not self.provider.synthetic

    @property
    def offers_presets(self) -> bool:
        return self.provider.name == presets.PROVIDER

    @property
    def preset(self) -> Preset | None:
        """The service that the address is of."""
        return presets.preset_at(self.draft.base_url) if self.offers_presets else None

    @property
    def key_url(self) -> str:
        """The address at which a key is had; empty where nobody knows."""
        return self.provider.key_url or ("" if self.preset is None else self.preset.key_url)

    def choose(self, preset: Preset | None) -> None:
        """Fill the form in with what is known of *preset*; None takes the address of the last one out."""
        address, free = ("", False) if preset is None else (preset.base_url, preset.local)
        self.change(base_url=address, price=Price(prompt=0.0, completion=0.0, entered=today()) if free else None)
        self.refill()

    def repair(self) -> None:
        """Take the address at which the test found the API, and test again."""
        before = self.endpoint
        self.change(base_url=self.test.address)
        self.refill()

        def taken(_: object) -> None:
            # The change above had asked where the key is before it was there.
            self._ask_where()
            self.run_test()

        # A key that was typed here was meant for the right address: at the wrong one nobody would find it again.
        self._follow(self.models.service.take_key(before, self.endpoint, leave=not self._rekeyed), taken)

    def refill(self) -> None:
        """Have the form show the draft again."""
        self.generation += 1
        self.touch_now()

    def pick(self, name: str) -> None:
        """Put a listed model into the form."""
        self.change(model=name)
        self.refill()

    def tick(self, name: str, *, on: bool) -> None:
        self.ticked = tuple(each for each in self.listed if (on if each == name else each in self.ticked))
        if on and not self.draft.model.strip():
            # So that it can be tested.
            self.pick(name)
        self.touch_now()

    def add_ticked(self) -> None:
        """Store every ticked model with the form's address and settings; a price that was typed is one model's own."""
        price = self.draft.price if self.draft.price is not None and self.draft.price.free else None
        endpoints = [replace(self.endpoint, model=name, price=price) for name in self.ticked]
        self._command(partial(self.models.service.add_all, endpoints), self._added)

    def save(self, key: str = "") -> None:
        """Keep *key* if one was typed, store the model, tested or not, and go back to the list."""
        self._with_key(key, self._store)

    def _with_key(self, key: str, then: Callable[[], None]) -> None:
        if not key.strip():
            then()
            return
        # Whoever types a key means it, and not the variable that the audit names.
        self.draft = replace(self.draft, key_env="")

        def kept(where: Kept) -> None:
            self._untest()
            self.context.messages.clear(KEY_TOPIC)
            self.kept = where
            # What was asked before this key was there would otherwise have the last word.
            self._ask_where()
            self.touch_now()
            then()

        self._follow(self.models.service.save_key(self.endpoint, key), kept)

    @property
    def _was_tested(self) -> bool:
        """Price, limits and vendor are the auditor's own: no server is asked otherwise for them."""
        return self._tested is not None and self._tested.asked == self.endpoint.asked

    def _store(self) -> None:
        test, service = self.shown_test if self.shown_test.over else None, self.models.service
        keep = service.add if self.editing is None else partial(service.edit, self.editing.model.id)
        self._command(partial(keep, self.endpoint, test), self._saved)

    def _command(self, give: "Callable[[], Future[Any]]", then: Callable[[Any], object]) -> None:
        try:
            self._follow(give(), then)
        except GpfError as error:
            self._failed(error)

    def _follow(self, future: "Future[Any]", then: Callable[[Any], object], latest: str = "") -> None:
        self._pressed = [pending for pending in self._pressed if not pending.over]
        self._pressed.append(self.context.bridge.follow(future, then=then, failed=self._failed, latest=latest))

    def _leave_form(self) -> None:
        """Leave the form: commands still under way are told to nobody, for another form may be in sight by then."""
        for pending in self._pressed:
            pending.cancel()
        self._pressed.clear()
        self.running, self.wait = False, 0
        self._clock.stop()

    def cancel(self) -> None:
        """Back to the list; a test under way is given up."""
        if self._future is not None:
            self._future.cancel()
        self._leave_form()
        self.models.go(ModelsView.OVERVIEW)

    def _begin(self, draft: Endpoint) -> None:
        self.draft = draft
        self.test, self._tested, self._rekeyed = ModelTest(), None, False
        self.problem = ""
        self._forget_list()
        self._leave_form()
        self.generation += 1
        self.begun += 1
        self.kept = Kept.NOWHERE
        self._ask_where()
        self.models.go(ModelsView.EDITOR)
        self.touch_now()

    def _test(self) -> None:
        endpoint = self.endpoint
        model_id: ModelId | None = None
        # A result is stored with the model only where the form still asks for just what is stored.
        if self.editing is not None and self.editing.model.endpoint == endpoint:
            model_id = self.editing.model.id
        try:
            self._future = self.models.service.test(endpoint, decoding=self.models.decoding, model_id=model_id)
        except GpfError as error:
            self._failed(error)
            return
        self._tested = endpoint
        self.test, self.running, self.problem = ModelTest(), True, ""
        self.touch_now()
        self._follow(self._future, self._finished, latest="test")

    def _progressed(self, event: ModelTestProgressed) -> None:
        # A test that was begun for other fields may still be telling of its steps.
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
        self.wait = max(0, self.wait - 1)
        if not self.wait:
            self._clock.stop()
        self.touch_now()

    def _failed(self, error: BaseException) -> None:
        self.running = False
        self.problem = self.context.messages.words_of(error)
        self.touch_now()

    def _ask_where(self) -> None:
        if not self.provider.synthetic and self.context.engine.has_open_audit:
            service, endpoint = self.models.service, self.endpoint
            self.context.bridge.run(
                lambda: (service.key_kept(endpoint), service.accounts(endpoint)), then=self._key_found, latest="kept"
            )

    def _key_found(self, found: tuple[Kept, tuple[str, ...]]) -> None:
        self.kept, self.accounts = found
        self.touch_now()

    def _listed(self, where: tuple[str, str], names: list[str]) -> None:
        if where != _where(self.draft):
            return
        self.listed = tuple(names)
        self.ticked = tuple(name for name in self.ticked if name in names)
        self.list_words = listed_words(len(names))
        if len(names) == 1 and not self.draft.model.strip():
            self.pick(names[0])
        self.touch_now()

    def _not_listed(self, where: tuple[str, str], error: BaseException) -> None:
        if where == _where(self.draft):
            self.list_words = str(error)
            self.touch_now()

    def _added(self, stored: Sequence[object]) -> None:
        """Back to the list, but from a model that is being edited: what was changed of it is not saved yet."""
        self.ticked, self.list_words = (), trn("{n} model was added.", "{n} models were added.", len(stored))
        self.touch_now()
        if self.editing is None:
            self._saved(stored)

    def _saved(self, _stored: object) -> None:
        self._clock.stop()
        if self.editing is None:
            set_up = Remedy(text=tr("Set up a round"), do=self.context.actions.action("run.new").trigger)
            self.context.messages.success(tr("The model is kept in this audit."), set_up, topic=_KEPT)
        self.models.go(ModelsView.OVERVIEW)


def _where(draft: Endpoint) -> tuple[str, str]:
    """The server and the key account of *draft*: a list of models is theirs alone."""
    return draft.base_url, draft.key_account
