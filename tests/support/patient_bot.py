"""Waiting for an event of the window, however busy the machine is: pytest-qt's own five seconds are too few there."""

from collections.abc import Callable
from typing import Any, Final

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from pytestqt.wait_signal import SignalBlocker

PATIENCE: Final = 200_000
"""Milliseconds after which an event is taken not to come."""


class PatientBot(QtBot):
    """pytest-qt's, which waits longer before it gives up."""

    def waitUntil(self, callback: Callable[[], Any], *, timeout: int = PATIENCE) -> None:
        super().waitUntil(callback, timeout=timeout)

    def waitSignal(self, signal: Any, *, timeout: int = PATIENCE, **how: Any) -> SignalBlocker:
        return super().waitSignal(signal, timeout=timeout, **how)


@pytest.fixture
def qtbot(qapp: QApplication, request: pytest.FixtureRequest) -> PatientBot:
    """In place of pytest-qt's."""
    return PatientBot(request)
