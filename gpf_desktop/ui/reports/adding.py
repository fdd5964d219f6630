"""“Add to report”: puts what the auditor looks at into the report's evidence, from whichever page."""

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QObject

from gpf_desktop.domain.findings import Row
from gpf_desktop.domain.hidden_names import names_hidden
from gpf_desktop.domain.ids import BundleId, CellId
from gpf_desktop.domain.text import tr
from gpf_desktop.engine.reporting.drafts.draft import Evidence
from gpf_desktop.engine.reporting.drafts.evidence import EvidenceService
from gpf_desktop.engine.reporting.results_filter import ResultsFilter
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.messages import Remedy

_TOPIC = "evidence"


class EvidenceAdder(QObject):
    """Says in the message bar what was added, with the way to the report and back."""

    def __init__(self, context: Context, parent: QObject) -> None:
        super().__init__(parent)
        self._context = context

    def table(self, wanted: ResultsFilter, name: str) -> None:
        self._add(lambda evidence: evidence.table(wanted, name))

    def row(self, wanted: ResultsFilter, name: str, row: Row) -> None:
        self._add(lambda evidence: evidence.row(wanted, name, row))

    def figure(self, wanted: ResultsFilter, name: str, title: str) -> None:
        self._add(lambda evidence: evidence.figure(wanted, name, title))

    def bundle(self, bundle_id: BundleId) -> None:
        self._add(lambda evidence: evidence.bundle(bundle_id), tr("The set of answers is in the report's evidence."))

    def passage(self, bundle_id: BundleId, cell_id: CellId, start: int, end: int) -> None:
        self._add(
            lambda evidence: evidence.passage(bundle_id, cell_id, start, end),
            tr("The passage is in the report's evidence."),
        )

    def _add(self, take: Callable[[EvidenceService], Evidence], unnamed: str = "") -> None:
        """*unnamed*: what is said where names are hidden by then."""
        open_audit = self._context.engine.open_audit

        def work() -> tuple[Evidence, bool]:
            found = take(open_audit.reports.evidence())
            return found, open_audit.drafts.add_evidence(found)

        self._context.bridge.run(
            work,
            then=partial(self._added, unnamed),
            failed=lambda error: self._context.messages.failure(error, topic=_TOPIC),
            owner=self,
        )

    def _added(self, unnamed: str, done: tuple[Evidence, bool]) -> None:
        found, new = done
        go = Remedy(text=tr("Go to the report"), do=lambda: self._context.navigator.go("reports", part="evidence"))
        if not new:
            said = tr("That is in the report's evidence already.")
            self._context.messages.info(said, go, topic=_TOPIC)
            return
        # A passage's title begins with its own words, in quotation marks already.
        title = found.title if found.title.startswith("“") else tr("“{title}”", title=found.title)
        said = tr("{title} is in the report's evidence.", title=title)
        if unnamed and names_hidden():
            said = unnamed
        undo = Remedy(text=tr("Undo"), do=partial(self._take_back, found))
        self._context.messages.success(said, undo, go, topic=_TOPIC)

    def _take_back(self, found: Evidence) -> None:
        # Not by Undo of the report: something else may have been written there since.
        audit = self._context.engine.current
        if audit is not None:
            audit.drafts.remove_evidence(found)
            self._context.messages.clear(_TOPIC)
