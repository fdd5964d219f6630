"""Numbers, times and sums of money as words on the screen, by the user's locale."""

from datetime import UTC, date, datetime

from PySide6.QtCore import QDate, QDateTime, QLocale

from gpf_desktop.domain.money import digits_of
from gpf_desktop.domain.runs import Spread
from gpf_desktop.domain.text import tr, trn

NO_VALUE = "–"
"""Stands where there is nothing to say; unavailable scores say why instead."""


def count(number: int) -> str:
    """1,204"""
    return QLocale().toString(number)


def count_of(part: int, whole: int) -> str:
    """1,204 of 3,528"""
    return tr("{part} of {whole}", part=count(part), whole=count(whole))


def decimal(value: float, digits: int = 3) -> str:
    """0.482; with a real minus sign, and none before what rounds to 0"""
    shown = QLocale().toString(abs(float(value)), "f", digits)
    return f"−{shown}" if value < 0 and round(value, digits) else shown


def score(value: float | None, digits: int = 3) -> str:
    """A score, or a dash where it is unavailable."""
    return NO_VALUE if value is None else decimal(value, digits)


def percent(part: float, whole: float, digits: int = 0) -> str:
    """34%"""
    share = 0.0 if not whole else 100.0 * part / whole
    return tr("{share}%", share=decimal(share, digits))


def money(dollars: float) -> str:
    """$1.83; what is little is not called nothing."""
    if 0 < dollars < 0.0001:
        return tr("under ${least}", least=decimal(0.0001, 4))
    return "$" + decimal(dollars, 2 if round(dollars, 4) >= 0.01 or dollars == 0 else 4)


def cap_money(cap: float) -> str:
    """$0.0125: a cap in all its digits."""
    return "$" + decimal(cap, digits_of(cap))


def money_beside(dollars: float, cap: float | None) -> str:
    """In the digits of *cap*, which it is read beside; what is less than they can tell in its own."""
    if cap is None or dollars < 10.0 ** -digits_of(cap):
        return money(dollars)
    return "$" + decimal(dollars, digits_of(cap))


def spending(spent: float, *, unpriced: bool) -> str:
    """$1.83; what is not known is never called nothing."""
    if not unpriced:
        return money(spent)
    return tr("{spent} + price unknown", spent=money(spent)) if spent else tr("price unknown")


def cost_of_cap(spent: float, cap: float | None, *, unpriced: bool = False) -> str:
    """$1.83 of $10.00"""
    if cap is None:
        return spending(spent, unpriced=unpriced)
    if unpriced and not spent:
        return tr("price unknown, cap {cap}", cap=cap_money(cap))
    words = tr("{part} of {whole}", part=money_beside(spent, cap), whole=cap_money(cap))
    return tr("{spent} + price unknown", spent=words) if unpriced else words


def duration(seconds: float) -> str:
    """12 s, 6 min, 1 h 20 min, 3 days"""
    if seconds < 90:
        return tr("{n} s", n=count(max(1, round(seconds))))
    minutes = round(seconds / 60)
    if minutes < 90:
        return tr("{n} min", n=count(minutes))
    if minutes < 3 * 24 * 60:
        return tr("{hours} h {minutes} min", hours=count(minutes // 60), minutes=minutes % 60)
    return tr("{n} days", n=count(round(minutes / (24 * 60))))


def about(minutes: int) -> str:
    """Whole minutes up to an hour and a half, then hours."""
    if minutes <= 90:
        return trn("{n} minute", "{n} minutes", minutes)
    return trn("{n} hour", "{n} hours", round(minutes / 60))


def duration_range(spread: Spread) -> str:
    """6 to 9 min"""
    low, high = duration(spread.low), duration(spread.high)
    if low == high:
        return low
    (first, _, unit), (last, _, other) = low.partition(" "), high.partition(" ")
    # Hours with minutes have no unit of their own that could be said once for both.
    if unit == other and " " not in unit:
        return tr("{low} to {high} {unit}", low=first, high=last, unit=unit)
    return tr("{low} to {high}", low=low, high=high)


def moment(when: datetime) -> str:
    """20 Nov 2026 14:02, in the user's own time zone."""
    at = QDateTime.fromMSecsSinceEpoch(round(when.timestamp() * 1000))
    return QLocale().toString(at, "d MMM yyyy HH:mm")


def day(when: date) -> str:
    """20 Nov 2026"""
    return QLocale().toString(QDate(when.year, when.month, when.day), "d MMM yyyy")


def clock(when: datetime) -> str:
    """14:02:11"""
    return f"{when.astimezone():%H:%M:%S}"


def ago(when: datetime, now: datetime | None = None) -> str:
    """just now, 5 min ago, 3 h ago, 2 days ago"""
    seconds = ((now or datetime.now(UTC)) - when).total_seconds()
    if seconds < 60:
        return tr("just now")
    if seconds < 3600:
        return tr("{n} min ago", n=count(int(seconds // 60)))
    if seconds < 86_400:
        return tr("{n} h ago", n=count(int(seconds // 3600)))
    days = int(seconds // 86_400)
    return tr("yesterday") if days == 1 else tr("{n} days ago", n=count(days))
