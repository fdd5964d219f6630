"""When the answers in Results were asked, for the line beside the page's title."""

from datetime import datetime

from PySide6.QtCore import QDate, QLocale

from gpf_desktop.domain.text import tr
from gpf_desktop.engine.reporting.results_filter import Window


def window_days(window: Window) -> str:
    """20 Nov 2026 to 24 Nov 2026; empty where nothing was asked."""
    if window.first is None or window.last is None:
        return ""
    first, last = _day(window.first), _day(window.last)
    return first if first == last else tr("{first} to {last}", first=first, last=last)


def _day(when: datetime) -> str:
    """20 Nov 2026, in the user's own time zone."""
    local = when.astimezone()
    return QLocale().toString(QDate(local.year, local.month, local.day), "d MMM yyyy")
