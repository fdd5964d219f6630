"""What the tables of Results are about, in the line under the page's title."""

from datetime import datetime

from PySide6.QtCore import QDate, QLocale

from gpf_desktop.domain.text import tr, trn
from gpf_desktop.engine.reporting.results_filter import Window
from gpf_desktop.ui.wording import count


def window_words(window: Window) -> str:
    """20 Nov · 4 batches · 12 articles · 6 models · 3,024 bundles, 2,981 complete"""
    words = []
    if window.first is not None and window.last is not None:
        first, last = _day(window.first), _day(window.last)
        words.append(first if first == last else tr("{first} to {last}", first=first, last=last))
    if window.news:
        words.append(trn("{n} batch", "{n} batches", window.batches))
    words += [
        window.items,
        trn("{n} model", "{n} models", window.models),
        tr("{n} bundles, {complete} complete", n=count(window.bundles), complete=count(window.complete)),
    ]
    return " · ".join(words)


def _day(when: datetime) -> str:
    """20 Nov 2026, in the user's own time zone."""
    local = when.astimezone()
    return QLocale().toString(QDate(local.year, local.month, local.day), "d MMM yyyy")
