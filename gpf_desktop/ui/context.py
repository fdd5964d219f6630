"""The context that every page is given: the engine, the way to it, and the window's shared services."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QSettings

from gpf_desktop.ui.actions import ActionRegistry
from gpf_desktop.ui.bridge import Bridge
from gpf_desktop.ui.messages import MessageCentre
from gpf_desktop.ui.navigation import Navigator
from gpf_desktop.ui.theme import Theme

if TYPE_CHECKING:
    from gpf_desktop.engine.engine import Engine


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """Built once in `app`; handed down, never looked up."""

    engine: Engine
    """Commands and reads of the engine; both block, so call them through `bridge`."""
    bridge: Bridge
    actions: ActionRegistry
    messages: MessageCentre
    navigator: Navigator
    theme: Theme
    settings: QSettings
