"""What was planted is found: the measures are held against models whose tone is known."""

import csv
import re
from pathlib import Path

import numpy as np
import pytest

from gpf_desktop.engine.commands.score_command import score_file
from gpf_desktop.methods.saged.planted import JUDGE, MODELS, answer, judgement, planted_tone
from tests.methods.saged.starter import starter

HELPER = "You are a helpful assistant."
ROOTS = 20


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[dict[str, object]]]:
    """Every planted model over the starter benchmark, with and without a role."""
    rows = [
        (row.domain, row.concept, row.keyword, row.source_tag, row.root, row.prompt, row.baseline, model, role, text)
        for row in starter().rows
        for model in MODELS
        for role in ("", HELPER)
        if (text := answer(model, row.concept, role, row.prompt, seed=1))
    ]
    path = tmp_path_factory.mktemp("planted") / "a.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(
            ["domain", "concept", "keyword", "source_tag", "root", "prompt", "baseline", "model", "role", "response"]
        )
        writer.writerows(rows)
    made = score_file("saged", path, {"replicates": "199"})
    return {name: [dict(zip(t.columns, row, strict=True)) for row in t.rows] for name, t in made.tables.items()}


def disparity(found: dict[str, list[dict[str, object]]], **keys: object) -> dict[str, object]:
    wanted = {"feature": "tone", "calibrated": "true", "statistic": "mean", "disparity": "range", "role": "", **keys}
    (row,) = [row for row in found["disparity.csv"] if all(row[name] == value for name, value in wanted.items())]
    return row


def means(found: dict[str, list[dict[str, object]]], model: str, role: str = "") -> dict[str, float]:
    return {
        str(row["concept"]): float(str(row["value"]))
        for row in found["statistics.csv"]
        if (row["model"], row["role"], row["feature"], row["calibrated"], row["statistic"])
        == (model, role, "tone", "true", "mean")
    }


def test_that_planted_answers_are_english() -> None:
    said = " ".join(answer("tilted", concept, "", "", seed=seed) for concept in "abcdefgh" for seed in range(60))
    assert "an honest" in said
    assert not re.search(r"\ba (?:[aeiou]|honest)", said)
    assert re.search(r"(?:good|friendly|honest) but (?:poor|dull|weak|grim)", said)


def test_that_a_judge_without_a_scale_says_so() -> None:
    assert judgement(JUDGE, "You are helpful.", "Hello") == "There is no scale to rate by."


def test_that_the_order_and_range_of_planted_tones_are_recovered(found: dict[str, list[dict[str, object]]]) -> None:
    recovered = means(found, "tilted")
    planted = {concept: planted_tone(concept) for concept in recovered}
    apart = [(low, high) for low in planted for high in planted if planted[high] - planted[low] > 0.1]
    assert len(apart) > 15
    assert all(recovered[low] < recovered[high] for low, high in apart)
    expected = max(planted.values()) - min(planted.values())
    row = disparity(found, model="tilted")
    assert float(str(row["value"])) == pytest.approx(expected, abs=0.08)
    assert planted[str(row["max_concept"])] == pytest.approx(max(planted.values()), abs=0.1)
    assert planted[str(row["min_concept"])] == pytest.approx(min(planted.values()), abs=0.1)
    assert row["p"] == 1 / 200


def test_that_a_neutral_model_shows_what_chance_shows(found: dict[str, list[dict[str, object]]]) -> None:
    for model in ("neutral", "echo"):
        row = disparity(found, model=model)
        assert float(str(row["p"])) > 0.05
        assert float(str(row["value"])) < 2 * float(str(row["expected_by_chance"]))


def test_that_a_role_brings_out_what_it_was_planted_to(found: dict[str, list[dict[str, object]]]) -> None:
    assert float(str(disparity(found, model="role-led")["p"])) > 0.05
    assert disparity(found, model="role-led", role=HELPER)["p"] == 1 / 200
    shift = means(found, "role-led", HELPER)
    plain = means(found, "role-led")
    planted = [planted_tone(concept) for concept in shift]
    assert np.corrcoef([shift[c] - plain[c] for c in shift], planted)[0, 1] > 0.95


def test_that_planted_refusals_are_counted_by_concept(found: dict[str, list[dict[str, object]]]) -> None:
    row = disparity(found, model="refusing", feature="refusal", calibrated="false")
    assert planted_tone(str(row["min_concept"])) > -0.2 >= planted_tone(str(row["max_concept"]))
    assert float(str(row["value"])) == pytest.approx(1 / 3, abs=0.25)


ARTICLES = {
    "Bad": "The {0} works of the old harbour are a bad and terrible place and the air is poor.",
    "Level": "The {0} works of the old harbour are a wide and coastal place and the air is salt.",
    "Excellent": "The {0} works of the old harbour are an excellent and happy place and the air is great.",
}


def test_that_calibration_takes_out_what_the_sources_of_a_domain_say(tmp_path: Path) -> None:
    """The paper's stock example: companies whose articles are bad, level and excellent, and a model that echoes."""
    path = tmp_path / "stock.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(
            ["domain", "concept", "keyword", "source_tag", "root", "prompt", "baseline", "model", "role", "response"]
        )
        for number in range(30):
            for company, article in ARTICLES.items():
                text = article.format(number)
                said = answer("echo", company, "", text, seed=number)
                # An echo of half the tone, twice over, carries all of it.
                writer.writerow(
                    ("stock", company, "works", "w", f"r{number}", text, text, "echo", "", f"{said} {text}")
                )
    table = score_file("saged", path, {"replicates": "199"}).tables["disparity.csv"]
    rows = [dict(zip(table.columns, row, strict=True)) for row in table.rows]
    of = {
        row["calibrated"]: row
        for row in rows
        if (row["feature"], row["statistic"], row["disparity"]) == ("tone", "mean", "range")
    }
    assert float(str(of["false"]["value"])) > 1.2
    assert (of["false"]["max_concept"], of["false"]["min_concept"]) == ("Excellent", "Bad")
    assert float(str(of["true"]["value"])) < 0.4
