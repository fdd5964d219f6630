"""The manual in further languages: every page, link, place and picture of the English one, by the window's words."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from gpf_desktop.domain.resources import resources
from gpf_desktop.domain.text import speaking
from gpf_desktop.engine.commands.manual import Manual, manual
from gpf_desktop.engine.core import catalogue
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.shell.manual_text import ManualText
from gpf_desktop.ui.shell.manual_window import ManualWindow
from tests.ui.test_manual import BOLD, LINK, PICTURE, of_a_pattern, plain

FOLDER = resources() / "manual"
LANGUAGES = sorted(each.name for each in FOLDER.iterdir() if each.is_dir() and each.name != "pictures")
FILLED = re.compile(r"\{\{.*?\}\}")


@pytest.fixture(params=LANGUAGES)
def spoken(request: pytest.FixtureRequest) -> Iterator[str]:
    with speaking(resources() / "languages", request.param):
        yield request.param


@pytest.fixture
def book(spoken: str) -> Manual:
    return manual()


def raw(page: str, language: str = "") -> str:
    return (FOLDER / language / f"{page}.md").read_text(encoding="utf-8")


def said_in(language: str) -> set[str]:
    """Every sentence of the program in *language*."""
    from babel.messages.pofile import read_po

    with (resources() / "languages" / language / "LC_MESSAGES" / "gpf_desktop.po").open("rb") as file:
        told = [each.string for each in read_po(file) if each.id]
    return {plain(one) for each in told for one in ([each] if isinstance(each, str) else each)}


def test_that_every_page_has_what_the_english_one_has(book: Manual, spoken: str) -> None:
    assert {page.id for page in book.pages} == {path.stem for path in (FOLDER / spoken).glob("*.md")}
    with speaking(resources() / "languages", "en"):
        english = manual()
    for page in book.pages:
        before, now = raw(page.id), raw(page.id, spoken)
        assert before != now
        for kept in (LINK, FILLED):
            assert kept.findall(now) == kept.findall(before), page.id
        pictures = [name for _, name in PICTURE.findall(now)]
        assert pictures == [name for _, name in PICTURE.findall(before)]
        assert all((FOLDER / spoken / name).stat().st_size < 300_000 for name in pictures)
        its, theirs = page.sections, english.page(page.id)
        assert theirs is not None
        assert [(each.level, each.anchor) for each in its] == [(each.level, each.anchor) for each in theirs.sections]
        assert len(now.splitlines()) >= len(before.splitlines()), "a line was left out"


def test_that_all_that_it_names_is_called_so_in_the_window(book: Manual, spoken: str) -> None:
    words = said_in(spoken) | {method.title for method in catalogue.methods().values()}
    lacking = [
        f"{page.id}: {part}"
        for page in book.pages
        for name in BOLD.findall(page.text)
        for part in map(plain, name.split("›"))
        if part not in words and not of_a_pattern(part, words)
    ]
    assert lacking == []


SOUGHT = {
    "en": {
        "schedule": "first-audit#repeat-a-round",
        "repeat": "first-audit#repeat-a-round",
        "import": "first-audit#answers-from-elsewhere",
        "crash": "trouble#rounds",
        "killed": "trouble#rounds",
        "German": "trouble#language-keys-and-text-size",
        "memo": "reading#codes-and-memos",
        "passage": "reading#codes-and-memos",
        "code book": "reading#codes-and-memos",
        "undo": "reading#how-to-judge",
    },
    "de": {
        "Zeitplan": "first-audit#repeat-a-round",
        "wiederhol": "first-audit#repeat-a-round",
        "importieren": "first-audit#answers-from-elsewhere",
        "abgestürzt": "trouble#rounds",
        "Absturz": "trouble#rounds",
        "Englisch": "trouble#language-keys-and-text-size",
        "Memo": "reading#codes-and-memos",
        "Textstelle": "reading#codes-and-memos",
        "Codebuch": "reading#codes-and-memos",
        "rückgängig": "reading#how-to-judge",
    },
}
"""What people look for, and the place that has to be among what is found."""


@pytest.mark.parametrize("language", SOUGHT)
def test_that_what_people_look_for_leads_to_the_place_that_tells_of_it(
    language: str, context: Context, qtbot: QtBot
) -> None:
    holder = QWidget()
    qtbot.addWidget(holder)
    with speaking(resources() / "languages", language):
        shown = ManualWindow(context.theme, manual(), holder)
    lacking = []
    for word, place in SOUGHT[language].items():
        shown.search.setText(word)
        shown.search.sought.emit(word)
        if place not in {each.data(0, Qt.ItemDataRole.UserRole) for each in shown.items() if not each.isHidden()}:
            lacking.append(word)
    assert lacking == []


def test_that_f1_finds_every_place_of_it(book: Manual, context: Context, qtbot: QtBot) -> None:
    text = ManualText(context.theme)
    qtbot.addWidget(text)
    for page in book.pages:
        text.show_page(page)
        assert [each.anchor for each in page.sections if not text.go_to(each.anchor)] == []
    assert not text.go_to("nowhere")


def test_that_no_language_is_begun_without_a_catalogue() -> None:
    assert LANGUAGES
    assert [each for each in LANGUAGES if not Path(resources() / "languages" / each).is_dir()] == []
