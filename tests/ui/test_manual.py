"""The manual: every link leads somewhere, all that it names is there, and F1 opens the place that tells of it."""

import ast
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt, QUrl
from PySide6.QtWidgets import QApplication, QLineEdit, QScrollArea
from pytestqt.qtbot import QtBot

import gpf_desktop
from gpf_desktop.domain.resources import resources
from gpf_desktop.engine.commands.manual import Manual, anchor_of, filled, manual
from gpf_desktop.engine.core import catalogue
from gpf_desktop.settings.preferences import declared
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.main_window import MainWindow
from gpf_desktop.ui.shell.manual_window import ManualWindow
from gpf_desktop.ui.shell.pages import page_specs
from gpf_desktop.ui.theme import Scheme
from tests.ui.accessibility import problems_in

ROOT = Path(gpf_desktop.__file__).parent
BOLD = re.compile(r"\*\*(.+?)\*\*", re.DOTALL)
QUOTED = re.compile(r"“(.+?)”", re.DOTALL)
PICTURE = re.compile(r"!\[(.*?)\]\((.*?)\)", re.DOTALL)
LINK = re.compile(r"(?<!!)\[[^\]]*\]\(([^)]*)\)")
EXAMPLES = {"a student", "a veteran", "0.69 (0.67 to 0.71)", "harmful, 3 serious", "So far", "Not shown", "shown alike"}
"""Quoted, and not a name of anything."""


def plain(words: str) -> str:
    """*words* as a menu's reader would say them."""
    return " ".join(words.replace("&", "").removesuffix("…").split())


def said() -> set[str]:
    """Every sentence that the program can show."""
    found: set[str] = set()
    for path in ROOT.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") in {"tr", "trn", "Translated"}:
                found |= {plain(str(each.value)) for each in node.args if isinstance(each, ast.Constant)}
    return found


def of_a_pattern(name: str, words: set[str]) -> bool:
    """Whether a sentence with a field in it can come to *name*."""
    fields = (each for each in words if "{" in each and len(re.sub(r"\{.*?\}", "", each)) > 6)
    return any(re.fullmatch(re.sub(r"\\\{.*?\\\}", ".+", re.escape(each)), name) for each in fields)


@pytest.fixture(scope="module")
def book() -> Manual:
    return manual()


def anchors(book: Manual) -> set[str]:
    return {page.id for page in book.pages} | {
        f"{page.id}#{section.anchor}" for page in book.pages for section in page.sections
    }


def test_that_every_link_leads_to_a_page_and_a_section_that_are_there(book: Manual) -> None:
    known = anchors(book)
    led = []
    for page in book.pages:
        for link in LINK.findall(page.text):
            name, _, anchor = link.partition("#")
            place = name.removesuffix(".md") or page.id
            led.append(f"{place}#{anchor}" if anchor else place)
    assert led
    assert [each for each in led if each not in known] == []
    assert [each for each in book.places.values() if each not in known] == []


def test_that_every_picture_is_there_is_described_and_is_small(book: Manual) -> None:
    folder = resources() / "manual"
    shown = [each for page in book.pages for each in PICTURE.findall(page.text)]
    assert all(len(words.split()) > 8 for words, _ in shown)
    files = {folder / name for _, name in shown}
    assert files == set((folder / "pictures").iterdir())
    assert sum(each.stat().st_size for each in files) < 1_000_000


def test_that_every_page_of_the_folder_is_listed_and_has_one_title(book: Manual) -> None:
    assert {page.id for page in book.pages} == {path.stem for path in (resources() / "manual").glob("*.md")}
    for page in book.pages:
        assert [each.level for each in page.sections].count(1) == 1, page.id
        names = [each.anchor for each in page.sections]
        assert len(names) == len(set(names)), page.id


@pytest.mark.slow
def test_that_all_that_the_manual_names_is_in_the_program(window: MainWindow, book: Manual) -> None:
    menus: set[tuple[str, ...]] = set()

    def walk(path: tuple[str, ...], actions: list) -> None:
        for action in actions:
            here = (*path, plain(action.text()))
            menus.add(here)
            if action.menu() is not None:
                walk(here, action.menu().actions())

    walk((), window.menuBar().actions())
    titles = {page.title for page in page_specs()}
    words = said() | titles | {method.title for method in catalogue.methods().values()}
    words |= {one.shown.label for one in declared().values()}
    lacking = []
    for page in book.pages:
        for name in BOLD.findall(page.text):
            parts = tuple(plain(part) for part in name.split("›"))
            if not (parts in menus if len(parts) > 1 else parts[0] in words or of_a_pattern(parts[0], words)):
                lacking.append(f"{page.id}: {name}")
        for name in QUOTED.findall(page.text):
            if plain(name) not in words | EXAMPLES and not any(plain(name) in each for each in words):
                lacking.append(f"{page.id}: “{name}”")
    assert lacking == []


def test_that_what_the_program_says_is_filled_in_and_not_copied(book: Manual) -> None:
    sources = "".join(path.read_text(encoding="utf-8") for path in (resources() / "manual").glob("*.md"))
    whole = "".join(page.text for page in book.pages)
    assert "{{" not in whole
    for sentence in ("Do the facts themselves explain what differs?", "0: the same words."):
        assert sentence in whole
        assert sentence not in sources
    with pytest.raises(KeyError):
        filled("{{nothing}}")


def test_that_no_sentence_of_the_manual_is_longer_than_a_reader_likes(book: Manual) -> None:
    for page in book.pages:
        for line in re.split(r"(?<=[.?!:;])\s+|\n\n|\n- |\n\d\. |\|", page.text):
            assert len(line.split()) <= 32, (page.id, line)


def dialogs() -> Iterator[tuple[str, str]]:
    """(class, object name) of every dialog that the window makes."""
    kinds = {"TitledDialog"}
    classes = [
        node
        for path in (ROOT / "ui").rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ClassDef)
    ]
    for _ in range(4):
        kinds |= {each.name for each in classes if kinds & {getattr(base, "id", "") for base in each.bases}}
    for each in classes:
        if each.name in kinds - {"TitledDialog"}:
            for node in ast.walk(each):
                if isinstance(node, ast.Call) and ast.unparse(node.func) == "super().__init__":
                    names = [*node.args, *(word.value for word in node.keywords if word.arg == "name")]
                    if names and isinstance(names[-1], ast.Constant):
                        yield each.name, names[-1].value


def test_that_the_manual_has_a_place_for_every_page_and_dialog(book: Manual) -> None:
    found = dict(dialogs())
    assert len(found) > 20
    assert [name for name in found.values() if name not in book.places and name != "manual"] == []
    assert [page.id for page in page_specs() if f"page.{page.id}" not in book.places] == []


def open_manual(window: MainWindow) -> ManualWindow:
    (found,) = [each for each in QApplication.topLevelWidgets() if isinstance(each, ManualWindow)]
    return found


def active_manual(window: MainWindow, qtbot: QtBot) -> ManualWindow:
    window.commands.open_manual()
    qtbot.waitUntil(lambda: isinstance(QApplication.activeWindow(), ManualWindow))
    return open_manual(window)


@pytest.mark.parametrize(("page", "place"), [("models", "first-audit#3-add-a-model"), ("review", "reading")])
def test_that_f1_opens_the_place_that_tells_of_the_page(
    window: MainWindow, context: Context, qtbot: QtBot, settle: Callable[[], None], page: str, place: str
) -> None:
    context.navigator.go(page)
    settle()
    qtbot.keyClick(window, Qt.Key.Key_F1)
    settle()
    shown = open_manual(window)
    assert shown.isVisible()
    assert shown.place == place
    context.navigator.go("home")
    qtbot.keyClick(window, Qt.Key.Key_F1)
    settle()
    assert open_manual(window) is shown
    assert problems_in(shown) == []


def test_that_f1_in_a_dialog_opens_the_manual_above_it(
    window: MainWindow, qtbot: QtBot, settle: Callable[[], None]
) -> None:
    window.context.actions.action("help.check").trigger()
    dialog = QApplication.activeModalWidget()
    assert dialog is not None
    qtbot.waitUntil(lambda: QApplication.activeWindow() is dialog)
    qtbot.keyClick(dialog, Qt.Key.Key_F1)
    settle()
    shown = open_manual(window)
    assert shown.place == "trouble#does-the-program-itself-measure-correctly"
    assert shown.parent() is dialog
    dialog.close()


def test_that_one_goes_by_links_and_contents_and_comes_back(window: MainWindow, qtbot: QtBot) -> None:
    shown = active_manual(window, qtbot)
    shown.go("questions")
    shown.text.anchorClicked.emit(QUrl("reading.md#severity"))
    assert shown.place == "reading#severity"
    assert shown.contents.currentItem().text(0) == "Severity"
    shown.text.anchorClicked.emit(QUrl("#verdicts"))
    assert shown.place == "reading#verdicts"
    qtbot.waitUntil(lambda: shown.text.verticalScrollBar().value() > 0)
    shown.contents.setCurrentItem(shown.contents.topLevelItem(5))
    assert shown.place == "trouble"
    qtbot.keyClick(shown, Qt.Key.Key_Left, Qt.KeyboardModifier.AltModifier)
    assert shown.place == "reading#verdicts"
    qtbot.mouseClick(shown.back, Qt.MouseButton.LeftButton)
    qtbot.mouseClick(shown.back, Qt.MouseButton.LeftButton)
    assert shown.place == "questions"
    assert not shown.back.isEnabled()


def test_that_every_anchor_is_found_in_the_text_that_is_shown(window: MainWindow, qtbot: QtBot, book: Manual) -> None:
    shown = active_manual(window, qtbot)
    for page in book.pages:
        shown.text.show_page(page)
        assert [each.anchor for each in page.sections if not shown.text.go_to(each.anchor)] == []
        assert shown.text.toPlainText().count("\ufffc") == page.text.count("!["), "each picture once"
    assert not shown.text.go_to("nowhere")
    assert anchor_of("5 Start a round") == "5-start-a-round"


def test_that_the_search_lists_only_what_has_the_words_and_marks_them(window: MainWindow, qtbot: QtBot) -> None:
    shown = active_manual(window, qtbot)
    qtbot.keyClick(shown, Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    field = QApplication.focusWidget()
    assert isinstance(field, QLineEdit)
    qtbot.keyClicks(field, "price unknown")
    qtbot.keyClick(field, Qt.Key.Key_Return)
    listed = {each.text(0) for each in shown.items() if not each.isHidden() and each.parent()}
    assert listed == {"5 Start a round", "Models"}
    assert shown.place == "first-audit#5-start-a-round"
    shown.go("trouble#models")
    assert len(shown.text.extraSelections()) >= 2
    qtbot.keyClicks(field, " zebra")
    qtbot.keyClick(field, Qt.Key.Key_Return)
    assert shown.none.isVisible()


def test_that_the_manual_follows_text_size_and_colours(window: MainWindow, qtbot: QtBot, context: Context) -> None:
    shown = active_manual(window, qtbot)
    before = shown.text.document().defaultFont().pointSizeF()
    context.theme.set_text_scale(200)
    assert shown.text.document().defaultFont().pointSizeF() == pytest.approx(2 * before)
    link = next(each for each in formats(shown) if each.isAnchor()).foreground().color().name()
    context.theme.set_scheme(Scheme.DARK)
    assert next(each for each in formats(shown) if each.isAnchor()).foreground().color().name() != link


def formats(shown: ManualWindow) -> Iterator:
    block = shown.text.document().begin()
    while block.isValid():
        walk = block.begin()
        while not walk.atEnd():
            yield walk.fragment().charFormat()
            walk += 1
        block = block.next()


def test_that_no_key_is_cut_in_the_list_of_keys(window: MainWindow) -> None:
    keys = window.commands.open_keys()
    QApplication.processEvents()
    area = keys.findChild(QScrollArea)
    assert area is not None
    for editor in keys.editors.values():
        assert editor.mapTo(area.viewport(), editor.rect().topRight()).x() <= area.viewport().width()
        (field,) = editor.findChildren(QLineEdit)
        needed = field.fontMetrics().horizontalAdvance(field.text())
        assert needed + 16 <= field.width(), field.text()
        assert field.width() <= editor.width()
