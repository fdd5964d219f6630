"""The pictures in the README."""

import re
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]
MOST = 300_000


def test_that_the_readme_shows_pictures_that_are_there_described_and_small() -> None:
    found = re.findall(r"!\[([^\]]*)\]\(([^)]*)\)", (PROJECT / "README.md").read_text(encoding="utf-8"))
    assert found
    for description, file in found:
        assert len(description.split()) > 5
        assert (PROJECT / file).read_bytes().startswith((b"\x89PNG", b"<svg"))
        assert (PROJECT / file).stat().st_size < MOST
