"""The protocol edited as a form, over the real engine."""

from collections.abc import Callable
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtWidgets import (
    QComboBox,
    QLabel,
    QLineEdit,
    QMenu,
    QPlainTextEdit,
    QPushButton,
    QToolButton,
    QWidget,
)
from pytestqt.qtbot import QtBot

from gpf_desktop.domain.models import Endpoint, Price
from gpf_desktop.engine.core.protocols import protocol_hash
from gpf_desktop.engine.rounds.setup import RunSetup
from gpf_desktop.methods.gpf_livenews.protocol import Cue, CueKind, Identity, Reader
from gpf_desktop.ui.main_window import MainWindow
from gpf_desktop.ui.protocol.edit_fields import BareField
from gpf_desktop.ui.protocol.protocol_page import ProtocolPage
from tests.support.protocols import shipped_protocol
from tests.ui.accessibility import problems_in

DEFAULT = shipped_protocol()


@pytest.fixture
def page(window: MainWindow, audit: Path, qtbot: QtBot, settle: Callable[[], None]) -> ProtocolPage:
    settle()
    window.context.navigator.go("protocol")
    found = window.findChild(ProtocolPage, "page.protocol")
    assert found is not None
    qtbot.waitUntil(lambda: bool(found.model.versions))
    settle()
    window.activateWindow()
    found.edit.click()
    settle()
    return found


def line(page: ProtocolPage, name: str) -> QLineEdit:
    return next(each for each in page.findChildren(QLineEdit, f"protocol.{name}") if each.isVisible())


def tool(page: ProtocolPage, name: str) -> QToolButton:
    return next(each for each in page.findChildren(QToolButton, f"protocol.{name}") if each.isVisible())


def add_identity(page: ProtocolPage, label: str, qtbot: QtBot) -> QLineEdit:
    button = next(b for b in page.findChildren(QPushButton, "protocol.dimensions.0.identities.add") if b.isVisible())
    button.click()
    field = line(page, "dimensions.0.identities.7.label")
    qtbot.keyClicks(field, label)
    return field


def save(page: ProtocolPage, qtbot: QtBot, settle: Callable[[], None]) -> None:
    assert page.form.save.isEnabled()
    page.form.save.click()
    qtbot.waitUntil(lambda: not page.model.form.editing)
    settle()


def test_that_an_added_identity_makes_a_new_version_with_which_a_round_asks_301_main_cells(
    page: ProtocolPage, window: MainWindow, qtbot: QtBot, settle: Callable[[], None]
) -> None:
    open_audit = window.context.engine.open_audit
    open_audit.protocols.use(DEFAULT).result()
    open_audit.sources.add_sample().result()
    open_audit.models.add_calibration(["neutral"]).result()
    model = open_audit.models.models()[0].model
    articles = open_audit.setup_choices(2).articles

    def plan(name: str, article: int) -> str:
        setup = RunSetup(
            method="gpf-livenews",
            name=name,
            protocol=open_audit.protocols.current(),
            model_ids=(model.id,),
            article_ids=(articles[article].id,),
        )
        run = open_audit.rounds.plan(setup).result()
        counted = open_audit.context.audit.read(
            lambda c: c.execute(
                "SELECT count(*) FROM cell c JOIN bundle b ON b.id = c.bundle_id WHERE c.run_id = ? AND b.arm = 'main'"
                " AND repeat = 0",
                (run,),
            ).fetchone()
        )
        used = open_audit.context.audit.read(
            lambda c: c.execute(
                "SELECT hash FROM protocol JOIN run ON run.protocol_id = protocol.id WHERE run.id = ?", (run,)
            ).fetchone()
        )
        return f"{counted[0]} {used[0]}"

    assert plan("before", 0) == f"294 {protocol_hash(DEFAULT)}"
    field = add_identity(page, "Pacific Islander", qtbot)
    assert field.hasFocus()
    assert f"version {DEFAULT.version + 1}" in page.form.status.text()
    save(page, qtbot, settle)
    current = open_audit.protocols.current()
    assert (current.version, sum(len(d.identities) for d in current.dimensions)) == (DEFAULT.version + 1, 43)
    assert plan("after", 1) == f"301 {protocol_hash(current)}"
    own = [each for each in open_audit.protocols.versions() if each.name == DEFAULT.name]
    runs = {version.version: version.runs for version in own}
    assert runs == {DEFAULT.version: 1, DEFAULT.version + 1: 1}
    assert page.model.shown is not None
    assert page.model.shown.current


def test_that_a_duplicate_identity_is_said_at_its_field_and_keeps_it_from_being_saved(
    page: ProtocolPage, qtbot: QtBot
) -> None:
    field = add_identity(page, "black american", qtbot)
    row = field.parentWidget()
    assert isinstance(row, BareField)
    assert "appears twice" in row.problem
    assert field.accessibleDescription() == row.problem
    assert not page.form.save.isEnabled()
    assert page.form.tabs.tabText(0).endswith("(1)")
    page.form.tabs.setCurrentIndex(1)
    page.form.go_to.click()
    assert page.model.form.tab == "dimensions"
    assert field.hasFocus()
    qtbot.keyClicks(field, "Pacific Islander")
    assert row.problem == ""
    assert page.form.save.isEnabled()


def test_that_the_identity_slot_is_checked_while_one_types(page: ProtocolPage) -> None:
    page.form.tabs.setCurrentIndex(1)
    template = page.findChild(QPlainTextEdit, "protocol.families.0.templates.0")
    assert template is not None
    template.setPlainText("Tell me how this impacts me.")
    row = template.parentWidget()
    assert isinstance(row, BareField)
    assert "exactly once" in row.problem
    template.setPlainText("As {identity}, what does it change for me?")
    assert row.problem == ""
    assert page.message.user.toPlainText().startswith("As Black American, what does it change for me?")


def test_that_undo_and_redo_go_through_the_windows_commands(
    page: ProtocolPage, window: MainWindow, qtbot: QtBot
) -> None:
    actions = window.context.actions
    assert not actions.action("edit.undo").isEnabled()
    field = line(page, "dimensions.0.identities.0.label")
    field.setFocus()
    field.selectAll()
    qtbot.keyClicks(field, "Black")
    assert actions.action("edit.undo").text() == "&Undo changing Black American"
    qtbot.keyClick(field, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert field.text() == "Black American"
    assert page.model.form.draft == DEFAULT
    qtbot.keyClick(field, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier)
    assert field.text() == "Black"
    tool(page, "dimensions.1.remove").click()
    assert page.model.form.draft is not None
    assert len(page.model.form.draft.dimensions) == 5
    window.context.navigator.go("models")
    assert not actions.action("edit.undo").isEnabled()
    assert actions.action("edit.undo").text() == "&Undo"
    window.context.navigator.go("protocol")
    page.form.undo.click()
    page.form.undo.click()
    assert page.model.form.draft == DEFAULT
    assert line(page, "dimensions.1.name").text() == "Religion"


def test_that_moving_keeps_the_keyboard_where_it_was(page: ProtocolPage) -> None:
    down = tool(page, "dimensions.0.identities.0.down")
    assert down.accessibleName() == "Move Black American down"
    down.setFocus()
    down.click()
    assert line(page, "dimensions.0.identities.1.label").text() == "Black American"
    assert down.hasFocus()
    assert down.accessibleName() == "Move Hispanic American down"
    tool(page, "dimensions.0.identities.0.remove").click()
    assert line(page, "dimensions.0.identities.0.label").hasFocus()


def test_that_overlaps_follow_the_identities_that_they_name(page: ProtocolPage, qtbot: QtBot) -> None:
    form = page.model.form
    assert DEFAULT.dimension("Geography").identities[3].label == "Southeastern Black"
    assert "Southeastern Black" in DEFAULT.dimensions[0].identities[0].overlaps
    tool(page, "dimensions.0.identities.0.fold").click()
    tool(page, "dimensions.3.fold").click()
    field = line(page, "dimensions.3.identities.3.label")
    field.selectAll()
    qtbot.keyClicks(field, "Southern")
    assert form.draft is not None
    assert "Southern" in form.draft.dimensions[0].identities[0].overlaps
    assert "Southern" in "\n".join(label.text() for label in page.form.findChildren(QLabel))
    tool(page, "dimensions.3.identities.3.remove").click()
    assert "Southern" not in form.draft.dimensions[0].identities[0].overlaps
    who = ("Rural American", "Coastal Elite")
    shown = tuple(Reader(identity=each, says=f"Of {each} farms.") for each in who)
    form.put(("cues",), (Cue(kind=CueKind.BY_NOTE, source="a study", readers=shown),), "adding a cue")
    form.put(("dimensions", 3, "identities", 1, "label"), "Countryside", "renaming")
    form.remove(("dimensions", 3, "identities", 4), "removing")
    assert [each.identity for each in form.draft.cues[0].readers] == ["Countryside"]
    form.show_tab("cues")
    kind = page.findChild(QComboBox, "protocol.cues.0.kind")
    assert kind is not None
    assert [kind.itemText(at) for at in range(kind.count())] == ["by a name", "by an earlier question", "by a note"]
    assert page.findChild(QWidget, "protocol.cues.0.readers") is not None
    form.show_tab("dimensions")
    choose = page.findChild(QPushButton, "protocol.dimensions.0.identities.0.overlaps")
    assert choose is not None
    menu = choose.menu()
    menu.aboutToShow.emit()
    religion = next(m for m in menu.findChildren(QMenu) if m.title() == "Religion")
    religion.actions()[0].trigger()
    assert form.draft.dimensions[0].identities[0].overlaps[-1] == "Jewish"


def test_that_every_setting_can_be_set_and_left_out(
    page: ProtocolPage, qtbot: QtBot, settle: Callable[[], None]
) -> None:
    form = page.model.form
    page.model.form.show_tab("settings")
    temperature = page.form.form.forms["settings"].book.field(("decoding", "temperature")).editor
    temperature.tick.click()  # type: ignore[attr-defined]
    form.put(("controls", "repeat_share"), 0.25, "changing")
    form.put(("scoring", "rarefy"), 4, "changing")
    form.put(("label_sets",), (*DEFAULT.label_sets, replace(DEFAULT.label_sets[0], name="more")), "adding")
    save(page, qtbot, settle)
    saved = page.model.protocol
    assert saved is not None
    assert saved.decoding == replace(DEFAULT.decoding, temperature=None)
    assert (saved.controls.repeat_share, saved.rarefied_size, len(saved.label_sets)) == (0.25, 4, 3)


def test_that_another_name_makes_a_protocol_of_its_own(
    page: ProtocolPage, qtbot: QtBot, settle: Callable[[], None]
) -> None:
    page.model.form.show_tab("name and texts")
    name = line(page, "name")
    name.setText("Regional")
    assert "of its own: Regional, version 1" in page.form.status.text()
    save(page, qtbot, settle)
    assert {(v.name, v.version) for v in page.model.versions} == {
        ("Regional", 1),
        ("GPF-LiveNews-v1", DEFAULT.version),
        ("GPF-LiveNews-with-cues", 1),
        ("GPF-LiveNews-with-second-turns", 1),
        ("GPF-LiveNews-this-news", 1),
    }


def test_that_a_draft_survives_another_page_and_a_restart_and_can_be_gone_on_with(
    page: ProtocolPage, window: MainWindow, audit: Path, qtbot: QtBot, settle: Callable[[], None]
) -> None:
    add_identity(page, "black american", qtbot)
    window.context.navigator.go("models")
    window.context.navigator.go("protocol")
    settle()
    assert line(page, "dimensions.0.identities.7.label").text() == "black american"
    window.files.create(audit.with_name("other.gpf"), "gpf-livenews")
    qtbot.waitUntil(lambda: window.status.title == "other")
    settle()
    assert not page.model.form.editing
    assert page.draft.isHidden()
    window.files.open(audit)
    qtbot.waitUntil(lambda: window.status.title == "evening")
    window.context.navigator.go("protocol")
    settle()
    assert page.draft.isVisible()
    assert page.model.protocol == DEFAULT
    page.draft.go_on.click()
    settle()
    field = line(page, "dimensions.0.identities.7.label")
    assert field.text() == "black american"
    field.setText("Pacific Islander")
    save(page, qtbot, settle)
    assert page.draft.isHidden()
    assert window.context.engine.open_audit.protocols.draft() is None


def test_that_cancel_asks_only_where_something_was_changed(page: ProtocolPage, settle: Callable[[], None]) -> None:
    page.form.cancel.click()
    assert not page.model.form.editing
    assert page.edit.hasFocus()
    page.edit.click()
    line(page, "dimensions.0.name").setText("Race")
    page.form.cancel.click()
    assert page.form.question.isVisible()
    page.form.stay.click()
    assert page.model.form.editing
    page.form.cancel.click()
    page.form.keep.click()
    settle()
    assert page.draft.isVisible()
    page.draft.discard.click()
    settle()
    assert page.draft.isHidden()
    assert page.model.versions[0].version == DEFAULT.version


def test_that_cells_calls_and_cost_follow_the_edit(
    page: ProtocolPage, window: MainWindow, qtbot: QtBot, settle: Callable[[], None]
) -> None:
    models = window.context.engine.open_audit.models
    price = Price(prompt=1.0, completion=2.0, entered=date(2026, 11, 1))
    models.add(Endpoint(provider="openai", model="priced", price=price)).result()
    models.add(Endpoint(provider="openai", model="unpriced")).result()
    settle()
    qtbot.waitUntil(lambda: page.model.outlook is not None and page.model.outlook.models == 2)
    cost = page.findChild(QLabel, "protocol.cost")
    remarks = page.findChild(QLabel, "protocol.costRemarks")
    identity = page.findChild(QLabel, "protocol.count.main")
    assert cost is not None
    assert remarks is not None
    assert identity is not None
    assert "The price of openai/unpriced is unknown" in remarks.text()
    assert "$" in cost.text()
    before = page.model.outlook
    assert before is not None
    assert before.cost is not None
    page.model.form.add(("dimensions", 0, "identities"), Identity(label="Pacific Islander"), "adding")
    qtbot.waitUntil(lambda: identity.text() == "3,010")
    qtbot.waitUntil(lambda: page.model.outlook is not before)
    after = page.model.outlook
    assert after is not None
    assert after.cost is not None
    assert after.cost.high > before.cost.high
    assert after.calls > before.calls


def test_that_every_part_of_the_form_has_a_name_and_fits_the_window(
    page: ProtocolPage, window: MainWindow, settle: Callable[[], None]
) -> None:
    for scale in (100, 200):
        window.context.theme.set_text_scale(scale)
        for at in range(page.form.tabs.count()):
            page.form.tabs.setCurrentIndex(at)
            if at == 0:
                page.model.form.set_open(("dimensions", 0, "identities", 0), True)
            settle()
            assert problems_in(page) == []
            needed = window.minimumSizeHint()
            assert (needed.width() <= 1280, needed.height() <= 720) == (True, True), (scale, at)
            area = page.form.form.forms[page.model.form.tab].area
            content = area.widget()
            assert content is not None
            assert content.width() <= area.viewport().width(), (scale, at)


def test_that_large_text_leaves_the_form_room_and_what_it_comes_to_one_button_away(
    page: ProtocolPage, window: MainWindow, qtbot: QtBot
) -> None:
    assert page.glance.isHidden()
    window.context.theme.set_text_scale(200)
    qtbot.waitUntil(page.glance.isVisible)
    assert page.form.isVisible()
    assert not page.count.isVisible()
    page.glance.click()
    assert page.count.isVisible()
    assert not page.form.isVisible()
    window.context.theme.set_text_scale(100)
    qtbot.waitUntil(page.form.isVisible)
    assert page.count.isVisible()


def test_that_a_button_of_what_was_removed_removes_nothing_more(page: ProtocolPage) -> None:
    for name in ("dimensions.3.identities.3", "dimensions.0.identities.6", "dimensions.4"):
        draft = page.model.form.draft
        assert draft is not None
        outer = name.rpartition(".")[0]
        number = int(outer.split(".")[1]) if "." in outer else None
        if number is not None:
            page.model.form.set_open(("dimensions", number), True)
        before = len(draft.dimensions) if number is None else len(draft.dimensions[number].identities)
        trash = next(iter(page.findChildren(QToolButton, f"protocol.{name}.remove")), None)
        if trash is None:
            page.model.form.remove(("dimensions", before - 1), "removing")
            trash = tool(page, f"dimensions.{before - 2}.remove")
            before -= 1
        for _ in range(6):
            trash.click()
        left = page.model.form.draft
        assert left is not None
        assert (len(left.dimensions) if number is None else len(left.dimensions[number].identities)) == before - 1, name
        while page.model.form.undo_words:
            page.model.form.undo()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


def test_that_an_edited_wording_whose_twin_without_an_identity_stays_is_said(page: ProtocolPage) -> None:
    page.model.form.show_tab("families")
    page.model.form.set_open(("families", 0), True)
    draft = page.model.form.draft
    assert draft is not None
    behind = next(
        each for each in page.findChildren(QLabel) if each.objectName() == "protocol.families.0.identity_free.0.behind"
    )
    assert behind.text() == ""
    page.model.form.put(("families", 0, "templates", 0), "As {slot}, what follows for me? ", "editing a wording")
    assert "names no reader" in behind.text()
    page.model.form.put(("families", 0, "identity_free", 0), "What follows for me? ", "editing a wording")
    assert behind.text() == ""
