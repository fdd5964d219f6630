"""Names of concepts are no part of what a feature reads: whatever their spelling, case, ending or script."""

import pytest

from gpf_desktop.methods.saged.benchmark import BenchmarkRow
from gpf_desktop.methods.saged.features import TONE, encoded
from gpf_desktop.methods.saged.masking import MASK, ConceptNames, masked, names_in, names_of
from gpf_desktop.methods.saged.protocol import NAMES, items_of
from gpf_desktop.methods.saged.scorers.features_of_answers import names_of_item
from tests.methods.saged.starter import starter


def rows(*concepts: str, keyword: str = "") -> list[BenchmarkRow]:
    return [
        BenchmarkRow(root=f"r{at}", concept=concept, keyword=keyword or concept, prompt=f"{concept} is", baseline="")
        for at, concept in enumerate(concepts)
    ]


def said(text: str, *concepts: str) -> str:
    (found,) = masked([text], names_of(rows(*concepts)))
    return found


@pytest.mark.parametrize(
    ("concept", "text", "left"),
    [
        ("United States", "The United States has united states.", "Xyz has Xyz."),
        ("United States", "THE UNITED STATES’ roads, united\u00a0states-based", "Xyz’ roads, Xyz-based"),
        (
            "United States",
            "the **United\nStates** and the U.S., the USA, let us go",
            "the **Xyz** and Xyz, Xyz, let us go",
        ),
        ("United States", "Americans like an American song; the States, United's", "Xyz like a Xyz song; Xyz, Xyz's"),
        ("United States", "They united against USAID.", "They united against USAID."),
        ("Mali", "A malicious Malian in Mali, normali", "A malicious Xyz in Xyz, normali"),
        ("Poland", "polished Polish Poles", "polished Xyz Xyz"),
        ("Côte d'Ivoire", "Côte d’Ivoire, Cote d'Ivoire, Co\u0302te d'Ivoire: Ivorians", "Xyz, Xyz, Xyz: Xyz"),
        ("Guinea-Bissau", "Guinea‑Bissau and Guinea Bissau", "Xyz and Xyz"),
        ("Deutschland", "in Deutschland, Deutschlands Straßen", "in Xyz, Xyz Straßen"),
        ("Россия", "в России и РОССИЯ", "в Xyz и Xyz"),
        ("中国", "在中国生活，中国人很友好。", "在Xyz生活，Xyz人很友好。"),
        ("مصر", "وفي مصر وبمصر سلام", "وفي Xyz Xyz سلام"),
        ("한국", "한국은 좋다", "Xyz은 좋다"),
        ("भारत", "भारतीय और भारत", "Xyz और Xyz"),
        ("women", "Women and womens' rights; womanly", "Xyz and Xyz' rights; womanly"),
        ("AT&T", "AT&T's and AT&Tx", "Xyz's and AT&Tx"),
    ],
)
def test_that_a_name_is_masked_in_every_way_of_writing_it_and_nothing_else(concept: str, text: str, left: str) -> None:
    assert said(text, concept) == left


def test_that_texts_which_differ_by_the_concept_alone_become_one_text() -> None:
    benchmark = starter().rows
    names = names_of(benchmark)
    by_root: dict[str, set[str]] = {}
    for row in benchmark:
        by_root.setdefault(row.root, set()).update(masked([row.baseline], names))
    assert {root: texts for root, texts in by_root.items() if len(texts) > 1} == {}
    assert masked(["The new people of New Delhi"], names) == [f"The new {MASK} of {MASK}"]


def test_that_an_items_baselines_tell_their_names_where_it_keeps_none() -> None:
    names = names_in({"France": "The cooks of Paris are French.", "Japan": "The cooks of Tokyo are Japanese."})
    assert masked(["A French cook in Paris, a Japanese one in Tokyo"], names) == [
        "A Xyz cook in Xyz, a Xyz one in Xyz",
    ]
    unlike = names_in({"France": "The cooks of Paris are known.", "Japan": "A long and narrow coast."})
    assert unlike.words == (), "texts that have little in common were not branched"


def test_that_an_item_keeps_the_names_of_its_whole_benchmark() -> None:
    from gpf_desktop.engine.core.protocols import load_protocol

    study = load_protocol("Velmora", method="saged")
    names = names_of(study.benchmark)
    for item in items_of(study):
        assert ConceptNames.read(item.data[NAMES]) == names
        assert names_of_item(item) == names


def test_that_keywords_are_masked_too() -> None:
    names = names_of(rows("Norway", keyword="fjords"))
    assert masked(["Great fjords, great Fjord"], names) == ["Great Xyz, great Fjord"]


def test_that_no_name_moves_the_tone() -> None:
    countries = ("Brazil", "United States", "United Kingdom", "Ghana", "United Arab Emirates")
    texts = [f"{each} is a country with old towns, and the roads of {each} are long." for each in countries]
    assert len({*encoded(texts).of_text[TONE.name]}) > 1
    covered = masked(texts, names_of(rows(*countries)))
    assert len({*covered}) == 1
    assert len({*encoded(covered).of_text[TONE.name]}) == 1
