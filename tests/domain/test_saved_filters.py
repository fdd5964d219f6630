"""Filters as they are kept in the file."""

import pytest

from gpf_desktop.domain.ids import BundleId
from gpf_desktop.domain.queue_samples import MODEL, Drawing, SampleKind
from gpf_desktop.domain.review_queue import QueueFilter, QueueOrder
from gpf_desktop.domain.saved_filters import LONGEST_NAME, filter_from_json, filter_to_json, tidy_name

DRAWING = Drawing(kind=SampleKind.STRATIFIED, pool=340, seed=42, strata=(MODEL, "family"), groups=16)


@pytest.mark.parametrize(
    "wanted",
    [
        QueueFilter(),
        QueueFilter(model="calibration/neutral", stratum="identity-neutral", flag="leakage", article_id=3),
        QueueFilter(levels=(("language", "Deutsch"), ("role", "judge"))),
        QueueFilter(bundle_ids=(BundleId(3), BundleId(1)), drawn=DRAWING),
        QueueFilter(bundle_ids=()),
    ],
)
def test_that_a_filter_comes_back_as_it_was_kept(wanted: QueueFilter) -> None:
    order = QueueOrder(score="counterfactual_framing", seed=7, refusals_first=False)
    assert filter_from_json(filter_to_json(wanted, order)) == (wanted, order)


@pytest.mark.parametrize("text", ["[]", "{}", '{"filter": {"flavour": 1, "bundle_ids": null, "drawn": null}}', "x"])
def test_that_what_is_no_filter_is_told_by_its_error(text: str) -> None:
    with pytest.raises((ValueError, KeyError, TypeError)):
        filter_from_json(text)


def test_that_a_name_is_one_line_and_not_endless() -> None:
    assert tidy_name("  Refusals \n of  Impact ") == "Refusals of Impact"
    assert len(tidy_name("x" * 500)) == LONGEST_NAME
    assert tidy_name(" \t ") == ""
