"""What an early release of a supported Python gets wrong, and newer ones here would not show."""

import re
import tokenize
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.slow
def test_that_no_pattern_repeats_a_group_possessively() -> None:
    """`(...)?+` matches wrongly on Python 3.11.0 to 3.11.4 (gh-106052), and Debian 12 has 3.11.2."""
    found = []
    for path in (ROOT / "gpf_desktop").rglob("*.py"):
        with path.open("rb") as file:
            for token in tokenize.tokenize(file.readline):
                if token.type == tokenize.STRING and re.search(r"[^\\]\)[*+?]\+", token.string):
                    found.append(f"{path.relative_to(ROOT)}:{token.start[0]}")
    assert found == []
