"""The page: inert, complete, and its words the words that went in."""

import base64
import hashlib
import re
from dataclasses import replace
from html.parser import HTMLParser

import pytest

from gpf_desktop.exporters._finding_view import table_view
from gpf_desktop.exporters.html import page, simple_page
from tests.support.reports import DOT, HOSTILE, finding, report, written_report
from tests.support.series import GAPPED, LEAVING, streaming_of

ALLOWED = frozenset(
    {
        "html",
        "desc",
        "polygon",
        "polyline",
        "head",
        "meta",
        "title",
        "style",
        "body",
        "header",
        "nav",
        "main",
        "section",
        "article",
        "footer",
        "h1",
        "h2",
        "h3",
        "h4",
        "p",
        "b",
        "a",
        "ul",
        "li",
        "dl",
        "dt",
        "dd",
        "div",
        "span",
        "br",
        "bdi",
        "pre",
        "table",
        "thead",
        "tbody",
        "tr",
        "th",
        "td",
        "figure",
        "figcaption",
        "svg",
        "defs",
        "lineargradient",
        "stop",
        "rect",
        "text",
        "path",
        "circle",
        "g",
        "img",
        "blockquote",
    }
)


DOT_URI = f"data:image/png;base64,{base64.b64encode(DOT).decode()}"


class Reader(HTMLParser):
    """Elements with their attributes, and the text between them."""

    def __init__(self, markup: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str]]] = []
        self.texts: list[str] = []
        self.preformatted: list[str] = []
        self._in: list[str] = []
        self.feed(markup)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, {name: value or "" for name, value in attrs}))
        self._in.append(tag)
        if tag == "pre":
            self.preformatted.append("")

    def handle_endtag(self, tag):
        while self._in and self._in.pop() != tag:
            pass

    def handle_data(self, data):
        if "style" not in self._in:
            self.texts.append(data)
        if "pre" in self._in:
            self.preformatted[-1] += data


@pytest.mark.parametrize("text", HOSTILE)
def test_that_no_words_from_outside_become_an_element_or_an_attribute(text):
    plain, hostile = Reader(page(written_report())), Reader(page(written_report(text)))
    assert [tag for tag, _ in hostile.elements] == [tag for tag, _ in plain.elements]
    for tag, attributes in hostile.elements:
        assert tag in ALLOWED
        assert not [name for name in attributes if name.startswith("on") or name in ("style", "srcdoc")]
        assert tag == "img" or "src" not in attributes
        assert attributes.get("src", DOT_URI) == DOT_URI


@pytest.mark.parametrize("text", [each for each in HOSTILE if each.isprintable()])
def test_that_an_answer_s_words_are_those_that_came(text):
    assert text in Reader(page(report(text))).preformatted


def test_that_control_characters_are_shown_as_their_pictures():
    shown = Reader(page(report("nul\x00bell\x07escape\x1b"))).preformatted
    assert "nul␀bell␇escape␛" in shown


def test_that_the_page_s_policy_allows_its_own_style_sheet_and_nothing_else():
    markup = page(report())
    policy = next(
        a["content"] for tag, a in Reader(markup).elements if a.get("http-equiv") == "Content-Security-Policy"
    )
    style = re.search(r"<style>(.*?)</style>", markup, re.DOTALL).group(1)
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    assert policy == f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"


def test_that_a_logo_is_in_the_page_and_pictures_from_elsewhere_stay_refused():
    markup = page(written_report())
    assert "img-src data:;" in markup
    assert DOT_URI in markup


def test_that_findings_of_people_come_before_the_method_s_tables():
    said = "".join(Reader(page(written_report("A claim"))).texts)
    assert said.index("By A claim, Ann Auditor") < said.index("1. A claim") < said.index("severity 3 of 4")
    assert said.index("1. A claim") < said.rindex("What may be claimed.")


def test_that_the_page_names_nothing_that_a_browser_would_fetch():
    markup = page(report())
    assert "@import" not in markup
    assert "url(" not in re.sub(r"url\(#[\w-]+\)", "", markup)
    hrefs = [attributes["href"] for _, attributes in Reader(markup).elements if "href" in attributes]
    assert {href for href in hrefs if not href.startswith("#")} == {"https://news.example/a"}


@pytest.mark.parametrize(
    "url", ["javascript:alert(1)", "java\nscript:alert(1)", "data:text/html,x", "file:///etc/passwd", "//host/x", "x"]
)
def test_that_an_address_that_is_no_web_address_is_words_and_no_link(url):
    reader = Reader(page(report(url=url)))
    assert [a["href"] for _, a in reader.elements if not a.get("href", "#").startswith("#")] == []
    assert any(url.replace("\n", " ")[:4] in text for text in reader.texts)


def test_that_the_required_reading_limits_scope_and_counts_are_in_it():
    text = " ".join(Reader(page(report())).texts)
    for words in (
        "What may be claimed.",
        "What may not be claimed.",
        "tf-idf sees words.",
        "settings 960c97c6c2b7",
        "set 7, 6 of 7 answers",
        "Reviewed bundles",
        "A score shows how far answers moved apart",
    ):
        assert words in text


def test_that_every_number_has_its_interval_its_method_and_its_n():
    markup = page(report())
    assert '<span class="interval" title="t over 5 article means">0.100 to 0.300 t</span>' in markup
    assert ">n 40<" in markup
    assert (
        "its 95% range, made by t: Student&#39;s t; and n, the sets of answers (questions, models or batches) "
        "it rests on." in markup
    ), "each letter is explained, and no other"
    assert "nothing asked" in markup


def test_that_a_missing_answer_stands_in_its_place_with_its_reason():
    assert "No valid answer: refused." in page(report())


def test_that_synthetic_answers_carry_the_badge_in_head_sections_bundles_and_foot():
    assert page(report()).count('class="badge"') == 0
    markup = page(report(synthetic=True))
    assert markup.count('class="badge"') >= 5
    assert "says nothing about any real model" in markup
    assert 'tr class="synthetic"' in markup


def test_that_heat_maps_are_drawn_with_text_that_stands_out():
    markup = page(report())
    assert markup.count("<rect") >= 2
    assert len(re.findall(r'<text[^>]* fill="#(?:FFFFFF|000000)"', markup)) == 4
    assert markup.count(">n 40</text>") == 2
    assert simple_page(report()).count(">n 40</font>") == 2, "the preview has the n of each cell too"
    assert "a/b, Family 0: S, mean 0.200, range 0.100 to 0.300, n 40" in page(report("a/b"))


def test_that_a_control_chart_is_drawn_with_what_it_says() -> None:
    written = page(replace(report(), findings=(streaming_of({"a/left": LEAVING, "b/gapped": GAPPED})[0],)))
    assert written.count('viewBox="0 0 960') == 2, "less other models and as measured"
    drawn = written[written.index("How far apart, in words, as measured") :]
    assert ">outside</text>" in drawn
    assert ">sets the limits</text>" in drawn
    assert ">The smoothed series" in drawn


def test_that_a_series_of_one_batch_and_one_without_peers_say_so_in_words():
    written = page(replace(report(), findings=(streaming_of({"a/one": (0.3,)})[0],)))
    assert "No chart yet: a course is drawn from three places on." in written
    assert "<svg" not in written[written.index("No chart yet") :]


def test_that_intervals_are_drawn_beside_their_numbers_and_missing_ones_say_why():
    some = finding()
    refused = replace(some.figures[2], value="refused")
    written = page(replace(report(), findings=(replace(some, figures=(some.figures[2], refused)),)))
    assert "0.100 to 0.300</text>" in written
    assert "<title>Intervals</title>" in written
    assert written.count("<circle") == 2, "the other figure has no value at all, so it is not drawn"


def test_that_a_long_table_is_folded_beside_its_text_and_nothing_of_it_is_lost():
    made = replace(report(), findings=(replace(finding(rows=60), figures=()),))
    markup = page(made)
    assert markup.index("<details><summary>All rows</summary>") < markup.index("Family 59<")
    assert all(f"Family {number}<" in markup for number in range(60))


def test_that_rows_of_detail_are_not_printed_and_it_is_said_where_they_are():
    table = replace(finding(rows=60), figures=())
    rows = tuple(replace(row, detail=place >= 40) for place, row in enumerate(table.rows))
    markup = page(replace(report(), findings=(replace(table, rows=rows),)))
    assert "40 of 60 rows are printed. All are in the report as a workbook" in markup
    assert "Family 39<" in markup
    assert "Family 40<" not in markup
    none = replace(table, rows=tuple(replace(row, detail=True) for row in rows))
    markup = page(replace(report(), findings=(none,)))
    assert "0 of 60 rows are printed." in markup
    assert "Family" not in markup


def test_that_a_40000_character_answer_is_whole():
    long = "word " * 8000
    assert long in Reader(page(report(long))).preformatted


def test_that_counts_that_are_zero_throughout_are_named_instead_of_shown():
    markup = page(report())
    assert "0 in every row: Silent." in markup
    assert ">Silent</th>" not in markup


def test_that_every_value_says_of_how_many_also_where_a_count_of_its_row_is_the_same() -> None:
    known = finding(rows=1)
    (row,) = known.rows
    same = replace(known, rows=(replace(row, values={**row.values, "pairs": 40}),))
    (shown,) = table_view(same)["rows"]
    assert [cell["count"] for cell in shown["cells"] if cell["count"]] == ["n 40", "n 2"]
