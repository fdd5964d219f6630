"""Verdicts of people against scores, on random samples with their weights."""

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from gpf_desktop.domain.findings import Estimate
from gpf_desktop.domain.ids import BundleId
from gpf_desktop.domain.queue_samples import Drawing, SampleKind, SampleWish
from gpf_desktop.domain.reports import ReportWishes
from gpf_desktop.domain.review_queue import QueueFilter, QueueOrder
from gpf_desktop.domain.reviews import Judgement, Verdict
from gpf_desktop.domain.scores import Measure
from gpf_desktop.engine.engine import Engine
from gpf_desktop.engine.reporting.people_scores import agreement, curve
from gpf_desktop.engine.reporting.reading_weights import ReadSample, read_sample
from gpf_desktop.engine.reporting.results_filter import ResultsFilter
from gpf_desktop.storage.counted_verdicts import CountedVerdict
from gpf_desktop.storage.review_samples import DrawnSample
from tests.support.filled_audit import fill

S = Measure(name="semantic_dispersion", title="S", short="S", on_card=True)


def bundles(*, synthetic: bool = False) -> pd.DataFrame:
    """600 main bundles of two models and 20 articles, S even from 0 to 1."""
    number = np.arange(600)
    return pd.DataFrame(
        {
            "bundle_id": number + 1,
            "model": np.where(number % 2, "openai/a", "openai/b"),
            "article_id": number % 20,
            "arm": "main",
            "synthetic": synthetic,
            "semantic_dispersion": (number * 7 % 600) / 600,
        }
    )


def drawn(ids: list[int], kind: SampleKind, pool: int = 600, strata: tuple[str, ...] = ()) -> DrawnSample:
    drawing = Drawing(kind=kind, pool=pool, seed=1, strata=strata)
    wanted = QueueFilter(arm="main", bundle_ids=tuple(map(BundleId, ids)), drawn=drawing)
    return DrawnSample(wanted=wanted, drawing=drawing, bundles=len(ids), at=datetime(2026, 11, 20, tzinfo=UTC))


def said(frame: pd.DataFrame, ids: list[int], harmful: Callable[[float], bool]) -> list[CountedVerdict]:
    scores = dict(zip(frame["bundle_id"], frame["semantic_dispersion"], strict=True))
    return [
        CountedVerdict(
            bundle_id=BundleId(each),
            verdict=str(Verdict.HARMFUL if harmful(scores[each]) else Verdict.CONTEXT),
            severity=None,
            settled_by=None,
        )
        for each in ids
    ]


def read(share: int = 5) -> ReadSample:
    """Every *share*-th bundle drawn at random and read; harm is found above .6, and now and then below."""
    frame, ids = bundles(), list(range(1, 601, share))
    found = said(frame, ids, lambda score: score > 0.6 or 0.1 < score < 0.15)
    return read_sample(frame, found, [drawn(ids, SampleKind.RANDOM)])


def counted(n: int) -> str:
    return f"{n} questions"


def test_that_an_auc_has_its_interval_and_says_when_readings_are_enough() -> None:
    finding = agreement(read(), [S], S, counted)
    first = finding.rows[0]
    auc = first.values["auc"]
    assert isinstance(auc, Estimate)
    assert auc.value is not None
    assert auc.interval is not None
    assert 0.75 < auc.interval.low < auc.value < auc.interval.high < 1
    assert "over 4 questions" in auc.interval.method
    assert first.values["needed"] == "enough"
    assert [row.values["model"] for row in finding.rows][-2:] == ["openai/b", "openai/a"]
    few = agreement(read(share=60), [S], S, counted).rows[0]
    assert few.values["auc"].value is None  # type: ignore[union-attr]
    assert str(few.values["needed"]).startswith("not enough yet: about ")


def test_that_the_curve_rises_with_the_score_inside_its_band() -> None:
    points = [row.values["probability"] for row in curve(read(), S, counted).rows]
    values = [each.value for each in points if isinstance(each, Estimate) and each.value is not None]
    assert len(values) == 9
    assert {each.interval.method for each in points if isinstance(each, Estimate) and each.interval} == {
        "sandwich over 4 questions"
    }
    assert values == sorted(values)
    assert values[0] < 0.4 < 0.8 < values[-1]


def test_that_a_bundle_stands_for_one_over_its_chance_and_the_top_by_a_score_for_nothing() -> None:
    frame = bundles()
    random, top = list(range(1, 61)), list(range(400, 450))
    found = said(frame, [*random[:30], *top], lambda score: score > 0.5)
    made = read_sample(frame, found, [drawn(random, SampleKind.RANDOM), drawn(top, SampleKind.TOP)])
    assert sorted(made.frame["bundle_id"]) == random[:30]
    assert set(made.frame["weight"]) == {600 / 30}
    assert made.drawn == 60


def test_that_strata_of_unlike_sizes_weigh_unlike() -> None:
    frame = bundles()
    frame.loc[frame["bundle_id"] <= 100, "model"] = "openai/rare"
    rare, common = list(range(1, 11)), list(range(301, 321, 2))
    found = said(frame, [*rare, *common], lambda score: score > 0.5)
    made = read_sample(frame, found, [drawn([*rare, *common], SampleKind.STRATIFIED, strata=("model",))])
    weights = made.frame.groupby("model")["weight"].first()
    assert weights["openai/rare"] == pytest.approx(10)
    assert weights["openai/b"] == pytest.approx(25)


def test_that_strata_of_flagged_bundles_are_not_counted_among_all() -> None:
    frame = bundles()
    sample = drawn(ids := list(range(1, 11)), SampleKind.STRATIFIED, pool=40, strata=("model",))
    flagged = replace(sample, wanted=replace(sample.wanted, flag="short"))
    made = read_sample(frame, said(frame, ids, lambda score: score > 0.5), [flagged])
    assert set(made.frame["weight"]) == {4.0}


def test_that_nothing_read_says_what_to_do() -> None:
    nothing = read_sample(bundles(), [], [])
    for finding in (agreement(nothing, [S], S, counted), curve(nothing, S, counted)):
        assert finding.rows == ()
        assert "random sample" in finding.notes[0]


def test_that_verdicts_on_a_sample_drawn_in_review_stand_in_results_and_in_the_report(tmp_path: Path) -> None:
    engine = Engine(lambda _event: None)
    try:
        audit = engine.create(tmp_path / "a.gpf", title="Evening news")
        fill(audit.context.audit, items=3, models_asked=("tailoring-0.6",))
        wish = SampleWish(kind=SampleKind.RANDOM, size=24)
        sample = audit.reviews.filters.draw(QueueFilter(), QueueOrder(), wish)
        for place, bundle in enumerate(sample.bundle_ids or ()):
            verdict, severity = (Verdict.HARMFUL, 3) if place % 3 == 0 else (Verdict.CONTEXT, None)
            audit.reviews.submit(bundle, Judgement(verdict=verdict, severity=severity)).result()
        found = audit.results.findings(ResultsFilter(), ("people_scores", "people_curve"))
        printed = [finding.name for finding in audit.reports.report(ReportWishes()).findings]
    finally:
        engine.close()
    first = found["people_scores"].rows[0]
    assert (first.values["yes"], first.values["no"], first.synthetic) == (8, 16, True)
    assert str(first.values["needed"]).startswith("not enough yet: about ")
    assert len(found["people_curve"].rows) == 9
    assert {"people_scores", "people_curve"} <= set(printed)
