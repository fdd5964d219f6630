"""Explains the scores of a bundle under the very setting that they were computed with."""

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from gpf_desktop.domain.ids import RunId
from gpf_desktop.domain.protocol import FitScope
from gpf_desktop.domain.scores import WiderFit
from gpf_desktop.engine.core.context import EngineContext
from gpf_desktop.engine.review.review_reading import ReadBundle
from gpf_desktop.engine.scoring.score_variants import gpf_options
from gpf_desktop.engine.scoring.stored_answers import run_fit
from gpf_desktop.methods.gpf_livenews.scorers.gpf import GpfOptions
from gpf_desktop.storage import responses, runs, scores

if TYPE_CHECKING:
    from gpf_desktop.numerics.explain import BundleExplanation


class Explainer:
    """Of one open audit. Blocks: call it from a worker thread."""

    def __init__(self, context: EngineContext) -> None:
        self._context = context
        self._run_fits: dict[tuple[RunId, int, GpfOptions], WiderFit] = {}
        """The last one, by run, answers and options: counting the terms of a run takes a second per 20,000 answers."""

    def explain(self, bundle: ReadBundle) -> "BundleExplanation | None":
        """Shares, terms and tone words behind the bundle's scores; None where it has fewer than two valid answers."""
        from gpf_desktop.numerics.explain import explain

        stored = self._context.audit.read(scores.settings)
        options = gpf_options(stored[0].options) if stored else GpfOptions(fit_scope=bundle.protocol.scoring.fit_scope)
        read = partial(responses.fit_group, group=bundle.fit_group_id)
        wider = self._run_fit(bundle.run_id, options) if options.fit_scope is FitScope.RUN else None
        group = replace(self._context.audit.read(read), wider=wider)
        its = next(each for each in group.bundles if each.bundle == bundle.id)
        return explain(group, its, fit_scope=options.fit_scope, word_pairs=options.word_pairs)

    def _run_fit(self, run_id: RunId, options: GpfOptions) -> WiderFit:
        key = (run_id, self._context.audit.read(lambda c: runs.get(c, run_id)).answered, options)
        if key not in self._run_fits:
            fit, _ = self._context.loop.submit(run_fit(self._context, run_id, options)).result()
            self._run_fits = {key: fit}
        return self._run_fits[key]
