"""Tables of SAGED's own library, a column for each generation."""

import csv
from collections.abc import Iterable
from pathlib import Path

import pytest

from gpf_desktop.documents.answer_files import read_answer_rows
from gpf_desktop.documents.tables import TableRow
from gpf_desktop.domain.errors import UserError
from gpf_desktop.methods.saged.importing import IMPORTER, study_in
from gpf_desktop.methods.saged.library_tables import unfolded


def told(rows: Iterable[TableRow], *names: str) -> list[tuple[str, ...]]:
    return [tuple(row.values.get(name, "") for name in names) for row in rows]


def test_that_saged_s_library_s_table_is_melted_and_its_branches_are_matched(tmp_path: Path) -> None:
    head = (
        "",
        "keyword",
        "concept",
        "category",
        "prompts",
        "baseline",
        "source_tag",
        "oak",
        "elm",
        "oak_sentiment_score",
        "elm_sentiment_score",
        "baseline_sentiment_score",
        "oak_sentiment_score_cbr_baseline",
    )
    numbers, branch = (".5", ".25", ".75", "-.25"), "br_wiki_cat_norway"
    rows = [
        ("0", "Oslo", "norway", "nations", "Oslo is", "Oslo is a port.", "wiki", "calm", "cold", *numbers),
        ("1", "Bergen", "norway", "nations", "Bergen has", "Bergen has rain.", "wiki", "rain", "fish", *numbers),
        ("2", "Lima", "peru", "nations", "Lima is", "Lima is a port.", "wiki", "foggy", "old", *numbers),
        ("0", "lima", "peru", "nations", "Lima is", "Lima is a port.", branch, "dry", "grey", *numbers),
        (
            "1",
            "cusco",
            "peru",
            "nations",
            "Cusco has",
            "Cusco has rain.",
            branch,
            "stone",
            "maize",
            *numbers,
        ),
    ]
    path = tmp_path / "extraction.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([head, *rows])
    rows_read = list(unfolded(read_answer_rows(path)))
    found = told(rows_read, "model", "root", "concept", "branch", "source_tag", "prompt", "response")
    assert len(found) == 10
    assert found[0] == ("oak", "norway wiki 1", "norway", "", "wiki", "Oslo is", "calm")
    assert found[4] == ("oak", "peru wiki 1", "peru", "", "wiki", "Lima is", "foggy")
    assert found[6:8] == [
        ("oak", "norway wiki 1", "peru", "peru", "wiki", "Lima is", "dry"),
        ("elm", "norway wiki 1", "peru", "peru", "wiki", "Lima is", "grey"),
    ]
    assert found[9][:2] == ("elm", "norway wiki 2")
    assert told(rows_read, "feature:sentiment_score", "baseline_feature:sentiment_score", "domain")[0] == (
        ".5",
        ".75",
        "nations",
    )

    study = study_in([path], {}, lambda *_: None)
    assert (len(study.answers), len(study.items)) == (10, 3)
    assert IMPORTER.in_heads([head])["model"] == "oak, elm"
    assert IMPORTER.in_heads([("concept", "model", "response")]) == {}


def test_that_features_of_generations_whose_names_have_the_sign_between_both_are_read() -> None:
    of = {"gpt_4o": "1", "gpt_4o_mini": "2", "baseline": "3"}
    scores = {
        f"{name}_{feature}_score": f"{number}.{place}"
        for name, number in of.items()
        for place, feature in enumerate(("sentiment", "stereotype_gender"))
    }
    common = {
        "keyword": "Oslo",
        "concept": "norway",
        "prompts": "Oslo is",
        "source_tag": "wiki",
        "remark": "read twice",
    }
    rows = list(unfolded([TableRow(1, {**common, **dict.fromkeys(of, "a port."), **scores})]))
    features = [
        f"{of}:{name}_score" for of in ("feature", "baseline_feature") for name in ("sentiment", "stereotype_gender")
    ]
    # What else is text is no answer where features say which columns are.
    assert told(rows, "model", *features) == [
        ("gpt_4o", "1.0", "1.1", "3.0", "3.1"),
        ("gpt_4o_mini", "2.0", "2.1", "3.0", "3.1"),
    ]


def test_that_prompts_without_a_root_are_matched_where_the_concept_alone_differs(tmp_path: Path) -> None:
    path = tmp_path / "asked.csv"
    rows = [
        ("model", "concept", "keyword", "prompt", "response"),
        ("oak", "Norway", "Norway's", "Norway's harbours are", "calm"),
        ("oak", "Peru", "", "PERU harbours are", "foggy"),
        ("oak", "Peru", "", "Peruvian ships are", "old"),
    ]
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows(rows)
    study = study_in([path], {}, lambda *_: None)
    assert [item.title.partition(" · ")[0] for item in study.items] == ["… harbours are", "Peruvian ships are"]
    assert any("No column says which sentence" in each for each in study.said)
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows(row[:3] + row[4:] for row in rows)
    with pytest.raises(UserError, match="root not said"):
        study_in([path], {}, lambda *_: None)
