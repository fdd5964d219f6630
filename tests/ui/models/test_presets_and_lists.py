"""Services chosen by name, models found and added in numbers, an address mended."""

import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox, QLabel
from pytestqt.qtbot import QtBot

from gpf_desktop.documents.addresses import web_address
from gpf_desktop.domain.model_tests import StepState
from gpf_desktop.domain.models import Endpoint
from gpf_desktop.engine.core import catalogue
from gpf_desktop.engine.models.presets import PROVIDER, preset_at, presets
from gpf_desktop.settings.keys import KeyStore
from gpf_desktop.ui.main_window import MainWindow
from gpf_desktop.ui.models.forms import PriceForm
from gpf_desktop.ui.models.models_page import ModelsPage
from tests.settings.test_keys import Lockable
from tests.support.openai_server import OpenAIServer
from tests.ui.accessibility import problems_in
from tests.ui.models.form import KEY, row

MANY = ("maker/large", "maker/small-2", "other/small", "other/tiny")


@pytest.fixture
def page(page: ModelsPage) -> ModelsPage:
    page.cards[PROVIDER].chosen.emit()
    return page


def choose(page: ModelsPage, qtbot: QtBot, title: str) -> None:
    """By keyboard, as in any combo box."""
    box = page.findChild(QComboBox, "models.preset")
    assert box is not None
    box.setFocus()
    while box.currentText() != title:
        before = box.currentText()
        qtbot.keyClick(box, Qt.Key.Key_Down)
        assert box.currentText() != before, f"there is no {title}"


def test_that_the_services_that_were_asked_for_ship_and_are_known_by_their_address() -> None:
    assert {preset.title for preset in presets()} >= {
        *("OpenRouter", "Mistral", "Groq", "DeepSeek", "Together AI", "Azure OpenAI", "Amazon Bedrock"),
        *("vLLM", "LM Studio", "llama.cpp"),
    }
    assert PROVIDER in catalogue.providers()
    for preset in presets():
        assert web_address(preset.base_url)
        assert preset_at(preset.base_url) is preset
        assert preset.local or preset.key_url.startswith("https://")
        assert preset.note
    azure = preset_at("https://evening.openai.azure.com/openai/v1")
    assert azure is not None
    assert azure.title == "Azure OpenAI"
    assert preset_at("https://models.example/v1") is None


def test_that_a_service_is_chosen_by_keyboard_and_fills_the_form_in(page: ModelsPage, qtbot: QtBot) -> None:
    page.editor.key.setText(KEY)
    choose(page, qtbot, "Groq")
    assert page.editor.address.text() == "https://api.groq.com/openai/v1"
    assert page.editor.key.text() == "", "a key goes to the address that it was typed for"
    assert page.editor.get_key.isVisible()
    choose(page, qtbot, "LM Studio")
    assert page.editor.address.text() == "http://127.0.0.1:1234/v1"
    price = page.editing.draft.price
    assert price is not None
    assert price.free
    note = page.findChild(QLabel, "models.presetNote")
    assert note is not None
    assert "local server" in note.text()
    page.editor.address.setText("https://models.example/v1")
    assert page.editor.preset.currentText() == "Another server"
    assert page.editing.draft.price is None, "whoever stands at another address may bill"
    assert not page.editor.own.priced.isChecked()
    page.editor.address.setCursorPosition(3)
    choose(page, qtbot, "LM Studio")
    page.editor.own.priced.setChecked(False)
    page.editor.own.priced.setChecked(True)
    page.editor.own.price.set_value(PriceForm(prompt=2.0, completion=4.0))
    page.editor.own.price.changed.emit()
    page.editor.address.setText("http://127.0.0.1:1234/v1/proxy")
    page.editor.address.setText("https://models.example/v1")
    kept = page.editing.draft.price
    assert kept is not None, "a price that was entered stays"
    assert kept.prompt == 2.0
    assert problems_in(page) == []


def test_that_another_server_is_chosen_as_the_services_are(page: ModelsPage, qtbot: QtBot) -> None:
    choose(page, qtbot, "LM Studio")
    box = page.editor.preset
    qtbot.keyClick(box, Qt.Key.Key_Home)
    assert box.currentText() == "Another server", "the box does not fall back on the service that was chosen before"
    assert page.editor.address.text() == ""
    assert page.editing.draft.price is None
    page.editor.address.setText("https://models.example/v1")
    box.activated.emit(0)
    assert page.editor.address.text() == "https://models.example/v1", "chosen again it takes nothing"


def test_that_the_only_model_of_a_server_stands_in_the_form_and_no_other_name_is_replaced(
    page: ModelsPage, settle: Callable[[], None]
) -> None:
    with OpenAIServer(models=["alone"]) as server:
        page.editor.address.setText(server.base_url)
        page.editor.list.click()
        settle()
        assert page.editor.model.currentText() == "alone"
        assert page.editor.test_button.isEnabled()
        page.editor.model.setEditText("typed")
        page.editor.list.click()
        settle()
        assert page.editor.model.currentText() == "typed"


def test_that_the_list_is_searched_inside_names_and_several_are_added_at_once(
    page: ModelsPage, qtbot: QtBot, settle: Callable[[], None]
) -> None:
    with OpenAIServer(models=MANY) as server:
        page.editor.address.setText(server.base_url)
        page.editor.list.click()
        settle()
        picker = page.editor.picker
        assert picker.isVisible()
        page.editor.address.setText("http://127.0.0.1:9/v1")
        settle()
        assert not picker.isVisible(), "of another server nothing is listed yet"
        page.editor.address.setText(server.base_url)
        page.editor.list.click()
        settle()
        qtbot.keyClicks(picker.search, "SMALL")
        names = picker.names
        shown = [names.item(at) for at in range(names.count()) if not names.item(at).isHidden()]
        assert [item.text() for item in shown] == ["maker/small-2", "other/small"]
        assert not picker.add.isEnabled()
        for item in shown:
            names.setCurrentItem(item)
            qtbot.keyClick(names, Qt.Key.Key_Space)
        assert picker.add.text() == "Add 2 ticked models"
        assert page.editor.model.currentText() == "maker/small-2", "the first that is ticked can be tested at once"
        assert page.editor.test_button.isEnabled()
        picker.search.setText("tiny")
        assert names.currentItem().text() == "other/tiny", "Space would tick a name that nobody sees"
        page.editing.tick("other/small", on=True)
        picker.add.setFocus()
        picker.add.click()
        qtbot.waitUntil(lambda: len(page.model.rows) == 2)
        settle()
    assert page.overview.isAncestorOf(page.focusWidget()), "the keyboard came back with the list"
    assert [row.model.endpoint.model for row in page.model.rows] == ["maker/small-2", "other/small"]
    assert {row.model.endpoint.base_url for row in page.model.rows} == {server.base_url}
    assert page.stack.currentWidget() is page.overview
    page.cards[PROVIDER].chosen.emit()
    assert picker.search.text() == "", "of the next server's names none is hidden"


def test_that_the_list_that_was_asked_for_comes_into_view(
    page: ModelsPage, window: MainWindow, qtbot: QtBot, settle: Callable[[], None]
) -> None:
    window.resize(1280, 720)
    with OpenAIServer(models=tuple(f"maker/model-{n}" for n in range(20))) as server:
        page.editor.address.setText(server.base_url)
        page.editor.list.setFocus()
        qtbot.keyClick(page.editor.list, Qt.Key.Key_Space)
        settle()
        add = page.editor.picker.add
        qtbot.waitUntil(lambda: add.visibleRegion().boundingRect().height() == add.height())


def test_that_adding_listed_models_loses_nothing_of_the_model_being_edited(
    page: ModelsPage, settle: Callable[[], None], qtbot: QtBot
) -> None:
    with OpenAIServer(models=MANY) as server:
        page.model.service.add(Endpoint(provider="openai-compatible", model="mine", base_url=server.base_url)).result()
        qtbot.waitUntil(lambda: len(page.model.rows) == 1)
        page.editing.edit(page.model.rows[0])
        settle()
        page.editor.vendor.setText("Maker")
        page.editor.list.click()
        settle()
        page.editing.tick(MANY[0], on=True)
        page.editor.picker.add.click()
        qtbot.waitUntil(lambda: len(page.model.rows) == 2)
        settle()
    assert page.stack.currentWidget() is page.editor
    assert page.editor.vendor.text() == "Maker"
    assert page.editing.list_words == "1 model was added."
    assert not page.editor.picker.add.isEnabled()
    names = page.editor.picker.names
    marked = [names.item(at).text() for at in range(names.count()) if "," in names.item(at).text()]
    assert marked == [f"{MANY[0]}, in this audit already"]


def test_that_a_missing_v1_is_mended_with_one_button_that_takes_the_key_along(
    page: ModelsPage, qtbot: QtBot, settle: Callable[[], None]
) -> None:
    with OpenAIServer(models=("small",), key=KEY) as server:
        page.editor.address.setText(server.base_url.removesuffix("/v1"))
        page.editor.model.setEditText("small")
        page.editor.key.setText(KEY)
        page.editor.list.click()
        settle()
        assert "often ends in /v1" in page.editor.listed.text()
        page.editor.test_button.click()
        qtbot.waitUntil(lambda: bool(page.editing.test.address))
        settle()
        assert not page.editing.passed
        authenticated = page.editing.test.steps[1]
        assert authenticated.state is StepState.NOT_TRIED, "where nothing is, nobody has looked at the key"
        qtbot.mouseClick(page.editor.test_card.repair, Qt.MouseButton.LeftButton)
        qtbot.waitUntil(lambda: page.editing.passed)
        settle()
    assert page.editor.address.text() == server.base_url
    assert not page.editor.listed.text(), "what the other address came to is true no more"
    assert "for this session" in page.editor.kept.text()
    keys = page.context.engine.keys
    assert keys.kept(f"{PROVIDER} {server.base_url}") is not None
    assert keys.kept(f"{PROVIDER} {server.base_url.removesuffix('/v1')}") is None, "nobody would find it there again"
    assert page.editor.save.hasFocus(), "the button that mended it went, and the keyboard was not lost"
    assert not page.editor.test_card.repair.isVisible()


@pytest.fixture
def store(window: MainWindow, monkeypatch: pytest.MonkeyPatch) -> Lockable:
    """The key store of this computer, locked."""
    made = Lockable()
    monkeypatch.setattr(window.context.engine.keys, "_looked", True)
    monkeypatch.setattr(window.context.engine.keys, "_opened", KeyStore(backend=made, title="Secret Service"))
    return made


class Asking(Lockable):
    """It keeps whoever reads a key waiting until its password is given."""

    def __init__(self) -> None:
        super().__init__()
        self.locked = False
        self.given = threading.Event()

    def get_password(self, service: str, username: str) -> str | None:
        assert self.given.wait(60), "nobody gave the password"
        return super().get_password(service, username)


def test_that_no_audit_is_said_to_have_no_model_while_the_key_store_asks_for_its_password(
    window: MainWindow, audit: Path, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot, settle: Callable[[], None]
) -> None:
    engine, store = window.context.engine, Asking()
    engine.open_audit.models.add(
        Endpoint(provider=PROVIDER, model="small", base_url="http://127.0.0.1:9/v1", key_account="Lab")
    ).result()
    monkeypatch.setattr(engine.keys, "_looked", True)
    monkeypatch.setattr(engine.keys, "_opened", KeyStore(backend=store, title="Secret Service"))
    window.context.navigator.go("models")
    page = window.findChild(ModelsPage, "page.models")
    assert page is not None
    try:
        assert page.none_yet.isVisible()
        assert page.none_yet.text().startswith("The models are being read.")
    finally:
        store.given.set()
    qtbot.waitUntil(lambda: len(page.model.rows) == 1)
    settle()
    assert not page.none_yet.isVisible()
    assert row(page, 0)[2] == "none, “Lab”"


def test_that_a_locked_key_store_says_so_and_takes_the_key_once_it_is_unlocked(
    store: Lockable, page: ModelsPage, window: MainWindow, settle: Callable[[], None]
) -> None:
    def strip() -> str:
        return window.strip.findChild(QLabel, "statusKeys").text()

    page.editor.address.setText("http://127.0.0.1:9/v1")
    settle()
    assert strip() == "key store: Secret Service, locked"
    editor = page.editor
    assert editor.kept.text() == "A key that is in Secret Service is found once that is unlocked."
    window.context.engine.open_audit.models.add(
        Endpoint(provider="openai-compatible", model="small", base_url="http://127.0.0.1:9/v1")
    ).result()
    settle()
    assert row(page, 0)[2] == "store locked", "not “none”: nobody knows yet"
    editor.key.setText("sk-typed-0123")
    editor.save_key.click()
    settle()
    assert "for this session only" in editor.kept.text()
    editor.unlock.click()
    settle()
    assert window.context.messages.messages[0].text.startswith("The key store stays locked.")
    store.refuses = False
    editor.unlock.click()
    settle()
    assert editor.kept.text() == "The key is kept in Secret Service, for all your audits."
    assert not editor.unlock.isVisible()
    assert strip() == "key store: Secret Service"
    assert not window.context.messages.messages
    assert list(store.keys.values()) == ["sk-typed-0123"]
