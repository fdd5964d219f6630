"""The conclusions of an audit: window, reports, commands and files take them from here alone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from gpf_desktop.domain.conclusions.conclusion import ReadSoFar
from gpf_desktop.domain.conclusions.gates import PageEvidence, page_of, with_read
from gpf_desktop.domain.conclusions.rendering import ToldPage, rendered
from gpf_desktop.domain.conclusions.voice import Material
from gpf_desktop.domain.conclusions.who_answered import WHO_ANSWERED, with_who_answered
from gpf_desktop.domain.ports.method_abilities import Concludes
from gpf_desktop.engine.core import catalogue
from gpf_desktop.engine.core.context import EngineContext
from gpf_desktop.engine.reporting.asked_words import asked_words
from gpf_desktop.engine.reporting.registered import plan_facts, with_plan
from gpf_desktop.engine.reporting.report_words import origin
from gpf_desktop.engine.reporting.results_filter import Results, ResultsFilter
from gpf_desktop.storage.read_sets import read_sets

if TYPE_CHECKING:
    from gpf_desktop.engine.reporting.results_service import ResultsService


_EVIDENCE: Final = "evidence of conclusions"
"""Under which it is kept beside the findings that it is made of."""


class Concluding:
    """The conclusions of one open audit. Everything here blocks: call it from a worker thread."""

    def __init__(self, context: EngineContext, results: ResultsService) -> None:
        self._context = context
        self._results = results

    def page(self, wanted: ResultsFilter, known: Results | None = None) -> ToldPage | None:
        """The conclusions within *wanted*; None: nothing is scored there, or its method concludes nothing yet.

        *known* are the results within it, where they are there already.
        """
        wanted = self._results.of_one_method(wanted)
        method = catalogue.method(str(wanted.method))
        if not isinstance(method, Concludes):
            return None
        known = known or self._results.results(wanted, ())
        if not known.window.bundles:
            return None
        imported = bool(self._context.audit.read(origin))

        def evidence_of() -> PageEvidence:
            return method.evidence(
                Material(
                    tables=self._results.tables(wanted),
                    options=known.options,
                    left_plan=wanted.narrowed > 0 or bool(known.scope.variant),
                    imported=imported,
                )
            )

        evidence = with_who_answered(
            self._results.made.of(known.basis, _EVIDENCE, evidence_of),
            known.answered_by,
            together="model" in method.grouping.varies,
        )
        page = page_of(method.name, method.question, evidence, (WHO_ANSWERED, *method.gates), known.statement.short)
        window = known.window
        page = replace(page, first=window.first, last=window.last, items=window.articles, filtered=known.filtered)
        page = replace(page, unknown_refusals=known.unknown_refusals.sentence)
        facts = self._context.audit.read(lambda connection: plan_facts(connection, method.name, imported=imported))
        page = with_plan(page, facts)
        words = asked_words(self._context, wanted, known, (each.model for each in page.conclusions))
        if words is None:
            return rendered(with_read(page, self._read(wanted)), method.voice)
        page = replace(page, question=words.question)
        return replace(rendered(with_read(page, self._read(wanted)), method.voice), not_shown=words.silent)

    def _read(self, wanted: ResultsFilter) -> Mapping[str, ReadSoFar]:
        """How many sets within *wanted* people have read, by model."""
        read = self._context.audit.read(read_sets)
        frame = self._results.frame(wanted)
        by_model: dict[str, list[tuple[int, int]]] = {}
        models = dict(zip(frame["bundle_id"].tolist(), frame["model"].astype(str).tolist(), strict=True))
        for bundle, reviewer in read:
            if bundle in models:
                by_model.setdefault(models[bundle], []).append((bundle, reviewer))
        return {
            model: ReadSoFar(sets=len({bundle for bundle, _ in some}), people=len({who for _, who in some}))
            for model, some in by_model.items()
        }
