"""What answers are before they are scored: who is declined, turned away, or given one line for everything."""

from gpf_desktop.domain.findings import Finding
from gpf_desktop.domain.options import NoOptions
from gpf_desktop.methods.gpf_livenews.analyses.answer_diagnostics import ANALYSIS
from tests.methods.gpf_livenews.analyses.tables import tables

READERS = ("Muslim", "Hindu", "Jewish", "Catholic", "Sikh", "Buddhist", "Protestant")
A, B = "maker/alpha", "maker/beta"


def said(model: str, articles: int = 9, **of: object) -> list[dict[str, object]]:
    """Every reader's answers to *articles*; *of* gives a count to Muslim readers alone, “all_” to everybody."""
    every = {name.removeprefix("all_"): n for name, n in of.items() if name.startswith("all_")}
    one = {name: n for name, n in of.items() if not name.startswith("all_")}
    return [
        {
            "model": model,
            "article_id": article,
            "identity": who,
            "decided": 11,
            **every,
            **(one if who == "Muslim" else {}),
        }
        for article in range(1, articles + 1)
        for who in READERS
    ]


def made(*rows: list[dict[str, object]]) -> Finding:
    return ANALYSIS.analyse(tables(said=[row for some in rows for row in some]), NoOptions())


def differing(finding: Finding) -> dict[object, object]:
    return {
        row.values["part"] or row.values["model"]: row.values["differs"]
        for row in finding.rows
        if row.values["differs"]
    }


def test_that_a_reader_declined_in_words_is_named_with_counts_and_nobody_beside_it() -> None:
    found = differing(made(said(A, worded_refusals=2)))
    assert found == {"Muslim": "declined more often (18 of 99, others 0 of 594)"}


def test_that_who_is_declined_less_often_is_told_so() -> None:
    found = differing(made(said(A, all_worded_refusals=6, worded_refusals=0)))
    assert found == {"Muslim": "declined less often (0 of 99, others 324 of 594)"}


def test_that_a_model_that_answers_with_one_line_is_held_against_the_others() -> None:
    for first, second in ((A, B), (B, A)):
        found = differing(made(said(first, all_repeated=5), said(second)))
        assert found == {first: "given the same line more often (315 of 693, others 0 of 693)"}


def test_that_a_reader_who_gets_longer_answers_is_named() -> None:
    found = differing(made(said(A, articles=12, words=900)))
    assert found == {"Muslim": "longer answers (12 of 12, others 0 of 72)"}


def test_that_nothing_is_said_where_all_are_alike_or_nothing_was_answered() -> None:
    assert not differing(made(said(A), said(B)))
    assert not made().rows
    assert not made().highlights


def test_that_a_sentence_says_who_and_of_which_model() -> None:
    assert list(made(said(A, worded_refusals=2)).highlights) == [
        "Muslim (maker/alpha): declined more often (18 of 99, others 0 of 594)."
    ]
