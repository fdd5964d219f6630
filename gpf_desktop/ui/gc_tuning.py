"""Keeps Python itself from holding up frames."""

import gc
import sys
from typing import Final

from PySide6.QtCore import QObject

from gpf_desktop.domain.events import AuditClosed, RunRested, RunStarted
from gpf_desktop.ui.bridge import Bridge

SWITCH_SECONDS: Final = 0.0001
"""How long a thread may keep Python's lock while the window waits for it. A table that is painted takes the lock once
for each cell, and with Python's own 5 ms and a busy engine that was 40 to 90 ms a frame."""
THRESHOLDS: Final = (2_000, 10, 50)
"""Of the collector. With Python's own (700, 10, 10) what is imported for the first call of a round, on whatever thread,
set off a full collection, for which every other thread stands still: 70 to 110 ms, a tenth of a second without a frame.
These put it off until a million objects more are alive; the largest of the smaller collections takes 10 ms."""


class GcTuning(QObject):
    """Lives as long as *bridge*, its parent."""

    def __init__(self, bridge: Bridge) -> None:
        super().__init__(bridge)
        sys.setswitchinterval(SWITCH_SECONDS)
        before = gc.get_threshold()
        gc.set_threshold(*THRESHOLDS)
        self.destroyed.connect(lambda: gc.set_threshold(*before))
        # A full collection of what the window holds took 150 ms; what lives through a round is left out of it.
        bridge.subscribe(self, lambda _: gc.freeze(), RunStarted)
        # The collector never looks at what is frozen: without this, cycles that are dropped later would stay for good.
        # What rests while its audit is closed is told no more.
        bridge.subscribe(self, lambda _: gc.unfreeze(), RunRested, AuditClosed)
