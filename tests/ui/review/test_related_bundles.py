"""The same question in another model, run or news item, by key and by menu, and back to where one was."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from gpf_desktop.app import Desktop
from gpf_desktop.storage.audit_file import AuditFile
from gpf_desktop.ui.review.review_page import ReviewPage
from tests.support.filled_audit import ITEMS, fill
from tests.ui.review.conftest import open_review

Press = Callable[[str], None]
Settle = Callable[[], None]


@pytest.fixture
def filled(tmp_path: Path) -> Path:
    """Two batches: two news items asked of two models, and a third one later."""
    path = tmp_path / "filled.gpf"
    audit = AuditFile.create(path, title="Evening round")
    models = ("tailoring-0.6", "neutral")
    fill(audit, models_asked=models, dimensions=("Political",), items=2)
    fill(audit, models_asked=models[:1], dimensions=("Political",), items=1, skipped=2)
    audit.close()
    return path


@pytest.fixture
def page(desktop: Desktop, qtbot: QtBot, filled: Path, settle: Settle) -> ReviewPage:
    """Open on the first news item, asked of the first model."""
    made = open_review(desktop.window, qtbot, filled)
    made.model.open(next(b for b in made.model.queue.ids(made.model.tab) if facts(made, b)[:2] == (MODEL, ITEMS[0][0])))
    settle()
    made.queue.setFocus()
    return made


MODEL = "calibration/tailoring-0.6"


def facts(page: ReviewPage, bundle_id: object) -> tuple[str, str, str]:
    service = page.model.service
    assert service is not None
    bundle = service.bundle(bundle_id)  # type: ignore[arg-type]
    return bundle.model, bundle.anchor.headline, bundle.facts.coordinates["family"]


def here(page: ReviewPage) -> tuple[str, str, str]:
    bundle = page.model.bundle
    assert bundle is not None
    return bundle.model, bundle.anchor.headline, bundle.facts.coordinates["family"]


def test_that_a_key_goes_to_the_same_question_in_the_other_model_and_back(
    page: ReviewPage, press: Press, settle: Settle
) -> None:
    first = here(page)
    press("Alt+M")
    settle()
    assert here(page) == ("calibration/neutral", *first[1:])
    assert page.reading.top._related.text == "another model"
    press("Backspace")
    settle()
    assert here(page) == first
    assert page.reading.top._related.isHidden()


def test_that_a_key_goes_to_the_next_batch_which_is_another_news_item_and_back(
    page: ReviewPage, press: Press, settle: Settle
) -> None:
    first = here(page)
    press("Alt+B")
    settle()
    assert here(page) == (first[0], ITEMS[2][0], first[2])
    assert page.reading.top._related.text == "another news item"
    press("Alt+Shift+B")
    settle()
    assert here(page) == first
    assert page.model.related.home is None


def test_that_items_are_gone_through_and_a_batch_is_met_again_where_it_was_left(
    page: ReviewPage, press: Press, settle: Settle
) -> None:
    first = here(page)
    press("Alt+N")
    settle()
    assert here(page) == (first[0], ITEMS[1][0], first[2])
    press("Alt+B")
    settle()
    assert here(page)[1] == ITEMS[2][0]
    press("Alt+B")
    settle()
    assert here(page)[1] == ITEMS[1][0]
    press("Alt+Shift+N")
    settle()
    assert here(page) == first


def test_that_the_way_through_the_queue_goes_on_from_where_it_was_left(
    page: ReviewPage, press: Press, settle: Settle
) -> None:
    model = page.model
    left = model.reader.current
    assert left is not None
    following = model.queue.neighbour(model.tab, left, 1) or model.queue.neighbour(model.tab, left, -1)
    press("Alt+B")
    settle()
    press("Right" if model.queue.neighbour(model.tab, left, 1) else "Left")
    settle()
    assert model.reader.current == following


def test_that_what_is_said_elsewhere_is_kept_and_submitting_comes_back(
    page: ReviewPage, press: Press, settle: Settle
) -> None:
    home = page.model.reader.current
    press("Alt+M")
    settle()
    there = page.model.reader.current
    press("O")
    press("Ctrl+Return")
    settle()
    assert page.model.reader.current == home
    service = page.model.service
    assert service is not None
    assert there is not None
    assert service.bundle(there).state.submitted is not None


def test_that_the_queue_read_again_leaves_open_what_is_beside_it(
    page: ReviewPage, press: Press, settle: Settle
) -> None:
    page.model.set_filter(replace(page.model.wanted, model=MODEL))
    settle()
    press("Alt+M")
    settle()
    there = page.model.reader.current
    assert page.model.queue.tab_of(there) is None
    page.model.refresh()
    settle()
    assert page.model.reader.current == there
    assert page.model.related.home is not None


def test_that_menus_name_where_one_can_go(page: ReviewPage, settle: Settle) -> None:
    top = page.reading.top
    assert top.model.words == MODEL.partition("/")[2]
    assert MODEL in top.model.accessibleName()
    top._models.aboutToShow.emit()
    named = [action.text() for action in top._models.actions()]
    assert any("calibration/neutral" in words for words in named)
    top._items.aboutToShow.emit()
    entries = {action.text(): action for action in top._items.actions()}
    assert {item[0] for item in ITEMS} <= set(entries)
    entries[ITEMS[2][0]].trigger()
    settle()
    assert here(page)[1] == ITEMS[2][0]
    top.back.click()
    settle()
    assert here(page)[1] == ITEMS[0][0]


def test_that_a_blind_reading_neither_names_models_nor_goes_by_them(
    page: ReviewPage, press: Press, settle: Settle
) -> None:
    first = page.model.reader.current
    page.bar.blind.click()
    settle()
    top = page.reading.top
    assert not top.model.isEnabled()
    assert "hidden" in top.model.words
    top._models.aboutToShow.emit()
    assert "calibration" not in " ".join(action.text() for action in top._models.actions())
    page.queue.setFocus()
    press("Alt+M")
    settle()
    assert page.model.reader.current == first
    assert "names are hidden" in page.context.messages.messages[-1].text


def test_that_revealed_names_are_no_way_to_the_names_of_unread_bundles(
    page: ReviewPage, press: Press, settle: Settle
) -> None:
    first = page.model.reader.current
    page.bar.blind.click()
    settle()
    page.queue.setFocus()
    press("O")
    press("Ctrl+Return")
    settle()
    page.model.open(first)
    settle()
    press("R")
    settle()
    assert page.reading.top.model.words == MODEL.partition("/")[2]
    assert not page.reading.top.model.isEnabled()
    assert not page.reading.top.items.isEnabled()
    for key in ("Alt+M", "Alt+N", "Alt+B"):
        press(key)
        settle()
        assert page.model.reader.current == first


def test_that_a_question_asked_once_says_so(page: ReviewPage, press: Press, settle: Settle) -> None:
    press("Alt+B")
    settle()
    home = page.model.related.home
    press("Alt+M")
    settle()
    assert page.model.related.home == home
    assert "No other model" in page.context.messages.messages[-1].text
    assert not page.reading.top.model.isEnabled()
    assert "No other model" in page.reading.top.model.toolTip()
