"""A start shows one window, in the direction and with the digits of the language that its words are in."""

from collections.abc import Callable, Iterator

import pytest
from PySide6.QtCore import QEvent, QLocale, QObject, Qt
from PySide6.QtWidgets import QApplication, QLineEdit, QWidget
from pytestqt.qtbot import QtBot

from gpf_desktop.app import make_application
from gpf_desktop.ui import wording
from gpf_desktop.ui.home.start_card import StartCard
from gpf_desktop.ui.models.forms import LimitsForm
from gpf_desktop.ui.theme import Theme
from gpf_desktop.ui.widgets.fields import FormField
from gpf_desktop.ui.widgets.options_form import OptionsForm


class Flashes(QObject):
    """Notes every part that is shown as a window of its own."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: list[str] = []

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        shown = event.type() == QEvent.Type.Show and isinstance(watched, QWidget) and watched.isWindow()
        if shown:
            self.seen.append(f"{type(watched).__name__} {watched.objectName()}")
        return False


def _field(_theme: Theme) -> QWidget:
    return FormField("Key", QLineEdit(), help="Kept in the key store.")


def _card(theme: Theme) -> QWidget:
    return StartCard(theme, "home", "Practice", "A round.", "2 minutes", "Start", lambda: None, name="practice")


def _form(theme: Theme) -> QWidget:
    return OptionsForm(theme, LimitsForm, name="limits")


@pytest.mark.parametrize("make", [_field, _card, _form])
def test_that_no_part_flashes_as_a_window_of_its_own(
    qapp: QApplication, qtbot: QtBot, theme: Theme, make: Callable[[Theme], QWidget]
) -> None:
    flashes = Flashes()
    qapp.installEventFilter(flashes)
    made = make(theme)
    qapp.removeEventFilter(flashes)
    qtbot.addWidget(made)
    assert flashes.seen == []


@pytest.fixture
def arabic(qapp: QApplication) -> Iterator[None]:
    usual = QLocale()
    QLocale.setDefault(QLocale("ar_EG"))
    yield
    QLocale.setDefault(usual)


def test_that_without_a_translation_digits_and_direction_are_those_of_the_words_shown(
    arabic: None, qapp: QApplication
) -> None:
    assert wording.count(1234) != "1,234"
    application = make_application()
    assert wording.count(1234) == "1,234"
    assert application.layoutDirection() is Qt.LayoutDirection.LeftToRight
    assert QLocale().territory() is QLocale.Country.Egypt or QLocale().language() is QLocale.Language.English
