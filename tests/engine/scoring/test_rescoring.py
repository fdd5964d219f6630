"""Other settings over what is stored: no model is asked, earlier scores stay."""

import threading
from collections.abc import Iterator
from concurrent.futures import CancelledError
from dataclasses import asdict
from pathlib import Path

import pytest

from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.events import TaskCancelled, TaskProgressed, TaskSucceeded
from gpf_desktop.domain.protocol import FitScope
from gpf_desktop.domain.scores import SEMANTIC_DISPERSION, SENTIMENT_RANGE, FitGroup, ScoredChunk
from gpf_desktop.engine.scoring.rescoring import Rescoring
from gpf_desktop.engine.scoring.score_variants import setting_words
from gpf_desktop.methods.gpf_livenews.scorers.gpf import SCORER, GpfOptions
from gpf_desktop.storage import fit_groups, responses, scores
from gpf_desktop.storage.writer import Connection
from tests.support.filled_audit import Filled, fill
from tests.support.open_context import OpenBench
from tests.support.stored_scores import bundle_values

pytestmark = pytest.mark.slow


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[OpenBench]:
    with OpenBench(tmp_path) as context:
        yield context


@pytest.fixture
def filled(opened: OpenBench) -> Filled:
    return fill(
        opened.context.audit,
        models_asked=("tailoring-0.6", "leaky"),
        items=3,
        repeats=2,
        dimensions=("Religion", "Political"),
    )


@pytest.fixture
def rescoring(opened: OpenBench, filled: Filled) -> Iterator[Rescoring]:
    made = Rescoring(opened.context, lambda: None)
    yield made
    made.close()


def stored(opened: OpenBench, setting_id: int, name: str) -> dict[int, float]:
    rows = opened.context.audit.read(lambda c: bundle_values(c, setting_id, (name,)))
    return {int(str(unit)): float(str(value)) for unit, value in rows if value is not None}


def scored_here(opened: OpenBench, options: GpfOptions) -> dict[int, float]:
    """Dispersion as the scorer gives it without store and workers."""

    def read(connection: Connection) -> list[FitGroup]:
        return [responses.fit_group(connection, group.id) for group in fit_groups.groups(connection)]

    scored: ScoredChunk = SCORER.score(opened.context.audit.read(read), options)
    column = next(column for column in scored.columns if column.name == SEMANTIC_DISPERSION)
    return {unit: value for unit, value in zip(scored.units, column.values, strict=True) if isinstance(value, float)}


def test_that_every_variant_keeps_its_scores_beside_the_primary_ones(
    opened: OpenBench, filled: Filled, rescoring: Rescoring
) -> None:
    before = stored(opened, filled.setting_id, SEMANTIC_DISPERSION)
    ours = [variant for variant in rescoring.variants(method="gpf-livenews") if variant.scorer == SCORER.name]
    for variant in ours:
        setting_id = rescoring.start(variant.scorer, variant.options, method="gpf-livenews").result(timeout=250)
        assert stored(opened, setting_id, SEMANTIC_DISPERSION).keys() == before.keys()
    assert stored(opened, filled.setting_id, SEMANTIC_DISPERSION) == before
    settings = opened.context.audit.read(scores.settings)
    assert len(settings) == 1 + len(ours)
    words = [setting_words(setting, settings[0]) for setting in settings]
    assert words == [
        "the main way",
        "by words, weighed over each article",
        "by words, weighed over each set of answers",
        "by words, weighed over each round",
        "with word pairs",
        "without readers' names",
        "tone by sentence",
    ]


@pytest.mark.parametrize("scope", list(FitScope))
def test_that_scores_streamed_from_the_store_are_the_scorers_own(
    opened: OpenBench, rescoring: Rescoring, scope: FitScope
) -> None:
    options = GpfOptions(fit_scope=scope)
    setting_id = rescoring.start("gpf", options, method="gpf-livenews").result(timeout=250)
    ours = stored(opened, setting_id, SEMANTIC_DISPERSION)
    if scope is not FitScope.RUN:
        assert ours == pytest.approx(scored_here(opened, options), abs=1e-12)
    else:
        apart = scored_here(opened, GpfOptions())
        assert ours.keys() == apart.keys()
        assert any(abs(ours[unit] - apart[unit]) > 0.001 for unit in ours)


def test_that_masking_and_sentences_change_what_they_are_about(
    opened: OpenBench, filled: Filled, rescoring: Rescoring
) -> None:
    by_name = {variant.name: variant for variant in rescoring.variants(method="gpf-livenews")}
    plain = {name: stored(opened, filled.setting_id, name) for name in (SEMANTIC_DISPERSION, SENTIMENT_RANGE)}
    masked = rescoring.start("gpf", by_name["masked"].options, method="gpf-livenews").result(timeout=250)
    sentences = rescoring.start("gpf", by_name["by-sentence"].options, method="gpf-livenews").result(timeout=250)
    assert stored(opened, masked, SEMANTIC_DISPERSION) != plain[SEMANTIC_DISPERSION]
    assert stored(opened, sentences, SENTIMENT_RANGE) != plain[SENTIMENT_RANGE]
    assert stored(opened, sentences, SEMANTIC_DISPERSION) == plain[SEMANTIC_DISPERSION]


def test_that_progress_counts_every_bundle_and_ends_once(opened: OpenBench, rescoring: Rescoring) -> None:
    rescoring.start("gpf", GpfOptions(word_pairs=True), method="gpf-livenews").result(timeout=250)
    told = opened.of(TaskProgressed)
    assert told[0].done == 0
    assert told[-1].done == told[-1].of == len(scored_here(opened, GpfOptions()))
    assert len(opened.of(TaskSucceeded)) == 1


def test_that_one_run_can_be_rescored_alone(opened: OpenBench, filled: Filled, rescoring: Rescoring) -> None:
    setting_id = rescoring.start("gpf", GpfOptions(word_pairs=True), [filled.run_id], method="gpf-livenews").result(
        timeout=250
    )
    assert stored(opened, setting_id, SEMANTIC_DISPERSION)
    nothing = rescoring.start("gpf", GpfOptions(by_sentence=True), [], method="gpf-livenews").result(timeout=250)
    assert stored(opened, nothing, SEMANTIC_DISPERSION) == {}


def test_that_cancelling_leaves_what_was_stored_and_the_same_setting_completes_it(
    opened: OpenBench, filled: Filled
) -> None:
    ended = threading.Event()
    rescoring = Rescoring(opened.context, ended.set)
    options = GpfOptions(word_pairs=True)
    future = rescoring.start("gpf", options, method="gpf-livenews")
    opened.wait_for(TaskProgressed)
    rescoring.cancel()
    with pytest.raises(CancelledError):
        future.result(timeout=250)
    opened.wait_for(TaskCancelled)
    assert ended.wait(250)
    setting_id = rescoring.start("gpf", options, method="gpf-livenews").result(timeout=250)
    assert len(stored(opened, setting_id, SEMANTIC_DISPERSION)) == len(
        stored(opened, filled.setting_id, SEMANTIC_DISPERSION)
    )
    rescoring.close()


def test_that_what_cannot_be_computed_is_refused_at_once(opened: OpenBench, rescoring: Rescoring) -> None:
    from gpf_desktop.engine.core import catalogue

    encoder = catalogue.scorers()["sentence-encoder"].options()
    with pytest.raises(UserError, match="No model is named"):
        rescoring.start("sentence-encoder", encoder, method="gpf-livenews")
    with pytest.raises(UserError, match="no scorer called"):
        rescoring.start("crystal-ball", GpfOptions(), method="gpf-livenews")
    with pytest.raises(UserError, match="no options"):
        rescoring.start("gpf", encoder, method="gpf-livenews")
    # Scores of one method make none of another, whose primary setting would be what is chosen here.
    with pytest.raises(UserError, match="Nothing is scored yet"):
        rescoring.start("gpf", GpfOptions(), method="saged")


def test_that_an_audit_without_scores_keeps_its_primary_setting_free(opened: OpenBench) -> None:
    rescoring = Rescoring(opened.context, lambda: None)
    with pytest.raises(UserError, match="Nothing is scored yet"):
        rescoring.start("gpf", GpfOptions(), method="gpf-livenews")
    rescoring.close()


def test_that_the_primary_setting_is_the_one_first_used(
    opened: OpenBench, filled: Filled, rescoring: Rescoring
) -> None:
    rescoring.start("gpf", GpfOptions(word_pairs=True), method="gpf-livenews").result(timeout=250)
    assert opened.context.audit.read(scores.primary) == filled.setting_id
    first = opened.context.audit.read(scores.settings)[0]
    assert first.options.pop("own_words"), "what names the protocol's readers is taken out"
    assert first.options == {
        name: each for name, each in {**asdict(GpfOptions()), "mask": []}.items() if name != "own_words"
    }
