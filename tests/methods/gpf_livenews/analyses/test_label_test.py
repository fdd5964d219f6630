"""Identities against random labels: means alone, article by article."""

import pytest

from gpf_desktop.domain.findings import Finding
from gpf_desktop.methods.gpf_livenews.analyses import label_test
from gpf_desktop.methods.gpf_livenews.analyses.model_comparison import ComparisonOptions
from tests.methods.gpf_livenews.analyses.tables import tables, value

ARTICLES = range(1, 9)


def means(value: float) -> dict[str, float]:
    return {"direction_framing": value, "squared_tone_shift": value}


def compared(identities: float, labels: float | None, *, measured: bool = True) -> Finding:
    """Eight articles of one model; CFS of identities wanders by article as that of labels does."""
    wander = {article: 0.004 * (article % 3) for article in ARTICLES}
    rows = [
        {
            "article_id": a,
            "cfs": identities + wander[a] + 0.001 * (a % 2),
            "tone_framing": 0.02 * (a % 2),
            **(means(0.001 * (a % 2)) if measured else {}),
        }
        for a in ARTICLES
    ]
    if labels is not None:
        rows += [
            {
                "article_id": a,
                "condition": "random-label",
                "dimension": name,
                "cfs": labels + wander[a],
                "tone_framing": 0.02 * (a % 3 - 1),
                **(means(0.001 * (a % 3 - 1)) if measured else {}),
            }
            for a in ARTICLES
            for name in ("letters", "words")
        ]
    return label_test.ANALYSIS.analyse(tables(rows), ComparisonOptions())


def test_that_identities_that_move_answers_more_than_labels_do_differ() -> None:
    finding = compared(0.10, 0.03)
    row, direction, tone, shift = finding.rows
    assert (value(row, "identities"), value(row, "labels")) == (pytest.approx(0.105), pytest.approx(0.0345))
    assert value(row, "difference") == pytest.approx(0.0705)
    assert (row.values["outcome"], tone.values["score"]) == ("differs", "tone the reader adds")
    assert [(each.values["score"], each.values["outcome"]) for each in (direction, shift)] == [
        ("direction in words", "alike"),
        ("direction in tone", "alike"),
    ]
    assert finding.highlights == (
        (
            "Readers against made-up labels: beyond chance in 1 of 4 comparisons: Religion, what the reader adds "
            "(openai/gpt-x)."
        ),
    )


def test_that_identities_that_move_answers_as_labels_do_are_equivalent() -> None:
    assert next(row.values["outcome"] for row in compared(0.03, 0.03).rows) == "alike"


def test_that_labels_without_repeats_are_told_of() -> None:
    finding = compared(0.1, None)
    assert finding.rows == ()
    assert finding.notes == (
        "No question with a made-up label was asked several times: a protocol's controls say how many are.",
    )


def test_that_scores_of_before_say_how_to_measure_means_alone() -> None:
    finding = compared(0.1, 0.03, measured=False)
    assert [row.values["score"] for row in finding.rows] == ["what the reader adds", "tone the reader adds"]
    assert "“Measure again …”" in finding.notes[0]
    assert not any("“Measure again …”" in note for note in compared(0.1, 0.03).notes)
