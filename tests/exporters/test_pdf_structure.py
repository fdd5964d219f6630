"""The document's tags, walked as a screen reader walks them: what PDF/UA-1 asks of them and a program can tell."""

import itertools
from collections.abc import Iterator
from typing import Any

import pytest
from pypdf import PdfReader

from gpf_desktop.domain.options import NoOptions
from gpf_desktop.exporters.pdf import EXPORTER
from tests.support.reports import written_report

_STANDARD = {
    *("Document", "Part", "Art", "Sect", "Div", "BlockQuote", "Caption", "TOC", "TOCI", "Index", "P", "H", "L", "LI"),
    *("H1", "H2", "H3", "H4", "H5", "H6", "Lbl", "LBody", "Table", "TR", "TH", "TD", "THead", "TBody", "TFoot", "Span"),
    *("Quote", "Note", "Reference", "BibEntry", "Code", "Link", "Annot", "Figure", "Formula", "Form", "NonStruct"),
}


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Any:
    target = tmp_path_factory.mktemp("tagged") / "r.pdf"
    EXPORTER.export(written_report(), target, NoOptions())
    return PdfReader(target).trailer["/Root"]


def kind(root: Any, element: Any) -> str:
    """Of a structure element, by the standard's names."""
    name = str(element["/S"])
    mapped = (root["/StructTreeRoot"].get("/RoleMap") or {}).get(name, name)
    return str(mapped).removeprefix("/")


def children(element: Any) -> list[Any]:
    kids = element.get("/K", [])
    some = kids if isinstance(kids, list) else [kids]
    found = (each.get_object() for each in some if hasattr(each, "get_object"))
    return [each for each in found if isinstance(each, dict) and "/S" in each]


def walked(root: Any) -> Iterator[tuple[str, Any]]:
    waiting = children(root["/StructTreeRoot"])
    while waiting:
        element = waiting.pop(0)
        yield kind(root, element), element
        waiting = [*children(element), *waiting]


def test_that_every_tag_is_one_of_the_standards_and_every_figure_has_words(root: Any) -> None:
    found = list(walked(root))
    assert {name for name, _ in found} <= _STANDARD
    figures = [element for name, element in found if name == "Figure"]
    assert len(figures) >= 4
    assert all(str(each.get("/Alt", "")).strip() for each in figures)


def test_that_tables_have_heads_that_say_what_they_head(root: Any) -> None:
    tables = [element for name, element in walked(root) if name == "Table"]
    assert tables
    for table in tables:
        rows = [row for row in children(table) if kind(root, row) == "TR"]
        rows += [
            row for part in children(table) if kind(root, part) in ("THead", "TBody", "TFoot") for row in children(part)
        ]
        cells = [[kind(root, cell) for cell in children(row)] for row in rows]
        assert any("TH" in row for row in cells)
        assert all(set(row) <= {"TH", "TD"} for row in cells)
        heads = [cell for row in rows for cell in children(row) if kind(root, cell) == "TH"]
        assert all("/Scope" in str(cell.get("/A", "")) for cell in heads)


def test_that_headings_go_down_one_level_at_a_time_and_lists_hold_items(root: Any) -> None:
    levels = [int(name[1]) for name, _ in walked(root) if name[0] == "H" and name[1:].isdecimal()]
    assert levels[0] == 1
    assert all(after <= before + 1 for before, after in itertools.pairwise(levels))
    for name, element in walked(root):
        if name == "L":
            assert {kind(root, each) for each in children(element)} <= {"LI", "Caption"}


def test_that_pages_are_read_in_the_order_of_their_tags_and_links_have_words(root: Any) -> None:
    for page in (each.get_object() for each in root["/Pages"].get_object()["/Kids"]):
        if "/Annots" not in page:
            continue
        assert page.get("/Tabs") == "/S"
        links = [each.get_object() for each in page["/Annots"]]
        assert all(str(link.get("/Contents", "")).strip() for link in links if link["/Subtype"] == "/Link")
