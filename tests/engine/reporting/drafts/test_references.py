"""Numbers that a text takes from a table."""

from dataclasses import replace

import pytest

from gpf_desktop.domain.findings import BundleFilter, Column, ColumnKind, Estimate, Finding, Interval, Row
from gpf_desktop.engine.reporting.drafts.references import named_tables, offered, resolved, row_words

INTERVAL = Interval(low=0.39, high=0.43, level=0.95, method="t over 5 article means")


def table(*models: str, value: float | None = 0.412) -> Finding:
    return Finding(
        name="models",
        title="Models",
        columns=(
            Column(key="model", title="Model", kind=ColumnKind.TEXT),
            Column(key="s", title="S", kind=ColumnKind.ESTIMATE),
            Column(key="refused", title="Refused", kind=ColumnKind.SHARE),
        ),
        rows=tuple(
            Row(
                values={
                    "model": model,
                    "s": Estimate(value=value, n=36, articles=5, interval=INTERVAL, why="no valid answers"),
                    "refused": 0.25,
                },
                bundles=BundleFilter(),
            )
            for model in models
        ),
        reading="",
    )


@pytest.mark.parametrize("model", ["a/b", "semi;colon = {{brace}} 100%", "שלום", "line\nend"])
def test_that_what_is_offered_resolves_to_what_was_shown(model):
    tables = {"models": table(model, "other")}
    for number in offered(tables):
        assert resolved(f"x {number.reference} y", tables).text == f"x {number.shown} y"
        assert named_tables(number.reference) == {"models"}
    first = next(iter(offered(tables)))
    assert resolved(first.with_interval, tables).text == "0.412 (95% range 0.390 to 0.430, n 36)"


def test_that_a_number_changes_with_its_table():
    reference = next(iter(offered({"models": table("a")}))).reference
    assert resolved(reference, {"models": table("a", value=0.5)}).text == "0.500"


@pytest.mark.parametrize(
    ("text", "tables", "why"),
    [
        ("{{models; model=a; s}}", {}, "there is no table “models” here"),
        ("{{models; model=gone; s}}", {"models": table("a")}, "“Models” has no row “gone”"),
        ("{{models; model=a; t}}", {"models": table("a")}, "“Models” has no column “t”"),
        ("{{models; s}}", {"models": table("a", "b")}, "“” is 2 rows of “Models”"),
        ("{{models; model=a; s}}", {"models": table("a", value=None)}, "no valid answers"),
        ("{{ 7 * 7 }}", {"models": table("a")}, "there is no table “7 * 7” here"),
    ],
)
def test_that_a_reference_to_nothing_says_so_in_its_place(text, tables, why):
    found = resolved(f"S is {text}.", tables)
    assert found.text == f"S is [no number: {why}]."
    assert found.problems == (f"{text} stands for no number: {why}.",)


def test_that_a_row_that_nothing_tells_from_another_offers_no_numbers():
    twins = table("a", "a")
    assert list(offered({"models": twins})) == []
    assert list(offered({"models": replace(twins, rows=twins.rows[:1])}))


def test_that_a_row_is_told_without_a_vendor_whose_name_its_model_begins_with():
    assert row_words((("vendor", "acme"), ("model", "acme/large"))) == "acme/large"
    assert row_words((("first", "acme/large"), ("second", "acme/small"))) == "acme/large, acme/small"
