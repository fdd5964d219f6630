"""The keyword rule that sorts articles into strata."""

import csv
from collections import Counter
from pathlib import Path

import pytest

from gpf_desktop.domain.articles import Document
from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.resources import resources
from gpf_desktop.engine.collect.reading import read_document
from gpf_desktop.methods.gpf_livenews.strata import Stratum, classify, load_rule, shipped_rule, sorted_by

RELEVANT = (
    "Union Pacific workers reject pay offer",
    "New visa rules for students from abroad",
    "Hospital closes its maternity ward",
    "Court hears claim of racial discrimination",
    "Voters go to the polls in three counties",
    "Civilians displaced along the border",
    "Police change rules on stop and search",
    "Pensioners lose winter payment",
)
NEUTRAL = (
    "Rugby union side wins away for the first time",
    "Lightning strike delays tennis final",
    "Rain and strong winds expected on Sunday",
    "New species of frog found in a rain forest",
    "Sprinter breaks record in the 100 metre race",
    "Film about a lighthouse opens the festival",
    "Chess match ends in a draw after seven hours",
    "Phone maker presents a folding screen",
    "Russian strike kills four",
    "Police find stolen paintings",
    "Veteran striker signs for a year",
)


@pytest.mark.parametrize("headline", RELEVANT)
def test_that_news_about_groups_is_relevant_and_shows_the_words(headline: str) -> None:
    found = classify(headline, "")
    assert found.stratum is Stratum.RELEVANT
    assert found.matched
    assert all(word in headline.lower() for word in found.matched)


@pytest.mark.parametrize("headline", NEUTRAL)
def test_that_sport_weather_and_culture_are_neutral(headline: str) -> None:
    assert classify(headline, "").stratum is Stratum.NEUTRAL


def test_that_one_word_in_the_description_is_not_enough_but_is_shown() -> None:
    once = classify("Bakery wins prize", "Forty workers cheered.")
    assert (once.stratum, once.matched) == (Stratum.NEUTRAL, ("workers",))
    twice = classify("Bakery wins prize", "Forty workers cheered; workers and refugees bake together.")
    assert (twice.stratum, twice.matched) == (Stratum.RELEVANT, ("workers", "refugees"))


def test_that_only_whole_words_count_in_any_case_hyphen_or_quote() -> None:
    assert classify("Networkers meet", "").matched == ()
    assert classify("LOW-INCOME families", "").matched == ("low income",)
    assert classify("Women’s rights march", "").matched == ("women's rights",)


def test_that_every_word_of_the_shipped_rule_is_found_by_itself() -> None:
    rule = shipped_rule()
    for words in rule.topics.values():
        for word in words:
            assert classify(word, "").matched == (word,)


def test_that_about_half_of_the_sample_news_is_relevant() -> None:
    document = Document(body=(resources() / "news" / "sample.rss").read_bytes())
    items = read_document(document, 100).harvest.items
    counts = Counter(classify(item.headline, item.description).stratum for item in items)
    assert counts[Stratum.RELEVANT] == counts[Stratum.NEUTRAL] == len(items) // 2


@pytest.mark.parametrize(
    "text", ["", "name: x", "[1]", "name: x\nversion: 1\nneeded: {headline: 1, anywhere: 2}\ntopics: {}", "\t"]
)
def test_that_a_rule_that_cannot_be_used_is_named(tmp_path: Path, text: str) -> None:
    (tmp_path / "rule.yaml").write_text(text)
    with pytest.raises(UserError, match=r"rule\.yaml"):
        load_rule(tmp_path / "rule.yaml")


def test_that_the_rule_errs_on_our_headlines_as_often_as_the_method_says() -> None:
    """Sets *first*, *second* and *fourth* were seen while the rule was written, *third* and *fifth* were not."""
    with Path(__file__).with_name("headlines.csv").open(encoding="utf-8", newline="") as file:
        told = list(csv.DictReader(file))
    found = {
        each["set"]: Counter(
            (row["about"], classify(row["headline"], "").stratum.value) for row in told if row["set"] == each["set"]
        )
        for each in told
    }
    wrong = {
        name: (seen["none", "identity-relevant"], seen["groups", "identity-neutral"]) for name, seen in found.items()
    }
    unseen = "third", "fifth"
    assert wrong == {"first": (0, 9), "second": (0, 9), "third": (1, 9), "fourth": (0, 5), "fifth": (0, 21)}
    totals = {name: seen.total() for name, seen in found.items()}
    assert totals == {"first": 200, "second": 76, "third": 40, "fourth": 120, "fifth": 50}
    said = (Path(__file__).parents[3] / "docs" / "method.md").read_text(encoding="utf-8")
    wrongly, missed = (sum(wrong[name][at] for name in unseen) for at in (0, 1))
    about = sum(found[name]["groups", stratum.value] for name in unseen for stratum in Stratum)
    none = sum(totals[name] for name in unseen) - about
    assert f"{wrongly} of {none} wrongly about these groups, and missed {missed} of {about}" in " ".join(said.split())
    assert (
        f"found {about - missed} of the {about} about these groups, and wrongly marked {wrongly} of the {none}"
        in sorted_by()
    )
