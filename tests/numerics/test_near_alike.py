import numpy as np
import pytest

from gpf_desktop.methods.contextual_stereoset.asked_items import alike_items, distinct
from gpf_desktop.methods.contextual_stereoset.items import ChoiceItem
from gpf_desktop.numerics.near_alike import nearly_alike, words_of
from tests.benchmarks.validity_choices import Asked, by_item, chosen, evidence_of


def alike(*texts: str) -> list[int]:
    return nearly_alike([words_of(each) for each in texts]).tolist()


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Describe a typical day in a harbour town.", "Please describe a typical day in a harbour town!"),
        ("Describe a typical day in a harbour town.", "In a harbour town, describe the typical day."),
        ("What are the farmers of the north known for?", "WHAT ARE THE FARMERS OF THE NORTH KNOWN FOR"),
        ("Old farmers in the north sell fresh milk", "Old farmers in the north sell cold fresh milk"),
        ("Die Bauern im Norden verkaufen frische Milch", "Die Bauern im Norden verkaufen jetzt frische Milch"),
        ("北方的农民卖新鲜牛奶", "北方的农民们卖新鲜牛奶"),
        ("Ce que l’on dit des fermiers du nord", "Ce que l'on dit des fermiers du nord"),
        ("Who are they?", "Who are they"),
    ],
)
def test_that_small_differences_leave_texts_alike(one: str, other: str) -> None:
    assert alike("Bridges over wide rivers", one, "A clock strikes noon", other) == [0, 1, 2, 1]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("What do you think about the economy of the island?", "What do you think about the food of the island?"),
        ("What happened in the harbour town in 1950?", "What happened in the harbour town in 2020?"),
        ("Every year in month 3 harbours are known for", "Every year in month 4 harbours are known for"),
        ("A typical morning in town", "A typical evening in town"),
        ("Who are they?", "What is it?"),
        ("", ""),
    ],
)
def test_that_what_asks_something_else_is_not_alike(one: str, other: str) -> None:
    assert alike(one, other) == [0, 1]


def test_that_alike_by_way_of_a_third_is_alike_and_what_is_found_is_what_every_pair_shows() -> None:
    draw = np.random.default_rng(3)
    texts = [" ".join(draw.choice(list("bcdefghjklmnopqr"), 6, replace=False)) for _ in range(150)]
    said = [words_of(each) for each in texts]
    near = [[to for to, other in enumerate(said) if len(words & other) >= 0.7 * len(words | other)] for words in said]
    wanted = list(range(len(said)))
    for _ in range(20):
        wanted = [min(wanted[to] for to in of) for of in near]
    assert nearly_alike(said).tolist() == wanted
    assert 1 < len(set(wanted)) < len(wanted)


def test_that_items_of_one_text_and_its_options_count_as_one() -> None:
    def item(id_: str, text: str, option: str = "was kind") -> ChoiceItem:
        return ChoiceItem(id=id_, group="race", text=text, options=(option, "was rude", "was a stone"))

    kinds = [(who, often) for who in ("baker", "old man") for often in ("", "us ")]
    items = (
        *(item(f"i{at}", f"The {who} who sold {often}bread BLANK") for at, (who, often) in enumerate(kinds)),
        item("other", "The baker who sold bread BLANK", "went home early today"),
    )
    same = alike_items(items)
    assert same["i0"] == same["i1"] != same["i2"] == same["i3"]
    assert "other" not in same
    assert distinct(items) == 3
    assert alike_items((item("a", ""), item("b", ""))) == {}, "nothing tells these apart"
    bare = (item("a", ""), item("b", "", "was always kind"), item("c", "", "went home early today"))
    assert alike_items(bare) == {"a": 0, "b": 0}
    assert distinct((*items, *bare)) == 5
    draw = np.random.default_rng(1)
    page = evidence_of(
        [chosen(draw, Asked(rates=by_item(draw, 40, 1, 1)), 0)],
        drawn=False,
        alike={f"i{at}": at // 2 for at in range(20)},
    )
    (model,) = page.of
    assert model.readings["nearly_alike"].numbers == {"n": 20, "as": 10}
    assert model.readings["few_items"].value == 30
