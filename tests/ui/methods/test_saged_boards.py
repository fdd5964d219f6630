"""The boards of SAGED in Results: by what they compare, and what stands behind a mark of theirs."""

import csv
from collections.abc import Callable, Iterator
from itertools import product
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from gpf_desktop.domain.findings import Finding
from gpf_desktop.engine.commands.headless import Headless
from gpf_desktop.engine.commands.import_command import import_tables
from gpf_desktop.ui.main_window import MainWindow
from gpf_desktop.ui.results.results_page import ResultsPage
from gpf_desktop.ui.review.review_page import ReviewPage
from tests.support.audit_reports import write_report

CONCEPTS = ("Chad", "Mali", "Peru")
_TAGS = ("almanac", "novel")


def _rows() -> Iterator[dict[str, str]]:
    for model, root, concept in product(("a/x", "b/y"), range(4), CONCEPTS):
        yield {
            "domain": "countries",
            "concept": concept,
            "keyword": f"{concept}an" if root == 3 else concept,
            "source_tag": _TAGS[root % 2],
            "root": f"r{root}",
            "prompt": f"{concept} is a country number {root} that",
            "baseline": f"{concept} is a country with rivers.",
            "model": model,
            "role": "",
            "response": f"{concept} is a {'lovely' if root % 2 else 'dreadful'} place {root} of {model}.",
        }


@pytest.fixture
def study(tmp_path: Path) -> Path:
    """Answers of two models about three concepts; good where the source is a novel, bad where it is an almanac."""
    rows = list(_rows())
    with (tmp_path / "answers.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    with Headless(quiet=True) as headless:
        import_tables(headless, [tmp_path / "answers.csv"], "saged", {}, tmp_path / "study.gpf")
    return tmp_path / "study.gpf"


def _tone(page: ResultsPage) -> Finding | None:
    return None if page.model.results is None else page.model.results.findings.get("saged_tone")


def _means(finding: Finding | None) -> dict[str, float]:
    assert finding is not None
    return {
        str(row.values["concept"]): round(row.values["raw"].value, 2)  # type: ignore[union-attr]
        for row in finding.rows
        if row.values["asked"] == "imported/a/x"
    }


def test_that_boards_compare_source_tags_and_a_mark_opens_the_answers_of_its_group_alone(
    window: MainWindow, study: Path, qtbot: QtBot, settle: Callable[[], None], tmp_path: Path
) -> None:
    window.files.open(study)
    qtbot.waitUntil(lambda: window.status.audit_open)
    window.context.navigator.go("results")
    page = window.findChild(ResultsPage, "page.results")
    assert page is not None
    qtbot.waitUntil(lambda: _tone(page) is not None, timeout=200_000)
    assert set(_means(_tone(page))) == set(CONCEPTS)
    chip = page.chips.option_chips["by"]
    assert list(page.chips.option_chips) == ["by", "standard", "selects", "within", "percentiles"]
    shown = sorted(page.chips.option_chips.items(), key=lambda each: (each[1].y(), each[1].x()))
    assert [name for name, _ in shown] == list(page.chips.option_chips), (
        "as they are declared: what “it” is stands before"
    )
    assert chip.text() == "compared by: group"

    next(each for each in chip.menu().actions() if each.text() == "source tag").trigger()
    qtbot.waitUntil(lambda: (found := _tone(page)) is not None and found.title == "Tone by source tag")
    by_tag = _tone(page)
    means = _means(by_tag)
    assert list(means) == ["almanac", "novel"]
    assert means["almanac"] < -0.3 < 0.3 < means["novel"]
    window.context.actions.start("edit.undo")
    qtbot.waitUntil(lambda: chip.text() == "compared by: group")
    window.context.actions.start("edit.redo")
    # The chip turns at once, the tables once they are made.
    qtbot.waitUntil(lambda: chip.text() == "compared by: source tag" and "Compared by: source tag." in page.model.under)

    assert by_tag is not None
    row = next(
        each for each in by_tag.rows if each.values["concept"] == "novel" and each.values["asked"] == "imported/b/y"
    )
    page.model.answers.number(by_tag.title, row.bundles)
    qtbot.waitUntil(lambda: window.findChild(ReviewPage, "page.review") is not None)
    review = window.findChild(ReviewPage, "page.review")
    assert review is not None
    qtbot.waitUntil(lambda: len(review.model.queue) == 2)
    assert review.queue_pane.only.words.startswith("from Tone by source tag: novel")

    window.context.navigator.back()
    next(each for each in page.chips.option_chips["by"].menu().actions() if each.text() == "keyword").trigger()
    qtbot.waitUntil(lambda: (found := _tone(page)) is not None and found.title == "Tone by keyword")
    by_keyword = _tone(page)
    assert by_keyword is not None
    row = next(each for each in by_keyword.rows if each.values["concept"] == "Malian")
    assert row.values["answers"] == 1
    page.model.answers.number(by_keyword.title, row.bundles)
    qtbot.waitUntil(lambda: len(review.model.queue) == 1 and len(review.reading.answers.cards()) == 1)
    (card,) = review.reading.answers.cards()
    assert card.content is not None
    assert card.content.levels == ("Mali",)
    assert review.queue_pane.only.words.startswith("from Tone by keyword: Malian × no role × imported/a/x")
    review.queue_pane.only.remove.click()
    qtbot.waitUntil(lambda: len(review.model.queue) == 8 and len(review.reading.answers.cards()) == len(CONCEPTS))

    open_audit = window.context.engine.open_audit
    report = write_report(open_audit, tmp_path / "report.html").read_text(encoding="utf-8")
    assert "Compared by: keyword." in report
    assert "Tone by keyword" in report
    assert "Source sentence: Mali is a country with rivers." in report
    assert "tone, less the source: " in report
    assert "length in words: " not in report
    # The page of Results, out of sight, still makes its pictures anew.
    settle()
