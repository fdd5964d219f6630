"""A set of several models' answers: the one that the question is about comes first and is called so."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from gpf_desktop.app import Desktop
from gpf_desktop.engine.commands.headless import Headless
from gpf_desktop.engine.commands.import_command import import_tables
from gpf_desktop.ui.review.reading_content import AnswerOrder
from gpf_desktop.ui.review.review_page import ReviewPage
from tests.methods.relative_bias.tables import write

Settle = Callable[[], None]
LENGTHS = {"ash": 9, "birch": 7, "cedar": 5, "elm": 3}


@pytest.fixture
def compared(desktop: Desktop, qtbot: QtBot, tmp_path: Path) -> ReviewPage:
    """Four models, the third of which is the one under study."""
    rows = [
        (model, f"theme {question % 3}", f"question {question}", " ".join([model] * n + [f"says {question}"]), "j", 2)
        for question in range(6)
        for model, n in LENGTHS.items()
    ]
    source = write(tmp_path / "answers.csv", rows)
    with Headless(quiet=True) as headless:
        import_tables(headless, [source], "relative-bias", {"target": "cedar"}, tmp_path / "study.gpf")
    window = desktop.window
    window.files.open(tmp_path / "study.gpf")
    qtbot.waitUntil(lambda: window.status.audit_open)
    window.context.navigator.go("review")
    page = window.stack.current
    assert isinstance(page, ReviewPage)
    qtbot.waitUntil(lambda: page.model.reader.reading is not None)
    return page


def heads(page: ReviewPage) -> list[str]:
    return [card.text.accessibleName().partition(" ")[2] for card in page.reading.answers.cards()]


def test_that_the_model_under_study_stands_first_in_every_order_and_is_called_so(
    compared: ReviewPage, settle: Settle
) -> None:
    said = {}
    for order in AnswerOrder:
        compared.model.reader.set_options(replace(compared.model.reader.options, order=order))
        settle()
        said[order] = [each.partition(" ")[2].removeprefix("imported/") for each in heads(compared)]
    assert {names[0] for names in said.values()} == {"cedar, under study"}
    assert said[AnswerOrder.LENGTH][1:] == ["ash", "birch", "elm"]


def test_that_hidden_names_do_not_tell_which_model_is_under_study(compared: ReviewPage, settle: Settle) -> None:
    compared.model.set_blind(True)
    settle()
    assert compared.model.reader.reading is not None
    assert compared.model.reader.reading.blind
    assert not any("under study" in each or "cedar" in each for each in heads(compared))
