"""Explains the scores of a bundle under the very setting that they were computed with."""

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from gpf_desktop.domain.ids import RunId
from gpf_desktop.domain.ports.scorer import Explains, FitsRuns
from gpf_desktop.domain.scores import WiderFit
from gpf_desktop.engine.core import catalogue
from gpf_desktop.engine.core.context import EngineContext
from gpf_desktop.engine.review.review_reading import ReadBundle
from gpf_desktop.engine.scoring.assessment import Primary, primary_of
from gpf_desktop.engine.scoring.score_variants import options_of
from gpf_desktop.engine.scoring.stored_answers import run_fit
from gpf_desktop.storage import responses, runs, scores

if TYPE_CHECKING:
    from gpf_desktop.numerics.explain import BundleExplanation


class Explainer:
    """Explains scores of one open audit. Blocks: call it from a worker thread."""

    def __init__(self, context: EngineContext) -> None:
        self._context = context
        self._run_fits: dict[tuple[RunId, int, Any], WiderFit] = {}
        """The last one, by run, answers and options: counting the terms of a run takes a second per 20,000 answers."""

    def explain(self, bundle: ReadBundle) -> "BundleExplanation | None":
        """Shares, terms and tone words behind the bundle's scores; None where it has fewer than two valid answers, and
        where its scorer explains nothing."""
        made = self._made_by(bundle)
        if not isinstance(made.scorer, Explains):
            return None
        read = partial(responses.fit_group, group=bundle.facts.fit_group_id)
        wider = self._run_fit(bundle.facts.run_id, made) if made.fits_the_run else None
        group = replace(self._context.audit.read(read), wider=wider)
        its = next(each for each in group.bundles if each.bundle == bundle.id)
        explanation: BundleExplanation | None = made.scorer.explain(group, its, made.options)
        return explanation

    def _made_by(self, bundle: ReadBundle) -> Primary:
        stored = self._context.audit.read(lambda connection: scores.settings(connection, bundle.facts.method))
        if not stored or stored[0].scorer not in catalogue.scorers():
            return primary_of(catalogue.method(bundle.facts.method), bundle.protocol)
        return Primary(scorer=catalogue.scorers()[stored[0].scorer], options=options_of(stored[0]))

    def _run_fit(self, run_id: RunId, made: Primary) -> WiderFit:
        assert isinstance(made.scorer, FitsRuns)
        key = (run_id, self._context.audit.read(lambda c: runs.get(c, run_id)).answered, made.options)
        if key not in self._run_fits:
            # The counting runs on the engine's loop while this thread waits; called on the loop
            # itself it would wait for ever.
            fit, _ = self._context.loop.submit(run_fit(self._context, made.scorer, run_id, made.options)).result()
            self._run_fits = {key: fit}
        return self._run_fits[key]
