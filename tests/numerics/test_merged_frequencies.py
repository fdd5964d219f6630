"""A fit over a whole run, counted in parts: the scores are those of one fit on all of it."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gpf_desktop.domain.protocol import FitScope
from gpf_desktop.domain.scores import FitGroup
from gpf_desktop.methods.gpf_livenews.scorers.gpf import SCORER, GpfOptions
from gpf_desktop.numerics.merged_frequencies import counted, merged
from tests.benchmarks.answers import articles
from tests.numerics import strategies


def together(groups: list[FitGroup]) -> FitGroup:
    """All groups as one."""
    texts: list[str] = []
    bundles = []
    for group in groups:
        bundles += [replace(bundle, rows=tuple(len(texts) + row for row in bundle.rows)) for bundle in group.bundles]
        texts += group.texts
    return FitGroup(texts=tuple(texts), bundles=tuple(bundles))


@pytest.mark.slow
@pytest.mark.parametrize("pairs", [False, True])
def test_that_a_fit_counted_in_parts_gives_the_scores_of_one_fit_on_everything(pairs: bool) -> None:
    groups = list(articles(100, words=50, repeated=0.3))
    options = GpfOptions(fit_scope=FitScope.RUN, word_pairs=pairs)
    fit = merged([counted(group.texts, pairs=pairs) for group in groups])
    parts = SCORER.score([replace(group, wider=fit) for group in groups], options)
    whole = SCORER.score([together(groups)], options)
    assert parts.units == whole.units
    for part, expected in zip(parts.columns, whole.columns, strict=True):
        assert part.name == expected.name
        for ours, theirs in zip(part.values, expected.values, strict=True):
            assert ours == theirs if isinstance(theirs, str) else ours == pytest.approx(theirs, abs=1e-12)


def test_that_merging_does_not_depend_on_the_order_of_parts() -> None:
    groups = list(articles(100, words=30))
    parts = [counted(group.texts, pairs=False) for group in groups]
    assert merged(parts) == merged(parts[::-1]) == counted(together(groups).texts, pairs=False)


def test_that_texts_without_a_word_take_no_part() -> None:
    assert counted(["", "…", "a word"], pairs=False).texts == 1
    assert counted([], pairs=False).texts == 0


@pytest.mark.slow
@settings(max_examples=60)
@given(st.lists(st.lists(strategies.texts, max_size=4), max_size=4), st.booleans())
def test_that_any_way_of_cutting_arbitrary_texts_gives_the_same_fit(parts: list[list[str]], pairs: bool) -> None:
    whole = [text for part in parts for text in part]
    assert merged([counted(part, pairs=pairs) for part in parts]) == counted(whole, pairs=pairs)
