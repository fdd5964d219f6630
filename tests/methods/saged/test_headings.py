"""Headings of plain text: none is glued to the sentence below it, and no sentence is cut in two."""

from pathlib import Path

import pytest

from gpf_desktop.methods.saged.sentences import sentences
from gpf_desktop.methods.saged.texts import SourceText, read_place, with_headings_apart

BODY = """Norway is a country in the north of Europe, and its people live
from fish, oil and the United States of old films that are shown in its
towns. Norway has a king. In the United
Kingdom there is one too."""


def said(text: str) -> list[str]:
    apart = with_headings_apart(text)
    return [" ".join(apart[start:end].split()) for start, end in sentences(apart)]


@pytest.mark.parametrize(
    "text",
    [
        "Economy\nNorway sells fish to its neighbours in the south.",
        "Economy\n=======\nNorway sells fish to its neighbours in the south.",
        "3 Economy of the North since the War\nNorway sells fish to its neighbours in the south.",
        "ECONOMY\nNorway sells fish to its neighbours in the south.\nHistory\nNorway was poor.",
        "It was so.\nEconomy\nNorway sells fish to its neighbours in the south.",
        "Norway\nEconomy\nNorway sells fish to its neighbours in the south.",
        "Economy:\nNorway sells fish to its neighbours in the south.",
        "Goods of the north:\n\n* Norway sells fish to its neighbours in the south.\n* It buys corn.",
        "Norway is rich.\n- Norway sells fish to its neighbours in the south.\n– It buys corn.",
        f"{BODY}\nEconomy\nNorway sells fish to its neighbours in the south.",
    ],
)
def test_that_a_heading_is_no_part_of_the_sentence_below_it(text: str) -> None:
    assert "Norway sells fish to its neighbours in the south." in said(text)


def test_that_a_sentence_over_several_lines_stays_one() -> None:
    found = said(f"About Norway\n{BODY}\n\nSouth\n{BODY}")
    assert found.count("In the United Kingdom there is one too.") == 2
    whole = (
        "Norway is a country in the north of Europe, and its people live from fish, oil and the United States of old"
        " films that are shown in its towns."
    )
    assert found.count(whole) == 2
    assert said("The paper said so:\nthere is more.") == ["The paper said so: there is more."]
    begun = f"For most of the last hundred years the people of the United\nStates of America were known\n{BODY}"
    assert said(begun)[0].startswith("For most of the last hundred years the people of the United States")


def test_that_text_and_markdown_files_have_their_headings_apart(tmp_path: Path) -> None:
    for name in ("a.txt", "b.md"):
        (tmp_path / name).write_text("Economy\n-------\nNorway sells fish to its neighbours in the south.")
        (read,) = read_place(tmp_path / name)
        assert isinstance(read, SourceText)
        found = [read.text[start:end].strip() for start, end in sentences(read.text)]
        assert found[-1] == "Norway sells fish to its neighbours in the south."
