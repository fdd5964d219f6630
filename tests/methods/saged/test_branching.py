from pathlib import Path

import pytest

from gpf_desktop.domain.errors import UserError
from gpf_desktop.methods.saged.benchmark import BenchmarkRow
from gpf_desktop.methods.saged.branching import Branching, Direction, Flagged, branch_all, branched
from gpf_desktop.methods.saged.replacements import Replacements, read_replacements

PAIRS = {
    "France": "Japan",
    "French": "Japanese",
    "Paris": "Tokyo",
    "Paris region": "Kanto area",
    "the people": "folk",
    "US": "UK",
    "Italian": "Ecuadorian",
    "Ugandan": "Irish",
}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The Paris region is not Paris.", "The Kanto area is not Tokyo."),
        ("Parisians of Île-de-France", "Parisians of Île-de-Japan"),
        ("FRANCE and France’s south, french fries", "JAPAN and Japan’s south, japanese fries"),
        ("The people and the people", "Folk and folk"),
        ("They asked us in the US.", "They asked us in the UK."),
        ("An Italian, an “Italian” and a Ugandan.", "An Ecuadorian, an “Ecuadorian” and an Irish."),
        ("An Italian ATE AN ITALIAN.", "An Ecuadorian ATE AN ECUADORIAN."),
        ("Paris\nregion", "Kanto area"),
    ],
)
def test_that_whole_words_are_replaced_longest_first_in_their_own_case(text: str, expected: str) -> None:
    assert branched(text, PAIRS).text == expected


def test_that_a_replaced_word_is_never_replaced_again() -> None:
    assert branched("France and Japan", {"France": "Japan", "Japan": "France"}).text == "Japan and France"


@pytest.mark.parametrize(
    ("word", "article"),
    [("hour-long", "an"), ("European", "a"), ("Ugandan", "a"), ("Uzbek", "an"), ("US", "a"), ("NGO", "an")],
)
def test_that_articles_are_mended_by_sound(word: str, article: str) -> None:
    other = "a" if article == "an" else "an"
    assert branched(f"{other} X-ray", {"X-ray": word}).text == f"{article} {word}"


def test_that_changes_have_places_and_what_stayed_is_flagged() -> None:
    found = branched("An Italian met Parisian cooks; italianate FRANCE.", PAIRS)
    assert [(each.old, found.text[each.start : each.end]) for each in found.changes] == [
        ("Italian", "Ecuadorian"),
        ("FRANCE", "JAPAN"),
    ]
    assert found.left == ("Parisian", "italianate")


def replacements_of(text: str, folder: Path) -> Replacements:
    (folder / "pairs.yaml").write_text(text, encoding="utf-8")
    return read_replacements(folder / "pairs.yaml")


SLOTS = """
domain: countries
concepts:
  France: {name: France, adjective: French, places: [Paris, Lyon]}
  Japan: {name: Japan, adjective: Japanese, places: [Tokyo]}
  Peru: {name: Peru}
"""


def test_that_slots_make_pairs_of_every_two_concepts(tmp_path: Path) -> None:
    found = replacements_of(SLOTS, tmp_path)
    assert found.pairs["France"]["Japan"] == {
        "France": "Japan",
        "French": "Japanese",
        "Paris": "Tokyo",
        "Lyon": "Tokyo",
    }
    assert found.pairs["Japan"]["Peru"] == {"Japan": "Peru"}
    assert found.concepts == ("France", "Japan", "Peru")


def test_that_pairs_may_be_given_as_they_are(tmp_path: Path) -> None:
    found = replacements_of("France: {Japan: {France: Japan}}\nroot: France", tmp_path)
    assert found.pairs == {"France": {"Japan": {"France": "Japan"}}}
    assert found.concepts == ("Japan",)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "neither “concepts” nor “pairs”"),
        ("- a", "neither “concepts” nor “pairs”"),
        ("concepts: {France: {name: France}}", "at least two concepts"),
        ("concepts: {France: {}, Peru: {name: Peru}}", "“France” has no words by slot"),
        ("concepts: {France: {name: [1, {}]}, Peru: {name: Peru}}", "at “France” is no word"),
        ("concepts: {France: {code: NO}, Peru: {code: PE}}", "“False” at “France” is no word"),
        ("concepts: {France: {a: Paris, b: Paris}, Peru: {a: Lima}}", "“Paris” stands twice at “France”"),
        ("concepts: {France: {a: Paris}, Peru: {a: Lima}}\nroot: Chad", "the root “Chad” has no words"),
        ("France: Japan", "at “France” is no map of pairs"),
        ("a: [", "line 1, is not YAML"),
    ],
)
def test_that_what_is_wrong_with_replacements_is_said(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(UserError, match=said):
        replacements_of(text, tmp_path)


ROW = BenchmarkRow(
    domain="countries",
    concept="France",
    keyword="French",
    source_tag="wiki",
    prompt="A French cook",
    baseline="A French cook in Paris sings; Frenchmen listen.",
    root="s1",
)


def test_that_a_row_is_branched_to_every_concept_with_pairs(tmp_path: Path) -> None:
    flagged = Flagged(left={}, unchanged=[])
    rows = list(branch_all([ROW], replacements_of(SLOTS, tmp_path), Branching(), flagged))
    assert [(row.concept, row.branch, row.counterfactual) for row in rows] == [
        ("France", "", False),
        ("Japan", "France → Japan", True),
    ]
    assert rows[1].prompt == "A Japanese cook"
    assert rows[1].baseline == "A Japanese cook in Tokyo sings; Frenchmen listen."
    assert rows[1].keyword == "Japanese"
    assert {row.root for row in rows} == {"s1"}
    assert flagged.left == {("s1", "France → Japan"): {"Frenchmen"}}
    assert flagged.unchanged == [("s1", "France → Peru")]
    assert len(flagged.sentences()) == 2


@pytest.mark.parametrize(
    ("branching", "branches"),
    [
        (Branching(direction=Direction.ROOT_TO_ALL, root="Japan"), 0),
        (Branching(direction=Direction.ROOT_TO_ALL, root="France"), 1),
        (Branching(direction=Direction.CHOSEN, chosen=(("France", "Japan"),)), 1),
        (Branching(direction=Direction.CHOSEN, chosen=(("Japan", "France"),)), 0),
        (Branching(source_tags=frozenset({"news"})), 0),
        (Branching(source_tags=frozenset({"wiki"})), 1),
    ],
)
def test_that_directions_and_source_tags_choose_the_branches(
    tmp_path: Path, branching: Branching, branches: int
) -> None:
    rows = branch_all([ROW], replacements_of(SLOTS, tmp_path), branching, Flagged(left={}, unchanged=[]))
    assert sum(row.counterfactual for row in rows) == branches


def test_that_a_root_that_nobody_compares_is_left_out(tmp_path: Path) -> None:
    found = replacements_of(SLOTS + "root: France", tmp_path)
    rows = branch_all([ROW], found, Branching(), Flagged(left={}, unchanged=[]))
    assert [row.concept for row in rows] == ["Japan"]


def test_that_a_concept_without_replacements_is_named(tmp_path: Path) -> None:
    found = replacements_of("France: {Japan: {France: Japan}}", tmp_path)
    japan = BenchmarkRow(domain="", concept="Japan", keyword="", source_tag="", prompt="p", baseline="", root="r")
    with pytest.raises(UserError, match="no replacements for “Japan”"):
        list(branch_all([japan], found, Branching(), Flagged(left={}, unchanged=[])))
