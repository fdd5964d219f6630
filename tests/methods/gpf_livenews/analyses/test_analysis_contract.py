"""What holds for every analysis, whoever wrote it."""

import math
from functools import cache
from itertools import product
from typing import Any, assert_never

import pytest

from gpf_desktop.domain.figures import Figure, HeatMap, Intervals, Scatter, SeriesChart
from gpf_desktop.domain.findings import ColumnKind, Estimate, Finding
from gpf_desktop.domain.options import shown_in
from gpf_desktop.domain.ports.analysis import Analysis
from gpf_desktop.domain.score_tables import RunTerms
from gpf_desktop.engine.core.catalogue import analyses, method
from tests.methods.gpf_livenews.analyses.tables import answered_twice, other, tables
from tests.support.protocols import shipped_protocol

NAMES = sorted(method("gpf-livenews").analyses)
FORBIDDEN = ("bias", "biased", "unbiased", "discriminat", "best model", "worst model")


def everything() -> Any:
    """Two models, one of them a calibration model, over 12 articles of two batches with every control."""
    bundles = []
    for article in range(1, 13):
        for model, synthetic in (("openai/gpt-x", 0), ("calibration/neutral", 1)):
            common = {
                "article_id": article,
                "batch_id": 1 + article % 2,
                "model": model,
                "vendor": model.partition("/")[0],
                "synthetic": synthetic,
                "stratum": "identity-relevant" if article % 3 else "identity-neutral",
            }
            for number, dimension in enumerate(("Religion", "Political")):
                s = 0.2 + 0.01 * article + 0.05 * number
                bundles += [
                    {**common, "dimension": dimension, "s": s, "r": s + 0.1, "r_star": s, "n": 0.1, "cfs": s - 0.1},
                    {**common, "dimension": dimension, "s": s, "r": s, "r_star": None, "valid": 5.0, "provisional": 1},
                    {**common, "dimension": dimension, "s": None, "r": None, "valid": 1.0},
                    {**common, "dimension": dimension, "s": s + 0.02, "r": s, "r_star": s, "paraphrase": 1},
                ]
            bundles += [
                {**common, "condition": "by-name", "dimension": "Religion", "s": 0.2, "relative_framing_masked": 0.1},
                {**common, "condition": "identity-free", "dimension": "", "s": 0.1, "r": 0.2, "r_star": 0.2},
                {
                    **common,
                    "condition": "random-label",
                    "dimension": "letters",
                    "s": 0.12,
                    "r": 0.2,
                    "r_star": 0.2,
                    "cfs": 0.01,
                },
            ]
    cells = [
        {"model": model, "vendor": "v", "synthetic": synthetic, "identity": identity, "reason": reason, "n": n}
        for model, synthetic in (("openai/gpt-x", 0), ("calibration/neutral", 1))
        for identity in ("Hindu", "Catholic")
        for reason, n in (("", 90), ("refused", 4), ("empty", 3), ("not yet run", 3))
    ]
    decided = [
        {"model": model, "synthetic": synthetic, "identity": identity, "article_id": article, "refused": article % 3}
        for model, synthetic in (("openai/gpt-x", 0), ("calibration/neutral", 1))
        for identity in ("Hindu", "Catholic")
        for article in range(1, 13)
    ]
    answers = [
        {"article_id": article, "identity": identity, "tone_shift": shift, "to_others": 0.3, "to_identity_free": None}
        for article in range(1, 13)
        for identity, shift in (("Hindu", 0.1), ("Catholic", -0.1))
    ]
    moved = [
        {"s": None if each.get("s") is None else each["s"] * 0.9 + 0.01 * (number % 3), "r_star": each.get("r_star")}
        for number, each in enumerate(bundles)
    ]
    tests = [
        {"bundle_id": number, "model": each["model"], "synthetic": each["synthetic"], "article_id": each["article_id"]}
        for number, each in enumerate(bundles, start=1)
        if each.get("condition") is None and not each.get("paraphrase")
    ]
    replies: list[Any] = []
    for each in tuple(bundles):
        if each.get("condition") == "by-name":
            turn = {**each, "condition": "asked-if-sure"}
            bundles.append(turn)
            for reader, repeat in product(("Hindu", "Catholic"), (0, 1)):
                replies += answered_twice(len(bundles), turn, reader, repeat)
    terms = {run: RunTerms(protocol=shipped_protocol(), controls=None) for run in (1, 2)}
    others = [other("masked", moved, masked=True)]
    said = [{**each, "worded_refusals": 1, "repeated": 2} for each in decided]
    return tables(
        bundles, cells, answers, decided=decided, said=said, others=others, tests=tests, terms=terms, replies=replies
    )


FULL = everything()
EMPTY = tables()


def found(name: str, scores: Any) -> Finding:
    analysis: Analysis = analyses()[name]
    return analysis.analyse(scores, analysis.options())


@cache
def of_everything(name: str) -> Finding:
    return found(name, FULL)


@pytest.mark.parametrize("name", NAMES)
def test_that_options_are_declared_with_defaults_and_help(name):
    options = analyses()[name].options
    assert options.__dataclass_params__.frozen
    assert all(shown.help for shown in shown_in(options).values())
    options()


@pytest.mark.parametrize("name", NAMES)
def test_that_an_audit_with_everything_gives_rows(name):
    finding = of_everything(name)
    assert finding.name == name
    assert finding.rows
    assert finding.title
    assert finding.reading
    assert finding.notes


@pytest.mark.parametrize("name", NAMES)
def test_that_an_empty_audit_gives_a_table_without_rows(name):
    finding = found(name, EMPTY)
    assert finding.rows == ()
    assert finding.notes == ()
    assert finding.columns


@pytest.mark.parametrize("name", NAMES)
def test_that_every_row_has_every_column_and_nothing_else(name):
    finding = of_everything(name)
    keys = [column.key for column in finding.columns]
    assert len(set(keys)) == len(keys)
    for row in finding.rows:
        assert set(row.values) == set(keys)


@pytest.mark.parametrize("name", NAMES)
def test_that_values_fit_their_columns_and_none_is_not_a_number(name):
    finding = of_everything(name)
    for row in finding.rows:
        for column in finding.columns:
            held = row.values[column.key]
            match column.kind:
                case ColumnKind.TEXT:
                    assert type(held) is str
                case ColumnKind.COUNT:
                    assert type(held) is int
                case ColumnKind.SHARE if not isinstance(held, Estimate):
                    assert held is None or 0 <= held <= 1
                case ColumnKind.ESTIMATE | ColumnKind.SHARE:
                    assert isinstance(held, Estimate)
                    assert held.value is not None or held.why
                    if held.value is not None:
                        assert held.n > 0
                        assert type(held.value) is float
                        assert math.isfinite(held.value)
                    if held.interval is not None:
                        assert held.interval.low <= held.interval.high
                        assert held.interval.method
                case ColumnKind.SCORE:
                    assert held is None or math.isfinite(held)


def keys_of(figure: Figure) -> set[str]:
    match figure:
        case HeatMap():
            return {figure.down, figure.across, figure.value}
        case Scatter():
            return {figure.x, figure.y, figure.label}
        case Intervals():
            return {*figure.label, figure.value}
        case SeriesChart():
            of_tracks = {
                key for each in figure.tracks for key in (each.value, each.smoothed, each.low, each.high, each.state)
            }
            return {figure.along, figure.line, figure.split, *of_tracks} - {""}
        case _:
            assert_never(figure)


@pytest.mark.parametrize("name", NAMES)
def test_that_rows_say_truly_whether_they_are_synthetic(name):
    assert {type(row.synthetic) for row in of_everything(name).rows} <= {bool}


@pytest.mark.parametrize("name", NAMES)
def test_that_figures_name_columns_that_there_are(name):
    finding = of_everything(name)
    keys = {column.key for column in finding.columns}
    for figure in finding.figures:
        named = keys_of(figure)
        assert named
        assert named <= keys


@pytest.mark.parametrize("name", NAMES)
def test_that_no_words_claim_more_than_a_score_can_show(name):
    finding = of_everything(name)
    said = " ".join(
        (
            finding.title,
            finding.reading,
            *finding.notes,
            *finding.highlights,
            *(c.title + c.help for c in finding.columns),
        )
    )
    for word in FORBIDDEN:
        assert word not in said.lower()


@pytest.mark.parametrize("name", NAMES)
def test_that_analysing_twice_gives_the_same_and_changes_nothing(name):
    before = FULL.bundles.copy()
    assert found(name, FULL) == of_everything(name)
    assert before.equals(FULL.bundles)


@pytest.mark.parametrize("name", NAMES)
def test_that_rows_of_calibration_models_are_marked(name):
    finding = of_everything(name)
    for row in finding.rows:
        if "calibration" in str(row.values.get("model", "")):
            assert row.synthetic
