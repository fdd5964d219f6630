"""Scores by column are what was stored, whatever the order and number of names per unit."""

import math
import sqlite3

import pytest

from gpf_desktop.domain.scores import ScoreColumn, ScoredChunk, Unavailable, UnitKind
from gpf_desktop.storage import scores
from gpf_desktop.storage.audit_file import AuditFile
from gpf_desktop.storage.score_columns import ScoredBundles, scored_bundles
from tests.storage import rows
from tests.support.filled_audit import fill

NAMES = ("S", "R")


def save(c: sqlite3.Connection, setting: int, units: list[int], **columns: list[float | Unavailable]) -> None:
    chunk = ScoredChunk(
        kind=UnitKind.BUNDLE,
        units=units,
        columns=tuple(ScoreColumn(name=name, values=values) for name, values in columns.items()),
    )
    scores.save(c, setting, chunk, provisional=units[0] == 2)


def planned(c: sqlite3.Connection) -> int:
    """Three bundles and a setting."""
    run = rows.run(c)
    rows.planned(c, run, *(rows.factors("A", family=family) for family in ("Impact", "Other", "Third")))
    return scores.setting(c, "gpf", "1", {}, method="gpf-livenews")


def told(found: ScoredBundles, name: str) -> list[float | None]:
    return [None if math.isnan(value) else value for value in found.values[name].tolist()]


def words(found: ScoredBundles, name: str) -> list[str]:
    every, places = found.words[name]
    return [every[int(place)] for place in places]


def test_that_columns_hold_what_was_stored_bundle_by_bundle(c: sqlite3.Connection) -> None:
    setting = planned(c)
    save(c, setting, [1], S=[0.25], R=[0.5])
    save(c, setting, [2, 3], S=[Unavailable.TOO_FEW_ANSWERS, 0.75], R=[0.1, Unavailable.TOO_FEW_ANSWERS])
    found = scored_bundles(c, setting, NAMES)
    assert list(found.columns["bundle_id"]) == [1, 2, 3]
    assert words(found, "family") == ["Impact", "Other", "Third"]
    assert list(found.columns["provisional"]) == [False, True, True]
    assert told(found, "S") == [0.25, None, 0.75]
    assert told(found, "R") == [0.5, 0.1, None]
    (facts,) = (facts for number, facts in found.models.items() if number > 0)
    assert facts == ("openai-compatible/some-model", "openai-compatible", False)


def test_that_bundles_without_a_score_and_other_settings_are_left_out(c: sqlite3.Connection) -> None:
    setting = planned(c)
    save(c, setting, [3], S=[0.25], R=[0.5])
    other = scores.setting(c, "gpf", "2", {}, method="gpf-livenews")
    save(c, other, [1], S=[0.9])
    found = scored_bundles(c, setting, NAMES)
    assert list(found.columns["bundle_id"]) == [3]
    assert told(found, "S") == [0.25]
    assert told(scored_bundles(c, other, NAMES), "R") == [None]


def test_that_units_with_unlike_names_are_told_apart(c: sqlite3.Connection) -> None:
    setting = planned(c)
    save(c, setting, [1], S=[0.25], R=[0.5])
    save(c, setting, [2], S=[0.3])
    save(c, setting, [3], R=[0.4])
    found = scored_bundles(c, setting, NAMES)
    assert told(found, "S") == [0.25, 0.3, None]
    assert told(found, "R") == [0.5, None, 0.4]


@pytest.mark.parametrize("setting", [0, 1])
def test_that_without_scores_every_column_is_empty(c: sqlite3.Connection, setting: int) -> None:
    planned(c)
    found = scored_bundles(c, setting, NAMES)
    places = [column for _, column in found.words.values()]
    assert all(len(column) == 0 for column in (*found.columns.values(), *found.values.values(), *places))


def test_that_a_real_store_reads_the_same_by_column_as_bundle_by_bundle(audit: AuditFile) -> None:
    filled = fill(audit, repeats=2, dimensions=("Religion", "Political"))
    names = [score.name for score in audit.read(lambda c: scores.of_bundle(c, filled.setting_id, 1))]  # type: ignore[arg-type]
    found = audit.read(lambda c: scored_bundles(c, filled.setting_id, names))
    for place, bundle in enumerate(found.columns["bundle_id"]):
        stored = audit.read(lambda c, bundle=bundle: scores.of_bundle(c, filled.setting_id, bundle))  # type: ignore[misc]
        for score in stored:
            value = told(found, score.name)[place]
            assert value == (None if isinstance(score.value, Unavailable) else score.value)
