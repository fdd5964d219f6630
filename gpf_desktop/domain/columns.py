"""Columns of findings by what they hold, in one line each.

*title* is the head in the annex and in files, *plain* the one on screens where that is another.
"""

from gpf_desktop.domain.findings import Column, ColumnKind


def text(key: str, title: str, explanation: str = "", plain: str = "") -> Column:
    return Column(key=key, title=title, kind=ColumnKind.TEXT, help=explanation, plain=plain)


def count(key: str, title: str, explanation: str = "", plain: str = "") -> Column:
    return Column(key=key, title=title, kind=ColumnKind.COUNT, help=explanation, plain=plain)


def score(key: str, title: str, explanation: str = "", plain: str = "") -> Column:
    return Column(key=key, title=title, kind=ColumnKind.SCORE, help=explanation, plain=plain)


def p_value(key: str, title: str, explanation: str = "", plain: str = "") -> Column:
    return Column(key=key, title=title, kind=ColumnKind.P, help=explanation, plain=plain)


def estimate(key: str, title: str, explanation: str = "", plain: str = "") -> Column:
    return Column(key=key, title=title, kind=ColumnKind.ESTIMATE, help=explanation, plain=plain)


def share(key: str, title: str, explanation: str = "", plain: str = "") -> Column:
    return Column(key=key, title=title, kind=ColumnKind.SHARE, help=explanation, plain=plain)
