"""Waiting for an event of the window, however busy the machine is: pytest-qt's own five seconds are too few there."""

import faulthandler
from collections.abc import Callable
from typing import Any, Final

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.exceptions import TimeoutError as NothingCame
from pytestqt.qtbot import QtBot
from pytestqt.wait_signal import SignalBlocker

PATIENCE: Final = 200_000
"""Milliseconds after which an event is taken not to come."""


class PatientBot(QtBot):
    """pytest-qt's, which waits longer before it gives up, and then shows what every thread was at."""

    def waitUntil(self, callback: Callable[[], Any], *, timeout: int = PATIENCE) -> None:
        try:
            super().waitUntil(callback, timeout=timeout)
        except NothingCame:
            faulthandler.dump_traceback()
            raise

    def waitSignal(self, signal: Any, *, timeout: int = PATIENCE, **how: Any) -> SignalBlocker:
        return super().waitSignal(signal, timeout=timeout, **how)


@pytest.fixture
def qtbot(qapp: QApplication, request: pytest.FixtureRequest) -> PatientBot:
    """In place of pytest-qt's."""
    return PatientBot(request)
