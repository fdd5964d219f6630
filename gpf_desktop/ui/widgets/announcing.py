"""Announcements for screen readers, of changes somewhere else than where the keyboard is."""

from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent
from PySide6.QtWidgets import QWidget


def announce(about: QWidget, words: str, *, at_once: bool = False) -> None:
    """Have *words* said after what is being said, or *at_once*, in its place. Nothing where nobody listens."""
    if not words or not QAccessible.isActive() or not about.isVisible():
        return
    event = QAccessibleAnnouncementEvent(about, words)
    if at_once:
        event.setPoliteness(QAccessible.AnnouncementPoliteness.Assertive)
    QAccessible.updateAccessibility(event)
