"""Columns of findings by what they hold, in one line each."""

from gpf_desktop.domain.findings import Column, ColumnKind


def text(key: str, title: str, explanation: str = "") -> Column:
    return Column(key=key, title=title, kind=ColumnKind.TEXT, help=explanation)


def count(key: str, title: str, explanation: str = "") -> Column:
    return Column(key=key, title=title, kind=ColumnKind.COUNT, help=explanation)


def score(key: str, title: str, explanation: str = "") -> Column:
    return Column(key=key, title=title, kind=ColumnKind.SCORE, help=explanation)


def p_value(key: str, title: str, explanation: str = "") -> Column:
    return Column(key=key, title=title, kind=ColumnKind.P, help=explanation)


def estimate(key: str, title: str, explanation: str = "") -> Column:
    return Column(key=key, title=title, kind=ColumnKind.ESTIMATE, help=explanation)


def share(key: str, title: str, explanation: str = "") -> Column:
    return Column(key=key, title=title, kind=ColumnKind.SHARE, help=explanation)
