"""Scores, tables and report of GPF-LiveNews are equal to the byte, whatever is built around them."""

import json
from pathlib import Path

import pytest

from tests.methods.digests import KEPT, digests


@pytest.mark.slow
def test_that_scores_tables_and_report_are_those_of_before(tmp_path: Path) -> None:
    kept = json.loads(KEPT.read_text(encoding="utf-8"))
    found = digests(tmp_path)
    assert {name: digest for name, digest in found.items() if kept.get(name) != digest} == {}
    assert found.keys() == kept.keys()
