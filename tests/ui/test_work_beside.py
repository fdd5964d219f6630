"""Long work beside the open audit, or on the network, while that audit is closed or left, or the program quit."""

import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event as Flag

import pytest
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from gpf_desktop.app import Desktop
from gpf_desktop.domain.events import Event, TaskProgressed
from gpf_desktop.engine.commands.artifact_commands import OPEN_TASK, VERIFY_TASK
from gpf_desktop.engine.commands.import_command import IMPORT_TASK
from gpf_desktop.engine.commands.method_check import CHECK_TASK
from gpf_desktop.engine.exchange.artifact.contents import ArtifactChoices
from gpf_desktop.storage.audit_file import AuditFile
from gpf_desktop.ui.exchange.import_dialog import ImportDialog
from gpf_desktop.ui.exchange.open_artifact_dialog import OpenArtifactDialog
from gpf_desktop.ui.exchange.verify_dialog import VerifyDialog
from gpf_desktop.ui.main_window import MainWindow
from gpf_desktop.ui.sources.sources_page import SourcesPage
from gpf_desktop.ui.tasks.task_dialog import TaskDialog
from tests.support.feeds import rss
from tests.support.filled_audit import fill
from tests.support.http_server import LoopbackServer, Reply

Settle = Callable[[], None]
WAYS = ("close", "open another")


@dataclass(frozen=True, slots=True)
class Room:
    """A window with an audit that is open, and another one to open."""

    desktop: Desktop
    folder: Path
    settle: Settle
    qtbot: QtBot
    troubles: list[BaseException] = field(default_factory=list)

    @property
    def window(self) -> MainWindow:
        return self.desktop.window

    @property
    def at(self) -> str:
        """The name of the open audit; empty where none is."""
        current = self.window.context.engine.current
        return "" if current is None else current.path.name

    def come_to(self, name: str) -> None:
        """Wait until the audit of *name* is open, or none is, and all that comes of it has come."""
        self.qtbot.waitUntil(lambda: self.at == name)
        self.settle()

    def leave(self, way: str) -> None:
        """Leave the open audit by *way*, which is not kept from it by what is under way."""
        if way == "close":
            self.window.files.close_audit()
            self.qtbot.waitUntil(lambda: not self.at)
        else:
            self.window.files.open(self.folder / "other.gpf")
            self.qtbot.waitUntil(lambda: self.at == "other.gpf")


@pytest.fixture
def room(desktop: Desktop, settle: Settle, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Room:
    AuditFile.create(tmp_path / "other.gpf", title="Another").close()
    audit = AuditFile.create(tmp_path / "audit.gpf", title="Evening round")
    fill(audit, models_asked=("neutral",), dimensions=("Political",))
    audit.close()
    (tmp_path / "temporary").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))
    made = Room(desktop, tmp_path, settle, qtbot)
    desktop.bridge.trouble.connect(made.troubles.append)
    desktop.window.files.open(tmp_path / "audit.gpf")
    made.come_to("audit.gpf")
    return made


class Held:
    """The work of *task* waits where it first tells how far it is: until it is let go, or the engine has ended all."""

    def __init__(self, room: Room, task: str, monkeypatch: pytest.MonkeyPatch) -> None:
        self.begun, self._go_on = Flag(), Flag()
        self.went_on = Flag()
        engine = room.desktop.engine
        announce = engine.announce

        def held(event: Event) -> None:
            announce(event)
            if not isinstance(event, TaskProgressed) or event.task != task:
                return
            if self.begun.is_set():
                self.went_on.set()
            self.begun.set()
            while not (self._go_on.wait(0.02) or engine._threads._shutdown):
                pass

        monkeypatch.setattr(engine, "announce", held)

    def let_go(self) -> None:
        self._go_on.set()


def _importing(room: Room) -> TaskDialog:
    table = room.folder / "answers.csv"
    table.write_text("model,headline,identity,response\nx,News,Hindu,Words\nx,News,Sikh,Other words\n")
    room.window.exchange.import_answers([table])
    room.settle()
    (dialog,) = room.window.findChildren(ImportDialog)
    dialog.target.line.setText(str(room.folder / "made.gpf"))
    return dialog


def _artifact(room: Room) -> Path:
    made = room.folder / "artifact.zip"
    room.window.context.engine.open_audit.artifacts.start(made, ArtifactChoices()).result()
    room.settle()
    return made


def _verifying(room: Room) -> TaskDialog:
    room.window.exchange.verify(_artifact(room))
    (dialog,) = room.window.findChildren(VerifyDialog)
    return dialog


def _opening(room: Room) -> TaskDialog:
    room.window.exchange.open_artifact(_artifact(room))
    (dialog,) = room.window.findChildren(OpenArtifactDialog)
    dialog.target.line.setText(str(room.folder / "made.gpf"))
    return dialog


def _checking(room: Room) -> TaskDialog:
    room.window.context.actions.action("help.check").trigger()
    room.settle()
    return next(each for each in room.window.findChildren(TaskDialog) if each.isVisible())


WORK = {IMPORT_TASK: _importing, VERIFY_TASK: _verifying, OPEN_TASK: _opening, CHECK_TASK: _checking}
MAKING = (IMPORT_TASK, OPEN_TASK)
"""Work that makes an audit, which is then opened."""


def begin(dialog: TaskDialog) -> None:
    dialog.findChild(QPushButton, f"{dialog.objectName()}.begin").click()  # type: ignore[union-attr]


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("task", WORK)
def test_that_work_beside_an_audit_goes_on_where_that_is_left(
    room: Room, monkeypatch: pytest.MonkeyPatch, task: str, way: str
) -> None:
    dialog = WORK[task](room)
    held = Held(room, task, monkeypatch)
    ended: list[object] = []
    dialog.model.ended.connect(ended.append)
    begin(dialog)
    room.qtbot.waitUntil(held.begun.is_set)
    room.leave(way)
    assert dialog.isVisible()
    assert dialog.model.running
    held.let_go()
    if task == CHECK_TASK:
        # To its end it takes half a minute, beside which nothing else would be seen.
        room.qtbot.waitUntil(held.went_on.is_set)
        dialog.model.cancel()
    room.qtbot.waitUntil(lambda: bool(ended) or not dialog.model.running)
    room.come_to("made.gpf" if task in MAKING else "other.gpf" if way == "open another" else "")
    assert room.troubles == []


def files(room: Room) -> set[Path]:
    """But for locks, which stay: who takes one away may take away that of the next program."""
    return {each for each in room.folder.rglob("*") if each.suffix != ".lock"}


@pytest.mark.parametrize("task", WORK)
def test_that_work_beside_an_audit_ends_with_the_program_and_leaves_nothing(
    room: Room, monkeypatch: pytest.MonkeyPatch, task: str
) -> None:
    dialog = WORK[task](room)
    before = files(room)
    held = Held(room, task, monkeypatch)
    ended: list[object] = []
    dialog.model.ended.connect(ended.append)
    begin(dialog)
    room.qtbot.waitUntil(held.begun.is_set)
    # What the program does once its window is closed.
    room.desktop.engine.close()
    room.settle()
    assert ended == []
    assert files(room) <= before
    assert room.troubles == []


def test_that_work_begun_as_the_program_ends_is_not_waited_for(room: Room) -> None:
    dialog = _importing(room)
    room.desktop.engine.close()
    begin(dialog)
    room.settle()
    assert dialog.model.problem == "The program is being closed."
    assert room.troubles == []


def test_that_each_work_beside_an_audit_is_ended_with_the_program(room: Room) -> None:
    engine, first, second = room.desktop.engine, Flag(), Flag()
    waiting = [engine.run_beside(lambda flag=flag: flag.wait(60), flag.set) for flag in (first, second)]
    engine.close()
    assert [each.result() for each in waiting] == [True, True]


def gated_feed(room: Room, server: LoopbackServer) -> Reply:
    """The audit has a source whose second answer waits, with news that the first one did not have."""
    reply = Reply(body=rss(["Trams run late"]), headers={"Content-Type": "application/rss+xml"})
    later = Reply(body=rss(["Trams run on time", "Trams run late"]), headers=reply.headers, gate=server.gate())
    server.route("/feed.xml", [reply, later])
    sources = room.window.context.engine.open_audit.sources
    sources.add(sources.detect(server.url("/feed.xml")).result().candidates).result()
    room.window.context.navigator.go("sources")
    room.settle()
    page = room.window.stack.page("sources")
    assert isinstance(page, SourcesPage)
    page.model.fetch_all()
    server.wait_for_requests(2)
    return later


@pytest.mark.parametrize("way", [*WAYS, "quit"])
def test_that_news_on_its_way_is_left_with_the_audit_that_asked_for_it(
    room: Room, http_server: LoopbackServer, way: str
) -> None:
    late = gated_feed(room, http_server)
    if way == "quit":
        room.desktop.engine.close()
    else:
        room.leave(way)
    assert late.gate is not None
    late.gate.open()
    room.settle()
    assert room.troubles == []
    assert [each.text for each in room.window.context.messages.messages] == []
    if way == "open another":
        assert room.window.context.engine.open_audit.sources.sources() == []
        page = room.window.stack.page("sources")
        assert isinstance(page, SourcesPage)
        assert not page.model.fetching
    if way != "quit":
        # Asked again it comes: what was cut off keeps nothing from it.
        room.window.files.open(room.folder / "audit.gpf")
        room.come_to("audit.gpf")
        sources = room.window.context.engine.open_audit.sources
        assert [each.headline for each in sources.articles()].count("Trams run on time") == 0
        sources.fetch().result()
        assert [each.headline for each in sources.articles()].count("Trams run on time") == 1
        room.settle()
