"""Wide tables in a narrow column of text."""

from gpf_desktop.exporters._finding_view import View
from gpf_desktop.exporters.html import narrow


def _cell(text: str, numeric: bool) -> View:
    return {
        "text": text,
        "numeric": numeric,
        "interval": "0.301 to 0.361" if numeric else "",
        "kind": "t",
    } | dict.fromkeys(("count", "why", "method"), "")


def _table(numbers: int) -> View:
    titles = ("Vendor", "Model", *(f"S{n}" for n in range(numbers)))
    return {
        "columns": [{"title": title, "help": "", "numeric": at > 1} for at, title in enumerate(titles)],
        "rows": [
            {"synthetic": row == 0, "cells": [_cell(f"{title} {row}", at > 1) for at, title in enumerate(titles)]}
            for row in range(2)
        ],
        "silent": "",
    }


def test_that_a_table_that_fits_stays_whole() -> None:
    (only,) = narrow(_table(4))
    assert [column["title"] for column in only["columns"]] == ["Vendor", "Model", "S0", "S1", "S2", "S3"]


def test_that_a_wide_table_goes_on_below_with_the_names_of_its_rows_and_loses_nothing() -> None:
    parts = narrow(_table(11))
    titles = [[column["title"] for column in part["columns"]] for part in parts]
    assert len(parts) > 1
    assert all(each[:2] == ["Vendor", "Model"] for each in titles)
    assert [title for each in titles for title in each[2:]] == [f"S{n}" for n in range(11)]
    assert max(map(len, titles)) - min(map(len, titles)) <= 1
    for part, titled in zip(parts, titles, strict=True):
        assert [row["synthetic"] for row in part["rows"]] == [True, False]
        assert [cell["text"] for cell in part["rows"][1]["cells"]] == [f"{title} 1" for title in titled]


def test_that_a_table_without_numbers_or_rows_is_one_part() -> None:
    assert len(narrow(_table(0))) == 1
    assert len(narrow({**_table(2), "rows": []})) == 1
