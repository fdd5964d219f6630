"""Colours and type: contrast, completeness, live switching."""

import gc
import re
from dataclasses import asdict
from itertools import product
from pathlib import Path

import pytest
import shiboken6
from PySide6.QtCore import QEvent, QSettings
from PySide6.QtGui import QColor, QFontDatabase, QPalette
from PySide6.QtWidgets import QApplication, QDialog, QLabel, QLineEdit, QMenu, QWidget
from pytestqt.qtbot import QtBot

import gpf_desktop.ui
from gpf_desktop.app import make_application
from gpf_desktop.domain.resources import resources
from gpf_desktop.numerics.color_scale import DIVERGING, color_at, faded, rising, text_on
from gpf_desktop.settings.preferences import HERE
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.main_window import MainWindow
from gpf_desktop.ui.shell.commands import show_about, show_reading
from gpf_desktop.ui.theme import PaletteName, Scheme, Theme
from gpf_desktop.ui.theme.icons import icon_file, pixmap, tinted
from gpf_desktop.ui.theme.look_preferences import hand_over_look
from gpf_desktop.ui.theme.qt_palette import blend, disabled_text, field_edge, groove, hint_text
from gpf_desktop.ui.theme.tokens import contrast, palettes

TEXT_ON = [
    *product(("text", "text_secondary"), ("window", "surface", "sunken", "selection")),
    *product(("success", "warning", "danger", "info", "synthetic", "accent"), ("window", "surface", "sunken")),
    *product(("text",), ("only_here", "missing_here", "tone_positive", "tone_negative")),
    ("on_accent", "accent"),
]


@pytest.mark.parametrize("name", PaletteName)
@pytest.mark.parametrize(("text", "ground"), TEXT_ON)
def test_that_text_has_enough_contrast(name: PaletteName, text: str, ground: str) -> None:
    tokens = asdict(palettes()[name])
    assert contrast(tokens[text], tokens[ground]) >= 4.5


@pytest.mark.parametrize("name", PaletteName)
def test_that_focus_icons_and_marks_stand_out(name: PaletteName) -> None:
    tokens = palettes()[name]
    for ground in (tokens.window, tokens.surface, tokens.sunken):
        assert contrast(tokens.focus, ground) >= 3
        assert contrast(tokens.text_secondary, ground) >= 3
        assert contrast(tokens.accent, ground) >= 3
    for ground in (tokens.window, tokens.surface):
        assert contrast(field_edge(tokens), ground) >= 3


@pytest.mark.parametrize("name", PaletteName)
def test_that_what_is_disabled_can_still_be_read(name: PaletteName) -> None:
    tokens = palettes()[name]
    assert contrast(disabled_text(tokens), tokens.surface) >= 3


@pytest.mark.parametrize("name", PaletteName)
def test_that_what_an_empty_field_says_can_be_read(name: PaletteName, theme: Theme, qtbot: QtBot) -> None:
    tokens = palettes()[name]
    assert contrast(hint_text(tokens), tokens.surface) >= 4.5
    theme.set_scheme(Scheme(name.value.replace("_", " ")))
    field = QLineEdit()
    field.setPlaceholderText("tone, stereotype")
    qtbot.addWidget(field)
    theme.dress(field)
    field.show()
    assert field.palette().color(QPalette.ColorRole.PlaceholderText).name().upper() == hint_text(tokens)


@pytest.mark.parametrize("name", PaletteName)
def test_that_one_sees_how_much_of_a_bar_is_empty(name: PaletteName) -> None:
    tokens = palettes()[name]
    assert contrast(groove(tokens), tokens.surface) > 1.05
    assert contrast(tokens.accent, groove(tokens)) >= 3


def test_that_contrast_is_the_ratio_of_the_standard() -> None:
    assert contrast("#000000", "#FFFFFF") == pytest.approx(21)
    assert contrast("#777777", "#FFFFFF") == pytest.approx(4.48, abs=0.01)


def test_that_numbers_stand_out_on_every_colour_of_the_heat_map() -> None:
    for tokens in palettes().values():
        for stops, step in product((rising(tokens.surface), DIVERGING), range(0, 256, 2)):
            known = color_at(step / 255, stops)
            color = faded(known, 0.3 + 0.7 * (step // 2 % 8) / 7, tokens.surface)
            assert contrast(color, text_on(color)) >= 4.5
            assert contrast(color, known) <= 2.01, "what is least known is not what is seen first"
        assert contrast(rising(tokens.surface)[0], tokens.surface) < 2, "0 has no colour of its own"
    assert color_at(-1.0, DIVERGING) == color_at(0.0, DIVERGING)
    assert color_at(2.0, DIVERGING) == color_at(1.0, DIVERGING)


def test_that_no_other_file_of_the_window_names_a_colour() -> None:
    folder = Path(gpf_desktop.ui.__file__).parent
    named = re.compile(r"""["']#[0-9A-Fa-f]{3,8}["']|rgba?\(|QColor\(\s*["'\d]""")
    found = [
        f"{file.relative_to(folder)}: {line.strip()}"
        for file in folder.rglob("*.py")
        for line in file.read_text(encoding="utf-8").splitlines()
        if named.search(line)
    ]
    sheet = (resources() / "theme" / "window.qss").read_text(encoding="utf-8")
    assert found == []
    assert not re.search(r":[^;{}]*#[0-9A-Fa-f]{3,8}\b", sheet)


def test_that_a_change_is_seen_at_once_and_kept(theme: Theme, settings: QSettings, qtbot: QtBot) -> None:
    application = make_application()
    with qtbot.waitSignal(theme.changed):
        theme.set_scheme(Scheme.DARK)
    assert application.palette().color(QPalette.ColorRole.Window).name().upper() == theme.tokens.window
    assert theme.tokens == palettes()[PaletteName.DARK]
    theme.set_text_scale(150)
    assert application.font().pointSizeF() == pytest.approx(15)
    again = Theme(application, settings)
    assert (again.scheme, again.text_scale) == (Scheme.DARK, 150)
    again.release()


def test_that_the_text_size_stays_between_100_and_200_per_cent(theme: Theme) -> None:
    theme.set_text_scale(900)
    assert theme.text_scale == 200
    theme.step_text_scale(1)
    assert theme.text_scale == 200
    theme.set_text_scale(10)
    assert theme.text_scale == 100
    theme.step_text_scale(2)
    assert theme.text_scale == 125


def test_that_odd_stored_settings_do_no_harm(qapp: QApplication, settings: QSettings) -> None:
    settings.setValue("view/text_scale", "large")
    settings.setValue("view/scheme", "mauve")
    theme = Theme(make_application(), settings)
    assert (theme.scheme, theme.text_scale) == (Scheme.SYSTEM, 100)
    theme.release()


def test_that_a_listener_that_is_gone_is_not_called(theme: Theme, qtbot: QtBot) -> None:
    calls: list[str] = []
    label = QLabel()
    theme.follow(label, lambda: calls.append("painted"))
    shiboken6.delete(label)
    theme.set_scheme(Scheme.HIGH_CONTRAST)
    assert calls == ["painted"]


def test_that_a_painter_may_end_another_one(theme: Theme, qtbot: QtBot) -> None:
    first, second = QLabel(), QLabel()
    qtbot.addWidget(first)
    painted: list[str] = []
    theme.on_change(first, lambda: shiboken6.delete(second))
    theme.on_change(second, lambda: painted.append(second.text()))
    theme.set_scheme(Scheme.DARK)
    assert painted == []


def test_that_a_dialog_may_be_closed_while_the_look_changes_in_turns(theme: Theme, qtbot: QtBot) -> None:
    for step in range(4):
        first, second = QWidget(), QWidget()
        theme.dress(first)
        theme.dress(second)
        theme.step_text_scale(1 if step % 2 == 0 else -1, in_turns=True)
        for _ in range(step):
            theme._step()
        shiboken6.delete(first)
        qtbot.waitUntil(lambda: theme.settled)
        assert second.styleSheet() == theme._sheet
        shiboken6.delete(second)


def test_that_a_dressed_window_follows_until_it_is_gone(theme: Theme, qtbot: QtBot) -> None:
    window, other = QWidget(), QWidget()
    qtbot.addWidget(window)
    for each in (window, other):
        theme.dress(each)
    words = QLabel("words", window)
    words.setProperty("role", "secondary")
    window.show()
    shiboken6.delete(other)
    for scheme in (Scheme.DARK, Scheme.LIGHT, Scheme.DARK):
        theme.set_scheme(scheme)
        assert words.palette().color(QPalette.ColorRole.WindowText) == theme.color("text_secondary")


def secondary(part: QWidget) -> QLabel:
    """A label in *part* that the style sheet colours."""
    return next(each for each in part.findChildren(QLabel) if each.property("role") in ("secondary", "caption"))


def color_of(words: QLabel) -> QColor:
    return words.palette().color(QPalette.ColorRole.WindowText)


def test_that_a_page_out_of_sight_follows_when_it_is_shown(window: MainWindow, context: Context) -> None:
    theme = context.theme
    context.navigator.go("models")
    page = window.stack.current
    assert page is not None
    words, painted = secondary(page), list[Scheme]()
    theme.on_change(words, lambda: painted.append(theme.scheme))
    for _ in range(2):
        context.navigator.go("home")
        for scheme in (Scheme.LIGHT, Scheme.DARK, Scheme.HIGH_CONTRAST):
            theme.set_scheme(scheme)
            theme.set_text_scale(150 if scheme is Scheme.DARK else 200)
        assert painted == []
        context.navigator.go("models")
        assert painted == [Scheme.HIGH_CONTRAST]
        assert color_of(words) == theme.color("text_secondary")
        assert words.font().pointSizeF() > theme.font(0.85).pointSizeF()
        theme.set_scheme(Scheme.DARK)
        assert painted == [Scheme.HIGH_CONTRAST, Scheme.DARK]
        assert color_of(words) == theme.color("text_secondary")
        painted.clear()


def test_that_a_look_chosen_in_the_menu_comes_part_by_part_and_is_painted_once_it_is_all_there(
    window: MainWindow, context: Context, qtbot: QtBot
) -> None:
    theme, words, painted = context.theme, secondary(window.stack), list[bool]()
    theme.on_change(words, lambda: painted.append(window.updatesEnabled()))
    for chosen in ("theme.dark", "theme.high_contrast", "text.larger"):
        context.actions.action(chosen).trigger()
        # What is chosen meanwhile takes its place.
        context.actions.action("theme.dark").trigger()
        assert painted == []
        qtbot.waitUntil(lambda: theme.settled)
        assert window.updatesEnabled()
        assert color_of(words) == theme.color("text_secondary")
        assert window.menuBar().styleSheet() == window.strip.styleSheet()
        assert painted == [False]
        painted.clear()
        theme.set_scheme(Scheme.LIGHT)
        painted.clear()


def test_that_a_dialog_of_a_page_out_of_sight_follows_at_once(window: MainWindow, context: Context) -> None:
    context.navigator.go("models")
    dialog = QDialog(window.stack.current)
    words = QLabel("words", dialog)
    words.setProperty("role", "secondary")
    dialog.show()
    context.navigator.go("home")
    for scheme in (Scheme.DARK, Scheme.HIGH_CONTRAST):
        context.theme.set_scheme(scheme)
        assert color_of(words) == context.theme.color("text_secondary")
    dialog.close()


def test_that_a_dialog_opened_from_a_page_out_of_sight_has_the_look_of_now(
    window: MainWindow, context: Context
) -> None:
    context.navigator.go("models")
    page = window.stack.current
    context.navigator.go("home")
    context.theme.set_scheme(Scheme.HIGH_CONTRAST)
    dialog = QDialog(page)
    words = QLabel("words", dialog)
    words.setProperty("role", "secondary")
    dialog.show()
    assert color_of(words) == context.theme.color("text_secondary")
    dialog.close()


def test_that_dialogs_and_menus_of_the_window_are_dressed_and_follow(window: MainWindow, context: Context) -> None:
    theme = context.theme
    about, menu = show_about(window), QMenu(window)
    menu.show()
    title = next(each for each in about.findChildren(QLabel) if each.property("role") == "title")
    for scale in (100, 150):
        theme.set_text_scale(scale)
        assert title.font().pointSizeF() == pytest.approx(theme.font(1.5).pointSizeF(), abs=0.01)
        assert menu.styleSheet() == about.styleSheet() != ""
    menu.close()
    about.close()
    theme.set_text_scale(200)
    reading = show_reading(window)
    for words in reading.findChildren(QLabel):
        assert words.height() >= words.heightForWidth(words.width()), words.text()
    reading.close()


def test_that_what_is_around_the_pages_follows_also_while_it_is_hidden(window: MainWindow, context: Context) -> None:
    theme = context.theme
    for part in (window.menuBar(), window.rail, window.strip, window.message_bar, window.inspector):
        before = part.styleSheet()
        theme.set_scheme(Scheme.DARK)
        theme.set_scheme(Scheme.HIGH_CONTRAST)
        assert part.styleSheet() != before
        theme.set_scheme(Scheme.LIGHT)


def test_that_no_widget_is_collected_while_the_look_changes(theme: Theme, qtbot: QtBot) -> None:
    """A collection in a handler, while Qt goes through all widgets, took one away that Qt went to next."""
    collecting: list[bool] = []

    class Restyled(QLabel):
        def changeEvent(self, event: QEvent) -> None:
            if event.type() == QEvent.Type.StyleChange:
                collecting.append(gc.isenabled())
            super().changeEvent(event)

    shown = Restyled("words")
    qtbot.addWidget(shown)
    theme.dress(shown)
    shown.show()
    collecting.clear()
    theme.set_scheme(Scheme.DARK)
    theme.set_text_scale(150)
    assert collecting
    assert not any(collecting)
    assert gc.isenabled()


def test_that_inter_is_used_with_figures_of_one_width(theme: Theme) -> None:
    assert "Inter" in QFontDatabase.families()
    font = theme.font()
    assert font.family() == "Inter"
    assert font.featureValue(font.Tag("tnum")) == 1


def test_that_every_icon_is_drawn_in_the_colour_of_the_text(qapp: QApplication) -> None:
    names = {file.stem for file in icon_file("home").parent.glob("*.svg")}
    assert {"home", "sources", "models", "protocol", "runs", "review", "results", "reports"} <= names
    for name in names:
        drawing = tinted(name, "#123456")
        assert "currentColor" not in drawing
        assert 'viewBox="0 0 20 20"' in drawing
        picture = pixmap(name, "#FF0000", 20).toImage()
        colors = {
            picture.pixelColor(x, y).name()
            for x in range(20)
            for y in range(20)
            if picture.pixelColor(x, y).alpha() > 200
        }
        assert colors, f"{name} is empty"
        assert all(color.startswith("#f") and color.endswith("0000") for color in colors), (name, colors)


def test_that_blending_is_by_share() -> None:
    assert blend("#FFFFFF", "#000000", 0.0) == "#000000"
    assert blend("#FFFFFF", "#000000", 1.0) == "#FFFFFF"


def test_that_a_look_from_before_there_were_preferences_is_taken_over_once(settings: QSettings) -> None:
    settings.setValue("view/scheme", "dark")
    settings.setValue("view/text_scale", "150")
    hand_over_look(settings, HERE)
    assert HERE.chosen() == {"look.theme": "dark", "look.text_size": 150}
    HERE.reset("look.theme")
    hand_over_look(settings, HERE)
    assert settings.value("view/scheme") == "system"
    assert HERE.chosen() == {"look.text_size": 150}


@pytest.mark.parametrize("odd", ["purple", "", "9" * 5000])
def test_that_an_odd_look_from_before_is_passed_over(odd: str, settings: QSettings) -> None:
    settings.setValue("view/scheme", odd)
    settings.setValue("view/text_scale", odd)
    hand_over_look(settings, HERE)
    assert HERE.chosen() == {}
    assert settings.value("view/scheme") == "system"
