"""Forms made from declared options, fields with their problems, the wheel."""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Annotated, Literal

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QCheckBox,
    QComboBox,
    QDoubleSpinBox,
    QLineEdit,
    QPlainTextEdit,
    QScrollArea,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)
from pytestqt.qtbot import QtBot

from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.models import Limits
from gpf_desktop.domain.options import NoOptions, Shown
from gpf_desktop.domain.protocol import Decoding, MostTokens, TopP
from gpf_desktop.domain.resources import resources
from gpf_desktop.domain.text import speaking
from gpf_desktop.methods.gpf_livenews.protocol import Controls, ScoringSettings
from gpf_desktop.ui.theme import Theme
from gpf_desktop.ui.widgets.editors import editor_for, real_box, whole_box
from gpf_desktop.ui.widgets.fields import FormField, SearchField
from gpf_desktop.ui.widgets.options_form import OptionsForm
from gpf_desktop.ui.widgets.wheel_guard import WheelGuard
from tests.ui.accessibility import problems_in


class Pace(StrEnum):
    SLOW = "slow"
    FAST = "fast"


@dataclass(frozen=True, slots=True, kw_only=True)
class Inner:
    depth: int = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    name: Annotated[str, Shown(label="Name", help="What it is called")] = "a"
    count: Annotated[int, Shown(label="Count", least=1, most=9, unit="items")] = 2
    share: float = 0.25
    on: bool = True
    pace: Pace = Pace.SLOW
    size: Literal["small", "large"] = "small"
    limit: int | None = None
    words: tuple[str, ...] = ("one", "two")
    note: Annotated[str, Shown(label="Note", lines=3)] = ""
    inner: Inner = field(default_factory=Inner)
    odd: dict[str, object] = field(default_factory=dict)
    secret: Annotated[str, Shown(label="Secret", hidden=True)] = "s"

    def __post_init__(self) -> None:
        if self.name == "forbidden":
            raise ValueError("That name is taken.")


@pytest.fixture
def form(theme: Theme, qtbot: QtBot) -> OptionsForm:
    made = OptionsForm(theme, Sample)
    qtbot.addWidget(made)
    made.show()
    return made


def test_that_an_untouched_form_gives_back_what_it_was_given(form: OptionsForm) -> None:
    assert form.value() == Sample()
    other = Sample(
        name="b", count=7, share=0.5, on=False, pace=Pace.FAST, size="large", limit=4, words=("x",), note="n\nm"
    )
    form.set_value(other)
    assert form.value() == other


@pytest.mark.parametrize("options", [Decoding, Controls, ScoringSettings, Limits])
def test_that_the_programs_own_settings_survive_the_form(options: type, theme: Theme, qtbot: QtBot) -> None:
    made = OptionsForm(theme, options)
    qtbot.addWidget(made)
    assert made.value() == options()
    assert problems_in(made) == []


def test_that_each_kind_of_option_is_edited(form: OptionsForm, qtbot: QtBot) -> None:
    def editor(name: str, kind: type) -> QWidget:
        found = form.findChild(kind, f"options.{name}")
        assert found is not None, name
        return found

    with qtbot.waitSignal(form.changed):
        editor("name", QLineEdit).setText("c")
    editor("count", QSpinBox).setValue(99)
    editor("share", QDoubleSpinBox).setValue(0.75)
    editor("on", QCheckBox).setChecked(False)
    editor("pace", QComboBox).setCurrentIndex(1)
    editor("size", QComboBox).setCurrentIndex(1)
    editor("words", QPlainTextEdit).setPlainText(" x \n\n y")
    editor("note", QPlainTextEdit).setPlainText("a\nb")
    editor("inner.depth", QSpinBox).setValue(8)
    limit = form.fields["limit"].editor
    limit.tick.setChecked(True)
    limit.findChild(QSpinBox).setValue(5)
    value = form.value()
    assert (value.name, value.count, value.share, value.on) == ("c", 9, 0.75, False)
    assert (value.pace, value.size, value.words, value.note) == (Pace.FAST, "large", ("x", "y"), "a\nb")
    assert (value.inner.depth, value.limit, value.secret) == (8, 5, "s")


def test_that_a_refused_value_is_said_in_words(form: OptionsForm) -> None:
    form.set_value(Sample())
    form.fields["name"].editor.setText("forbidden")
    with pytest.raises(UserError, match="That name is taken"):
        form.value()
    assert form._problem.isVisible()


def test_that_a_form_can_be_read_aloud(form: OptionsForm) -> None:
    assert problems_in(form) == []
    assert form.fields["name"].editor.accessibleDescription() == "What it is called"
    assert "secret" not in form.fields
    assert "odd" not in form.fields


def test_that_a_plug_in_without_options_has_an_empty_form(theme: Theme, qtbot: QtBot) -> None:
    made = OptionsForm(theme, NoOptions)
    qtbot.addWidget(made)
    assert made.is_empty
    assert made.value() == NoOptions()


def test_that_a_problem_takes_the_place_of_the_help(theme: Theme, qtbot: QtBot) -> None:
    shown = FormField("Address", QLineEdit(), help="A feed or a site", name="address")
    qtbot.addWidget(shown)
    shown.show()
    assert shown._help.isVisible()
    shown.set_problem("This is no address.")
    assert not shown._help.isVisible()
    assert shown._problem.isVisible()
    assert shown.editor.accessibleDescription() == "This is no address."
    shown.set_problem("")
    assert shown._help.isVisible()
    assert not shown._problem.isVisible()


def test_that_a_search_starts_once_after_the_last_letter(theme: Theme, qtbot: QtBot) -> None:
    search = SearchField(theme, "Find a source")
    qtbot.addWidget(search)
    sought: list[str] = []
    search.sought.connect(sought.append)
    with qtbot.waitSignal(search.sought):
        qtbot.keyClicks(search, "bbc")
    assert sought == ["bbc"]
    qtbot.keyClick(search, Qt.Key.Key_Return)
    assert sought == ["bbc", "bbc"]
    assert problems_in(search) == []


def _wheel(widget: QWidget) -> None:
    window = widget.window()
    QTest.wheelEvent(window.windowHandle(), QPointF(widget.mapTo(window, widget.rect().center())), QPoint(0, -120))


def test_that_the_wheel_changes_nothing_unfocused_and_scrolls_the_page(qtbot: QtBot, qapp: QApplication) -> None:
    guard = WheelGuard(qapp)
    area, content = QScrollArea(), QWidget()
    qtbot.addWidget(area)
    column = QVBoxLayout(content)
    number, choice, field_ = QSpinBox(), QComboBox(), QLineEdit()
    number.setValue(50)
    choice.addItems(["a", "b", "c"])
    choice.setCurrentIndex(1)
    for widget in (field_, number, choice):
        column.addWidget(widget)
    column.addStretch(1)
    content.setMinimumHeight(2000)
    area.setWidget(content)
    area.setWidgetResizable(True)
    area.resize(400, 300)
    with qtbot.waitExposed(area):
        area.show()
    area.activateWindow()
    field_.setFocus()
    bar = area.verticalScrollBar()
    for box in (number, number.lineEdit(), choice):
        bar.setValue(0)
        _wheel(box)
        qtbot.waitUntil(lambda: bar.value() > 0)
    assert (number.value(), choice.currentIndex()) == (50, 1)
    bar.setValue(0)
    number.setFocus()
    _wheel(number)
    qtbot.waitUntil(lambda: number.value() == 49)
    guard.deleteLater()


def test_that_a_unit_stands_where_it_does_in_sentences(qtbot: QtBot) -> None:
    boxes = real_box(unit="$", decimals=2), whole_box(unit="%"), whole_box(unit="words")
    for box in boxes:
        qtbot.addWidget(box)
        box.setValue(10)
    assert [box.text() for box in boxes] == ["$10.00", "10%", "10 words"]
    with speaking(resources() / "languages", "de"):
        german = whole_box(unit="%")
        qtbot.addWidget(german)
    assert german.text() == "0\N{NO-BREAK SPACE}%"


def test_that_the_bounds_of_a_declared_number_are_its_editors() -> None:
    top_p = editor_for(TopP, Shown(label="Top-p", decimals=2)).widget
    assert isinstance(top_p, QDoubleSpinBox)
    assert (top_p.minimum(), top_p.maximum()) == (0.01, 1.0)
    tokens = editor_for(MostTokens, Shown(label="Tokens")).widget
    assert isinstance(tokens, QSpinBox)
    assert (tokens.minimum(), tokens.maximum()) == (1, 1_000_000)


@pytest.mark.parametrize("entries", [2, 4, 10])
def test_that_an_open_box_shows_its_entries_whole(qtbot: QtBot, theme: Theme, entries: int) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    theme.dress(window)
    box = QComboBox()
    box.addItems([f"Entry {n}" for n in range(entries)])
    QVBoxLayout(window).addWidget(box)
    window.show()
    box.showPopup()
    view = box.view()
    qtbot.waitUntil(view.isVisible)
    assert view.verticalScrollBar().maximum() == 0
    assert view.viewport().height() >= sum(view.sizeHintForRow(row) for row in range(entries))
    box.hidePopup()
