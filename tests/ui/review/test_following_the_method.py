"""The queue's filters, strata and rows follow the factors of the method that planned the runs."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtWidgets import QComboBox
from pytestqt.qtbot import QtBot

from gpf_desktop.domain.methods import Factor
from gpf_desktop.engine.core import catalogue
from gpf_desktop.ui.review.review_page import ReviewPage
from tests.methods.toy import Toy
from tests.ui.accessibility import tab_problems

Settle = Callable[[], None]


class Voices(Toy):
    name = "voices"
    factors = (
        Factor(name="voice", title="Voice", plural="Voices"),
        Factor(name="language", title="Language", plural="Languages", varies=True),
    )


def boxes(page: ReviewPage) -> list[str]:
    flow = page.filters._flow
    widgets = [flow.itemAt(at).widget() for at in range(flow.count())]
    method, *others = [each.accessibleName() for each in widgets if isinstance(each, QComboBox)]
    assert method == "Method"
    return others


def test_that_filters_and_strata_are_those_of_the_method(
    page: ReviewPage, qtbot: QtBot, settle: Settle, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert boxes(page)[:4] == ["How it was asked", "Group of readers", "Kind of question", "Model"]
    # Other methods have such an arm too, under names of their own.
    assert page.filters._boxes["arm"].currentText() == "Readers"
    monkeypatch.setitem(catalogue.methods(), Voices.name, Voices(tmp_path))
    page.bar.filter.click()
    assert page.model.choices is not None
    others = replace(page.model.choices, methods=(Voices.name,), levels={"voice": ("warm", "cold")})
    page.filters.show_filter(others, blind=False)
    assert boxes(page)[:3] == ["How it was asked", "Voice", "Model"]
    box = page.filters._levels["voice"]
    assert [box.itemText(at) for at in range(box.count())] == ["Voice: all", "warm", "cold"]
    assert list(page.filters.panel.strata) == ["model", "voice"]
    assert tab_problems(page.window()) == []
    box.setCurrentIndex(2)
    box.activated.emit(2)
    settle()
    assert page.model.wanted.levels == (("voice", "cold"),)


def test_that_a_level_without_a_box_stays_when_another_filter_is_set(page: ReviewPage, settle: Settle) -> None:
    wording = ("paraphrase", "0")
    page.model.set_filter(replace(page.model.wanted, levels=(wording,)))
    settle()
    box = page.filters._levels["family"]
    box.setCurrentIndex(1)
    box.activated.emit(1)
    settle()
    assert page.model.wanted.levels == (("family", box.currentData()), wording)
    assert len(page.model.queue) > 0
