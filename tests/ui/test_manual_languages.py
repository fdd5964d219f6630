"""The manual in further languages: every page, link, place and picture of the English one, by the window's words."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from gpf_desktop.domain.resources import resources
from gpf_desktop.domain.text import speaking
from gpf_desktop.engine.commands.manual import Manual, manual
from gpf_desktop.engine.core import catalogue
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.shell.manual_text import ManualText
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
