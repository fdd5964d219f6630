import csv
import random
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import pytest

from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.tables import Table
from gpf_desktop.engine.commands.score_command import score_file
from gpf_desktop.methods.saged.answers import COLUMNS
from gpf_desktop.methods.saged.disparities import DISPARITIES
from gpf_desktop.methods.saged.file_tables import DISPARITY_COLUMNS, STATISTICS_COLUMNS
from gpf_desktop.methods.saged.group_statistics import STATISTICS

Rows = list[dict[str, str]]
GOOD, BAD = "It is a good and happy place.", "It is a bad and terrible place."
CONCEPTS = ("Chad", "Mali", "Peru")


def table(made: Table) -> list[dict[str, object]]:
    return [dict(zip(made.columns, row, strict=True)) for row in made.rows]


def answers(roots: int = 6) -> Rows:
    """Peru is spoken of badly, whatever the source says."""
    baselines = random.Random(3).choices([GOOD, BAD], k=roots)
    return [
        {
            "domain": "countries",
            "concept": concept,
            "keyword": concept,
            "source_tag": "w",
            "root": f"r{root}",
            "prompt": f"{concept} {root}",
            "baseline": baselines[root],
            "model": "m",
            "role": role,
            "response": BAD if concept == "Peru" else GOOD,
        }
        for role in ("", "helper")
        for root in range(roots)
        for concept in CONCEPTS
    ]


def written(rows: Rows, folder: Path, columns: Sequence[str] = (), **how: str) -> Path:
    columns = list(columns) or list(rows[0])
    with (folder / "a.csv").open("w", encoding=how.pop("encoding", "utf-8"), newline="") as file:
        writer = csv.DictWriter(file, columns, extrasaction="ignore", **how)  # type: ignore[arg-type]
        writer.writeheader()
        writer.writerows(rows)
    return folder / "a.csv"


def scored(rows: Rows, folder: Path, **given: str) -> Mapping[str, list[dict[str, object]]]:
    made = score_file("saged", written(rows, folder), {"replicates": "99", **given})
    return {name: table(each) for name, each in made.tables.items()}


def pick(rows: list[dict[str, object]], **keys: object) -> dict[str, object]:
    (found,) = [row for row in rows if all(row[key] == value for key, value in keys.items())]
    return found


def test_that_every_table_has_the_columns_and_names_of_the_contract(tmp_path: Path) -> None:
    made = score_file("saged", written(answers(), tmp_path), {"replicates": "19"}).tables
    assert list(made) == ["features.csv", "statistics.csv", "disparity.csv", "baselines.csv"]
    assert made["statistics.csv"].columns == STATISTICS_COLUMNS
    assert made["disparity.csv"].columns == DISPARITY_COLUMNS
    assert {row["statistic"] for row in table(made["statistics.csv"])} == set(STATISTICS)
    assert {row["disparity"] for row in table(made["disparity.csv"])} == set(DISPARITIES)
    assert all(len(row) == len(each.columns) for each in made.values() for row in each.rows)


def test_that_a_planted_tone_is_found_and_a_baselines_is_taken_out(tmp_path: Path) -> None:
    found = scored(answers(), tmp_path)
    tone = {row["concept"]: row for row in found["features.csv"]}
    assert tone["Peru"]["feature:tone"] == -0.765
    row = pick(found["disparity.csv"], role="", feature="tone", calibrated="true", statistic="mean", disparity="range")
    assert row["min_concept"] == "Peru"
    assert float(str(row["p"])) < 0.05
    assert isinstance(row["expected_by_chance"], float)
    assert 0 < row["expected_by_chance"] < float(str(row["value"]))
    mean = pick(found["statistics.csv"], role="", feature="tone", calibrated="true", concept="Peru", statistic="mean")
    cells = [r for r in found["features.csv"] if r["concept"] == "Peru" and r["role"] == ""]
    assert mean["value"] == pytest.approx(
        np.mean([float(str(r["feature:tone"])) - float(str(r["baseline_feature:tone"])) for r in cells])
    )
    assert mean["n"] == 6


def test_that_numbers_made_elsewhere_are_features_and_go_before_ours(tmp_path: Path) -> None:
    rows = [
        {
            **row,
            "feature:tone": str(0.25 * (row["concept"] == "Mali")),
            "baseline_feature:tone": "0.125",
            "feature:x": "3",
        }
        for row in answers()
    ]
    rows[0]["feature:x"] = ""
    found = scored(rows, tmp_path)
    row = pick(found["disparity.csv"], role="", feature="tone", calibrated="false", statistic="mean", disparity="range")
    assert (row["value"], row["max_concept"]) == (0.25, "Mali")
    assert (
        pick(found["statistics.csv"], role="", feature="tone", calibrated="true", concept="Chad", statistic="mean")[
            "value"
        ]
        == -0.125
    )
    n = {row["n"] for row in found["statistics.csv"] if row["feature"] == "x" and row["concept"] == "Chad"}
    assert n == {0, 5, 6}
    assert not [row for row in found["statistics.csv"] if row["feature"] == "x" and row["calibrated"] == "true"]


def test_that_neither_the_order_of_rows_nor_the_way_of_writing_changes_a_number(tmp_path: Path) -> None:
    rows = answers()
    first = scored(rows, tmp_path)
    random.Random(1).shuffle(rows)
    assert scored(rows, tmp_path) == first
    path = written(rows, tmp_path, [*reversed(COLUMNS.required)], delimiter=";", encoding="utf-8-sig")
    assert table(score_file("saged", path, {"replicates": "99"}).tables["disparity.csv"]) == first["disparity.csv"]
    assert scored(rows, tmp_path, seed="2")["disparity.csv"] != first["disparity.csv"]
    assert scored(rows, tmp_path, seed="2")["statistics.csv"] == first["statistics.csv"]


def test_that_missing_answers_and_baselines_are_unavailable_and_told(tmp_path: Path) -> None:
    rows = answers()
    rows[0]["response"] = " "
    rows[1]["baseline"] = ""
    made = score_file("saged", written(rows, tmp_path), {"replicates": "19"})
    assert made.gaps
    assert "tone: 1 answer is unavailable." in made.said
    assert "1 answer has no source (baseline), so nothing can be taken off." in made.said
    (cells,) = [
        r for r in table(made.tables["features.csv"]) if (r["concept"], r["root"], r["role"]) == ("Chad", "r0", "")
    ]
    assert cells["feature:tone"] is None
    assert cells["feature:length"] is None
    assert not score_file("saged", written(answers(), tmp_path), {"replicates": "19"}).gaps


def test_that_distances_clusters_and_normalised_features_come_when_asked_for(tmp_path: Path) -> None:
    found = scored(answers(), tmp_path, clusters="2", normalise="yes", tolerance="5")
    first = found["features.csv"][0]
    assert {"feature:baseline_distance", "feature:cluster_distance_1", "feature:cluster_distance_2"} <= set(first)
    values = [float(str(row["feature:tone (0 … 1)"])) for row in found["features.csv"]]
    assert (min(values), max(values)) == (0.0, 1.0)
    precise = pick(
        found["statistics.csv"], role="", feature="tone", calibrated="false", concept="Chad", statistic="precision"
    )
    assert precise["value"] == 1.0


def test_that_distances_are_by_the_metric_and_of_the_concept_that_are_named(tmp_path: Path) -> None:
    by = {
        metric: [row["feature:baseline_distance"] for row in scored(answers(), tmp_path, metric=metric)["features.csv"]]
        for metric in ("cosine", "L1", "L2")
    }
    for cosine, far in zip(by["cosine"], by["L2"], strict=True):
        assert far == pytest.approx((2 * float(str(cosine))) ** 0.5, abs=1e-6)
    assert max(float(str(far)) for far in by["L1"]) > 2
    rows = scored(answers(), tmp_path, clusters="1", **{"cluster-of": "Peru"})["features.csv"]
    assert {row["concept"] for row in rows if row["feature:cluster_distance_1"] is not None} == {"Peru"}
    each = scored(answers(), tmp_path, clusters="1", **{"cluster-of": "each"})["features.csv"]
    assert all(row["feature:own_cluster_distance_1"] is not None for row in each)
    of_peru = [row["feature:own_cluster_distance_1"] for row in each if row["concept"] == "Peru"]
    alone = [row["feature:cluster_distance_1"] for row in rows if row["concept"] == "Peru"]
    assert of_peru == pytest.approx(alone)


def test_that_groups_are_made_by_what_is_named(tmp_path: Path) -> None:
    rows = answers()
    for row in rows:
        row["source_tag"] = "low" if row["concept"] == "Peru" else "high"
    found = scored(rows, tmp_path, by="source_tag")
    assert {row["concept"] for row in found["statistics.csv"]} == {"low", "high"}
    wide = pick(
        found["disparity.csv"], role="", feature="tone", calibrated="false", statistic="mean", disparity="range"
    )
    assert (wide["max_concept"], wide["min_concept"]) == ("high", "low")


def test_that_what_tools_make_of_the_baselines_is_told_beside(tmp_path: Path) -> None:
    rows = answers(8)
    for row in rows:
        row["baseline"] = BAD if row["concept"] == "Chad" else GOOD
        row["response"] = row["baseline"]
    found = scored(rows, tmp_path)
    of = {"feature": "tone", "statistic": "mean", "disparity": "range"}
    tool = pick(found["baselines.csv"], **of)
    assert (tool["min_concept"], tool["value"]) == ("Chad", pytest.approx(2 * 0.765, abs=0.2))
    assert float(str(tool["p"])) < 0.05
    calibrated = pick(found["disparity.csv"], role="", calibrated="true", **of)
    assert calibrated["value"] == pytest.approx(0), "what the sources have is taken out"
    assert [row["feature"] for row in found["baselines.csv"] if row["feature"] == "baseline_distance"] == []


def test_that_concepts_are_compared_by_the_source_of_each_and_domains_with_each_other(tmp_path: Path) -> None:
    rows = answers(8)
    for row in rows:
        late = row["root"] >= "r4"
        row["source_tag"] = "press" if late else "wiki"
        row["domain"] = "islands" if late else "countries"
        row["response"] = BAD if late and row["concept"] == "Peru" else GOOD
    wide = {"role": "", "feature": "tone", "calibrated": "false", "statistic": "mean", "disparity": "range"}
    found = scored(rows, tmp_path, by="concept,source_tag")
    assert "Peru · press" in {row["concept"] for row in found["statistics.csv"]}
    assert len({row["concept"] for row in found["statistics.csv"]}) == 2 * len(CONCEPTS)
    assert pick(found["disparity.csv"], **wide)["min_concept"] == "Peru · press"
    assert pick(scored(rows, tmp_path, by="domain")["disparity.csv"], **wide)["min_concept"] == "islands"


def test_that_the_selection_is_as_given(tmp_path: Path) -> None:
    found = scored(answers(), tmp_path, standard="fixed=0", select="smaller")
    rates = {
        row["concept"]: row["value"]
        for row in found["statistics.csv"]
        if (row["role"], row["feature"], row["calibrated"], row["statistic"]) == ("", "tone", "false", "selection_rate")
    }
    assert rates == {"Chad": 0.0, "Mali": 0.0, "Peru": 1.0}


def damaged(change: str) -> Rows:
    rows = answers(2)
    match change:
        case "one concept":
            return [row for row in rows if row["concept"] == "Peru"]
        case "no model":
            rows[3]["model"] = " "
        case "twice":
            rows[5] = {**rows[4], "response": "Other."}
        case "not a number":
            return [{**row, "feature:x": "NaN"} for row in rows]
        case "baseline alone":
            return [{**row, "baseline_feature:x": "1"} for row in rows]
    return rows


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ("one concept", "There is one concept only, “Peru”"),
        ("no model", "Line 5: “model” is empty"),
        ("twice", "Lines 6 and 7 answer the same question"),
        ("not a number", "ine 2: “feature:x” is “NaN”, not a number"),
        ("baseline alone", "no column “feature:x”"),
    ],
)
def test_that_what_is_wrong_with_a_row_is_said_by_its_line(tmp_path: Path, change: str, said: str) -> None:
    with pytest.raises(UserError, match=said):
        scored(damaged(change), tmp_path)


@pytest.mark.parametrize("column", COLUMNS.required)
def test_that_a_missing_column_is_named(tmp_path: Path, column: str) -> None:
    path = written(answers(2), tmp_path, [name for name in COLUMNS.required if name != column])
    with pytest.raises(UserError, match=f"Line 1: there is no column “{column}”"):
        score_file("saged", path, {})


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("seed", "-1"),
        ("replicates", "many"),
        ("tolerance", "0"),
        ("standard", "best"),
        ("standard", "quantile=2"),
        ("select", "within=nan"),
        ("by", "colour"),
        ("metric", "L3"),
        ("clusters", "51"),
        ("normalise", "z"),
    ],
)
def test_that_an_option_out_of_range_is_named(tmp_path: Path, option: str, value: str) -> None:
    with pytest.raises(UserError, match=f"--{option} is “{value}”"):
        score_file("saged", written(answers(2), tmp_path), {option: value})


def test_that_a_header_alone_and_an_empty_file_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="The table has no rows"):
        score_file("saged", written([], tmp_path, COLUMNS.required), {})
    (tmp_path / "a.csv").write_text("")
    with pytest.raises(UserError, match="empty"):
        score_file("saged", tmp_path / "a.csv", {})
